"""The resting field as a model to compare with: with and without each of its cards."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.displaced import Face
from vision.frames import Gray
from vision.slots import Floats, Slot

_CELL_MM = 3.5  # coarse pixels measure about this much
_FLOOR_MM = 70.0  # the floor under a card is guessed from the bare floor within this distance
_BESIDE_MM = 12.0
_INSIDE = 0.9  # cells that show the card alone
_LEVEL_SIGMA = 10.0  # smear mixes a card's gray levels at least by this much


class FieldModel:
    """The resting field, with and without each of its cards.

    Parameters
    ----------
    picture : (height, width) float32, the field at rest.
    slots : where its cards lie.
    """

    def __init__(self, picture: Floats, slots: Sequence[Slot]) -> None:
        self.picture = picture
        self.slots = tuple(slots)
        px_per_mm = float(np.median([slot.px_per_mm for slot in slots]))
        self.px_per_mm = px_per_mm
        self.halvings = max(0, round(float(np.log2(max(px_per_mm * _CELL_MM, 1.0)))))
        cards = np.zeros(picture.shape, np.uint8)
        for slot in slots:
            _fill(cards, slot, grow=1.08)
        self.covered = cards > 0
        free = (cards == 0).astype(np.float32)
        size = (2 * round(_FLOOR_MM * px_per_mm) + 1,) * 2
        total, weight = cv2.blur(picture * free, size), cv2.blur(free, size)
        self.floor = np.where(cards > 0, total / np.maximum(weight, 1e-3), picture).astype(np.float32)

    def without(self, gone: Collection[int], window: tuple[slice, slice]) -> Floats:
        """Return a window of the resting picture with the cards of the slots numbered `gone` taken away."""
        mask = np.zeros(self.picture.shape, np.uint8)
        for number in gone:
            _fill(mask, self.slots[number], grow=1.05)
        return np.where(mask[window] > 0, self.floor[window], self.picture[window])

    def face(self, number: int) -> Face:
        """Return a card's face, to be found again near its place."""
        return Face(self.picture, self.slots[number])

    def light_around(self, number: int, gray: Gray) -> float:
        """Return the factor between a frame and the resting picture on the bare floor beside a card."""
        slot = self.slots[number]
        margin = _BESIDE_MM * slot.px_per_mm
        low = np.maximum(np.floor(slot.corners_px.min(axis=0) - margin).astype(int), 0)
        high = np.ceil(slot.corners_px.max(axis=0) + margin).astype(int)
        window = (slice(low[1], high[1]), slice(low[0], high[0]))
        bare = ~self.covered[window]
        if not bare.any():
            return 1.0
        return float(np.median(gray[window][bare] / np.maximum(self.picture[window][bare], 1.0)))

    def paper(self, number: int) -> float:
        """Gray level of a card's paper."""
        slot = self.slots[number]
        low = np.maximum(np.floor(slot.corners_px.min(axis=0)).astype(int), 0)
        high = np.ceil(slot.corners_px.max(axis=0)).astype(int)
        return float(np.percentile(self.picture[low[1] : high[1], low[0] : high[0]], 80))

    def levels(self, number: int, count: int) -> tuple[Floats, float]:
        """Return `count` typical gray levels of a card, coarsely seen, and their standard deviation."""
        card, mask, _ = self.card(number, 0.0)
        inside = np.sort(card[mask > _INSIDE])
        levels = np.array([part.mean() for part in np.array_split(inside, count)], np.float32)
        off = np.abs(inside[:, None] - levels).min(axis=1)
        return levels, max(_LEVEL_SIGMA, float(np.sqrt(np.mean(off * off))))

    def card(self, number: int, angle_deg: float) -> tuple[Floats, Floats, NDArray[np.float64]]:
        """Return a card turned clockwise about its centre: picture, mask, and their corner in pixels.

        Both are at the model's coarse scale; the corner is a multiple of a coarse pixel.
        """
        slot = self.slots[number]
        cell = 2**self.halvings
        centre = slot.centre_px
        turn = cv2.getRotationMatrix2D((float(centre[0]), float(centre[1])), -angle_deg, 1.0)
        corners = slot.corners_px @ turn[:, :2].T + turn[:, 2]
        low = np.floor(corners.min(axis=0) / cell) * cell
        high = np.ceil(corners.max(axis=0) / cell) * cell
        turn[:, 2] -= low
        width, height = (int(extent) for extent in high - low)
        picture = cv2.warpAffine(self.picture, turn, (width, height), flags=cv2.INTER_LINEAR)
        mask = np.zeros((height, width), np.float32)
        cv2.fillConvexPoly(mask, np.rint((corners - low) * 16).astype(np.int32), 1.0, cv2.LINE_8, 4)
        return shrunk(np.asarray(picture, np.float32), self.halvings), shrunk(mask, self.halvings), low


def shrunk(picture: Floats, halvings: int) -> Floats:
    """Halve a picture's sides `halvings` times, averaging."""
    for _ in range(halvings):
        height, width = picture.shape
        picture = np.asarray(
            cv2.resize(picture, (width // 2, height // 2), interpolation=cv2.INTER_AREA), np.float32
        )
    return picture


def _fill(mask: NDArray[np.uint8], slot: Slot, grow: float) -> None:
    centre = slot.centre_px
    corners = centre + (slot.corners_px - centre) * grow
    cv2.fillConvexPoly(mask, np.rint(corners * 16).astype(np.int32), 1, cv2.LINE_8, 4)
