"""Sets of cards to practise, chosen from the book's data on a player.

Cards that are due come before those that were just practised well.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property

from fsrs import Card

from desk.book.card_times import CardTime, card_times
from desk.book.memory import Result, Schedule, Trial, remembered, reviewed
from desk.panel.book.port import CardChosen, CardSet
from referee.cards.poems import POEMS, common_prefix

LOST_DAYS = 30  # days of the set of cards that were lost this month
_RECENT_DAYS = 90  # days that times cover: a card that was slow a year ago and is fast today is not slow


@dataclass(frozen=True, slots=True)
class Confusion:
    """The card `lure` was touched when `read` was read."""

    lure: int
    read: int


@dataclass(frozen=True)
class Record:
    """The book's data on a player's cards, in the order of days; `schedule` is that of their beginning."""

    trials: Sequence[Trial]
    confusions: Sequence[Confusion]
    schedule: Schedule = field(default_factory=Schedule)

    @cached_property
    def cards(self) -> Mapping[int, Card]:
        """Each card after all its reviews."""
        return reviewed(self.trials, self.schedule)


def choose(record: Record, which: CardSet, count: int, today: date) -> list[CardChosen]:
    """Return at most `count` cards of a set in the order of practice; `today` is the player's day."""
    memory = remembered(record.cards, today)
    recent = _since(record.trials, today, _RECENT_DAYS)
    this_month = _since(record.trials, today, LOST_DAYS)
    lost = Counter(trial.poem for trial in this_month if trial.result is not Result.TAKEN)
    confused = Counter[int]()
    for confusion in record.confusions:  # a family is every poem with the beginning that the two cards share
        shared = common_prefix(POEMS[confusion.lure].sounds, POEMS[confusion.read].sounds)
        if shared and confusion.lure != confusion.read:
            confused.update(number for number, poem in POEMS.items() if poem.sounds.startswith(shared))
    times = _times(recent)
    match which:
        case "due":
            urgency = {poem: -of.recall for poem, of in memory.items() if of.due <= today}
        case "slowest":
            urgency = {poem: of.above for poem, of in times.items() if of.above >= 0}
        case "lost":
            urgency = dict(lost)
        case "confused":
            urgency = dict(confused)
    later = {poem for poem, of in memory.items() if of.due > today}  # due cards come first
    pool = sorted(urgency, key=lambda poem: (poem in later, -urgency[poem], poem))
    return [
        {
            "poem": poem,
            "due": memory[poem].due.isoformat() if poem in memory else None,
            "typical_ms": times[poem].ms if poem in times else None,
            "lost": lost[poem],
            "confused": confused[poem],
        }
        for poem in pool[:count]
    ]


def _since(trials: Sequence[Trial], today: date, days: int) -> Sequence[Trial]:
    """Return the trials of the last `days` days; `trials` are in the order of days."""
    first = today - timedelta(days=days)
    return trials[bisect_left(trials, first, key=lambda trial: trial.day) :]


def _times(trials: Sequence[Trial]) -> dict[int, CardTime]:
    """Return how slow each card is, in matches or alone: where the player met it more often."""
    timed = [trial for trial in trials if trial.reaction_ms is not None and trial.result is not Result.FAILED]
    met = Counter((trial.poem, trial.alone) for trial in timed)
    times: dict[int, CardTime] = {}
    for alone in (False, True):
        found = card_times(
            (trial.poem, trial.reaction_ms or 0.0, trial.result is Result.TAKEN)
            for trial in timed
            if trial.alone is alone
        )
        times |= {poem: of for poem, of in found.items() if met[poem, alone] >= met[poem, not alone]}
    return times
