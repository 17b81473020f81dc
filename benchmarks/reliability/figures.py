"""How sure rulings are against how often they are right."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar

from benchmarks.reliability.poems import Watched
from desk.book.intervals import share_of
from referee.facts import Touch, Unprovable
from referee.karuta.judge import SEEN
from referee.karuta.risk import upper_bound
from referee.karuta.ruleset import KYOGI
from referee.karuta.ruling import Doubt

Floats = NDArray[np.float64]
EDGES: Final = (0.0, 0.3, 0.5, 0.7, 0.85, 0.9, 0.95, 0.98, 0.99, 1.0)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a poem."""

    film: str  # its film; poems of one film share it
    source: str
    sure: float  # the ruling's confidence by its contacts alone; told : after its doubts lowered it
    told: float
    doubts: frozenset[str]  # why it goes to the officials
    right: bool  # whether it is the true ruling
    missed: bool  # whether the eye told nothing at all of a touch that bears on the ruling

    @property
    def is_open(self) -> bool:
        """Whether something else than its confidence sends it to the officials."""
        return bool(self.doubts - {Doubt.LOW_CONFIDENCE})


@dataclass(frozen=True, slots=True)
class Bin:
    """Rulings that are about as sure: their mean confidence, and how many of them are right."""

    sure: float
    right: int
    n: int

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share that is right."""
        interval = share_of(self.right, self.n)["interval"]
        assert interval is not None, "a bin holds rulings"
        return interval

    @property
    def is_inside(self) -> bool:
        """Whether the mean confidence lies within it."""
        low, high = self.interval
        return low <= self.sure <= high


def outcome_of(poem: Watched) -> Outcome:
    """Judge a poem by the usual rules and compare with its truth."""
    ruling = poem.ruling(KYOGI)
    return Outcome(
        f"{poem.source}/{poem.name.rsplit('/', 1)[0]}",
        poem.source,
        poem.ruling_by_contacts(KYOGI).confidence,
        ruling.confidence,
        frozenset(ruling.doubts),
        poem.is_right(ruling),
        _misses(poem),
    )


def _misses(poem: Watched) -> bool:
    """Tell whether a touch that may bear on the ruling left no trace in what the eye told.

    Such are touches of the target, and the touches of a player in a territory where they are a fault.
    """
    field, facts = poem.look
    told = [fact for fact in facts if isinstance(fact, Touch | Unprovable)]

    def traced(player: str, cards: set[int | None]) -> bool:
        return any(one.card in cards and one.player in {None, player} for one in told)

    for touch in poem.truth["touches"]:
        if touch["card"] == poem.start.poem:
            cards: set[int | None] = {touch["card"]}
        else:
            side = field.layout.side_of(touch["card"])
            if side is None or side == poem.truth["target_side"]:
                continue
            cards = {placed.card for placed in field.layout.of(side)}
        if not traced(touch["player"], cards):
            return True
    return False


def bins(sure: Floats, right: NDArray[np.bool_]) -> list[Bin]:
    """Sort rulings by how sure they are."""
    found = []
    for low, high in pairwise(EDGES):
        own = (sure >= low) & ((sure < high) | (high == EDGES[-1]))
        if own.any():
            found.append(Bin(float(sure[own].mean()), int(right[own].sum()), int(own.sum())))
    return found


def brier(sure: Floats, right: NDArray[np.bool_]) -> Floats:
    """Return each ruling's squared error."""
    return np.asarray((sure - right) ** 2, np.float64)


def log_loss(sure: Floats, right: NDArray[np.bool_]) -> Floats:
    """Return each ruling's loss, in nats."""
    return np.asarray(-np.log(np.clip(np.where(right, sure, 1 - sure), 1e-4, 1.0)), np.float64)


def by_films(losses: Floats, films: Sequence[str], draws: int = 2000) -> tuple[float, float, float]:
    """Return a mean and its 95 % interval from samples of whole films with replacement."""
    _, film = np.unique(np.array(films), return_inverse=True)
    sums, counts = np.bincount(film, losses), np.bincount(film)
    dice = np.random.default_rng(0)
    drawn = dice.integers(len(sums), size=(draws, len(sums)))
    means = sums[drawn].sum(1) / counts[drawn].sum(1)
    low, high = np.percentile(means, (2.5, 97.5))
    return float(losses.mean()), float(low), float(high)


def fitted_ceiling(sure: Floats, right: NDArray[np.bool_]) -> float:
    """Return the most that rulings with a doubt should be worth: the ceiling that makes them likeliest."""

    def loss(ceiling: float) -> float:
        return float(log_loss(np.minimum(sure, ceiling), right).sum())

    return float(minimize_scalar(loss, bounds=(0.01, 0.99), method="bounded").x)


def fitted_share(sure: Floats, wrong: int) -> float:
    """Return what decided rulings keep of what they lack of `judge.SEEN`.

    It lowers the mean risk that they tell to the upper bound of their share of wrong ones (99 %), no further.
    """
    lacking = float((SEEN - sure).mean())
    return min(1.0, max(0.0, (upper_bound(wrong, len(sure), 0.01) - (1 - SEEN)) / lacking))


def decided(outcomes: Iterable[Outcome], threshold: float) -> tuple[int, int]:
    """Return how many poems would be decided from a confidence on, and how many of these wrongly."""
    own = [one for one in outcomes if not one.is_open and one.sure >= threshold]
    return len(own), sum(not one.right for one in own)
