"""The readings of a film and their times; poems are named by the sound, a person, or the card that left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.clocks.latency import Offset
from desk.films.sound import APART_NS, HeardReading
from referee.facts import UNPLACED, UNSURE, Testimony
from referee.layout import Layout
from vision.recordings.recording import RecordedReading

_ONSET_UNC_NS = 20_000_000  # 95 % half width of an onset that the listener hears
_LEAD = 0.5  # least lead of the best place in an order over the second, in sums of confidences


@dataclass(frozen=True, slots=True)
class Look:
    """What a look at a poem saw: the layout before it, and its facts."""

    layout: Layout
    facts: tuple[Testimony, ...]


@dataclass(frozen=True, slots=True)
class FilmReading:
    """A reading of a film."""

    # t_ns, t_unc_ns: its first sound on the film's clock, and the 95 % half width
    t_ns: int
    t_unc_ns: int
    poem: int | None  # the poem, None if unknown
    doubt: str = ""  # why it needs review whatever is seen; empty if nothing is in doubt
    perhaps: tuple[int, ...] = ()
    seen: Look | None = None  # what a first look saw of its play, if the reading was placed by that play
    # probability in 0..1 that this poem was read: the listener's, or 1 where a person says so
    confidence: float = 1.0

    def laid(self, late: Offset) -> FilmReading:
        """Return the heard reading on the clock of the pictures, which are later by `late`."""
        unc_ns = round(float(np.hypot(late.unc_ns, _ONSET_UNC_NS)))
        return replace(self, t_ns=max(0, self.t_ns + round(late.mean_ns)), t_unc_ns=unc_ns)

    def line(self) -> RecordedReading:
        """Return the reading in the form of a recording."""
        assert self.poem is not None
        t_ms, t_unc_ms = round(self.t_ns / 1e6, 3), round(self.t_unc_ns / 1e6, 3)
        return RecordedReading(t_ms, self.poem, t_unc_ms, self.doubt, self.confidence)


def in_order(readings: Sequence[FilmReading]) -> list[FilmReading]:
    """Return readings in order of time, none before 0 and no two at the same instant."""
    moment_ns, ordered, next_ns = 1_000_000, list[FilmReading](), 0
    for reading in sorted(readings, key=lambda one: one.t_ns):
        ordered.append(replace(reading, t_ns=max(reading.t_ns, next_ns)))
        next_ns = ordered[-1].t_ns + moment_ns
    return ordered


def named_by_listener(heard: Sequence[HeardReading]) -> list[FilmReading]:
    """Return the heard readings with the listener's names; a poem that occurs twice is in doubt."""
    poems = [one.poem for one in heard]
    named = []
    for one in heard:
        doubt = "" if one.is_sure and poems.count(one.poem) == 1 else UNSURE
        perhaps = tuple(other.poem for other in one.suggestions[1:])
        confidence = one.suggestions[0].confidence if one.suggestions else 1.0
        named.append(_reading(one, one.poem, doubt, perhaps, confidence))
    return named


def named_by_person(heard: Sequence[HeardReading], poems: Sequence[int]) -> list[FilmReading] | None:
    """Return the heard readings with these poems, in this order; None if fewer verses were heard.

    Verses that fit none of the poems are left out as talk. If the listener is sure of another poem, the
    reading is in doubt.
    """
    if len(heard) < len(poems):
        return None
    places = aligned([{at: _fit(one, poem) for at, one in enumerate(heard)} for poem in poems])
    return [_compared(heard[at], poem) for at, poem in zip(places, poems, strict=True) if at is not None]


def named_by_order(heard: Sequence[HeardReading], order: Sequence[int]) -> list[FilmReading] | None:
    """Return the heard readings with the best fitting part of an order; None if no part stands out."""
    sums = [
        sum(one.chance(poem) for one, poem in zip(heard, order[first:], strict=False))
        for first in range(len(order) - len(heard) + 1)
    ]
    *_, second, best = sorted([0.0, 0.0, *sums])
    if best - second < _LEAD:
        return None
    first = sums.index(best)
    return named_by_person(heard, order[first : first + len(heard)])


def aligned(fits: Sequence[Mapping[int, float]]) -> list[int | None]:
    """Give the items of a sequence increasing places, or None, so that the sum of their fits is greatest.

    `fits`: for each item its possible places, with the fit of each.
    """
    width = 1 + max((place for row in fits for place in row), default=-1)
    best = np.zeros((len(fits) + 1, width + 1))
    for at, row in enumerate(fits):
        for place in range(width):
            best[at + 1, place + 1] = max(
                best[at, place + 1], best[at + 1, place], best[at, place] + row.get(place, -np.inf)
            )
    places: list[int | None] = [None] * len(fits)
    at, end = len(fits), width
    while at and end:
        if best[at, end] == best[at, end - 1]:
            end -= 1
        elif best[at, end] == best[at - 1, end]:
            at -= 1
        else:
            at, end = at - 1, end - 1
            places[at] = end
    return places


def _reading(
    heard: HeardReading, poem: int | None, doubt: str, perhaps: tuple[int, ...] = (), confidence: float = 1.0
) -> FilmReading:
    unc_ns = round(float(np.hypot(APART_NS, _ONSET_UNC_NS)))
    doubt = doubt or (UNPLACED if heard.is_cut else "")
    return FilmReading(max(0, round(heard.t_s * 1e9)), unc_ns, poem, doubt, perhaps, confidence=confidence)


def _compared(heard: HeardReading, poem: int) -> FilmReading:
    if heard.poem is None or heard.poem == poem or not heard.is_sure:
        return _reading(heard, poem, "")
    return _reading(heard, poem, UNSURE, (heard.poem,))


def _fit(heard: HeardReading, poem: int) -> float:
    """Return the fit of a verse to a poem that was certainly read; large, so that each poem gets a verse."""
    return 10.0 + heard.chance(poem) - (heard.is_sure and heard.poem != poem)
