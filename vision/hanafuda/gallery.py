"""The pictures of a deck's cards, prepared for comparison with cards that are only partly visible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Deck, Picture, deck_game

Floats = NDArray[np.float32]

COARSE: Final = (12, 20)
"""Cells across and down a card: fine grids tell cards apart, coarse ones quickly tell where cards may lie."""


@dataclass(frozen=True, slots=True, eq=False)
class Prints:
    """All cards of a deck on one grid, upright first, then upside down."""

    grid: tuple[int, int]  # cells across and down
    cells: Floats  # shape (2 K, cells, 3), gray levels of K cards
    _flat: Floats
    _moments: Floats
    _spread: Floats

    @classmethod
    def of(cls, pictures: Sequence[Picture], grid: tuple[int, int]) -> Prints:
        """Average pictures over the cells of a grid."""
        upright = np.stack([cv2.resize(picture, grid, interpolation=cv2.INTER_AREA) for picture in pictures])
        both = np.concatenate([upright, upright[:, ::-1, ::-1]]).astype(np.float32)
        return cls._of_cells(grid, both.reshape(len(both), -1, 3) - np.float32(128))

    @classmethod
    def _of_cells(cls, grid: tuple[int, int], cells: Floats) -> Prints:
        flat = np.ascontiguousarray(cells.reshape(len(cells), cells.shape[1] * 3))
        squares = np.square(cells).sum(axis=2)
        # per cell: the three channels of all prints one after the other, then their squares
        moments = np.concatenate([*np.moveaxis(cells, 2, 0), squares]).T
        spread = squares.sum(axis=1) - np.square(cells.sum(axis=1)).sum(axis=1) / cells.shape[1]
        return cls(grid, cells, flat, np.ascontiguousarray(moments), spread)

    def only(self, which: NDArray[np.intp]) -> Prints:
        """Return some of the prints, by index among all 2 K."""
        return Prints._of_cells(self.grid, self.cells[which])

    def likeness(self, crops: Floats, visible: NDArray[np.bool_]) -> Floats:
        """Return the correlation of every crop with every print, over the visible cells of each crop.

        The mean over the visible cells is removed from every channel, and the three channels share one scale:
        brightness does not count, colour does.

        Returns: shape (N, 2 K), -1..1; 0 if nothing can be compared.

        `crops`: shape (N, cells, 3). `visible`: shape (N, cells).
        """
        count = np.maximum(np.count_nonzero(visible, axis=1), 1).astype(np.float32)
        seen = centred(crops.reshape(len(crops), -1), visible, count)
        product = seen @ self._flat.T
        spread = np.tile(self._spread, (len(crops), 1))
        part = np.flatnonzero(count < visible.shape[1])
        # each print's variance over what is visible, times the number of cells
        sums = (visible[part].astype(np.float32) @ self._moments).reshape(len(part), 4, len(self.cells))
        spread[part] = sums[:, 3] - np.square(sums[:, :3]).sum(axis=1) / count[part, None]
        length = np.einsum("ni,ni->n", seen, seen)[:, None] * np.maximum(spread, 0)
        # a part without any print matches nothing; otherwise an even patch of paper would fit every card
        enough = np.maximum(length, np.square(count * PLAIN)[:, None])
        return np.asarray(product / np.sqrt(enough), np.float32)

    def detail(self, crops: Floats, which: NDArray[np.intp]) -> Floats:
        """Return the correlation of the drawing on fully visible crops with one print each, (N,), -1..1.

        `crops`: shape (N, cells, 3). `which`: shape (N,), indices among the 2 K prints.
        """
        flat = details(crops, self.grid).reshape(len(crops), -1)
        drawn = details(self.cells[which], self.grid).reshape(len(crops), -1)
        length = np.linalg.norm(flat, axis=1) * np.linalg.norm(drawn, axis=1)
        return np.asarray(np.einsum("ni,ni->n", flat, drawn) / np.maximum(length, 1e-6), np.float32)


def details(cells: Floats, grid: tuple[int, int]) -> Floats:
    """Return prints without their coarse brightness: the lines that a hand has drawn.

    `cells`: shape (N, cells, 3). `grid`: cells across and down.
    """
    drawn = []
    # Sigma, in cells, of the blur that keeps only the coarse brightness of a picture.
    detail_cells = 3.0
    for print_ in cells.reshape(len(cells), grid[1], grid[0], 3):
        left = print_ - cv2.GaussianBlur(print_, (0, 0), detail_cells)
        drawn.append((left - left.mean(axis=(0, 1))).reshape(-1, 3))
    return np.array(drawn, np.float32).reshape(cells.shape)


PLAIN: Final = np.float32(100.0)  # variance, summed over the channels, of a print that counts as blank


def centred(flat: Floats, visible: NDArray[np.bool_], count: Floats) -> Floats:
    """Return crops without each channel's mean over the visible cells, and 0 where nothing is visible.

    `flat`: shape (N, 3 * cells). `visible`: shape (N, cells). `count`: shape (N,), number of visible cells.
    """
    channels = channels_of(visible.shape[1])
    wide = np.repeat(visible, 3, axis=1)
    seen = flat * wide
    mean = seen @ channels / count[:, None]
    return np.asarray(seen - (mean @ channels.T) * wide, np.float32)


@cache
def channels_of(cells: int) -> Floats:
    """Return the channel of each value of a crop, one-hot, (3 * cells, 3): products with it are sums."""
    return np.tile(np.eye(3, dtype=np.float32), (cells, 1))


@dataclass(frozen=True, slots=True, eq=False)
class CardGallery:
    """A deck's cards, prepared for comparison."""

    ids: tuple[str, ...]
    classes: NDArray[np.intp]  # shape (K,), index of the first card that counts as the same card
    size_mm: tuple[float, float]
    coarse: Prints
    fine: Prints
    # shape (K,), correlation of every print with itself shifted by a coarse cell, -1..1: a bare hill below a
    # bare sky is like itself, and like much else, nearly everywhere
    monotony: Floats
    alike: Floats  # shape (K, K), correlation of the fine prints with one another

    @classmethod
    def of(cls, deck: Deck, copies: Mapping[str, int] | None = None) -> CardGallery:
        """Make a gallery of an enrolled deck.

        `copies`: how many cards have a picture, if not one; `ids` repeats the picture's name that often.
        """
        number = copies or {}
        ids = tuple(card for card in deck.pictures for _ in range(number.get(card, 1)))
        prints = [deck.pictures[card] for card in ids]
        kinds = [deck_game(deck.game).kind(card) for card in ids]
        classes = np.array([kinds.index(kind) for kind in kinds])
        coarse = Prints.of(prints, COARSE)
        size_mm = (deck.width_mm, deck.height_mm)
        fine_grid = (24, 40)
        fine = Prints.of(prints, fine_grid)
        upright = fine.cells[: len(ids)]
        alike = fine.likeness(upright, np.ones(upright.shape[:2], bool))[:, : len(ids)]
        return cls(ids, classes, size_mm, coarse, fine, _monotony(coarse), alike)


def _monotony(prints: Prints) -> Floats:
    """Return how similar each upright print is to itself one cell further, across or down."""
    across, down = prints.grid
    cells = prints.cells[: len(prints.cells) // 2].reshape(-1, down, across, 3)
    moved = ((cells[:, 1:], cells[:, :-1]), (cells[:, :, 1:], cells[:, :, :-1]))
    return np.asarray(np.max([_correlation(one, other) for one, other in moved], axis=0), np.float32)


def _correlation(one: Floats, other: Floats) -> Floats:
    flat = [cells.reshape(len(cells), -1, 3) for cells in (one, other)]
    a, b = (cells - cells.mean(axis=1, keepdims=True) for cells in flat)
    length = np.square(a).sum(axis=(1, 2)) * np.square(b).sum(axis=(1, 2))
    return np.asarray((a * b).sum(axis=(1, 2)) / np.sqrt(np.maximum(length, 1e-6)), np.float32)


ALMOST_WHOLE: Final = 0.8  # visible share of a card that lies on top
LEAST_LEAD: Final = 0.008
"""Lower bound of the lead required between two prints that are nearly alike: less is noise."""


def named(gallery: CardGallery, worth: Floats, card: int, visible: float) -> tuple[int | None, float]:
    """Return the card, None if others are as likely, and the confidence 0..1 that it is this one.

    `worth`: shape (K,), likeness to every card, plus all other evidence for or against it. `visible`: visible
    share of the card, 0..1.
    """
    others = np.where(gallery.classes != gallery.classes[card], worth, -2)
    rival = int(others.argmax())
    lead = float(worth[card] - others[rival])
    # Least lead in likeness over the next card of another kind; below it the card stays unnamed.
    min_lead = 0.03
    # similar prints cannot lead by much, however certain it is which of them it is
    wanted = min_lead
    if visible > ALMOST_WHOLE:
        share_of_lead = 0.3
        wanted = max(min(min_lead, share_of_lead * float(1 - gallery.alike[card, rival])), LEAST_LEAD)
    confidence = float(1 / (1 + np.exp(-np.clip((lead - wanted) / (0.6 * wanted), -30, 30))))
    return (card if lead >= wanted else None), confidence
