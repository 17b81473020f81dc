"""Where between its samples a curve has its peak, or a surface its summit."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def beside_peak(values: NDArray[np.floating] | Sequence[float], at: int) -> float:
    """Return how far from its highest sample a curve's peak lies: a parabola through three samples.

    Parameters
    ----------
    values : shape (N,).
    at : index of the highest of them.

    Returns
    -------
    float
        In samples, -0.5..0.5; 0 at either end, and where the three do not bend downwards.
    """
    if not 0 < at < len(values) - 1:
        return 0.0
    before, peak, after = (float(value) for value in values[at - 1 : at + 2])
    bend = before - 2 * peak + after
    return 0.0 if bend >= 0 else max(-0.5, min((before - after) / (2 * bend), 0.5))


def beside_summit(values: NDArray[np.floating], column: int, row: int) -> tuple[float, float]:
    """Return how far from its highest sample a surface's summit lies along x and y: a parabola through each.

    Parameters
    ----------
    values : shape (H, W).
    column, row : index of the highest of them.

    Returns
    -------
    tuple
        Both in samples, as `beside_peak` says.
    """
    return beside_peak(values[row], column), beside_peak(values[:, column], row)
