"""The figures of a player, computed from the rulings in the index."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from math import inf
from typing import NamedTuple, TypeVar

from desk.book.card_times import card_times
from desk.book.intervals import USUAL_TAKES, USUAL_TIMES, Likeness, design_effect, likeness, share_of
from desk.book.strength import Ratings
from desk.book.survival import median_of, timing_of
from desk.panel.book.port import (
    CardFigures,
    FaultFigures,
    LureFigures,
    OpponentFigures,
    PlaceFigures,
    PlayerFigures,
    PracticeFigures,
    Takes,
    WeekFigures,
)
from desk.practice.events import Outcome
from referee.cards.kimariji import ALONE, FIRST_SOUNDS
from referee.cards.poems import POEMS
from referee.layout import ROWS

STAGE_POEMS = 20  # poems per stage: a match has 60 to 100, so there are three to five stages
TERRITORIES, HALVES = ("own", "opponent"), ("left", "right")
PLACES = len(TERRITORIES) * ROWS * len(HALVES)
FAMILIES: Mapping[str, Sequence[int]] = {
    sounds: sorted(number for number, poem in POEMS.items() if poem.sounds[0] in sounds)
    for sounds in (ALONE, *FIRST_SOUNDS[len(ALONE) :])
}
"""Poems by the first sound that they share; the seven with a sound of their own are one family."""
_FAMILY_OF = {poem: sounds for sounds, poems in FAMILIES.items() for poem in poems}
_APART = Likeness()
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class FaultSeen:
    """A fault of the player: its kind, the card touched by mistake, and the poem that was read."""

    kind: str
    card: int | None
    poem: int


class PoemSeen(NamedTuple):
    """A ruling from the view of one player."""

    place: int  # number of the poem in its match, 1, 2, ...
    poem: int  # 1..100
    taken: bool | None  # by the player (True), by the opponent (False), by nobody (None)
    # territory, row and half of the field as the player sees it; None for a dead card
    where: tuple[str, int, str] | None
    reaction_ms: float | None  # time of the take, whoever took the card; None if it is not known
    # sent, received: number of cards sent to and received from the opponent
    sent: int
    received: int
    match: int


@dataclass(frozen=True, slots=True)
class MatchSeen:
    """A match from the view of one player.

    `won` is None if nobody won; `poems` may leave out those without a take, a fault or a sent card. What is
    not over is no match: no figure counts it.
    """

    day: str
    opponent: str | None
    over: bool
    won: bool | None
    in_doubt: int
    poems: Sequence[PoemSeen]
    faults: Sequence[FaultSeen]


@dataclass(frozen=True, slots=True)
class PracticeSeen:
    """A practice alone; an attempt has the poem, the outcome, the take time and the card touched instead."""

    day: str
    attempts: Sequence[tuple[int, Outcome, float | None, int | None]]

    @property
    def times_ms(self) -> list[float]:
        return [ms for _, _, ms, _ in self.attempts if ms is not None]


def figures_of(
    player: str,
    matches: Sequence[MatchSeen],
    practices: Sequence[PracticeSeen],
    ratings: Ratings,
    *,
    against: str | None = None,
    since: str | None = None,
    until: str | None = None,
) -> PlayerFigures:
    """Return the figures of a player from matches and practices in the order of time."""
    unfinished = sum(not match.over for match in matches)
    matches = [match for match in matches if match.over]
    poems = [poem for match in matches for poem in match.poems]
    timed = [poem.reaction_ms for poem in poems if poem.taken and poem.reaction_ms is not None]
    alike = likeness_of(poems)
    sums = takes_of(poems, alike)
    by_family = _grouped(poems, lambda poem: _FAMILY_OF[poem.poem])
    by_stage = _grouped(poems, lambda poem: (poem.place - 1) // STAGE_POEMS)
    return {
        "player": player,
        "against": against,
        "since": since,
        "until": until,
        "matches": len(matches),
        "matches_won": sum(match.won is True for match in matches),
        "matches_lost": sum(match.won is False for match in matches),
        "unfinished": unfinished,
        "in_doubt": sum(match.in_doubt for match in matches),
        "takes": sums["takes"],
        "reaction": sums["reaction"],
        "before_kimariji": share_of(sum(each < 0 for each in timed), len(timed)),
        "cards_sent": sum(poem.sent for poem in poems),
        "cards_received": sum(poem.received for poem in poems),
        "faults": _faults([fault for match in matches for fault in match.faults]),
        "cards": list(_cards(poems, practices)),
        "families": [  # the smallest first, as in learning
            {"sounds": sounds, "poems": list(members), **takes_of(by_family.get(sounds, ()), alike)}
            for sounds, members in FAMILIES.items()
        ],
        "places": list(_places(poems, alike)),
        "stages": [
            {"first": STAGE_POEMS * stage + 1, "last": STAGE_POEMS * (stage + 1), **takes_of(of, alike)}
            for stage, of in sorted(by_stage.items())
        ],
        "weeks": list(_weeks(matches, practices, alike)),
        "opponents": list(_opponents(player, matches, ratings, alike)),
        "rating": ratings.of(player),
        "practice": None if against is not None else _practice(practices),
    }


def likeness_of(poems: Sequence[PoemSeen]) -> Likeness:
    middle_ms = median_of(*_times_ms(poems))
    takes, times = defaultdict[int, list[bool]](list), defaultdict[int, list[bool]](list)
    for poem in poems:
        if poem.taken is None:
            continue
        takes[poem.match].append(poem.taken)
        if middle_ms is None or poem.reaction_ms is None:
            continue
        if poem.taken or poem.reaction_ms >= middle_ms:  # else it would be reached on either side of it
            times[poem.match].append(poem.reaction_ms < middle_ms)
    return Likeness(
        likeness([(sum(each), len(each)) for each in takes.values()], USUAL_TAKES),
        likeness([(sum(each), len(each)) for each in times.values()], USUAL_TIMES),
    )


def takes_of(poems: Iterable[PoemSeen], alike: Likeness = _APART, *, among: int = 1) -> Takes:
    """Return the player's share of the cards that were taken, and the reaction times.

    `among` is the number of figures that are looked at together, as for `desk.book.intervals.share_of`.
    """
    decided = [poem for poem in poems if poem.taken is not None]
    taken_ms, lost_ms = _times_ms(decided)
    won = sum(poem.taken is True for poem in decided)
    effect = partial(design_effect, [poem.match for poem in decided])
    return {
        "takes": share_of(won, len(decided), among=among, effect=effect(alike.takes)),
        "reaction": timing_of(taken_ms, lost_ms, among=among, effect=effect(alike.times)),
    }


def _times_ms(poems: Sequence[PoemSeen]) -> tuple[list[float], list[float]]:
    taken_ms, lost_ms = (
        [each.reaction_ms for each in poems if each.taken is taken and each.reaction_ms is not None]
        for taken in (True, False)
    )
    return taken_ms, lost_ms


def _cards(poems: Sequence[PoemSeen], practices: Sequence[PracticeSeen]) -> Iterator[CardFigures]:
    """Iterate over the cards that somebody took, the slowest first, those without a time last.

    How slow a card is, matches say; practice only where they do not.
    """
    by_poem = _grouped((poem for poem in poems if poem.taken is not None), lambda poem: poem.poem)
    practised: dict[int, list[float]] = defaultdict(list)
    for practice in practices:
        for poem, _, ms, _ in practice.attempts:
            if ms is not None:
                practised[poem].append(ms)
    in_matches = card_times(
        (poem.poem, poem.reaction_ms, poem.taken)
        for poem in poems
        if poem.taken is not None and poem.reaction_ms is not None
    )
    alone = card_times((poem, ms, True) for poem, times in practised.items() for ms in times)
    typical = {**alone, **in_matches}
    found: list[CardFigures] = [
        {
            "poem": poem,
            **takes_of(by_poem.get(poem, ())),
            "practice": timing_of(practised.get(poem, ())),
            "typical_ms": typical[poem].ms if poem in typical else None,
        }
        for poem in by_poem.keys() | practised.keys()
    ]
    above = {poem: -each.above for poem, each in typical.items()}
    yield from sorted(found, key=lambda each: (above.get(each["poem"], inf), each["poem"]))


def _practice(practices: Sequence[PracticeSeen]) -> PracticeFigures:
    outcomes = Counter(outcome for practice in practices for _, outcome, _, _ in practice.attempts)
    taken, failed = outcomes[Outcome.TAKEN], outcomes[Outcome.MISSED] + outcomes[Outcome.LURED]
    return {
        "sessions": len(practices),
        "takes": share_of(taken, taken + failed),
        "reaction": timing_of([ms for practice in practices for ms in practice.times_ms]),
        "lured": outcomes[Outcome.LURED],
    }


def _places(poems: Sequence[PoemSeen], alike: Likeness) -> Iterator[PlaceFigures]:
    by_place = _grouped((poem for poem in poems if poem.where is not None), lambda poem: poem.where)
    for territory in TERRITORIES:
        for row in range(ROWS):
            for half in HALVES:
                of = takes_of(by_place.get((territory, row, half), []), alike, among=PLACES)
                yield {"territory": territory, "row": row, "half": half, **of}


def _weeks(
    matches: Sequence[MatchSeen], practices: Sequence[PracticeSeen], alike: Likeness
) -> Iterator[WeekFigures]:
    played = _grouped(matches, lambda match: _monday(match.day))
    practised = _grouped(practices, lambda practice: _monday(practice.day))
    for monday in sorted(played.keys() | practised.keys()):
        of, alone = played.get(monday, []), practised.get(monday, [])
        yield {
            "monday": monday,
            "matches": len(of),
            "practices": len(alone),
            "practice": timing_of([ms for practice in alone for ms in practice.times_ms]),
            **takes_of((poem for match in of for poem in match.poems), alike),
        }


def _opponents(
    player: str, matches: Sequence[MatchSeen], ratings: Ratings, alike: Likeness
) -> Iterator[OpponentFigures]:
    named = _grouped((match for match in matches if match.opponent), lambda match: match.opponent or "")
    for name, of in sorted(named.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        yield {
            "name": name,
            "matches": len(of),
            "matches_won": sum(match.won is True for match in of),
            "matches_lost": sum(match.won is False for match in of),
            "stronger": ratings.between(player, name),
            **takes_of((poem for match in of for poem in match.poems), alike),
        }


def _faults(faults: Sequence[FaultSeen]) -> FaultFigures:
    kinds = Counter(fault.kind for fault in faults)
    by_card = _grouped((fault for fault in faults if fault.card is not None), lambda fault: fault.card or 0)
    lures: list[LureFigures] = [
        {"card": card, "n": len(of), "read": sorted({fault.poem for fault in of})}
        for card, of in by_card.items()
    ]
    return {
        "n": len(faults),
        "kinds": dict(kinds.most_common()),
        "lures": sorted(lures, key=lambda lure: (-lure["n"], lure["card"])),
    }


def _grouped(values: Iterable[V], key: Callable[[V], K]) -> dict[K, list[V]]:
    groups: dict[K, list[V]] = defaultdict(list)
    for value in values:
        groups[key(value)].append(value)
    return dict(groups)


def _monday(day: str) -> str:
    at = date.fromisoformat(day)
    return (at - timedelta(days=at.weekday())).isoformat()
