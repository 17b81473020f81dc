"""Track where hands and cards move over a simulated table, on a grid of centimetres, without pictures.

It stands for the movement that an eye notices from frame to frame: since when nothing moves, which arms reach
in, and when something last moved at a place.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.plane.printed_table import PrintedTable
from vision.simulator.cardtable.arms import Arm
from vision.simulator.cardtable.film import Film
from vision.simulator.cardtable.script import Track
from vision.simulator.drawing.paths import Floats

SQUARE_MM: Final = 10.0
_BESIDE_MM: Final = 60.0
"""How far the grid reaches beyond the table."""


class Bustle:
    """Tracks movement; feed it instants in the order of time.

    Attributes
    ----------
    still_since_s : since when nothing has moved; None while something moves.
    sides : edges of the picture over which arms reach in now.
    moving : numbers of the cards that move now.
    """

    def __init__(self, film: Film, table: PrintedTable) -> None:
        self._film, self._table = film, table
        width, height = (round((side + 2 * _BESIDE_MM) / SQUARE_MM) for side in table.size_mm)
        self._moved_s = np.zeros((height, width))
        self._under = np.zeros((height, width), np.uint8)
        self._before: dict[object, Floats] = {}
        self.still_since_s: float | None = None
        self.sides: frozenset[str] = frozenset()
        self.moving: frozenset[int] = frozenset()

    def feed(self, t_s: float, before_s: float) -> None:
        """Advance to `t_s`; the previous frame was at `before_s`."""
        cards = self._film.script.cards_at(t_s)
        there = {card: track for card, track in cards.items() if track.is_there(t_s)}
        self.moving = frozenset(card for card, track in there.items() if track.is_moving(before_s, t_s))
        arms = [arm for arm in self._film.arms_at(t_s) if self._is_seen(arm)]
        now = {arm.owner: arm.joints for arm in arms}
        stirred = np.zeros_like(self._under)
        self._under = np.zeros_like(self._under)
        for arm in arms:
            self._draw_arm(self._under, arm)
        for owner in now.keys() | self._before.keys():
            first, last = self._before.get(owner), now.get(owner)
            if first is None or last is None or not np.array_equal(first, last):
                for joints in (first, last):
                    if joints is not None:
                        self._draw_arm(stirred, Arm(owner, joints))
        for card in self.moving:
            self._draw_card(stirred, there[card], t_s)
            self._draw_card(stirred, there[card], before_s)
        self._before = now
        self._moved_s[stirred > 0] = t_s
        self.sides = frozenset(self._table.edges[int(str(owner))].name.lower() for owner in now)
        if stirred.any():
            self.still_since_s = None
        elif self.still_since_s is None:
            self.still_since_s = t_s

    def moved_s(self, x_mm: float, y_mm: float) -> float:
        """Return when something last moved near a point of the table."""
        row, column = self._square(np.array([x_mm, y_mm]))[::-1]
        return float(self._moved_s[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2].max())

    def lies_open(self, corners_mm: Floats, since_s: float) -> bool:
        """Tell whether nothing lies over a card now and nothing has moved there since an instant."""
        place = np.zeros_like(self._under)
        cv2.fillConvexPoly(place, self._square(corners_mm), 1)
        where = place > 0
        busy = (self._under[where] > 0) | (self._moved_s[where] > since_s)
        return bool(busy.mean() < 0.25)

    def _is_seen(self, arm: Arm) -> bool:
        tip = self._film.camera.to_image(arm.joints[:1])[0]
        return bool((tip >= 0).all() and (tip < self._film.size_px).all())

    def _square(self, points_mm: Floats) -> NDArray[np.int32]:
        return np.asarray(np.rint((points_mm + _BESIDE_MM) / SQUARE_MM - 0.5), np.int32)

    def _draw_arm(self, mask: NDArray[np.uint8], arm: Arm) -> None:
        camera = self._film.camera
        lens = np.array(camera.offset_m)
        # a raised object hides what lies farther out from below the lens
        seen = lens + (arm.joints[:, :2] - lens) * (
            camera.height_m / (camera.height_m - arm.joints[:, 2:].clip(0, camera.height_m / 2))
        )
        at_mm = seen * 1000 + np.array(self._table.size_mm) / 2
        # Widths of hand, forearm and upper arm over the table, with the darkest part of their shadow.
        widths_mm = (75.0, 80.0, 110.0)
        tip_mm = 15.0  # fingers reach this far beyond their key pose
        at_mm[0] += arm.direction * (tip_mm - widths_mm[0] / 2)
        squares = self._square(at_mm)
        for first, wide_mm in enumerate(widths_mm):
            ends = squares[first].tolist(), squares[first + 1].tolist()
            cv2.line(mask, *ends, 1, round(wide_mm / SQUARE_MM))

    def _draw_card(self, mask: NDArray[np.uint8], track: Track, t_s: float) -> None:
        if track.is_there(t_s):
            cv2.fillConvexPoly(mask, self._square(corners_mm(track.at(t_s))), 1)


def corners_mm(pose: Floats) -> Floats:
    """Return the corners of a card that lies at x, y, angle, shape (4, 2)."""
    cos, sin = np.cos(pose[2]), np.sin(pose[2])
    half_card_mm = (16.5, 27.0)
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half_card_mm
    return np.asarray(corners @ np.array([[cos, sin], [-sin, cos]]) + pose[:2])
