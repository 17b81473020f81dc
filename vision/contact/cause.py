"""Find what moved a card: the near player's hand, the far player's, or another card.

Boosted trees decide it from the table of `vision.contact.evidence`; `tools/train_contact.py` trains them on
simulated poems. Each tree asks a few questions about a row, and its leaves add up to the log-odds of the
classes. Both players' rows are evaluated and the answers averaged, so near and far are treated alike.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from vision.contact.evidence import CardMotion, Floats, evidence_table

NEAR_HAND, FAR_HAND, CARD = 0, 1, 2  # columns of the result of `causes`
_LEAST = 0.003  # lower bound of a cause: of 3,379 answers above 0.98, on halls left out, seven were wrong


@dataclass(frozen=True, slots=True, eq=False)
class BoostedTrees:
    """Trees over named columns, with all nodes in one array; the children of a leaf are the leaf itself."""

    columns: tuple[str, ...]  # names of the columns, as `evidence_table` returns them
    roots: NDArray[np.int32]  # (T,), each tree's first node; tree t votes for class t modulo `classes`
    # (M,), each node asks whether the column is at most the threshold
    column: NDArray[np.int16]
    threshold: NDArray[np.float32]
    # (M,), the next node if it is, or if not
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    missing_left: NDArray[np.bool_]  # (M,), whether NaN goes left
    value: NDArray[np.float32]  # (M,), the score that a leaf adds; 0 elsewhere
    classes: int  # how many
    depth: int  # the most questions that a tree asks

    def scores(self, rows: Floats) -> Floats:
        """Return the scores (N, K) of rows (N, C), with columns as in `columns`, for each class."""
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
        """Return the probability of each cause, (N, 3) as `causes` does, for a table (N, 2, C)."""
        near, far = (_chances(self.scores(table[:, seat])) for seat in (0, 1))
        # the classes of a row are own hand, other hand, card
        mean = np.maximum((near + far[:, [FAR_HAND, NEAR_HAND, CARD]]) / 2, _LEAST)
        return np.asarray(mean / mean.sum(axis=1, keepdims=True))


def causes(motions: Sequence[CardMotion]) -> Floats:
    """Return who probably touched each of a poem's moved cards first, if anybody did.

    Probabilities (N, 3) of the near player's hand, the far player's, and no hand but only other cards.
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
    nodes = "roots", "column", "threshold", "left", "right", "missing_left", "value"
    with files("vision").joinpath("weights", "contact.npz").open("rb") as file, np.load(file) as kept:
        return BoostedTrees(
            tuple(str(name) for name in kept["columns"]),
            classes=int(kept["classes"]),
            depth=int(kept["depth"]),
            **{name: kept[name] for name in nodes},
        )
