"""The plan of a reading: exact samples, exact pauses."""

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recitation.announcements.clips import announcement_wave
from recitation.playback.reports import Announced, Memorising, PhraseStarted, State, StateChanged
from recitation.reading.memorisation import Announcement, MemoriseTimer
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import (
    SAMPLE_RATE,
    ReadingPlan,
    Spacing,
    plan_reading,
    sample_to_ns,
    samples,
)
from recitation.reading.practice import MODES, ModeError, joka_step, parse_mode, steps
from recitation.reading.rhythm import AS_RECORDED, DEFAULT, Rhythm, RhythmError, parse_rhythm
from tests.recitation.playback.quiet_table import Table


def competition(rhythm: Rhythm, order: tuple[int, ...] = (17, 4, 99), **options: Any) -> ReadingPlan:
    return plan_reading(steps(order), rhythm, **options)


def test_the_opening_of_a_match_to_the_sample() -> None:
    cues = competition(DEFAULT).cues
    assert [(str(cue.phrase), cue.sample, cue.samples) for cue in cues[:5]] == [
        ("joka kami", 24_000, 240_000),
        ("joka shimo", 312_000, 336_000),
        ("joka shimo", 696_000, 336_000),
        ("17 kami", 1_080_000, 240_000),
        ("17 shimo", 1_464_000, 336_000),
    ]


@pytest.mark.parametrize(("text", "apart_s"), [("4-3-1-5", 8.0), ("5-3-1-6", 9.0), ("4.4-3-1.5-5.6", 8.9)])
def test_from_one_second_half_to_the_next_first_half(text: str, apart_s: float) -> None:
    cues = competition(parse_rhythm(text)).cues
    pairs = [
        (before, after)
        for before, after in itertools.pairwise(cues)
        if before.phrase.half is Half.SHIMO and after.phrase.half is Half.KAMI
    ]
    assert len(pairs) == 3
    for before, after in pairs:
        assert after.sample - before.sample == round(apart_s * SAMPLE_RATE)


def test_as_recorded_keeps_clip_lengths_and_an_exact_pause() -> None:
    lengths = {Half.KAMI: 299_993, Half.SHIMO: 411_111}
    cues = competition(AS_RECORDED, length_of=lambda phrase: lengths[phrase.half]).cues
    assert {cue.samples for cue in cues} == set(lengths.values())
    taken = next(cue for cue in cues if cue.phrase == Phrase(17, Half.SHIMO))
    following = next(cue for cue in cues if cue.phrase == Phrase(4, Half.KAMI))
    assert following.sample - taken.end == SAMPLE_RATE


def test_as_recorded_needs_the_clips() -> None:
    with pytest.raises(ValueError, match="lengths of the recorded clips"):
        competition(AS_RECORDED)


def test_waits_and_lead_are_the_callers() -> None:
    plan = competition(DEFAULT, spacing=Spacing(lead_s=2.0, breath_s=0.25, wait_s=10.0))
    assert plan.cues[0].sample == samples(2.0)
    assert plan.cues[1].sample - plan.cues[0].end == samples(0.25)
    assert plan.cues[4].sample - plan.cues[3].end == samples(10.0)


def test_samples_to_nanoseconds() -> None:
    assert sample_to_ns(48_000) == 1_000_000_000
    assert sample_to_ns(1) == 20_833
    assert sample_to_ns(2) == 41_667


JOKA = "joka kami, joka shimo, joka shimo"


def told(mode: str, order: tuple[int, ...] = (17, 4), *, joka: bool = True) -> list[str]:
    return [", ".join(str(phrase) for phrase in step) for step in steps(order, mode, joka=joka)]


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("competition", [f"{JOKA}, 17 kami", "17 shimo, 4 kami", "4 shimo"]),
        ("competition-beginner", [f"{JOKA}, 17 kami, 17 shimo", "17 shimo, 4 kami, 4 shimo"]),
        ("beginner", [f"{JOKA}, 17 kami, 17 shimo", "4 kami, 4 shimo"]),
        ("recreation", [f"{JOKA}, 17 kami, 17 shimo, 17 shimo", "4 kami, 4 shimo, 4 shimo"]),
        ("kami-only", [f"{JOKA}, 17 kami", "4 kami"]),
        ("shimo-only", [f"{JOKA}, 17 shimo", "17 shimo, 4 shimo"]),
        ("12/1", [f"{JOKA}, 17 kami", "17 kami, 17 shimo, 4 kami", "4 kami, 4 shimo"]),
        ("/21", [f"{JOKA}, 17 shimo, 17 kami", "4 shimo, 4 kami"]),
    ],
)
def test_each_mode_phrase_by_phrase(mode: str, expected: list[str]) -> None:
    assert told(mode) == expected


@pytest.mark.parametrize("mode", MODES)
def test_nothing_to_read_leaves_the_joka(mode: str) -> None:
    assert told(mode, ()) == [JOKA]
    assert told(mode, (), joka=False) == []


@pytest.mark.parametrize("text", ["", "/", "3/1", "2-1", "competitve", "1111111/", "1/2/1"])
def test_a_wrong_mode_is_refused(text: str) -> None:
    with pytest.raises(ModeError, match="expected a mode"):
        parse_mode(text)


@pytest.mark.parametrize(
    ("digits", "halves"), [("122", ["kami", "shimo", "shimo"]), ("2", ["shimo"]), ("", [])]
)
def test_the_joka_is_read_as_often_as_wished(digits: str, halves: list[str]) -> None:
    first = steps([17], "kami-only", joka=joka_step(digits))[0]
    assert [str(phrase.half) for phrase in first if phrase.poem == 0] == halves
    assert first[-1] == Phrase(17, Half.KAMI)


S = 1_000_000_000


def test_fifteen_minutes_with_the_notice_at_thirteen() -> None:
    timer = MemoriseTimer(900.0)
    assert timer.due(0) is None
    timer.start(5 * S)
    assert timer.due(784 * S) is None
    assert timer.due(785 * S) is Announcement.TWO_MINUTES
    assert timer.due(786 * S) is None, "once"
    assert timer.due(904 * S) is None
    assert timer.due(905 * S) is Announcement.TIME
    assert timer.due(906 * S) is None


def test_two_minutes_or_less_have_no_notice() -> None:
    timer = MemoriseTimer(120.0)
    timer.start(0)
    assert timer.due(1) is None
    assert timer.due(120 * S) is Announcement.TIME


def test_an_impossible_time_is_refused() -> None:
    with pytest.raises(ValueError, match=r"0\.\.60 minutes, got 90"):
        MemoriseTimer(5400.0)


def test_the_reading_begins_when_the_time_is_over() -> None:
    table = Table(memorise_s=121.0)
    table.run(130.0)
    assert [report for _, report in table.told[:2]] == [
        Memorising(121 * S),
        StateChanged(State.MEMORISING, 0),
    ]
    notice_s, time_s = table.seconds_of(Announced)
    assert notice_s == pytest.approx(1.0, abs=0.2)
    assert time_s == pytest.approx(121.0, abs=0.2)
    words_s = len(announcement_wave(Announcement.TIME)) / SAMPLE_RATE
    assert table.seconds_of(PhraseStarted)[0] == pytest.approx(121.0 + words_s + 0.5, abs=0.2)


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
