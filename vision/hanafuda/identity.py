"""Name a hanafuda card by comparing its picture with an enrolled deck.

The likeness of an outline to a card is the correlation of coarse colours; it depends on neither light nor
sharpness. `vision.hanafuda.proof` decides whether it is that card. Across editions both tell little, so a
deck is enrolled first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Deck, Picture
from calibration.decks.signature import GRID, normalised
from vision.hanafuda.crops import MARGIN
from vision.hanafuda.fitting.refinement import CardAligner
from vision.hanafuda.gallery import CardGallery
from vision.hanafuda.kinds import KIND_OF, NONE, KindNet
from vision.hanafuda.proof import PrintProof, probability

NAMED: Final = 0.7
"""Probability from which a card is named: a wrong name costs more than a missing one. Of 385 cards of decks
not used for fitting 364 reach it, with one wrong name (`benchmarks.photos.card_confidence`)."""
FITS: Final = 0.9  # likeness from which the whole card is seen well


@dataclass(frozen=True, slots=True)
class HanafudaReading:
    """The reading of a card's picture."""

    # the card, None in case of doubt. Chaff of one month is one class: which of its cards is named means
    # nothing.
    card_id: str | None
    best_id: str
    # probability, 0..1, that the best card, named or not, is right (see `vision.hanafuda.proof`)
    confidence: float
    likeness: float  # correlation with the best card's picture, -1..1
    upside_down: bool  # True if the picture's upper end is the card's lower end
    # True if two flat tones, e.g. squares of a board, match the picture as well as the card does.
    is_plain: bool = False


class HanafudaReader:
    """Reads cards of one deck. Creating it takes some 20 ms; it can be used for any number of cards."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.gallery = CardGallery.of(deck)
        self._ids = tuple(deck.pictures)
        upright = list(deck.pictures.values())
        cells = np.stack([cv2.resize(picture, GRID, interpolation=cv2.INTER_AREA) for picture in upright])
        prints = np.asarray(cells, np.float32)
        self._templates = normalised(np.concatenate([prints, prints[:, ::-1, ::-1]]))
        self._proof = PrintProof(prints, self.gallery)
        self.aligner = CardAligner(upright)
        self._kinds: KindNet | None = None

    def read(self, crops: Sequence[Picture]) -> list[HanafudaReading]:
        """Name the cards on rectified crops.

        `crops`: pictures of `crop_size_px`, as `rectify` cuts them: the card upright or upside down with
        `MARGIN` cells of surroundings.
        """
        if not len(crops):
            return []
        cells = _cells(crops)
        likeness = self._likeness(cells)
        best = likeness.argmax(axis=1)
        chance, plain = np.zeros(len(crops)), np.zeros(len(crops), bool)
        looked_at = 0.25  # an outline less similar than this to every card is not compared more closely
        some = np.flatnonzero(likeness.max(axis=1) >= looked_at)
        if len(some):
            best[some], evidence, plain[some] = self._proof.best(cells[some])
            chance[some] = probability(evidence)
        readings = []
        for worth, card, probable, flat in zip(likeness, best.tolist(), chance.tolist(), plain, strict=True):
            name, upside_down = self._ids[card % len(self._ids)], card >= len(self._ids)
            certain = name if probable >= NAMED else None
            readings.append(
                HanafudaReading(certain, name, probable, float(worth[card]), upside_down, bool(flat))
            )
        return readings

    def evidence(self, crop: Picture) -> NDArray[np.float64]:
        """Return the evidence for the best card of a crop, shape (3,); see `vision.hanafuda.proof`."""
        return np.asarray(self._proof.best(_cells([crop]))[1][0], np.float64)

    def _likeness(self, cells: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the correlation of every crop with all upright, then all turned cards; shape (N, 96)."""
        return np.asarray(normalised(cells) @ self._templates.T, np.float32)

    @property
    def kinds(self) -> KindNet:
        """The net for cards of other printings, loaded at the first use."""
        if self._kinds is None:
            self._kinds = KindNet()
        return self._kinds

    @kinds.setter
    def kinds(self, net: KindNet) -> None:
        self._kinds = net

    def likeness_of_kinds(self, crops: Sequence[Picture]) -> NDArray[np.float64]:
        """Return each crop's likeness to the most similar card of each kind, as it is and upside down.

        Returns: shape (2, N, kinds).
        """
        best = np.full((2, len(crops), NONE), -1.0)
        if len(crops):
            of_card = self._likeness(_cells(crops)).reshape(len(crops), 2, len(self._ids)).swapaxes(0, 1)
            for number, card in enumerate(self._ids):
                kind = KIND_OF[card]
                np.maximum(best[..., kind], of_card[..., number], out=best[..., kind])
        return best


def _cells(crops: Sequence[Picture]) -> NDArray[np.float32]:
    """Return the cells of the cards on crops, shape (N, rows, columns, 3)."""
    width, height = GRID[0] + 2 * MARGIN, GRID[1] + 2 * MARGIN
    # stacked vertically, all are resized in one call
    small = cv2.resize(
        np.concatenate(crops), (width, height * len(crops)), interpolation=cv2.INTER_AREA
    ).reshape(-1, height, width, 3)
    return small[:, MARGIN:-MARGIN, MARGIN:-MARGIN].astype(np.float32)
