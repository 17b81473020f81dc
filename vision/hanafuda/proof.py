"""Weigh the evidence that a print is the card it is most like: coarse colours, fine lines, and rivals.

Coarse colours alone tell little: a dark hill below a bright sky is like a square of a chessboard, half a
playing card or a window. Fine lines tell little alone if a card is small or blurred. So both are compared
with the deck, each with its lead over every other kind of card and over two flat tones, and a logistic
regression, fitted to photos with and without cards, turns them into a probability.
"""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decks.signature import normalised
from vision.hanafuda.gallery import CardGallery

Floats = NDArray[np.float64]
Cells = NDArray[np.float32]  # shape (N, rows, columns, 3), gray levels of whole cards

_RIM: Final = 2
"""Cells along a card's edge that do not count: borders and round corners are the same on any slip of paper,
and wear is worst there."""
_MOST: Final = 0.99  # upper limit of correlations before they are turned into standard scores


class PrintProof:
    """The prints of a deck, prepared for comparison with what is seen.

    `cells`: those of the deck's cards, upright.
    """

    def __init__(self, cells: Cells, gallery: CardGallery) -> None:
        both = np.concatenate([cells, cells[:, ::-1, ::-1]])
        self._whole, self._inner, self._fine = normalised(both), _inner(both), _fine(both)
        plain = _splits(cells.shape[1:3])
        self._plain_tones, self._plain_lines = _gray(_inner(plain), plain) / 3, _fine(plain)
        self._alike_plain = _gray(self._inner, both) @ self._plain_tones.T
        self._classes = np.concatenate([gallery.classes, gallery.classes])
        self._alike = np.tile(gallery.alike, (2, 2))
        # neighbouring cells of a bare hill are redundant: its correlation is worth that of few cells
        alone = np.clip(gallery.monotony.astype(np.float64), 0, _MOST)
        self._worth = np.tile(np.sqrt((1 - alone) / (1 + alone)), 2)

    def best(self, cells: Cells) -> tuple[NDArray[np.intp], Floats, NDArray[np.bool_]]:
        """Return the card that each print is most like, the evidence for it, and whether the print is plain.

        Returns: shape (N,), indices among all upright and then all turned cards; the input of `probability`,
        (N, 3); and shape (N,), True if two flat tones match the colours better than the card does.
        """
        inner, fine = _inner(cells), _fine(cells)
        colours = np.asarray(inner @ self._inner.T, np.float64)
        lines = np.asarray(fine @ self._fine.T, np.float64)
        best = (colours + lines).argmax(axis=1)
        whole = np.einsum("ni,ni->n", normalised(cells), self._whole[best]).astype(np.float64)
        evidence, plain = self._evidence(whole, colours, lines, best), np.zeros(len(best), bool)
        # A print with a smaller probability is not named anyway, so it is not compared with flat tones.
        may_be = 0.1
        some = np.flatnonzero(probability(evidence) >= may_be)
        if not len(some):
            return best, evidence, plain
        cards = best[some]
        tones = np.asarray(_gray(inner[some], cells[some]) @ self._plain_tones.T, np.float64)
        strokes = np.asarray(fine[some] @ self._plain_lines.T, np.float64)
        for column, (own, flat) in enumerate(((colours, tones), (lines, strokes)), 1):
            likest = flat.argmax(axis=1)
            lead = own[some, cards] - flat.max(axis=1)
            led = lead / _apart(self._alike_plain[cards, likest])
            evidence[some, column] = np.minimum(evidence[some, column], led)
        plain[some] = colours[some, cards] < tones.max(axis=1)
        return best, evidence, plain

    def _evidence(self, whole: Floats, colours: Floats, lines: Floats, cards: NDArray[np.intp]) -> Floats:
        """Return the standard score of the colours, and the leads of colours and lines; shape (N, 3).

        The colours' correlation is the lower of those with and without the rim. It is weighted by the number
        of independent cells: the size of a sample whose neighbours correlate (M. S. Bartlett, Some Aspects of
        the Time-Correlation Problem, 1935).
        """
        every = np.arange(len(cards))
        others = self._classes[None] != self._classes[cards][:, None]
        least_deviation = 0.01
        score = np.arctanh(np.clip(np.minimum(whole, colours[every, cards]), least_deviation, _MOST))
        columns: list[Floats] = [score * self._worth[cards]]
        for worth in (colours, lines):
            rivals = np.where(others, worth, -1.0)
            rival = rivals.argmax(axis=1)
            lead = worth[every, cards] - rivals[every, rival]
            columns.append(lead / _apart(self._alike[cards, rival]))
        return np.stack(columns, axis=1)


def probability(evidence: Floats) -> Floats:
    """Return the probability that each print is the card it is most like, 0..1; shape (N,)."""
    weights = (21.2, 4.0, 7.1)
    # For the evidence of `PrintProof.best`; fitted by `benchmarks.photos.card_confidence`, which also
    # measures how well the probability holds on other decks and other grounds.
    offset = -6.1
    return np.asarray(1 / (1 + np.exp(-np.clip(evidence @ np.array(weights) + offset, -30, 30))), np.float64)


def _apart(alike: NDArray[Any]) -> Floats:
    """Return the distance between prints of that correlation; the noise of leads is proportional to it."""
    least_apart = 0.01  # least difference of two prints in correlation, since they are different prints
    return np.asarray(np.sqrt(2 * np.maximum(1 - alike, least_apart)), np.float64)


def _splits(shape: tuple[int, ...]) -> Cells:
    """Return cells of two flat tones that meet in a straight line, in many directions and places.

    Squares of a chessboard, windows, and sheets that half cover one another look like this.
    """
    down, across = np.indices(shape) - (np.array(shape).reshape(2, 1, 1) - 1) / 2
    tones = []
    split_turns = 24
    # Number of directions of the line between the tones, and of its places: a cell or two apart, which a
    # card's colours hardly tell.
    split_places = 17
    split_reach = 0.4  # farthest place of the line from the centre, as a share of the card's extent
    for turn in np.arange(split_turns) * 2 * np.pi / split_turns:
        along = across * np.cos(turn) + down * np.sin(turn)
        places = np.linspace(-split_reach, split_reach, split_places) * np.ptp(along)
        tones += [255 * np.clip(along - place + 0.5, 0, 1) for place in places]
    return np.repeat(np.array(tones, np.float32)[..., None], 3, axis=3)


def _gray(signatures: Cells, cells: Cells) -> Cells:
    """Return signatures summed over the channels: their product with a gray print's is the correlation.

    `signatures`: shape (N, cells * channels), of `cells`.
    """
    return np.asarray(signatures.reshape(len(cells), -1, cells.shape[3]).sum(axis=2), np.float32)


def _inner(cells: Cells) -> Cells:
    """Return signatures of cells without the rim."""
    return np.asarray(normalised(cells[:, _RIM:-_RIM, _RIM:-_RIM]), np.float32)


def _fine(cells: Cells) -> Cells:
    """Return what is lighter or darker than its surroundings, as unit vectors."""
    # Fine lines are the difference from a mean with this standard deviation, 2.8 mm of a card.
    coarse_cells = 2.0
    fine = [gray - cv2.GaussianBlur(gray, (0, 0), coarse_cells) for gray in cells.mean(axis=3)]
    rows, columns = cells.shape[1] - 2 * _RIM, cells.shape[2] - 2 * _RIM
    flat = np.array(fine, np.float32).reshape(-1, *cells.shape[1:3])[:, _RIM:-_RIM, _RIM:-_RIM]
    flat = flat.reshape(len(cells), rows * columns)
    # variation of no more than a gray level is noise
    length = np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), np.sqrt(flat.shape[1]))
    return np.asarray(flat / length, np.float32)
