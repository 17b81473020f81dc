"""What is counted of a judged clip, and how the counts of many clips are summed up."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from benchmarks.touches.scoring import score_poems

_LEAST_CHANCE = 0.01
"""Nothing is surer than 99 of 100: else one error that was told as certain would outweigh all others."""


@dataclass
class Score:
    """Counts over some clips."""

    # poems, right, wrong: how many there are, and how many were decided rightly and wrongly
    poems: int = 0
    right: int = 0
    wrong: int = 0
    # told, told_right, true: touches that were told, those of the right hand among them, and those there were
    told: int = 0
    told_right: int = 0
    true: int = 0
    # covered, timed: intervals that hold the true instant, of so many
    covered: int = 0
    timed: int = 0
    half_ms: list[float] = field(default_factory=list)  # half widths of these intervals
    # sum over the told touches of the logarithm of the chance given to what was not so, negative
    log_loss: float = 0.0
    # cards, named: how many cards lay there, and how many were named and placed rightly
    cards: int = 0
    named: int = 0
    wrong_names: int = 0  # how many bore another name
    cpu_s: float = 0.0  # what it cost; at most a hint while other work runs beside
    failures: int = 0  # clips of which nothing could be judged

    def __add__(self, other: Score) -> Score:
        """Return the counts over the clips of both."""
        mine, others = asdict(self), asdict(other)
        return Score(**{key: mine[key] + others[key] for key in mine})

    @property
    def mean_log_loss(self) -> float:
        """Return the mean over the touches that were told."""
        return self.log_loss / max(self.told, 1)

    @property
    def median_half_ms(self) -> float:
        """Return the median half width of the intervals, milliseconds; 0 without any."""
        return float(np.median(self.half_ms)) if self.half_ms else 0.0


def scored(name: str, judged: Mapping[str, Any] | None, truth: Mapping[str, Any]) -> Score:
    """Compare a judged clip with its truth; None is a clip that could not be judged."""
    poems = truth["poems"]
    true = sum(len(poem["touches"]) for poem in poems)
    if judged is None:
        return Score(poems=len(poems), true=true, cards=len(truth["layout"]), failures=1)
    total = Score(true=true)
    for one in score_poems(name, dict(judged), dict(truth)):
        total += Score(
            poems=1,
            right=int(one.verdict == "right"),
            wrong=int(one.verdict == "WRONG"),
            told=len(one.sureness),
            told_right=sum(is_right for _, is_right in one.sureness),
            covered=sum(one.covered),
            timed=len(one.covered),
            half_ms=list(one.half_widths_ms),
            log_loss=sum(_loss(sure, is_right=is_right) for sure, is_right in one.sureness),
            cards=one.layout.expected,
            named=one.layout.right,
            wrong_names=one.layout.wrong,
        )
    return total


def summed(scores: Iterable[Score]) -> Score:
    """Return the counts over all clips."""
    total = Score()
    for score in scores:
        total += score
    return total


def is_no_worse(off: Score, on: Score) -> bool:
    """Tell whether nothing got worse without a rule: then these clips do not defend it."""
    pairs: Sequence[tuple[float, float]] = (
        (off.right, on.right),
        (-off.wrong, -on.wrong),
        (off.told_right, on.told_right),
        (off.told_right - off.told, on.told_right - on.told),
        (off.covered - off.timed, on.covered - on.timed),
        (-round(off.median_half_ms, 1), -round(on.median_half_ms, 1)),
        (-round(off.mean_log_loss, 3), -round(on.mean_log_loss, 3)),
        (off.named, on.named),
        (-off.wrong_names, -on.wrong_names),
        (-off.failures, -on.failures),
    )
    return all(now >= before for now, before in pairs)


def _loss(sure: float, *, is_right: bool) -> float:
    chance = sure if is_right else 1 - sure
    return -math.log(min(max(chance, _LEAST_CHANCE), 1 - _LEAST_CHANCE))
