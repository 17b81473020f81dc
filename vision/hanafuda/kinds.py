"""Tell the kinds of hanafuda apart in printings that nobody enrolled, by a small net.

All printings share their motifs: a crane before a red sun, a ribbon over plum blossom. The net (see
`tools/train_hanafuda.py`) learned them from a few decks with random changes to their print, so it knows no
deck in particular and is less certain than a comparison with the deck itself. Its input is
`vision.hanafuda.strokes`, not pixels, and it answers twice: for shapes anywhere on the card, and, by a linear
discriminant, for what is usual at each place. A printing unlike anything one of the two has seen is mostly
known to the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Picture
from calibration.decks.games import DECK_GAMES
from vision.hanafuda.strokes import CELL_PX, strokes, upside_down

_GAME: Final = DECK_GAMES["hanafuda"]
_KINDS: Final = tuple(dict.fromkeys(map(_GAME.kind, _GAME.card_ids)))
KIND_OF: Final = {card: _KINDS.index(_GAME.kind(card)) for card in _GAME.card_ids}
"""Card id to number of its kind: a month's chaff is one kind."""
NONE: Final = len(_KINDS)  # index of the net's answer for no card, or no upright one
_NUDGES_PX: Final = (0, CELL_PX // 2, -CELL_PX // 2)
"""Where cells begin on a card is arbitrary, so a crop is read three times, shifted by half a cell either way.
The mean is right more often than any single reading (measured on decks left out)."""


class KindNet:
    """The net. Not safe to share between threads: each creates its own.

    `weights`: an ONNX file; by default the one that comes with the program.
    """

    def __init__(self, weights: bytes | None = None) -> None:
        own = files("vision").joinpath("weights", "hanafuda.onnx")
        data = own.read_bytes() if weights is None else weights
        self._net = cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))

    def logs(self, crops: Sequence[Picture]) -> NDArray[np.float64]:
        """Return the log probability that each crop shows each kind, as it is and upside down.

        `crops`: as `vision.hanafuda.crops.rectify` cuts them.

        Returns: shape (2, N, NONE + 1): first as it is, then upside down; the last column is for no upright
        card.
        """
        if not len(crops):
            return np.zeros((2, 0, NONE + 1))
        cells = strokes(crops)
        both = np.concatenate([cells, upside_down(cells)])
        self._net.setInput(np.ascontiguousarray(both.transpose(0, 3, 1, 2)))
        scores = np.asarray(self._net.forward(), np.float64).reshape(2, len(crops), 2 * NONE + 1)
        logs = _normalised(scores[..., : NONE + 1])
        # the second answer knows only cards: it tells kinds apart, not whether there is a card
        some = np.logaddexp.reduce(logs[..., :NONE], axis=-1, keepdims=True)
        logs[..., :NONE] = _normalised(logs[..., :NONE] + scores[..., NONE + 1 :]) + some
        return logs

    def mean_logs(self, crops: Sequence[Picture]) -> NDArray[np.float64]:
        """Return the mean of `logs` over three slightly shifted readings: surer, at three times the cost."""
        moved = [_moved(crop, by_px) for by_px in _NUDGES_PX for crop in crops]
        logs = self.logs(moved).reshape(2, len(_NUDGES_PX), len(crops), NONE + 1)
        return _normalised(logs.mean(axis=1))


def _moved(crop: Picture, by_px: int) -> Picture:
    """Return a crop shifted down and to the right; its edge fills the gap."""
    edge = abs(by_px)
    wide = cv2.copyMakeBorder(crop, edge, edge, edge, edge, cv2.BORDER_REPLICATE)
    height, width = crop.shape[:2]
    start = edge - by_px
    return np.asarray(wide[start : start + height, start : start + width], np.uint8)


def _normalised(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log probabilities proportional to the scores (log softmax)."""
    return np.asarray(scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True))
