"""The plan of a reading: exact samples, exact pauses."""

import itertools
from typing import Any

import pytest

from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import (
    SAMPLE_RATE,
    ReadingPlan,
    Spacing,
    plan_reading,
    sample_to_ns,
    samples,
)
from recitation.reading.practice import steps
from recitation.reading.rhythm import AS_RECORDED, DEFAULT, Rhythm, parse_rhythm


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
