"""Find the outline of a card of known size and rough place: table outside, no table inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Picture
from vision.frames.frame import Gray
from vision.hanafuda.bare_table import largest_channel

Points = NDArray[np.float64]

LENGTH_PX: Final = 70.0  # length of a card in the working picture, pixels
_ANGLES_DEG: Final = np.arange(-6.0, 6.1, 2.0)
_ALONG: Final = np.linspace(0.12, 0.88, 20)  # places along a side, away from the round corners


class CardSnap:
    """Fits outlines on one photo.

    `photo`: shape (height, width, 3), uint8. `lying`: approximate outlines of its cards, shape (4, 2) each,
    px: cards close together hide most of the table.
    """

    def __init__(self, photo: Picture, length_px: float, lying: Sequence[Points]) -> None:
        self._scale = min(1.0, LENGTH_PX / length_px)
        small = cv2.resize(photo, None, fx=self._scale, fy=self._scale, interpolation=cv2.INTER_AREA)
        cards = [(outline + 0.5) * self._scale - 0.5 for outline in lying]
        # Colour difference from the table beyond which more makes no difference.
        most_unlike = 40.0
        unlike = (
            np.minimum(_distance_from_rest(np.asarray(small, np.uint8), cards), most_unlike) / most_unlike
        )
        self._unlike = cv2.GaussianBlur(unlike.astype(np.float32), (0, 0), 0.7)

    def fit(self, outline: Points) -> Points | None:
        """Return the outline moved onto its card's edges, or None if there is no card.

        `outline`: shape (4, 2), px, clockwise from its upper left corner.
        """
        best = (outline + 0.5) * self._scale - 0.5
        reach_widths = 0.2  # how far a card may lie from its rough outline, in card widths
        reach = reach_widths * float(np.linalg.norm(best[1] - best[0]))
        score = 0.0
        for finer in (1, 4, 12):
            poses = _moved(best, np.linspace(-reach, reach, 9) / finer, _ANGLES_DEG / finer)
            scores = self._scores(poses)
            number = int(scores.argmax())
            best, score = poses[number], float(scores[number])
        # How much more the inside must differ from the table than the outside for a card to be seen, 0..1.
        min_step = 0.2
        if score < min_step:
            return None
        return np.asarray((best + 0.5) / self._scale - 0.5, np.float64)

    def _scores(self, poses: Points) -> Points:
        """Return how much less table lies in outlines (N, 4, 2) than around; the worst side counts twice."""
        sides = np.roll(poses, -1, axis=1) - poses
        length = np.linalg.norm(sides[:, 1], axis=1)[:, None, None, None]
        inwards = np.stack([-sides[..., 1], sides[..., 0]], -1)
        inwards /= np.linalg.norm(inwards, axis=-1, keepdims=True)
        points = poses[:, :, None] + sides[:, :, None] * _ALONG[:, None]
        beside_lengths = 0.045  # distance of the samples inside and outside a side, in card lengths
        offset = inwards[:, :, None] * length * beside_lengths
        step = (self._look(points + offset) - self._look(points - offset)).mean(axis=2)
        return np.asarray((step.sum(axis=1) + step.min(axis=1)) / 5, np.float64)

    def _look(self, points: Points) -> Points:
        height, width = self._unlike.shape
        x = np.clip(np.rint(points[..., 0]).astype(int), 0, width - 1)
        y = np.clip(np.rint(points[..., 1]).astype(int), 0, height - 1)
        return np.asarray(self._unlike[y, x], np.float64)


def _distance_from_rest(picture: Picture, cards: Sequence[Points]) -> Gray:
    """Return each pixel's colour difference from the bare table around it (CIE Lab, 8 bit)."""
    lab = cv2.cvtColor(cv2.GaussianBlur(picture, (3, 3), 0), cv2.COLOR_BGR2LAB)
    bare = np.ones(lab.shape[:2], np.float32)
    with_shadow = 1.15
    for card in cards:
        middle = card.mean(axis=0)
        cv2.fillConvexPoly(bare, np.rint(middle + (card - middle) * with_shadow).astype(np.int32), 0)
    side_lengths = 1.5  # side, in card lengths, of the square over which the table's colour is averaged
    around = (round(side_lengths * LENGTH_PX) | 1,) * 2
    seen = cv2.blur(bare, around)
    least_bare = 0.005  # of such a square that must be bare
    mean = cv2.blur(lab * bare[..., None], around) / np.maximum(seen, least_bare)[..., None]
    return largest_channel(cv2.absdiff(lab, np.clip(mean, 0, 255).astype(np.uint8)).astype(np.uint8))


def _moved(outline: Points, shifts: Points, angles_deg: Points) -> Points:
    """Return an outline shifted and turned in every combination, shape (N, 4, 2)."""
    middle = outline.mean(axis=0)
    grid = np.stack(np.meshgrid(shifts, shifts), -1).reshape(-1, 1, 2)
    turned = []
    for angle in np.radians(angles_deg):
        cos, sin = np.cos(angle), np.sin(angle)
        turned.append((outline - middle) @ np.array([[cos, sin], [-sin, cos]]) + middle + grid)
    return np.concatenate(turned)
