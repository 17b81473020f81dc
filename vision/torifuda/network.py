"""The net that reads torifuda: a few convolutions over whole cards, as plain matrix products.

It is written out since that takes two thirds of the time of a general library for so small a net: each layer
is one product of a few cards' patches with its kernel, on data that stay in the cache.
`tools/train_identity.py` trains it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from vision.torifuda.kana import CLASSES, SLOTS

Values = NDArray[np.float32]

TRIM_PX: Final = 4
"""Margin of a crop that the net does not see: it holds no text and would add a third to the work."""


@dataclass(frozen=True, slots=True, eq=False)
class _Layer:
    """A convolution as a matrix: shape (kernel places * channels in, channels out)."""

    matrix: Values
    bias: Values

    @classmethod
    def of(cls, weights: dict[str, Values], name: str) -> _Layer:
        kernel = weights[f"{name}_kernel"]
        matrix = kernel.transpose(2, 3, 1, 0).reshape(-1, len(kernel))
        return cls(np.ascontiguousarray(matrix), weights[f"{name}_bias"])

    def __call__(self, patches: Values) -> Values:
        return np.asarray(patches @ self.matrix + self.bias, np.float32)


class TorifudaNet:
    """The net with its weights; it may be shared between threads.

    `weights`: kernels, shape (out, in, height, width), and biases of all layers by name; `places`, shape
    (SLOTS, height, width), says where on a card's map each slot is searched for.
    """

    def __init__(self, weights: dict[str, Values]) -> None:
        self._stem = _Layer.of(weights, "stem")
        self._down = _Layer.of(weights, "down")
        blocks_in_all = 3
        self._blocks = [
            (_Layer.of(weights, f"block{number}_in"), _Layer.of(weights, f"block{number}_out"))
            for number in range(blocks_in_all)
        ]
        self._head = _Layer.of(weights, "head")
        edge = TRIM_PX // 4
        places = weights["places"][:, edge:-edge, edge:-edge]
        self._places = places.reshape(SLOTS, -1).T.copy()

    def slot_scores(self, crops: Values) -> Values:
        """Return how much each slot looks like each kana.

        `crops`: shape (N, 1, height, width), as `vision.cards.crops.normalised` gives them.

        Returns: shape (N, SLOTS, CLASSES).
        """
        scores = np.empty((len(crops), SLOTS, CLASSES), np.float32)
        shown = squares(crops[:, :, TRIM_PX:-TRIM_PX, TRIM_PX:-TRIM_PX])
        cards_at_once = 8  # cards per batch: their data stay in the processor's cache
        for first in range(0, len(crops), cards_at_once):
            part = slice(first, first + cards_at_once)
            maps = self._maps(shown[part])
            shares = maps[:, :, CLASSES:] + self._places
            shares = np.exp(shares - shares.max(axis=1, keepdims=True))
            total = shares.sum(axis=1)[:, :, None]
            scores[part] = shares.transpose(0, 2, 1) @ maps[:, :, :CLASSES] / total
        return scores

    def _maps(self, shown: Values) -> Values:
        """Return class scores and slot weights of every place, shape (N, places, CLASSES + SLOTS)."""
        count, height, width, _ = shown.shape
        x = _rectified(self._stem(_patches(shown)))
        x = x.reshape(count, height, width, -1)
        x = _rectified(self._down(_patches(x, 2)))
        for into, out in self._blocks:
            inner = _rectified(into(x)).reshape(count, height // 2, width // 2, -1)
            x = _rectified(x + out(_patches(inner)))
        return self._head(x).reshape(count, -1, CLASSES + SLOTS)


def squares(crops: Values) -> Values:
    """Move the four pixels of each 2 x 2 square into channels, as the net's first layer expects.

    `crops`: shape (N, 1, height, width), even sides.

    Returns: shape (N, height / 2, width / 2, 4).
    """
    count, _, height, width = crops.shape
    split = crops.reshape(count, height // 2, 2, width // 2, 2).transpose(0, 1, 3, 2, 4)
    return np.ascontiguousarray(split).reshape(count, height // 2, width // 2, 4)


@cache
def torifuda_net() -> TorifudaNet:
    """Return the net with this package's weights."""
    with files("vision").joinpath("weights", "torifuda.npz").open("rb") as file:
        return TorifudaNet(dict(np.load(file)))


def _patches(x: Values, stride: int = 1) -> Values:
    """Return the 3 x 3 surroundings of every place (every second one with a stride of 2), 0 beyond the edges.

    `x`: shape (N, height, width, channels).

    Returns: shape (N * places, 9 * channels).
    """
    count, height, width, channels = x.shape
    padded = np.zeros((count, height + 2, width + 2, channels), np.float32)
    padded[:, 1:-1, 1:-1] = x
    card, row, place, value = padded.strides
    shape = (count, height // stride, width // stride, 3, 3 * channels)
    windows = as_strided(padded, shape, (card, stride * row, stride * place, row, value), writeable=False)
    return windows.reshape(-1, 9 * channels)


def _rectified(x: Values) -> Values:
    return np.maximum(x, 0, out=x)
