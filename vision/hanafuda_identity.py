"""Names a hanafuda card by comparing its picture with an enrolled deck.

The measure is correlation of coarse colours: it does not ask for light or sharpness, and within one edition
it tells all cards apart. It says nothing across editions, which is why a deck is enrolled first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.deck import Deck, Picture
from calibration.deck_signature import GRID, normalised
from vision.card_gallery import CardGallery
from vision.card_naming import named
from vision.hanafuda_crop import MARGIN
from vision.hanafuda_kinds import KIND_OF, NONE, KindNet
from vision.hanafuda_refine import CardAligner

MIN_LIKENESS: Final = 0.76
"""Likeness to the best card below which a card stays unnamed; how far it must lead: `vision.card_naming`.

Whole cards reach 0.9 dim, overexposed and compressed, and this much when blurred by 1.7 pixels; slips of
paper that are no cards reached 0.71."""
MIN_INNER: Final = 0.4
"""The same without the card's rim: borders and round corners are alike on any slip of paper."""
FITS: Final = 0.9
"""Likeness from which the whole card is seen well."""
_RIM: Final = 2
"""Cells that belong to the rim."""
_LIKENESS_SCALE: Final = 0.05


@dataclass(frozen=True, slots=True)
class HanafudaReading:
    """What a card's picture was read as.

    Attributes
    ----------
    card_id : the card, None where the picture does not tell. Chaff of one month is one class: which of
        its cards is named means nothing.
    best_id : the most alike card, named or not.
    confidence : 0..1 of the best card, named or not.
    likeness : correlation with the best card's picture, -1..1.
    upside_down : True where the picture's upper end is the card's lower one.
    """

    card_id: str | None
    best_id: str
    confidence: float
    likeness: float
    upside_down: bool


class HanafudaReader:
    """Reads cards of one deck. Making it takes some 20 ms; it can be used for any number of cards."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.gallery = CardGallery.of(deck)
        self._ids = tuple(deck.pictures)
        upright = list(deck.pictures.values())
        cells = np.stack([cv2.resize(picture, GRID, interpolation=cv2.INTER_AREA) for picture in upright])
        both = np.concatenate([cells, cells[:, ::-1, ::-1]]).astype(np.float32)
        self._templates, self._inner = normalised(both), _inner(both)
        self.aligner = CardAligner(upright)
        self._kinds: KindNet | None = None

    def read(self, crops: Sequence[Picture]) -> list[HanafudaReading]:
        """Name the cards on rectified crops.

        Parameters
        ----------
        crops : pictures of `crop_size_px`, as `rectify` cuts them: the card upright or upside down with
            `MARGIN` cells of surroundings.
        """
        if not len(crops):
            return []
        cells = _cells(crops)
        likeness = self._likeness(cells)
        best = likeness.argmax(axis=1)
        inner = np.zeros(len(crops), np.float32)
        some = np.flatnonzero(likeness.max(axis=1) >= MIN_LIKENESS)  # the others stay unnamed
        inner[some] = np.einsum("ni,ni->n", _inner(cells[some]), self._inner[best[some]])
        of_card = likeness.reshape(len(crops), 2, len(self._ids)).max(axis=1)
        return [
            self._reading(worth, int(card) % len(self._ids), bool(card >= len(self._ids)), float(rest))
            for worth, card, rest in zip(of_card, best, inner, strict=True)
        ]

    def _likeness(self, cells: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the correlation of every crop with all upright, then all turned cards; shape (N, 96)."""
        return np.asarray(normalised(cells) @ self._templates.T, np.float32)

    @property
    def kinds(self) -> KindNet:
        """The net for cards of other printings, read in when it is first asked for."""
        if self._kinds is None:
            self._kinds = KindNet()
        return self._kinds

    @kinds.setter
    def kinds(self, net: KindNet) -> None:
        self._kinds = net

    def likeness_of_kinds(self, crops: Sequence[Picture]) -> NDArray[np.float64]:
        """Return each crop's likeness with the most alike card of each kind, as it is and upside down.

        Returns
        -------
        shape (2, N, kinds).
        """
        best = np.full((2, len(crops), NONE), -1.0)
        if len(crops):
            of_card = self._likeness(_cells(crops)).reshape(len(crops), 2, len(self._ids)).swapaxes(0, 1)
            for number, card in enumerate(self._ids):
                kind = KIND_OF[card]
                np.maximum(best[..., kind], of_card[..., number], out=best[..., kind])
        return best

    def _reading(
        self, worth: NDArray[np.float32], card: int, upside_down: bool, inner: float
    ) -> HanafudaReading:
        likeness = float(worth[card])
        # only where all of a card fits well does a small lead tell it from its like
        name, lead = named(self.gallery, worth, card, 1.0 if likeness >= FITS else 0.0)
        confidence = lead * _step((likeness - MIN_LIKENESS) / _LIKENESS_SCALE)
        sure = name is not None and likeness >= MIN_LIKENESS and inner >= MIN_INNER
        return HanafudaReading(
            self._ids[card] if sure else None, self._ids[card], confidence, likeness, upside_down
        )


def _cells(crops: Sequence[Picture]) -> NDArray[np.float32]:
    """Return the cells of the cards on crops, shape (N, rows, columns, 3)."""
    width, height = GRID[0] + 2 * MARGIN, GRID[1] + 2 * MARGIN
    # laid under one another they are made smaller at once
    small = cv2.resize(
        np.concatenate(crops), (width, height * len(crops)), interpolation=cv2.INTER_AREA
    ).reshape(-1, height, width, 3)
    return small[:, MARGIN:-MARGIN, MARGIN:-MARGIN].astype(np.float32)


def _inner(cells: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return signatures of cells without the rim."""
    return normalised(cells[:, _RIM:-_RIM, _RIM:-_RIM])


def _step(x: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(x, -30, 30))))
