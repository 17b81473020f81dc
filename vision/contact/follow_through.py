"""Hands that go on with a card: the one that drove it does, while one that stays behind did not.

A hand is followed from picture to picture after the card set off, by its shape and its looks. How fast it
goes on along the card's way is seen for as long as that takes, at any frame rate, and however near two hands
were to the card as it set off. A hand that arrives later is still on its way, as fast as the one that drove
the card or faster, so small differences tell nothing. Where arms are one in the picture a hand may be lost:
its end and what of it lies at the card are followed apart, and one of them tells half of what both do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.clocks.peak import beside_summit
from vision.contact.approach import Cells, Hands
from vision.contact.velocities import Velocity
from vision.departures.departure import Departure, View
from vision.field.slots import Slot
from vision.hands.frame_map import FAR, NEAR
from vision.launch.strikes import Strike

_LEAST_NS = 45_000_000  # a hand that is followed for less has hardly gone anywhere
_NO_PIXELS = np.zeros((0, 0), np.uint8)


def goes_on(slot: Slot, strike: Strike, departure: Departure, card: Velocity, hands: Hands) -> float:
    """Return which hand goes on with a card: 1 for the near player's, -1 for the far player's, 0 not known.

    Parameters
    ----------
    slot : where the card lay.
    strike : its motion.
    departure : the pictures around its beginning.
    card : how fast it moved; it must have moved.
    hands : the players' maps of the poem.
    """
    t_ns = strike.onset.t_ns
    views: list[View] = []
    followed_ns = 80_000_000  # from the first picture on in which the card moves
    wait_ns = 45_000_000  # for that first picture
    step_ns = 12_000_000  # between pictures, at least
    for at_ns, over in hands.kept(t_ns, t_ns + wait_ns + followed_ns):
        if not views or views[-1].t_ns + step_ns <= at_ns <= views[0].t_ns + followed_ns:
            views.append(View(at_ns, _NO_PIXELS, departure.window, over))
    if len(views) < 2 or views[-1].t_ns - views[0].t_ns < _LEAST_NS:
        return 0.0
    way = card / np.hypot(*card)
    told = 0.0
    # metres per second by which one hand is faster: from where on it tells, and all it tells
    least_lead = (0.5, 1.15)
    for part in (_end_at, _part_at):
        near, far = (
            _velocity(views, hands, player, part(slot, views[0], hands, player)) for player in (NEAR, FAR)
        )
        if near is not None and far is not None:
            lead = float((near - far) @ way) / slot.px_per_mm
            told += np.sign(lead) * float(np.interp(abs(lead), least_lead, (0.0, 0.5)))
    return float(told)


def _end_at(slot: Slot, view: View, hands: Hands, player: int) -> NDArray[np.intp]:
    """Return which of a player's cells in a view belong to the end of the hand that is nearest to a card."""
    cells = hands.cells(view, player)
    away_mm = _away_mm(slot, cells)
    end_mm = 140.0  # from the middle of a card to the end of a hand
    near = np.flatnonzero(hands.ends(view, player) & (away_mm < end_mm))
    if not len(near):
        return near
    mine = (hands.players(view) == player).astype(np.uint8)
    arms = cv2.connectedComponents(mine)[1][cells.rows[near], cells.columns[near]]
    return np.asarray(near[arms == arms[away_mm[near].argmin()]])


def _part_at(slot: Slot, view: View, hands: Hands, player: int) -> NDArray[np.intp]:
    """Return which of a player's cells in a view lie at a card."""
    near_mm = 85.0  # from the middle of a card to what lies at it
    return np.flatnonzero(_away_mm(slot, hands.cells(view, player)) < near_mm)


def _away_mm(slot: Slot, cells: Cells) -> NDArray[np.float64]:
    return np.asarray(np.hypot(*(cells.points_px - slot.centre_px).T) / slot.px_per_mm)


def _velocity(views: Sequence[View], hands: Hands, player: int, own: NDArray[np.intp]) -> Velocity | None:
    """Return how fast some of a player's cells in the first view go on, (2,) pixels per ms; None if lost."""
    fewest_cells = 8
    if len(own) < fewest_cells:
        return None
    # cards that set off at once below one hand ask for the same
    key = "goes on", player, own.tobytes()
    return hands.once(key, lambda: _followed(views, _Part.of(views[0], hands, player, own)), *views)


def _followed(views: Sequence[View], part: _Part) -> Velocity | None:
    """Return how fast a part of a hand goes on from the first view through the others."""
    start = at = part.corner.astype(np.float64)
    last = views[0]
    for view in views[1:]:
        moved = part.moved(last, view, np.rint(at).astype(int))
        if moved is None:
            break
        at = at + moved
        last = view
    passed_ms = (last.t_ns - views[0].t_ns) / 1e6
    return None if passed_ms < _LEAST_NS / 1e6 else np.asarray((at - start) / part.hands.scale / passed_ms)


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A part of a player's hand in the players' map.

    Attributes
    ----------
    hands : the players' maps.
    player : whose it is.
    corner : (2,), column and row of its first cells in the first view.
    shape : (h, w), 1 for each of its cells, else 0.
    """

    hands: Hands
    player: int
    corner: NDArray[np.intp]
    shape: NDArray[np.float32]

    @classmethod
    def of(cls, view: View, hands: Hands, player: int, own: NDArray[np.intp]) -> _Part:
        """Return what consists of some of a player's cells in a view."""
        cells = hands.cells(view, player)
        rows, columns = cells.rows[own], cells.columns[own]
        shape = np.zeros((int(np.ptp(rows)) + 1, int(np.ptp(columns)) + 1), np.float32)
        shape[rows - rows.min(), columns - columns.min()] = 1.0
        return cls(hands, player, np.array([columns.min(), rows.min()]), shape)

    def moved(self, last: View, view: View, at: NDArray[np.intp]) -> NDArray[np.float64] | None:
        """Return how far it has moved from `at` in the last view, (2,) cells; None where it is lost."""
        (x, y), (tall, wide) = (int(at[0]), int(at[1])), self.shape.shape
        height, width = self.hands.players(last).shape
        if x < 0 or y < 0 or x + wide > width or y + tall > height:
            return None
        was = np.s_[y : y + tall, x : x + wide]
        shown = self.shape * (self.hands.players(last)[was] > 0)
        left_share = 0.4  # of its cells that must still be somebody's for a hand to be followed on
        if float(shown.sum()) < left_share * float(self.shape.sum()):
            return None
        fastest_mm_per_ms = 4.0
        fastest_px = fastest_mm_per_ms * self.hands.field.px_per_mm * (view.t_ns - last.t_ns) / 1e6
        reach = int(np.ceil(fastest_px * self.hands.scale)) + 1
        left, top = max(0, x - reach), max(0, y - reach)
        around = np.s_[top : y + tall + reach, left : x + wide + reach]
        players = self.hands.players(view)[around]
        # where the arms are one, a cell may be given to the wrong player
        whose = ((players == self.player).astype(np.float32) + (players > 0)) / 2
        now, before = self._unlit(view)[around], self._unlit(last)[was]
        unlike = cv2.matchTemplate(now, before, cv2.TM_SQDIFF, mask=shown)
        elsewhere = float(shown.sum()) - cv2.matchTemplate(whose, shown, cv2.TM_CCORR)
        others_gray = 30.0  # what a cell that is not this player's counts, as a difference in gray
        alike = np.asarray(-(unlike + others_gray**2 * elsewhere), np.float32)
        row, column = (int(index) for index in np.unravel_index(int(alike.argmax()), alike.shape))
        beside = beside_summit(alike, column, row)
        return np.array([left + column + beside[0] - x, top + row + beside[1] - y])

    def _unlit(self, view: View) -> NDArray[np.float32]:
        """Return what `FrameMap.unlit` says of a view; every part and card asks for the same few."""
        return self.hands.once("unlit", lambda: view.over.unlit, view)
