"""Tells the kinds of hanafuda apart in printings that nobody enrolled, by a small net.

All printings share their motifs: a crane before a red sun, a ribbon over plum blossom. The net (see
`tools/train_hanafuda.py`) learnt them from a few decks printed anew at random, so it knows no deck in
particular and is less sure than a comparison with the deck itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.deck import Picture
from calibration.deck_games import DECK_GAMES

_GAME: Final = DECK_GAMES["hanafuda"]
_KINDS: Final = tuple(dict.fromkeys(map(_GAME.kind, _GAME.card_ids)))
KIND_OF: Final = {card: _KINDS.index(_GAME.kind(card)) for card in _GAME.card_ids}
"""Card id to number of its kind: a month's chaff is one kind."""
NONE: Final = len(_KINDS)
"""Number of the net's answer for what is no card, or none that lies upright."""


class KindNet:
    """The net. Not safe to share between threads: each makes its own.

    Parameters
    ----------
    weights : an ONNX file; those that come with the program if there is none.
    """

    def __init__(self, weights: bytes | None = None) -> None:
        own = files("vision").joinpath("weights", "hanafuda.onnx")
        data = own.read_bytes() if weights is None else weights
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))

    def logs(self, crops: Sequence[Picture]) -> NDArray[np.float64]:
        """Return how likely each crop shows each kind, upright; logarithms, shape (N, NONE + 1).

        Parameters
        ----------
        crops : as `vision.hanafuda_crop.rectify` cuts them.
        """
        if not len(crops):
            return np.zeros((0, NONE + 1))
        self._net.setInput(normalised(crops))
        scores = np.asarray(self._net.forward(), np.float64).reshape(len(crops), NONE + 1)
        scores -= scores.max(axis=1, keepdims=True)
        return np.asarray(scores - np.log(np.exp(scores).sum(axis=1, keepdims=True)))


def normalised(crops: Sequence[Picture]) -> NDArray[np.float32]:
    """Return crops as the net takes them, shape (N, 3, height, width): without their mean and contrast."""
    values = np.stack(crops).astype(np.float32).transpose(0, 3, 1, 2)
    mean = values.mean(axis=(1, 2, 3), keepdims=True)
    spread = values.std(axis=(1, 2, 3), keepdims=True)
    return np.asarray((values - mean) / np.maximum(spread, 8), np.float32)
