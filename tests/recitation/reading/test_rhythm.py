"""Rhythms as people write them, and what they mean in seconds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recitation.reading.phrase import Half
from recitation.reading.rhythm import AS_RECORDED, DEFAULT, PRESETS, Rhythm, RhythmError, parse_rhythm


def test_presets_are_the_three_that_clubs_know() -> None:
    assert list(PRESETS) == ["4-3-1-5", "5-3-1-6", "as recorded"]
    assert parse_rhythm("4-3-1-5") == DEFAULT == Rhythm(shimo_s=4, linger_s=3, pause_s=1, kami_s=5)
    assert parse_rhythm("5-3-1-6") == Rhythm(shimo_s=5, linger_s=3, pause_s=1, kami_s=6)


@pytest.mark.parametrize("text", ["as recorded", "As Recorded", " as  recorded ", "as-recorded"])
def test_as_recorded_keeps_lengths_but_not_the_pause(text: str) -> None:
    rhythm = parse_rhythm(text)
    assert rhythm is AS_RECORDED
    assert rhythm.kami_s is None
    assert rhythm.length_s(Half.KAMI) is None
    assert rhythm.length_s(Half.SHIMO) is None
    assert rhythm.pause_s == 1.0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "expected a preset"),
        ("4-3-1", "four lengths"),
        ("4-3-1-5-6", "four lengths"),
        ("4-3-x-5", "seconds for the pause"),
        ("4--1-5", "seconds for the linger"),
        ("4-3-1-∞", "seconds for the first half"),
        ("1-3-1-5", "second half must last 2..20 s, got 1 s"),
        ("4-21-1-5", "linger must last 0..20 s"),
        ("4-3-61-5", "pause must last 0..60 s"),
        ("4-3-1-25", "first half must last 2..20 s"),
        ("nan-3-1-5", "seconds for the second half"),
    ],
)
def test_a_wrong_rhythm_is_refused_with_the_part_that_is_wrong(text: str, told: str) -> None:
    with pytest.raises(RhythmError, match=told):
        parse_rhythm(text)


def test_half_given_half_recorded_is_refused() -> None:
    with pytest.raises(RhythmError, match="all given or all as recorded"):
        Rhythm(4.0, None, 1.0, 5.0)


@given(
    st.builds(
        lambda *deciseconds: Rhythm(*(value / 10 for value in deciseconds)),
        st.integers(20, 200),
        st.integers(0, 200),
        st.integers(0, 600),
        st.integers(20, 200),
    )
)
def test_what_is_written_is_read_back(rhythm: Rhythm) -> None:
    assert parse_rhythm(str(rhythm)) == rhythm
