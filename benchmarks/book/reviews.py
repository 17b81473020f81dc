"""The schedule of cards: what lost races do to it, and how well it foretells what is recalled.

`foretold` asks the schedule before each first attempt of a day, in practice alone, whether the card will be
recalled. On simulated learners the truth is FSRS' own model with its usual parameters and the grades that the
learner felt; only the times of the takes are known to the book. On kept logs it says whether the schedule
suits a club (`python -m benchmarks.book.estimators --logs FOLDER`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby
from math import log

import numpy as np
from fsrs import Card, Rating, Scheduler

from desk.book.memory import Memory, Result, Schedule, Trial, remembered, reviewed, scheduled

FIRST = date(2026, 1, 1)
_LEAST = 1e-4
_FASTER = {Rating.Easy: (0.0, 0.25), Rating.Good: (0.25, 0.75), Rating.Hard: (0.75, 1.0)}
"""Which part of the learner's times a take of each grade has."""


def memories(trials: Sequence[Trial], today: date) -> dict[int, Memory]:
    """Return the memory of each card that was ever reviewed; `trials` are in the order of days."""
    return remembered(reviewed(trials, scheduled(trials)), today)


@dataclass(frozen=True, slots=True)
class Foretold:
    """The probability of recall that was foretold for an attempt, the true one if known, and the outcome."""

    recall: float
    true: float | None
    was_recalled: bool


def log_loss(told: Sequence[tuple[float, bool]]) -> float:
    """Return the mean of -log of the probability that was given to what happened."""
    return float(
        np.mean([-log(max(_LEAST, recall if happened else 1 - recall)) for recall, happened in told])
    )


def foretold(trials: Sequence[Trial]) -> Iterator[tuple[int, float, bool]]:
    """Iterate over poem, foretold recall and outcome of each first attempt of a day in practice alone."""
    known: Schedule | None = None
    place = 0
    for day, each in groupby(trials, lambda trial: trial.day):
        of_day = list(each)
        known = scheduled(trials[:place], known)
        kept = remembered(reviewed(trials[:place], known), day)
        seen: set[int] = set()
        for trial in of_day:
            if trial.alone and trial.poem in kept and trial.poem not in seen:
                yield trial.poem, kept[trial.poem].recall, trial.result is Result.TAKEN
            seen.add(trial.poem)
        place += len(of_day)


def learner(seed: int, days: int = 120, cards: int = 20) -> tuple[list[Trial], list[Foretold]]:
    """Let a learner practise the most overdue cards every second day; return the trials and the forecasts."""
    dice = np.random.default_rng(seed)
    truth = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
    true: dict[int, Card] = {}
    trials: list[Trial] = []
    found: list[Foretold] = []
    for number in range(0, days, 2):
        today = FIRST + timedelta(days=number)
        noon = datetime.combine(today, time(12), UTC)
        kept = memories(trials, today)
        due = sorted((poem for poem in kept if kept[poem].due <= today), key=lambda poem: kept[poem].recall)
        new = [poem for poem in range(1, 101) if poem not in kept]
        for poem in [*due, *new][:cards]:
            card = true.get(poem) or Card(card_id=poem)
            recall = truth.get_card_retrievability(card, noon) if card.last_review else 0.9
            grade = dice.choice([Rating.Easy, Rating.Good, Rating.Hard], p=[0.25, 0.5, 0.25])
            is_recalled = bool(dice.random() < recall)
            true[poem], _ = truth.review_card(card, Rating(grade) if is_recalled else Rating.Again, noon)
            if poem in kept:
                found.append(Foretold(kept[poem].recall, recall, is_recalled))
            low, high = _FASTER[Rating(grade)]
            ms = 400 + 400 * float(dice.uniform(low, high))
            result = Result.TAKEN if is_recalled else Result.FAILED
            trials.append(Trial(today, poem, result, ms if is_recalled else None, alone=True))
    return trials, found


def racer(seed: int, weeks: int = 12) -> tuple[int, int, int]:
    """Let a player of perfect memory race an equal; return losses, cards due, and due without them."""
    dice = np.random.default_rng(seed)
    trials: list[Trial] = []
    for number in range(0, 7 * weeks, 3):
        for poem in dice.permutation(100)[:50] + 1:
            own, other = 600 * np.exp(0.35 * dice.standard_normal(2))
            result = Result.TAKEN if own < other else Result.LOST
            trials.append(Trial(FIRST + timedelta(days=number), int(poem), result, float(min(own, other))))
    today = FIRST + timedelta(days=7 * weeks)
    taken = [trial for trial in trials if trial.result is Result.TAKEN]
    due, due_of_taken = (
        sum(each.due <= today for each in memories(some, today).values()) for some in (trials, taken)
    )
    return len(trials) - len(taken), due, due_of_taken


def rows(learners: int) -> Iterator[str]:
    """Iterate over a line for each cell."""
    raced = [racer(seed) for seed in range(learners)]
    lost, due, of_taken = (float(np.mean([each[place] for each in raced])) for place in range(3))
    yield (
        f"perfect memory, 12 weeks against an equal: {lost:.0f} losses, {due:.1f} cards due "
        f"({of_taken:.1f} without the losses)"
    )
    told = [each for seed in range(learners) for each in learner(seed)[1]]
    ours = log_loss([(each.recall, each.was_recalled) for each in told])
    best = log_loss([(each.true or 0.0, each.was_recalled) for each in told])
    share = float(np.mean([each.was_recalled for each in told]))
    usual = log_loss([(share, each.was_recalled) for each in told])
    yield (
        f"learners whose memory is FSRS': {len(told)} forecasts, {share:.1%} recalled; log loss {ours:.3f}, "
        f"of the true recall {best:.3f} (ratio {ours / best:.2f}), of one share for all {usual:.3f}"
    )
