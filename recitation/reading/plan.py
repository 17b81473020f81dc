"""The plan of a reading: the sample, and the nanosecond, at which every phrase begins.

All arithmetic is in whole samples, so a rendered or played plan is exact by construction: a pause of one
second is exactly 48,000 samples.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from recitation.reading.phrase import Half, Phrase
from recitation.reading.practice import Step
from recitation.reading.rhythm import Rhythm

SAMPLE_RATE = 48_000  # samples per second of every plan, clip and stream in this package
_NS_PER_S = 1_000_000_000


def samples(seconds: float) -> int:
    """Return a length as a number of samples, rounded to the nearest."""
    return round(seconds * SAMPLE_RATE)


def sample_to_ns(sample: int) -> int:
    """Return a sample's time after the first sample of the stream, to the nearest nanosecond."""
    return (sample * _NS_PER_S + SAMPLE_RATE // 2) // SAMPLE_RATE


@dataclass(frozen=True, slots=True)
class Spacing:
    """Silences that the rhythm does not define, in seconds."""

    lead_s: float = 0.5  # before the first sound
    breath_s: float = 1.0  # between the halves of one poem, and between repeated halves
    # between steps of a rendered file; at a table the reader waits for the players instead
    wait_s: float = 3.0

    def __post_init__(self) -> None:
        for name in ("lead_s", "breath_s", "wait_s"):
            if not 0.0 <= getattr(self, name) <= 999.0:
                raise ValueError(f"{name} must be 0..999 s, got {getattr(self, name):g}")


@dataclass(frozen=True, slots=True)
class Cue:
    """One phrase in time: `sample` is its first sample, `samples` its length."""

    phrase: Phrase
    sample: int
    samples: int

    @property
    def end(self) -> int:
        """First sample after the phrase."""
        return self.sample + self.samples


@dataclass(frozen=True, slots=True)
class ReadingPlan:
    """All phrases of a reading in time, and the rhythm."""

    rhythm: Rhythm
    cues: tuple[Cue, ...]

    def __iter__(self) -> Iterator[Cue]:
        return iter(self.cues)


def gap(before: Phrase, after: Phrase, rhythm: Rhythm, spacing: Spacing) -> int:
    """Return the silence between two phrases of one step, in samples.

    Between a second half and the next poem's first half, the moment players wait for, it is the rhythm's
    pause.
    """
    if before.half is Half.SHIMO and after.half is Half.KAMI and before.poem != after.poem:
        return samples(rhythm.pause_s)
    return samples(spacing.breath_s)


def plan_step(
    step: Step, start: int, rhythm: Rhythm, length_of: Callable[[Phrase], int], spacing: Spacing
) -> tuple[Cue, ...]:
    """Place the phrases of one step, the first one at sample `start`."""
    placed: list[Cue] = []
    for phrase in step:
        at = placed[-1].end + gap(placed[-1].phrase, phrase, rhythm, spacing) if placed else start
        placed.append(Cue(phrase, at, length_of(phrase)))
    return tuple(placed)


def plan_reading(
    steps: Sequence[Step],
    rhythm: Rhythm,
    length_of: Callable[[Phrase], int] | None = None,
    spacing: Spacing | None = None,
) -> ReadingPlan:
    """Return a whole reading in time.

    Raises ValueError if the rhythm is `as recorded` and the clips' lengths are not given.

    `steps`: see `recitation.reading.practice.steps`. `length_of`: length of a phrase's clip in samples; None
    takes the rhythm's own lengths.
    """

    def by_rhythm(phrase: Phrase) -> int:
        length_s = rhythm.length_s(phrase.half)
        if length_s is None:
            raise ValueError("the rhythm is 'as recorded': the lengths of the recorded clips are needed")
        return samples(length_s)

    silences = spacing or Spacing()
    cues: list[Cue] = []
    for step in steps:
        start = cues[-1].end + samples(silences.wait_s) if cues else samples(silences.lead_s)
        cues += plan_step(step, start, rhythm, length_of or by_rhythm, silences)
    return ReadingPlan(rhythm, tuple(cues))
