"""Why a card moved: the near player's hand, the far player's, or another card.

Boosted trees say so from `vision.contact.evidence`, learned by `tools/train_contact.py` from simulated poems.
Each tree asks a few questions about a row of the table; what its leaves say adds up to the logarithm of the
chances. Both players' rows are asked and their answers averaged, so near and far are treated alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from vision.contact.evidence import CardMotion, Floats, evidence_table

NEAR_HAND, FAR_HAND, CARD = 0, 1, 2
"""Columns of what `causes` returns."""
_LEAST = 0.003  # no chance is smaller: of 3,379 answers surer than 0.98, on halls left out, seven were wrong


@dataclass(frozen=True, slots=True, eq=False)
class BoostedTrees:
    """Trees over named columns, all nodes in one array; the children of a leaf are the leaf itself.

    Attributes
    ----------
    columns : names of the columns, as `evidence_table` gives them.
    roots : (T,), each tree's first node; tree t speaks of class t modulo the number of classes.
    column, threshold : (M,), what a node asks: whether the column is at most the threshold.
    left, right : (M,), where to go on if it is, or not.
    missing_left : (M,), whether what was not measured goes left.
    value : (M,), what a leaf adds; 0 elsewhere.
    classes, depth : how many classes, and the most questions that a tree asks.
    """

    columns: tuple[str, ...]
    roots: NDArray[np.int32]
    column: NDArray[np.int16]
    threshold: NDArray[np.float32]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    missing_left: NDArray[np.bool_]
    value: NDArray[np.float32]
    classes: int
    depth: int

    def scores(self, rows: Floats) -> Floats:
        """Return what the trees say of rows (N, C), in the order of `columns`, for each class (N, K)."""
        table = rows.astype(np.float32)
        missing = np.isnan(table)
        node = np.broadcast_to(self.roots, (len(rows), len(self.roots)))
        each = np.arange(len(rows))[:, None]
        for _ in range(self.depth):
            column = self.column[node]
            goes_left = table[each, column] <= self.threshold[node]
            goes_left = np.where(missing[each, column], self.missing_left[node], goes_left)
            node = np.where(goes_left, self.left[node], self.right[node])
        said = self.value[node].reshape(len(rows), -1, self.classes)
        return np.asarray(said.sum(axis=1), np.float64)

    def chances(self, table: Floats) -> Floats:
        """Return how likely each cause is, (N, 3) as `causes` does, of a table (N, 2, C) with both rows."""
        near, far = (_chances(self.scores(table[:, seat])) for seat in (0, 1))
        # a row says own hand, other hand, card
        mean = np.maximum((near + far[:, [FAR_HAND, NEAR_HAND, CARD]]) / 2, _LEAST)
        return np.asarray(mean / mean.sum(axis=1, keepdims=True))


def causes(motions: Sequence[CardMotion]) -> Floats:
    """Return how likely each of a poem's moved cards was touched first by whom, if by anybody.

    Returns
    -------
    numpy.ndarray
        Shape (N, 3): the near player's hand, the far player's, and that only other cards moved it. Each row
        adds up to 1.
    """
    if not motions:
        return np.zeros((0, 3))
    trees = _trees()
    table, columns = evidence_table(motions)
    assert columns == trees.columns, "the weights were learned from other columns: run tools/train_contact.py"
    return trees.chances(table)


def _chances(scores: Floats) -> Floats:
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


@cache
def _trees() -> BoostedTrees:
    with files("vision").joinpath("weights", "contact.npz").open("rb") as file, np.load(file) as kept:
        return BoostedTrees(
            columns=tuple(str(name) for name in kept["columns"]),
            classes=int(kept["classes"]),
            depth=int(kept["depth"]),
            **{
                name: kept[name]
                for name in ("roots", "column", "threshold", "left", "right", "missing_left", "value")
            },
        )
