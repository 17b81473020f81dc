"""Tell the kinds of hanafuda apart in printings that nobody enrolled, by a small net.

All printings share their motifs: a crane before a red sun, a ribbon over plum blossom. The net (see
`tools/train_hanafuda.py`) learned them from a few decks with random changes to their print, so it knows no
deck in particular and is less certain than a comparison with the deck itself. Its input is
`strokes_of`, not pixels, and it answers twice: for shapes anywhere on the card, and, by a linear
discriminant, for what is usual at each place. A printing unlike anything one of the two has seen is mostly
known to the other.
"""

from collections.abc import Sequence
from importlib.resources import files
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import DECK_GAMES, Picture

Floats = NDArray[np.float32]

CELL_PX: Final = 4
"""Side of a cell, crop pixels: a twelfth of a card's width, somewhat more than a maple leaf's point."""
WAYS: Final = 8  # number of edge directions, over half a turn: which side is darker does not count
CHANNELS: Final = WAYS + 3


def strokes(crops: Sequence[Picture]) -> Floats:
    """Return edges and inks of crops.

    `crops`: pictures of `vision.hanafuda.crops.crop_size_px`, at least one.

    Returns: shape (N, rows, columns, CHANNELS): per cell the share of edges in each of `WAYS` directions, and
    blue, green, red without the crop's mean and contrast. A crop turned upside down gives the same, turned.
    """
    pictures = np.stack(crops)
    count, height, width = pictures.shape[:3]
    rows, columns = height // CELL_PX, width // CELL_PX
    cells = np.empty((count, rows, columns, CHANNELS), np.float32)
    for way, share in enumerate(_edges(pictures)):
        small = cv2.resize(share, (columns, rows * count), interpolation=cv2.INTER_AREA)
        cells[..., way] = small.reshape(count, rows, columns)
    edges = cells[..., :WAYS]
    # Level of edges, gray levels per pixel averaged over a cell, that is only noise and grain.
    faint_edge = 3.0
    edges /= (np.sqrt(_around(np.square(edges).sum(axis=3))) + faint_edge)[..., None]
    tall = pictures.reshape(count * height, width, 3).astype(np.float32)
    inks = cv2.resize(tall, (columns, rows * count), interpolation=cv2.INTER_AREA)
    inks = inks.reshape(count, rows, columns, 3)
    inks -= inks.mean(axis=(1, 2, 3), keepdims=True)
    spread = inks.std(axis=(1, 2, 3), keepdims=True)
    even_gray = 8.0  # standard deviation, in gray levels, below which a crop has no inks
    cells[..., WAYS:] = inks / np.maximum(spread, even_gray)
    return cells


def upside_down(cells: Floats) -> Floats:
    """Return the result of `strokes` for the same crops turned by half a turn."""
    return cells[:, ::-1, ::-1]


def _edges(pictures: Picture) -> list[Floats]:
    """Return the strength of the edges in each direction at every pixel of stacked crops."""
    count, height, width = pictures.shape[:3]
    edge = 2  # pixels added on each side, so that slopes are known up to a crop's edge
    wide = np.pad(pictures, ((0, 0), (edge, edge), (edge, edge), (0, 0)), mode="edge")
    slopes: list[tuple[Floats, Floats, Floats]] = []
    for channel in cv2.split(wide.reshape(-1, width + 2 * edge, 3)):
        both: list[Floats] = []
        for step in ((1, 0), (0, 1)):
            slope = cv2.Sobel(channel, cv2.CV_32F, *step, scale=1 / 4)
            inner = slope.reshape(count, height + 2 * edge, width + 2 * edge)[:, edge:-edge, edge:-edge]
            both.append(np.asarray(np.ascontiguousarray(inner).reshape(-1, width), np.float32))
        slopes.append((both[0], both[1], both[0] * both[0] + both[1] * both[1]))
    (across, down, steep), *rest = slopes
    for other_across, other_down, other in rest:  # an edge is taken from whichever channel shows it best
        better = other > steep
        np.copyto(across, other_across, where=better)
        np.copyto(down, other_down, where=better)
        np.maximum(steep, other, out=steep)
    strength = np.sqrt(steep) + np.float32(1e-3)
    # twice the angle, so that both sides of an edge have one direction
    cosine, sine = (across * across - down * down) / strength, 2 * across * down / strength
    found: list[Floats] = [strength] * WAYS
    for way in range(WAYS // 2):
        angle = 2 * np.pi * way / WAYS
        along = cosine * np.float32(np.cos(angle)) + sine * np.float32(np.sin(angle))
        share = along * along / strength
        ahead = along > 0
        found[way] = np.asarray(share * ahead, np.float32)
        found[way + WAYS // 2] = np.asarray(share * ~ahead, np.float32)
    return found


def _around(power: Floats) -> Floats:
    count, rows, columns = power.shape
    reach = 6  # cells added above and below, so that crops do not run into one another
    tall = np.pad(power, ((0, 0), (reach, reach), (0, 0)), mode="edge").reshape(-1, columns)
    around_cells = 2.0  # standard deviation of the surroundings to which a cell's edges are compared
    soft = cv2.GaussianBlur(tall, (0, 0), around_cells)
    return np.maximum(soft.reshape(count, rows + 2 * reach, columns)[:, reach:-reach], 0)


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
    return np.asarray(scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True))
