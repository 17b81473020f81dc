"""Who gets what, each at most one, so that all together fare best."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]


def assigned(worth: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return rows and columns of the pairs that are worth most together, the rows in order.

    Parameters
    ----------
    worth : (N, M), what each pair is worth; min(N, M) pairs are chosen.
    """
    rows, columns = np.arange(len(worth)), worth.argmax(axis=1) if worth.size else np.zeros(0, np.intp)
    if len(columns) == len(worth) and len(np.unique(columns)) == len(columns):
        return rows, columns  # nobody's best is another's, too: nothing else is worth as much
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - it takes longer to load than a field to read

    rows, columns = linear_sum_assignment(-worth)
    return np.asarray(rows, np.intp), np.asarray(columns, np.intp)
