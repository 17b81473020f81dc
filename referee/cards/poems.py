"""The hundred poems and the joka, each with the texts of its yomifuda and its torifuda."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from itertools import takewhile
from types import MappingProxyType

_VOICED = "がぎぐげござじずぜぞだぢづでどばびぶべぼぱぴぷぺぽゔ"
_UNVOICED = "かきくけこさしすせそたちつてとはひふへほはひふへほう"
_WITHOUT_MARKS = str.maketrans(_VOICED, _UNVOICED)


def unvoiced(text: str) -> str:
    """Return hiragana without voicing marks, as they are printed on torifuda."""
    return text.translate(_WITHOUT_MARKS)


def decisive_prefix(text: str, others: Iterable[str]) -> str:
    """Return the shortest prefix of `text`, at least one kana, that is a prefix of none of `others`.

    Raises ValueError if the whole of `text` is a prefix of one of `others`.
    """
    rivals = tuple(others)
    for length in range(1, len(text) + 1):
        prefix = text[:length]
        if not any(rival.startswith(prefix) for rival in rivals):
            return prefix
    raise ValueError(f"no beginning of {text!r} tells it apart from the other texts")


def common_prefix(one: str, other: str) -> str:
    """Return the kana with which both texts begin."""
    shared = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return "".join(kana for kana, _ in shared)


_COLUMN_KANA = 5


@dataclass(frozen=True, slots=True)
class Poem:
    """One poem."""

    number: int  # 1..100 in the traditional order, 0 for the joka
    # kami, shimo: upper (5-7-5) and lower half (7-7) in kanji and kana, a space between the ku (phrases)
    kami: str
    shimo: str
    # kami_kana, shimo_kana: the same in historical kana
    kami_kana: str
    shimo_kana: str
    # kami_pron, shimo_pron: the same as the reader pronounces it, in modern kana
    kami_pron: str
    shimo_pron: str
    # the text of the playing card: the lower half in hiragana without voicing marks or spaces; empty for the
    # joka, which has no card
    torifuda: str
    # the first sounds that tell it apart from the 99 others (pronunciation); empty for the joka
    kimariji: str

    @property
    def sounds(self) -> str:
        """The upper half as pronounced, without spaces: what the players hear first."""
        return self.kami_pron.replace(" ", "")

    @property
    def torifuda_columns(self) -> tuple[str, str, str]:
        """The three columns of the torifuda from right to left: five kana, five kana, the rest."""
        text = self.torifuda
        return text[:_COLUMN_KANA], text[_COLUMN_KANA : 2 * _COLUMN_KANA], text[2 * _COLUMN_KANA :]


def _load() -> dict[int, Poem]:
    table = tomllib.loads(files("referee.cards").joinpath("poems.toml").read_text("utf-8"))["poem"]
    sounds = {entry["number"]: entry["kami_pron"].replace(" ", "") for entry in table if entry["number"]}
    poems = {}
    for entry in table:
        number: int = entry["number"]
        others = (text for other, text in sounds.items() if other != number)
        poems[number] = Poem(
            **entry,
            torifuda=unvoiced(entry["shimo_kana"].replace(" ", "")) if number else "",
            kimariji=decisive_prefix(sounds[number], others) if number else "",
        )
    return poems


_ALL = _load()

JOKA = _ALL.pop(0)
"""難波津: read before the first poem so that the players find the reader's rhythm; it has no card."""

POEMS: Mapping[int, Poem] = MappingProxyType(_ALL)  # the hundred poems by number, 1..100
