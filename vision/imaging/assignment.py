"""Find the assignment of rows to columns, each used at most once, with the highest total worth."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]


def assigned(worth: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return rows and columns of the pairs with the highest total worth, with the rows in order.

    `worth`: (N, M), what each pair is worth; min(N, M) pairs are chosen.
    """
    if not worth.size:
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    rows = np.arange(len(worth))
    columns = worth.argmax(axis=1) if worth.shape[1] < 2 else _seconds_for_losers(worth)
    if len(np.unique(columns)) == len(columns):
        return rows, columns
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - it takes longer to load than a field to read

    rows, columns = linear_sum_assignment(-worth)
    return np.asarray(rows, np.intp), np.asarray(columns, np.intp)


def _seconds_for_losers(worth: Floats) -> NDArray[np.intp]:
    """Give each row its best column; of rows that share one, all but one get their second best.

    The rows that lose least give way, so if no column is used twice, no other assignment is better.
    """
    columns = np.asarray(worth.argmax(axis=1), np.intp)
    ranked = np.argsort(-worth, axis=1, kind="stable")[:, :2]
    best, second = np.take_along_axis(worth, ranked, axis=1).T
    loss = best - second
    wanted, count = np.unique(columns, return_counts=True)
    for column in wanted[count > 1]:
        sharing = np.flatnonzero(columns == column)
        losers = sharing[np.argsort(loss[sharing])][:-1]
        columns[losers] = ranked[losers, 1]
    return columns
