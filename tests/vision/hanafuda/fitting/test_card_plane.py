"""The plane of a table is found from the cards on it, despite some wrong outlines."""

import numpy as np
import pytest

from vision.hanafuda.fitting.card_plane import laid_on, mapped, plane_through
from vision.hanafuda.pose import corners_mm

SIZE_MM = (33.0, 54.0)
SLANTED = np.array([[1.5, 0.1, 300.0], [-0.05, 1.1, 150.0], [1e-5, -5e-4, 1.0]])


def poses(count: int, seed: int) -> np.ndarray:
    dice = np.random.default_rng(seed)
    return np.column_stack([dice.uniform(0, 500, (count, 2)), dice.uniform(-np.pi, np.pi, count)])


def seen(where: np.ndarray) -> np.ndarray:
    return mapped(SLANTED, corners_mm(where, SIZE_MM))


@pytest.mark.parametrize("count", [4, 12, 24])
def test_cards_seen_at_a_slant_tell_their_plane(count: int) -> None:
    """With noise of 0.2 px at every corner, other cards are placed within a pixel or two."""
    quads = seen(poses(count, count)) + np.random.default_rng(1).normal(0, 0.2, (count, 4, 2))
    to_px = plane_through(list(quads), SIZE_MM)
    assert to_px is not None
    others = seen(poses(20, 99))
    laid = mapped(to_px, corners_mm(laid_on(to_px, others, SIZE_MM), SIZE_MM))
    assert np.linalg.norm(laid - others, axis=2).max() < (2.0 if count < 6 else 1.0)
