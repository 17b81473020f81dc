"""Pronunciation: moras and phonemes of all 202 halves."""

import pytest

from recitation.chant.pronunciation import moras, spoken
from recitation.reading.phrase import JOKA, Half, Phrase
from referee.cards.poems import POEMS

EVERY_PHRASE = [Phrase(poem, half) for poem in (JOKA, *POEMS) for half in Half]


@pytest.mark.parametrize(
    ("kana", "expected"),
    [
        ("あきの", "a k i n o"),
        ("ちょう", "ch o o"),
        ("きょうここのえに", "ky o o k o k o n o e n i"),
        ("あわんとぞ", "a w a N t o z o"),
        ("ふじつ", "f u j i ts u"),
        ("しずちぢ", "sh i z u ch i j i"),
        ("しゃぎゅひょ", "sh a gy u hy o"),
        ("をツー", "o ts u u"),
    ],
)
def test_phonemes_of_kana(kana: str, expected: str) -> None:
    assert " ".join(sound for mora in moras(kana) for sound in mora.phonemes) == expected


@pytest.mark.parametrize("kana", ["A", "ゃあ", "ー", "っか", "あ い"])
def test_what_cannot_be_recited_is_refused(kana: str) -> None:
    with pytest.raises(ValueError, match="kana that can be recited"):
        moras(kana)


@pytest.mark.parametrize(
    ("poem", "half", "expected"),
    [
        (0, Half.KAMI, "ナニワズニ サクヤコノハナ フユゴモリ"),
        (2, Half.SHIMO, "コロモホスチョー アマノカグヤマ"),
        (4, Half.SHIMO, "フジノタカネニ ユキワフリツツ"),
        (8, Half.KAMI, "ワガイオワ ミヤコノタツミ シカゾスム"),
        (8, Half.SHIMO, "ヨオウジヤマト ヒトワイウナリ"),
        (9, Half.KAMI, "ハナノイロワ ウツリニケリナ イタズラニ"),
        (11, Half.SHIMO, "ヒトニワツゲヨ アマノツリブネ"),
        (17, Half.KAMI, "チハヤブル カミヨモキカズ タツタガワ"),
        (24, Half.KAMI, "コノタビワ ヌサモトリアエズ タムケヤマ"),
        (29, Half.SHIMO, "オキマドワセル シラギクノハナ"),
        (35, Half.KAMI, "ヒトワイサ ココロモシラズ フルサトワ"),
        (45, Half.KAMI, "アワレトモ イウベキヒトワ オモホエデ"),
        (52, Half.SHIMO, "ナオウラメシキ アサボラケカナ"),
        (58, Half.SHIMO, "イデソヨヒトオ ワスレヤワスル"),
        (62, Half.KAMI, "ヨオコメテ トリノソラネワ ハカルトモ"),
        (69, Half.KAMI, "アラシフク ミムロノヤマノ モミジバワ"),
        (72, Half.KAMI, "オトニキク タカシノハマノ アダナミワ"),
        (74, Half.SHIMO, "ハゲシカレトワ イノラヌモノオ"),
        (87, Half.KAMI, "ムラサメノ ツユモマダヒヌ マキノハニ"),
        (96, Half.SHIMO, "フリユクモノワ ワガミナリケリ"),
    ],
)
def test_the_particle_wa_is_told_apart_from_ha(poem: int, half: Half, expected: str) -> None:
    assert " ".join(spoken(Phrase(poem, half))) == expected


@pytest.mark.parametrize("half", Half)
def test_every_half_has_its_ku_and_their_usual_lengths(half: Half) -> None:
    usual = (5, 7, 5) if half is Half.KAMI else (7, 7)
    for phrase in EVERY_PHRASE:
        if phrase.half is half:
            counts = tuple(len(moras(ku)) for ku in spoken(phrase))
            assert len(counts) == len(usual), phrase
            # one mora more or less is a known licence (ji-amari, ji-tarazu), two would be a slip
            assert all(abs(count - own) <= 1 for count, own in zip(counts, usual, strict=True)), (
                phrase,
                counts,
            )
