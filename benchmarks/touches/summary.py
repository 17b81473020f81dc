"""How well judged touches are timed, and how well their confidence is calibrated, over many poems."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks.touches.scoring import PoemScore

EDGE_SWIPES = frozenset({"own", "opp", "harai"})
"""Scenarios in which one hand strikes at the edge of cards, and nothing else happens."""
_CONFIDENCES = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def touch_summary(scores: Sequence[PoemScore]) -> dict[str, Any]:
    """Return the rows of a report: coverage of the intervals, time errors, and right ones by confidence."""
    covered = [inside for score in scores for inside in score.covered]
    half_widths = [half for score in scores for half in score.half_widths_ms]
    rows: dict[str, Any] = {"interval coverage": f"{sum(covered)}/{len(covered)}"}
    if half_widths:
        rows["half width of intervals, median (ms)"] = round(float(np.median(half_widths)), 2)
    rows |= _errors(scores, "time error")
    rows |= _errors([score for score in scores if score.scenario in EDGE_SWIPES], "edge swipes: error")
    told = [one for score in scores for one in score.sureness]
    for low, high in pairwise(_CONFIDENCES):
        right = [is_right for sure, is_right in told if low <= sure < high or (sure == high == 1.0)]
        if right:
            rows[f"touches said {low:.1f} to {high:.1f}, right"] = f"{sum(right)}/{len(right)}"
    return rows


def _errors(scores: Sequence[PoemScore], name: str) -> dict[str, str]:
    rows = {}
    for fps in sorted({score.fps for score in scores}):
        errors = [abs(error) for score in scores if score.fps == fps for error in score.time_errors_ms]
        if errors:
            p50, p90 = np.percentile(errors, [50, 90])
            rows[f"{name} p50/p90 at {fps:.0f} fps (ms)"] = f"{p50:.2f}/{p90:.2f} (n={len(errors)})"
    return rows
