"""When each of a player's cards is reviewed next: the schedule of FSRS over all data of the book.

A card has at most one review a day: its first trial of that day that says something about memory. A take is
graded by the player's own times for cards of the same length, in matches or alone, up to the end of that day,
so that later takes do not change it. A card that the opponent took says who was faster and nothing of memory.
FSRS (`fsrs` on PyPI) keeps the stability of the memory and the difficulty of each card, and asks for days
alone: days begin at midnight where the player was, or some hours later, as the book is told.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from enum import Enum, auto
from itertools import groupby
from statistics import quantiles
from typing import Final, NamedTuple

from fsrs import Card, Rating, Scheduler

from referee.cards.poems import POEMS

RECALL = 0.9  # probability of recall for which FSRS chooses the next day (its desired retention)
_FEWEST_TIMES = 8  # number of timed takes of a kind from which their quartiles define fast and slow
_NO_REACTION_MS = 3000.0
"""Time after which a lost card was not reacted to at all: as long as a practice waits for a hand
(`desk.practice.plan`); takes of a match are four times faster."""


class Result(Enum):
    """The result of a trial."""

    TAKEN = auto()
    LOST = auto()  # the opponent took it
    FAILED = auto()  # the player did not take it although nobody competed, or touched another card


class Trial(NamedTuple):
    """A read card, which the player should have taken."""

    day: date  # the day on which it was, where it was
    poem: int  # 1..100
    result: Result  # the result
    # time of the take, the player's or the opponent's, after the end of the kimariji; None if it is not known
    reaction_ms: float | None
    alone: bool = False  # whether it was in practice alone


@dataclass(frozen=True, slots=True)
class Memory:
    """The memory of a card: the day of its next review, and FSRS' probability of recall today, 0..1.

    The probability only orders cards: how well it fits a player's matches has not been measured.
    """

    due: date
    recall: float


# without learning steps a card is due after days, not minutes; without fuzzing the same book gives the same
# days
_SCHEDULER: Final = Scheduler(
    desired_retention=RECALL, learning_steps=(), relearning_steps=(), enable_fuzzing=False
)


@dataclass(frozen=True, slots=True)
class Schedule:
    """The cards after a player's earlier trials, so that only new trials have to be reviewed."""

    trials: Sequence[Trial] = ()  # the reviewed ones: all but those of the latest day
    cards: Mapping[int, Card] = field(default_factory=dict)  # each card after them


def scheduled(trials: Sequence[Trial], known: Schedule | None = None) -> Schedule:
    """Return the schedule of a player's trials; a thousand new ones take about 30 ms.

    The latest day is left out: it may continue, and the grade of its takes depends on all of them.

    `trials`: in the order of days. `known`: an earlier schedule of the same player; if it does not match the
    trials, it is built anew.
    """
    end = bisect_left(trials, trials[-1].day, key=_day) if trials else 0
    if known is None or trials[: min(end, len(known.trials))] != known.trials:
        known = Schedule()
    cards = dict(known.cards)
    _review(cards, trials[:end], len(known.trials))
    return Schedule(trials[:end], cards)


def reviewed(trials: Sequence[Trial], schedule: Schedule) -> dict[int, Card]:
    """Return each card after all its reviews.

    `trials`: in the order of days. `schedule`: their schedule, from `scheduled`.
    """
    cards = dict(schedule.cards)
    _review(cards, trials, len(schedule.trials))
    return cards


def _review(cards: dict[int, Card], trials: Sequence[Trial], begin: int) -> None:
    """Review the trials from index `begin` on, each by the player's pace up to the end of its day."""
    pace = Pace(trials[:begin])
    for day, each in groupby(trials[begin:], _day):
        of_day = list(each)
        pace.add(of_day)
        grades: dict[int, Rating] = {}
        for trial in of_day:
            if trial.poem not in grades and (grade := pace.grade(trial)) is not None:
                grades[trial.poem] = grade
        for poem, grade in grades.items():
            card = cards.get(poem) or Card(card_id=poem)
            cards[poem], _ = _SCHEDULER.review_card(card, grade, _noon(day))


def _day(trial: Trial) -> date:
    return trial.day


def _noon(day: date) -> datetime:
    """Return the instant that stands for a day before FSRS: whole days lie between two of them."""
    return datetime.combine(day, time(12), UTC)


def remembered(cards: Mapping[int, Card], today: date) -> dict[int, Memory]:
    return {
        poem: Memory(card.due.date(), _SCHEDULER.get_card_retrievability(card, _noon(today)))
        for poem, card in cards.items()
    }


class Pace:
    """A player's take times, by the length of the kimariji and apart for matches and practice alone.

    `trials`: those known so far.
    """

    def __init__(self, trials: Iterable[Trial] = ()) -> None:
        self._times: dict[tuple[int, bool], list[float]] = defaultdict(list)
        self._quartiles: dict[tuple[int, bool], tuple[float, float] | None] = {}
        self.add(trials)

    def add(self, trials: Iterable[Trial]) -> None:
        for trial in trials:
            if trial.result is Result.TAKEN and trial.reaction_ms is not None:
                self._times[_kind(trial)].append(trial.reaction_ms)
                self._quartiles.pop(_kind(trial), None)

    def grade(self, trial: Trial) -> Rating | None:
        """Return the grade of a recall, None if the trial says nothing about it."""
        time_ms = trial.reaction_ms
        if trial.result is Result.FAILED:
            return Rating.Again
        if trial.result is Result.LOST:
            return Rating.Again if time_ms is not None and time_ms >= _NO_REACTION_MS else None
        quartiles = self._quartiles_of(_kind(trial))
        if time_ms is None or quartiles is None:
            return Rating.Good
        fast_ms, slow_ms = quartiles
        if time_ms > slow_ms:
            return Rating.Hard
        return Rating.Easy if time_ms < fast_ms else Rating.Good

    def _quartiles_of(self, kind: tuple[int, bool]) -> tuple[float, float] | None:
        if kind not in self._quartiles:
            times = self._times[kind]
            found = quantiles(times, n=4, method="inclusive") if len(times) >= _FEWEST_TIMES else None
            self._quartiles[kind] = None if found is None else (found[0], found[2])
        return self._quartiles[kind]


def _kind(trial: Trial) -> tuple[int, bool]:
    return len(POEMS[trial.poem].kimariji), trial.alone
