"""How well a player still knows each card, and when it should come again: FSRS over all that the book knows.

Every take and every failure is a review of that card. What is fast is told by the player's times up to then,
so that a review stays what it was when others follow. FSRS (`fsrs` on PyPI) keeps for each card how stable
the memory of it is and how difficult it is, and tells from them how likely it is recalled today.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum, auto
from itertools import groupby
from math import nan
from statistics import median, quantiles
from typing import Final, NamedTuple

from fsrs import Card, Rating, Scheduler

RECALL = 0.9
"""A card is due when it is recalled less likely than this; FSRS calls it the desired retention."""
_FEWEST_TIMES = 8
"""From so many timed takes on a player's own quartiles say what is fast and what is slow."""


class Result(Enum):
    """What a trial of a card was."""

    TAKEN = auto()
    LOST = auto()
    """The opponent took it."""
    FAILED = auto()
    """Nobody hindered the player, and it was not taken, or another card was touched."""


class Trial(NamedTuple):
    """A card that the player was to take.

    Attributes
    ----------
    wall : when, ISO 8601 with the offset from UTC.
    poem : 1..100.
    result : what came of it.
    reaction_ms : of whoever took it, after the end of the kimariji; None where it is not known.
    """

    wall: str
    poem: int
    result: Result
    reaction_ms: float | None


@dataclass(frozen=True, slots=True)
class Memory:
    """What is known of a card: when it is due, and how likely it is recalled now, 0..1."""

    due: datetime
    recall: float


# without learning steps a card comes again after days, never after minutes, and without fuzzing the same book
# gives the same days
_SCHEDULER: Final = Scheduler(
    desired_retention=RECALL, learning_steps=(), relearning_steps=(), enable_fuzzing=False
)


def memories(trials: Sequence[Trial], now: datetime) -> dict[int, Memory]:
    """Return what the player keeps of each card that was ever reviewed.

    Parameters
    ----------
    trials : in the order of time.
    now : with its offset from UTC.
    """
    return remembered(reviewed(trials, scheduled(trials)), now)


@dataclass(frozen=True, slots=True)
class Schedule:
    """Each card after the first of a player's trials: what is new is reviewed on from there.

    Attributes
    ----------
    count : how many trials were reviewed, all of the sittings before the latest one.
    print : tells whether they are still the same.
    cards : each card after them.
    """

    count: int
    print: str
    cards: Mapping[int, Card]

    def to_json(self) -> str:
        """Return it as text."""
        cards = [card.to_dict() for card in self.cards.values()]
        return json.dumps({"count": self.count, "print": self.print, "cards": cards})

    @classmethod
    def from_json(cls, text: str) -> Schedule:
        """Return what `to_json` wrote."""
        told = json.loads(text)
        cards = {int(card["card_id"]): Card.from_dict(card) for card in told["cards"]}
        return cls(told["count"], told["print"], cards)


def scheduled(trials: Sequence[Trial], known: Schedule | None = None) -> Schedule:
    """Return the schedule of trials in the order of time; a thousand new ones take some 30 ms.

    The latest sitting is left out: it may go on, and how fast its takes are depends on all of them.

    Parameters
    ----------
    trials : in the order of time.
    known : a schedule of the same player from before; one that does not fit is begun anew.
    """
    end = bisect_left(trials, _instant(trials[-1]), key=_instant) if trials else 0
    if known is not None and known.count <= end and known.print == _print_of(trials[: known.count]):
        if known.count == end:
            return known
        begin, cards = known.count, dict(known.cards)
    else:
        begin, cards = 0, {}
    _review(cards, trials[:end], begin)
    return Schedule(end, _print_of(trials[:end]), cards)


def reviewed(trials: Sequence[Trial], schedule: Schedule) -> dict[int, Card]:
    """Return each card after all its reviews.

    Parameters
    ----------
    trials : in the order of time.
    schedule : of them, by `scheduled`.
    """
    cards = dict(schedule.cards)
    _review(cards, trials, schedule.count)
    return cards


def _review(cards: dict[int, Card], trials: Sequence[Trial], begin: int) -> None:
    """Review the trials from number `begin` on, each by the pace that the player had in that sitting."""
    times_ms = sorted(_times_ms(trials[:begin]))
    for _, each in groupby(trials[begin:], _instant):
        sitting = list(each)
        times_ms += _times_ms(sitting)
        times_ms.sort()
        pace = Pace.of(times_ms)
        for trial in sitting:
            rating = pace.rating(trial)
            if rating is not None:
                card = cards.get(trial.poem) or Card(card_id=trial.poem)
                cards[trial.poem], _ = _SCHEDULER.review_card(card, rating, _instant(trial))


def _instant(trial: Trial) -> datetime:
    return datetime.fromisoformat(trial.wall).astimezone(UTC)


def _times_ms(trials: Iterable[Trial]) -> list[float]:
    return [
        trial.reaction_ms
        for trial in trials
        if trial.result is Result.TAKEN and trial.reaction_ms is not None
    ]


def _print_of(trials: Sequence[Trial]) -> str:
    # column by column: 6,000 trials take 3 ms
    told = hashlib.sha256("".join([trial.wall for trial in trials]).encode())
    told.update(bytes([trial.poem for trial in trials]))
    told.update(bytes([trial.result.value for trial in trials]))
    told.update(array("d", [nan if trial.reaction_ms is None else trial.reaction_ms for trial in trials]))
    return told.hexdigest()


def remembered(cards: Mapping[int, Card], now: datetime) -> dict[int, Memory]:
    """Return what is kept of reviewed cards at an instant with its offset from UTC."""
    now = now.astimezone(UTC)
    return {
        poem: Memory(card.due, _SCHEDULER.get_card_retrievability(card, now)) for poem, card in cards.items()
    }


@dataclass(frozen=True, slots=True)
class Pace:
    """What is fast and what is slow for a player, in ms; None while too few times are known."""

    fast_ms: float | None
    usual_ms: float | None
    slow_ms: float | None

    @classmethod
    def of(cls, times_ms: Sequence[float]) -> Pace:
        """Return the quartiles of the times of a player's own takes."""
        if len(times_ms) < _FEWEST_TIMES:
            return cls(None, median(times_ms) if times_ms else None, None)
        fast, usual, slow = quantiles(times_ms, n=4, method="inclusive")
        return cls(fast, usual, slow)

    def rating(self, trial: Trial) -> Rating | None:
        """Return how well the card was known, None where the trial tells nothing of that.

        Where the opponent took the card sooner than the player usually does, it says only who is fast.
        """
        time_ms = trial.reaction_ms
        match trial.result:
            case Result.FAILED:
                return Rating.Again
            case Result.LOST:
                had_time = time_ms is not None and self.usual_ms is not None and time_ms > self.usual_ms
                return Rating.Again if had_time else None
            case Result.TAKEN if time_ms is None or self.fast_ms is None or self.slow_ms is None:
                return Rating.Good
            case Result.TAKEN if time_ms > self.slow_ms:
                return Rating.Hard
            case _:
                return Rating.Easy if time_ms < self.fast_ms else Rating.Good
