"""Tell whether the camera was knocked, from the motion that all of a still picture has in common.

Corners of cards, print and floor are tracked from a resting picture into a later one (Lucas and Kanade,
1981). Cards that were played move on their own; the motion that most corners agree on is the camera's.
"""

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.failure import FailedEstimation

Gray = NDArray[np.uint8]

_WIDTH_PX = 960  # pictures are compared at this width at most; a motion of a tenth of its pixel shows
_CORNERS, _LEAST_CORNERS = 160, 12  # most that are tracked, and fewest that tell a motion
_AGREEING_SHARE = 0.5  # of the tracked corners: fewer with one motion tell nothing of the camera
_WINDOW_PX = 21  # side of the square around a corner that is found again
_LEVELS = 4  # of the pyramid: it follows a knock of up to a sixth of the picture
_AGREE_PX = 0.6  # corners within this of a common motion agree with it
_NEARLY_ALL, _MOST_TIMES = 0.25, 4.0  # in a knock all but a quarter move by 1 / _MOST_TIMES of the most


@dataclass(frozen=True, slots=True)
class CameraMotion:
    """The motion of the picture as a whole."""

    most_px: float  # largest motion of any corner of the picture's centre half, in pixels of the picture
    agreeing: float  # share of the tracked corners that moved with it, 0..1


class Steadiness:
    """Compares pictures with one of the field at rest.

    `resting`: shape (height, width), uint8; nobody reaches over the field.
    """

    def __init__(self, resting: Gray) -> None:
        self.size = resting.shape[1], resting.shape[0]
        self._scale = min(1.0, _WIDTH_PX / self.size[0])
        self._resting = self._small(resting)
        least_apart = self._resting.shape[1] / 64
        corners: NDArray[Any] | None = cv2.goodFeaturesToTrack(self._resting, _CORNERS, 0.02, least_apart)
        self._corners = np.zeros((0, 1, 2), np.float32) if corners is None else corners

    def motion(self, now: Gray) -> CameraMotion | FailedEstimation:
        """Return how far the picture has moved since the resting one; a covered view tells nothing."""
        if (now.shape[1], now.shape[0]) != self.size:
            return FailedEstimation(
                f"the picture is {now.shape[1]} x {now.shape[0]} now, it was {self.size[0]} x {self.size[1]}",
                "measure the field again",
            )
        hidden = FailedEstimation(
            "the picture has too little in common with the resting one",
            "clear the field, or measure it again",
        )
        if len(self._corners) < _LEAST_CORNERS:
            return hidden
        small = self._small(now)
        size = (_WINDOW_PX, _WINDOW_PX)
        nothing = np.empty(0, np.float32)
        moved, found, _ = cv2.calcOpticalFlowPyrLK(
            self._resting, small, self._corners, nothing, winSize=size, maxLevel=_LEVELS
        )
        back, also, _ = cv2.calcOpticalFlowPyrLK(
            small, self._resting, moved, nothing, winSize=size, maxLevel=_LEVELS
        )
        returned = np.linalg.norm(back - self._corners, axis=2)[:, 0] < _AGREE_PX
        followed = (found[:, 0] == 1) & (also[:, 0] == 1) & returned
        if followed.sum() < max(_LEAST_CORNERS, _AGREEING_SHARE / 2 * len(self._corners)):
            return hidden
        before, after = self._corners[followed, 0], moved[followed, 0]
        fit, agreeing = cv2.estimateAffinePartial2D(
            before, after, method=cv2.RANSAC, ransacReprojThreshold=_AGREE_PX
        )
        if fit is None or agreeing.mean() < _AGREEING_SHARE:
            return hidden
        height, width = self._resting.shape
        middle_half = np.array([[x * width, y * height, 1.0] for x in (0.25, 0.75) for y in (0.25, 0.75)])
        shifts = middle_half @ fit.T - middle_half[:, :2]
        most_px = float(np.linalg.norm(shifts, axis=1).max())
        # cards laid back a little beside their places move many corners along, but not all
        lengths_px = np.linalg.norm(after - before, axis=1)[agreeing[:, 0] > 0]
        return CameraMotion(
            most_px=min(most_px, _MOST_TIMES * float(np.quantile(lengths_px, _NEARLY_ALL))) / self._scale,
            agreeing=float(agreeing.mean()),
        )

    def _small(self, gray: Gray) -> Gray:
        if self._scale == 1.0:
            return gray
        size = (round(self.size[0] * self._scale), round(self.size[1] * self._scale))
        return np.asarray(cv2.resize(gray, size, interpolation=cv2.INTER_AREA), np.uint8)
