"""How well a player still knows each card, and when its next review is due: FSRS over all data of the book.

Every take and every failure is a review of that card. A take is rated by the player's times up to then, so
that later takes do not change the rating. For each card, FSRS (`fsrs` on PyPI) keeps the stability of the
memory and the difficulty, which give the probability that the card is recalled today.
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
"""A card is due when its probability of recall falls below this (desired retention in FSRS)."""
_FEWEST_TIMES = 8
"""Number of timed takes from which a player's own quartiles define fast and slow."""


class Result(Enum):
    """The result of a trial."""

    TAKEN = auto()
    LOST = auto()
    """The opponent took it."""
    FAILED = auto()
    """The player did not take it although nobody competed, or touched another card."""


class Trial(NamedTuple):
    """A read card, which the player should have taken.

    Attributes
    ----------
    wall : when, ISO 8601 with the offset from UTC.
    poem : 1..100.
    result : the result.
    reaction_ms : time of the take, the player's or the opponent's, after the end of the kimariji; None if it
        is not known.
    """

    wall: str
    poem: int
    result: Result
    reaction_ms: float | None


@dataclass(frozen=True, slots=True)
class Memory:
    """The memory of a card: when it is due, and the probability that it is recalled now, 0..1."""

    due: datetime
    recall: float


# without learning steps a card is due after days, not minutes; without fuzzing the same book gives the same
# days
_SCHEDULER: Final = Scheduler(
    desired_retention=RECALL, learning_steps=(), relearning_steps=(), enable_fuzzing=False
)


def memories(trials: Sequence[Trial], now: datetime) -> dict[int, Memory]:
    """Return the memory of each card that was ever reviewed.

    Parameters
    ----------
    trials : in the order of time.
    now : with its offset from UTC.
    """
    return remembered(reviewed(trials, scheduled(trials)), now)


@dataclass(frozen=True, slots=True)
class Schedule:
    """The cards after a player's earlier trials, so that only new trials have to be reviewed.

    Attributes
    ----------
    count : number of reviewed trials: all but those of the latest sitting.
    print : hash of these trials and the scheduler, which shows whether they have changed.
    cards : each card after them.
    """

    count: int
    print: str
    cards: Mapping[int, Card]

    def to_json(self) -> str:
        """Return the schedule as JSON."""
        cards = [card.to_dict() for card in self.cards.values()]
        return json.dumps({"count": self.count, "print": self.print, "cards": cards})

    @classmethod
    def from_json(cls, text: str) -> Schedule | None:
        """Return the schedule that `to_json` wrote, None if this version of FSRS cannot read it."""
        try:
            told = json.loads(text)
            cards = {int(card["card_id"]): Card.from_dict(card) for card in told["cards"]}
            return cls(told["count"], told["print"], cards)
        except (LookupError, TypeError, ValueError):
            return None


def scheduled(trials: Sequence[Trial], known: Schedule | None = None) -> Schedule:
    """Return the schedule of a player's trials; a thousand new ones take about 30 ms.

    The latest sitting is left out: it may continue, and the rating of its takes depends on all of them.

    Parameters
    ----------
    trials : in the order of time.
    known : an earlier schedule of the same player; if it does not match the trials, it is built anew.
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
    schedule : their schedule, from `scheduled`.
    """
    cards = dict(schedule.cards)
    _review(cards, trials, schedule.count)
    return cards


def _review(cards: dict[int, Card], trials: Sequence[Trial], begin: int) -> None:
    """Review the trials from index `begin` on, each by the player's pace up to the end of its sitting."""
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
    told = hashlib.sha256(_SCHEDULER.to_json().encode())  # another version of FSRS has other parameters
    told.update("".join([trial.wall for trial in trials]).encode())
    told.update(bytes([trial.poem for trial in trials]))
    told.update(bytes([trial.result.value for trial in trials]))
    told.update(array("d", [nan if trial.reaction_ms is None else trial.reaction_ms for trial in trials]))
    return told.hexdigest()


def remembered(cards: Mapping[int, Card], now: datetime) -> dict[int, Memory]:
    """Return the memory of reviewed cards at an instant with its offset from UTC."""
    now = now.astimezone(UTC)
    return {
        poem: Memory(card.due, _SCHEDULER.get_card_retrievability(card, now)) for poem, card in cards.items()
    }


@dataclass(frozen=True, slots=True)
class Pace:
    """The player's quartiles of take times, in ms; None while too few times are known."""

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
        """Return the rating of the recall, None if the trial says nothing about it.

        If the opponent took the card sooner than the player usually does, the player may still have known it.
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
