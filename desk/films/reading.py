"""The readings of a film and their times; poems are named by the sound, a person, or the card that left.

In the pictures a play follows a reading, and its card leaves for good.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.clocks.latency import Offset
from calibration.failure import FailedEstimation
from desk.errors import DeskError
from desk.films.film import Ask, Film, OpenQuestionError
from desk.films.sound import APART_NS, HeardReading
from referee.facts import ASSUMED, UNPLACED, UNSURE, Testimony
from referee.layout import Layout
from referee.sentence import Sentence
from vision.match.plays import Play, PlayFinder
from vision.recordings.recording import RecordedReading
from vision.sources.source import SourceError
from vision.torifuda.prior_knowledge import PriorKnowledge

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


_TIDIED_NS = 8_000_000_000
"""A pressed card lies beside its place until its taker picks it up, usually within this time."""
_ANSWERS_NS = 15_000_000_000  # longest time from a first sound to its play; an upper verse lasts 5 to 8 s
_TAKEN, _PERHAPS_TAKEN, _TOUCHED, _DEAD = 4.0, 3.0, 1.0, 0.2
"""Fit of a play to a poem whose card left in it; left just after it; was touched; is not on the field."""


def plays_of(
    film: Film, known: PriorKnowledge, watched: Callable[[int], None], *, may_be_slow: bool = True
) -> list[Play]:
    """Return the plays that the pictures show, in order of time.

    Raises OpenQuestionError if they are so slow that the film is most likely slow motion, and nobody has said
    how fast it was filmed. Raises DeskError if it cannot be read, or no field is seen in it. `watched` is
    called with the instant of every picture, in nanoseconds. `may_be_slow`: no voice is heard at its pace.
    """
    finder = PlayFinder(known)
    with DeskError.wrapping("", SourceError):
        source = film.pictures()
        for frame in source:
            watched(frame.t_ns)
            finder.feed(frame)
            source.glances = finder.rests
    plays = finder.close(source.ends_ns)
    if not finder.is_read:
        raise DeskError(_unread(film, finder.problem))
    fast_fps = 65  # slow motion is filmed faster than this; most phones write 30 or 60
    told = film.filmed_fps is not None or film.slow_motion > 1
    if may_be_slow and finder.is_slow and not told and film.usual_fps < fast_fps:
        raise OpenQuestionError(
            Sentence(
                "{film} plays {fps} pictures a second, and hands move more slowly in it than in play: say "
                "how many pictures a second were filmed, or {fps} if it is not slow motion",
                film=film.path,
                fps=round(film.usual_fps),
            ),
            Ask.RATE,
        )
    return plays


def _unread(film: Film, problem: FailedEstimation | None) -> Sentence:
    if problem is None:
        return Sentence(
            "{film} cannot be judged: the whole field must be in view, from above, with the near player at "
            "the bottom edge",
            film=film.path,
        )
    return Sentence(
        "{film} cannot be judged ({why}): the whole field must be in view, from above, with the near player "
        "at the bottom edge",
        film=film.path,
        why=problem.told,
    )


def assumed_readings(plays: Sequence[Play]) -> list[FilmReading]:
    """Return a reading for each play in which a card left the field; its poem is only assumed."""
    return [
        replace(_before(plays[at]), poem=poem, doubt=ASSUMED) for at, poem in sorted(_targets(plays).items())
    ]


def placed_readings(
    poems: Sequence[int], plays: Sequence[Play], ends_ns: int, begins_ns: int = 0
) -> list[FilmReading]:
    """Return the readings of poems in this order: a poem whose card left in a play was read before that play.

    If several plays fit, or a dead poem may have been read in several places, its time is in doubt.
    """
    fits = [_fits(poem, plays) for poem in poems]
    places = aligned(fits)
    readings: list[FilmReading] = []
    for number, (poem, at) in enumerate(zip(poems, places, strict=True)):
        before = max((one for one in places[:number] if one is not None), default=-1)
        after = min((one for one in places[number + 1 :] if one is not None), default=len(plays))
        if at is not None:
            others = [one for one in fits[number] if before < one < after and fits[number][one] > _TOUCHED]
            doubt = "" if len(others) == 1 else UNPLACED
            readings.append(replace(_before(plays[at]), poem=poem, doubt=doubt))
            continue
        # a dead poem is certain if no card was touched between its neighbours
        lies = any(poem in play.lay for play in plays)
        doubt = "" if after - before == 1 and not lies else UNPLACED
        from_ns = plays[before].t_ns if before >= 0 else begins_ns
        to_ns = plays[after].stirred_ns if after < len(plays) else ends_ns
        t_ns = from_ns + round((to_ns - from_ns) * _share(places, number))
        readings.append(FilmReading(t_ns, max(1, (to_ns - from_ns) // 2), poem, doubt))
    return readings


def _share(places: Sequence[int | None], number: int) -> float:
    """Return the place 0..1 between two plays for a poem without a play, spaced evenly with others."""
    first = max((at + 1 for at in range(number) if places[at] is not None), default=0)
    end = min((at for at in range(number, len(places)) if places[at] is not None), default=len(places))
    return (number - first + 0.5) / (end - first)


def named_by_plays(readings: Sequence[FilmReading], plays: Sequence[Play]) -> list[FilmReading]:
    """Name unrecognised readings by the card that left after them; drop those without such a card."""
    targets, named = _targets(plays), []
    ends_ns = [one.t_ns for one in readings[1:]] + [1 << 62]
    for reading, end_ns in zip(readings, ends_ns, strict=True):
        until_ns = min(end_ns, reading.t_ns + _ANSWERS_NS)
        cards = [poem for at, poem in targets.items() if reading.t_ns < plays[at].t_ns < until_ns]
        if reading.poem is not None:
            named.append(reading)
        elif cards:
            named.append(replace(reading, poem=cards[0], doubt=ASSUMED))
    return named


def _targets(plays: Sequence[Play]) -> dict[int, int]:
    """Return for each play in which a card left the card that was most likely read before it."""
    targets: dict[int, int] = {}
    for card in dict.fromkeys(card for play in plays for card in play.taken):
        targets.setdefault(_take_of(card, plays)[0], card)
    return targets


def _take_of(card: int, plays: Sequence[Play]) -> list[int]:
    """Return the plays in which a card that left may have been taken, the likeliest first."""
    there = [at for at, play in enumerate(plays) if card in play.touched or card in play.moved]
    left = next(at for at in there if card in plays[at].taken)
    before = [
        at
        for at in there
        if at < left and plays[left].t_ns - plays[at].t_ns < _TIDIED_NS and not plays[at].taken
    ]
    return [*before[-1:], left]


def _fits(poem: int, plays: Sequence[Play]) -> dict[int, float]:
    there = {at: _TOUCHED for at, play in enumerate(plays) if poem in play.touched or poem in play.moved}
    if any(poem in play.taken for play in plays):
        return there | dict(zip(_take_of(poem, plays), (_TAKEN, _PERHAPS_TAKEN), strict=False))
    if len(there) == 1:
        return dict.fromkeys(there, _TAKEN)  # it was touched once, and still lies there as the film ends
    if there or any(poem in play.lay for play in plays):
        return there
    return {at: _DEAD / (1 + len(play.taken)) for at, play in enumerate(plays)}


def _before(play: Play) -> FilmReading:
    """Return a reading just before a play, by the shortest time in which a player reaches a card."""
    soonest_ns, moment_ns = 250_000_000, 50_000_000
    t_ns = max(0, min(play.stirred_ns, play.t_ns - soonest_ns) - moment_ns)
    look = Look(play.seen.before.layout, play.seen.facts)
    return FilmReading(t_ns, max(moment_ns, (play.t_ns - t_ns) // 2), None, seen=look)
