"""Locate the peak of a curve or a surface between its samples."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def beside_peak(values: NDArray[np.floating] | Sequence[float], at: int) -> float:
    """Return how far a curve's peak lies from its highest sample `at`, by a parabola through three samples.

    Returns: in samples, -0.5..0.5; 0 at either end, or if the three do not bend downwards.
    """
    if not 0 < at < len(values) - 1:
        return 0.0
    before, peak, after = (float(value) for value in values[at - 1 : at + 2])
    bend = before - 2 * peak + after
    return 0.0 if bend >= 0 else max(-0.5, min((before - after) / (2 * bend), 0.5))


def beside_summit(values: NDArray[np.floating], column: int, row: int) -> tuple[float, float]:
    """Return how far a surface's peak lies from its highest sample along x and y, as `beside_peak`."""
    return beside_peak(values[row], column), beside_peak(values[:, column], row)
