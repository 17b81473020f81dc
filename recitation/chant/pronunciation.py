"""The pronunciation of a poem: moras and phonemes of every half, from the kana of `referee.cards`.

These kana write the particle wa as は; here it is told apart from the ha of a word, so that none is misread.
"""

from dataclasses import dataclass
from types import MappingProxyType

from recitation.reading.phrase import JOKA, Half, Phrase
from referee.cards.poems import JOKA as JOKA_POEM
from referee.cards.poems import POEMS

_PARTICLE_INSIDE = frozenset(
    [
        "ゆきはふりつつ",
        "あきはかなしき",
        "ひとはいうなり",
        "ひとにはつげよ",
        "あきにはあらねど",
        "うきものはなし",
        "ひとはいさ",
        "わがなはまだき",
        "むかしはものを",
        "あきはきにけり",
        "よるはもえ",
        "ひるはきえつつ",
        "ものとかはしる",
        "わすれやはする",
        "せきはゆるさじ",
        "いまはただ",
        "いまはこいしき",
        "つきやはものを",
        "ふりゆくものは",
        "いろはかわらず",
    ]
)
"""Ku with the particle wa before their end. A は at the end of a ku is always the particle."""
_RESPELT = MappingProxyType({"ぬさもとりあへず": "ぬさもとりあえず", "なほうらめしき": "なおうらめしき"})
"""Ku whose pronunciation kana contain a historical letter, and their corrections."""

_ROWS = MappingProxyType(
    {
        "": "アイウエオ",
        "k": "カキクケコ",
        "g": "ガギグゲゴ",
        "s": "サ_スセソ",
        "z": "ザ_ズゼゾ",
        "t": "タ__テト",
        "d": "ダ__デド",
        "n": "ナニヌネノ",
        "h": "ハヒ_ヘホ",
        "b": "バビブベボ",
        "p": "パピプペポ",
        "m": "マミムメモ",
        "y": "ヤ_ユ_ヨ",
        "r": "ラリルレロ",
        "w": "ワ____",
        "sh": "_シ___",
        "j": "_ジ___",
        "ch": "_チ___",
        "ts": "__ツ__",
        "f": "__フ__",
    }
)
_VOWELS = "aiueo"
_SAME_SOUND = str.maketrans("ヲヂヅ", "オジズ")
_KANA_SHIFT = ord("ア") - ord("あ")


@dataclass(frozen=True, slots=True)
class Mora:
    """One beat of the recitation."""

    kana: str  # katakana as pronounced, such as `ナ`, `チョ`, `ー` or `ン`
    consonant: str  # phoneme before the vowel, or empty
    vowel: str  # `a i u e o`, or `N` for ン

    @property
    def phonemes(self) -> tuple[str, ...]:
        return (self.consonant, self.vowel) if self.consonant else (self.vowel,)


def _sounds() -> dict[str, tuple[str, str]]:
    plain = {
        kana: (consonant, vowel)
        for consonant, row in _ROWS.items()
        for kana, vowel in zip(row, _VOWELS, strict=False)
        if kana != "_"
    }
    glides = {
        kana + small: (consonant if consonant in {"sh", "j", "ch"} else consonant + "y", vowel)
        for kana, (consonant, i) in plain.items()
        if i == "i" and consonant
        for small, vowel in zip("ャュョ", "auo", strict=True)
    }
    return {**plain, **glides, "ン": ("", "N")}


_SOUNDS = MappingProxyType(_sounds())


def moras(kana: str) -> tuple[Mora, ...]:
    """Split pronunciation kana (hiragana or katakana, no spaces) into moras.

    Raises ValueError if a character has no known sound.
    """
    text = _katakana(kana)
    found: list[Mora] = []
    position = 0
    while position < len(text):
        if text[position] == "ー" and found:
            found.append(Mora("ー", "", found[-1].vowel))
            position += 1
            continue
        size = 2 if text[position : position + 2] in _SOUNDS else 1
        sign = text[position : position + size]
        if sign not in _SOUNDS:
            raise ValueError(f"expected kana that can be recited, got {sign!r} in {kana!r}")
        found.append(Mora(sign, *_SOUNDS[sign]))
        position += size
    return tuple(found)


def spoken(phrase: Phrase) -> tuple[str, ...]:
    """Return the ku of a phrase in katakana as they are pronounced, long vowels as ー."""
    poem = JOKA_POEM if phrase.poem == JOKA else POEMS[phrase.poem]
    text = poem.kami_pron if phrase.half is Half.KAMI else poem.shimo_pron
    return tuple(_katakana(_with_particles(ku)) for ku in text.split())


def phonemes(phrase: Phrase) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(sound for mora in moras(ku) for sound in mora.phonemes) for ku in spoken(phrase))


def _with_particles(ku: str) -> str:
    respelt = _RESPELT.get(ku, ku)
    if respelt in _PARTICLE_INSIDE:
        # the particle is the last は: these ku contain exactly one, or end in it
        place = respelt.rindex("は")
        return respelt[:place] + "わ" + respelt[place + 1 :]
    return respelt[:-1] + "わ" if respelt.endswith("は") else respelt


def _katakana(kana: str) -> str:
    text = "".join(chr(ord(sign) + _KANA_SHIFT) if "ぁ" <= sign <= "ゖ" else sign for sign in kana)
    return text.replace("ョウ", "ョー").replace("ュウ", "ュー").translate(_SAME_SOUND)
