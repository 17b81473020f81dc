"""How well a player still knows each card, and when it should come again: FSRS over all that the book knows.

Every take and every failure is a review of that card. FSRS (`fsrs` on PyPI) keeps for each card how stable
the memory of it is and how difficult it is, and tells from them how likely it is recalled today.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum, auto
from statistics import median, quantiles
from typing import Final

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


@dataclass(frozen=True, slots=True)
class Trial:
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
    return remembered(reviewed(trials), now)


def reviewed(trials: Sequence[Trial]) -> dict[int, Card]:
    """Return each card after all its reviews, in the order of time; six thousand take 0.3 s."""
    pace = Pace.of(trials)
    cards: dict[int, Card] = {}
    for trial in trials:
        rating = pace.rating(trial)
        if rating is not None:
            card = cards.get(trial.poem) or Card(card_id=trial.poem)
            at = datetime.fromisoformat(trial.wall).astimezone(UTC)
            cards[trial.poem], _ = _SCHEDULER.review_card(card, rating, at)
    return cards


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
    def of(cls, trials: Sequence[Trial]) -> Pace:
        """Return the quartiles of a player's own takes."""
        times = [
            trial.reaction_ms
            for trial in trials
            if trial.result is Result.TAKEN and trial.reaction_ms is not None
        ]
        if len(times) < _FEWEST_TIMES:
            return cls(None, median(times) if times else None, None)
        fast, usual, slow = quantiles(times, n=4, method="inclusive")
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
