"""How unlike two walks through sounds are: dynamic time warping, for all templates at once."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from recitation.listening.features import Path

_BAND = 40
"""How many steps two readers may be apart."""


def distances(heard: Path, templates: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean cosine distance along the best alignment with each template.

    Parameters
    ----------
    heard : (n, features).
    templates : (count, m, features).

    Returns
    -------
    (count,), 0 for the same walk.
    """
    unlike = 1 - np.einsum("if,njf->ijn", heard, templates)
    last = deque(_reached(unlike), maxlen=1).pop()
    mean: NDArray[np.float64] = last[-1] / (unlike.shape[0] + unlike.shape[1])
    return mean


def alignment(heard: Path, template: Path) -> NDArray[np.int64]:
    """Return the best alignment of two walks.

    Parameters
    ----------
    heard : (n, features).
    template : (m, features).

    Returns
    -------
    (steps, 2) rows of `heard` and rows of `template` that belong together, in time.
    """
    reached = np.stack([cost[:, 0] for cost in _reached((1 - heard @ template.T)[:, :, None])])
    row, column = reached.shape[0] - 1, reached.shape[1] - 1
    pairs = [(row, column)]
    while row or column:
        before = [(row - 1, column - 1), (row - 1, column), (row, column - 1)]
        row, column = min((at for at in before if min(at) >= 0), key=lambda at: reached[at])
        pairs.append((row, column))
    return np.array(pairs[::-1])


def _reached(unlike: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    """Yield row by row the least cost of reaching each pair from the first, shape (columns, count)."""
    rows, columns, count = unlike.shape
    before = np.full((columns + 1, count), np.inf)
    before[0] = 0.0
    for row in range(rows):
        after = np.full((columns + 1, count), np.inf)
        middle = row * columns // rows
        least = np.minimum(before[:-1], before[1:])
        for column in range(max(0, middle - _BAND), min(columns, middle + _BAND + 1)):
            np.add(np.minimum(least[column], after[column]), unlike[row, column], out=after[column + 1])
        yield after[1:]
        before = after
