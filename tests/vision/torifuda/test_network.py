"""The written-out net computes what the textbook's convolutions do."""

import numpy as np
import pytest
from scipy.signal import correlate

from vision.torifuda.face_reader import CLASSES, SLOTS, TRIM_PX, TorifudaNet, Values

HEIGHT, WIDTH = 32, 24  # of the small crops used here; the trunk's map then is a quarter as large
CHANNELS = 6


@pytest.fixture
def weights() -> dict[str, Values]:
    rng = np.random.default_rng(3)
    shapes = {"stem": (4, 4, 3), "down": (CHANNELS, 4, 3), "head": (CLASSES + SLOTS, CHANNELS, 1)}
    for block in range(3):
        shapes |= {f"block{block}_in": (3, CHANNELS, 1), f"block{block}_out": (CHANNELS, 3, 3)}
    drawn = {"places": rng.normal(0, 1, (SLOTS, HEIGHT // 4, WIDTH // 4))}
    for name, (out, into, size) in shapes.items():
        drawn[f"{name}_kernel"] = rng.normal(0, 0.3, (out, into, size, size))
        drawn[f"{name}_bias"] = rng.normal(0, 0.3, out)
    return {name: values.astype(np.float32) for name, values in drawn.items()}


def convolved(x: Values, weights: dict[str, Values], name: str) -> Values:
    """One card, shape (channels, height, width), channel by channel."""
    kernel, bias = weights[f"{name}_kernel"], weights[f"{name}_bias"]
    pad = kernel.shape[2] // 2
    around = np.pad(x, ((0, 0), (pad, pad), (pad, pad)))
    return np.array([correlate(around, k, mode="valid")[0] + b for k, b in zip(kernel, bias, strict=True)])


def scores_of_one(crop: Values, weights: dict[str, Values]) -> Values:
    shown = crop[TRIM_PX:-TRIM_PX, TRIM_PX:-TRIM_PX]
    x = np.stack([shown[down::2, right::2] for down in (0, 1) for right in (0, 1)])
    x = np.maximum(convolved(x, weights, "stem"), 0)
    x = np.maximum(convolved(x, weights, "down")[:, ::2, ::2], 0)
    for block in range(3):
        inner = np.maximum(convolved(x, weights, f"block{block}_in"), 0)
        x = np.maximum(x + convolved(inner, weights, f"block{block}_out"), 0)
    maps = convolved(x, weights, "head").reshape(CLASSES + SLOTS, -1)
    edge = TRIM_PX // 4
    shares = np.exp(maps[CLASSES:] + weights["places"][:, edge:-edge, edge:-edge].reshape(SLOTS, -1))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True) @ maps[:CLASSES].T)


@pytest.mark.parametrize("count", [0, 1, 11])
def test_scores_are_those_of_plain_convolutions(weights: dict[str, Values], count: int) -> None:
    crops = np.random.default_rng(4).normal(0, 1, (count, 1, HEIGHT, WIDTH)).astype(np.float32)
    scores = TorifudaNet(weights).slot_scores(crops)
    assert scores.shape == (count, SLOTS, CLASSES)
    for crop, found in zip(crops, scores, strict=True):
        assert np.allclose(found, scores_of_one(crop[0], weights), atol=1e-4)
