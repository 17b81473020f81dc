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
from calibration.deck_signature import GRID, normalised, signatures
from vision.card_gallery import CardGallery
from vision.card_naming import named
from vision.hanafuda_crop import MARGIN
from vision.hanafuda_kinds import KIND_OF, NONE, KindNet
from vision.hanafuda_refine import CardAligner

MIN_LIKENESS: Final = 0.7
"""Likeness to the best card below which a card stays unnamed; how far it must lead: `vision.card_naming`."""
FITS: Final = 0.9
"""Likeness from which the whole card is seen well."""
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
        turned = [np.ascontiguousarray(picture[::-1, ::-1]) for picture in upright]
        self._templates = np.concatenate([signatures(upright), signatures(turned)])
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
        likeness = self._likeness(crops).reshape(len(crops), 2, len(self._ids))
        of_card = likeness.max(axis=1)
        return [
            self._reading(of_card[i], int(card), bool(likeness[i, :, card].argmax()))
            for i, card in enumerate(of_card.argmax(axis=1))
        ]

    def _likeness(self, crops: Sequence[Picture]) -> NDArray[np.float32]:
        """Return the correlation of every crop with all upright, then all turned cards; shape (N, 96)."""
        width, height = GRID[0] + 2 * MARGIN, GRID[1] + 2 * MARGIN
        # laid under one another they are made smaller at once
        small = cv2.resize(
            np.concatenate(crops), (width, height * len(crops)), interpolation=cv2.INTER_AREA
        ).reshape(-1, height, width, 3)
        cells = small[:, MARGIN:-MARGIN, MARGIN:-MARGIN].astype(np.float32)
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
        """Return each upright crop's likeness with the most alike card of each kind; shape (N, kinds)."""
        if not len(crops):
            return np.zeros((0, NONE))
        of_card = self._likeness(crops)[:, : len(self._ids)]
        best = np.full((len(crops), NONE), -1.0)
        for number, card in enumerate(self._ids):
            best[:, KIND_OF[card]] = np.maximum(best[:, KIND_OF[card]], of_card[:, number])
        return best

    def _reading(self, worth: NDArray[np.float32], card: int, upside_down: bool) -> HanafudaReading:
        likeness = float(worth[card])
        # only where all of a card fits well does a small lead tell it from its like
        name, lead = named(self.gallery, worth, card, 1.0 if likeness >= FITS else 0.0)
        confidence = lead * _step((likeness - MIN_LIKENESS) / _LIKENESS_SCALE)
        sure = name is not None and likeness >= MIN_LIKENESS
        return HanafudaReading(
            self._ids[card] if sure else None, self._ids[card], confidence, likeness, upside_down
        )


def _step(x: float) -> float:
    return float(1 / (1 + np.exp(-np.clip(x, -30, 30))))
