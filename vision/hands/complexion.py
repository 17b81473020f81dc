"""Brightness of each player's hands, to assign stray pieces while hands touch.

Optical flow carries the players' map through a meeting, but where fingers lie side by side it gives some of
them to the other hand. Such pieces are not connected to any arm of their player. A hand that comes out below
the other player's arm is not connected either, but it looks as it did before they met.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames.frame import Gray
from vision.hands.frame_map import FAR, NEAR, OTHER

Floats = NDArray[np.float32]

_STEP = 8  # gray levels per bin


class Complexion:
    """Gray levels of each player's hand, learned while the hands were apart.

    `cell_mm`: side of a cell of the players' map on the table.
    """

    def __init__(self, cell_mm: float) -> None:
        self._cell_mm = cell_mm
        self._seen = {player: np.zeros(256 // _STEP, np.float32) for player in (NEAR, FAR)}

    def kept(self) -> Complexion:
        other = Complexion(self._cell_mm)
        other._seen = dict(self._seen)
        return other

    def learn(self, players: NDArray[np.uint8], gray: Gray) -> None:
        """Learn from a frame in which hands do not touch: the players' map and the picture, both (h, w)."""
        hand_mm = 220.0  # from the fingertips: the hand and its wrist, but not the sleeve
        for player in (NEAR, FAR):
            mine = players == player
            rows = np.flatnonzero(mine.any(axis=1))
            if not len(rows):
                continue
            length = int(np.ceil(hand_mm / self._cell_mm))
            first = int(rows[0]) if player == NEAR else max(0, int(rows[-1]) + 1 - length)
            hand = slice(first, first + length)
            found = np.bincount(gray[hand][mine[hand]] // _STEP, minlength=256 // _STEP)
            fading = 0.9  # per picture, so that old pictures count less
            self._seen[player] = np.asarray(fading * self._seen[player] + found, np.float32)

    def without_strays(self, labels: NDArray[np.uint8], gray: Gray) -> NDArray[np.uint8]:
        """Return a players' map with small pieces apart from their arm given to the player they look like.

        `labels`: (h, w), the player to whom each cell seems to belong. `gray`: (h, w), the picture.
        """
        fewest_cells = 60  # cells of a hand needed to know its looks
        if min(seen.sum() for seen in self._seen.values()) < fewest_cells:
            return labels
        looks = np.asarray(cv2.LUT(gray, np.repeat(self._odds(), _STEP)))
        told = labels.copy()
        least_odds = 0.3  # log odds; smaller ones tell nothing
        largest_mm2 = 3000.0  # some fingers; shadows that look like a dark hand are larger
        for player, sign in ((NEAR, 1), (FAR, -1)):
            mine = (labels == player).astype(np.uint8)
            _, number, stats, _ = cv2.connectedComponentsWithStats(mine, connectivity=4)
            sizes = stats[1:, cv2.CC_STAT_AREA]
            if len(sizes) < 2:
                continue
            largest = min(float(sizes.max()), largest_mm2 / self._cell_mm**2)
            for piece in (np.flatnonzero(sizes < largest) + 1).tolist():
                left, top, wide, tall, _ = stats[piece].tolist()
                box = slice(top, top + tall), slice(left, left + wide)
                inside = number[box] == piece
                if sign * float(looks[box][inside].mean()) < -least_odds:
                    told[box][inside] = OTHER[player]
        return told

    def _odds(self) -> Floats:
        """Return the log odds near : far for each bin of gray."""
        # bins over which the counts are smoothed, since the light changes as a hand moves
        spread_steps = 5
        near, far = (cv2.blur(self._seen[player][None], (spread_steps, 1))[0] for player in (NEAR, FAR))
        rare_share = 0.02  # share of a hand that may be anything: a shadow, a flying card
        return np.asarray(
            np.log((near / near.sum() + rare_share) / (far / far.sum() + rare_share)), np.float32
        )
