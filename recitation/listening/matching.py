"""How unlike two walks through sounds are: dynamic time warping, for all templates at once."""

from __future__ import annotations

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
    unlike = 1 - np.einsum("if,njf->nij", heard, templates)
    count, rows, columns = unlike.shape
    cost = np.full((count, columns + 1), np.inf)
    cost[:, 0] = 0.0
    for row in range(rows):
        after = np.full((count, columns + 1), np.inf)
        middle = row * columns // rows
        reached = np.minimum(cost[:, :-1], cost[:, 1:])
        for column in range(max(0, middle - _BAND), min(columns, middle + _BAND + 1)):
            step = np.minimum(reached[:, column], after[:, column])
            after[:, column + 1] = unlike[:, row, column] + step
        cost = after
    mean: NDArray[np.float64] = cost[:, -1] / (rows + columns)
    return mean
