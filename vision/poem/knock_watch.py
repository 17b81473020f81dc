"""Detect a knocked camera while a match is watched, whether or not hands are over the field.

Four times a second the picture is compared with an earlier one. If most of what stands still agrees on
another position in two looks in a row, the camera was moved; a camera that only trembled is back by then. The
time from the last look in order to the discovery of the knock is a `Gap`.
"""

from calibration.knock import CameraMotion, Steadiness
from referee.facts import Gap
from vision.frames.frame import Frame


class KnockWatch:
    """Watches for a knocked camera.

    `is_blind`: whether the latest picture had too little in common with the earlier one to tell.
    """

    def __init__(self) -> None:
        self._reference: Steadiness | None = None
        self._suspected: Steadiness | None = None
        self._looked_ns: int | None = None
        self._fine_ns = 0
        self.is_blind = False

    def feed(self, frame: Frame) -> Gap | None:
        """Look at the next frame; once a knock is certain, return the time in which it happened."""
        if self._reference is None:
            self._begin(frame)
            return None
        look_every_ns = 250_000_000
        if self._looked_ns is not None and frame.t_ns - self._looked_ns < look_every_ns:
            return None
        self._looked_ns = frame.t_ns
        if self._suspected is not None:
            rests = self._suspected.motion(frame.gray)
            self._suspected = None
            motion = self._reference.motion(frame.gray)
            moved = isinstance(motion, CameraMotion) and motion.most_px > self._limit_px(frame)
            if moved and isinstance(rests, CameraMotion) and rests.most_px <= self._limit_px(frame):
                return self._knocked(frame)
        self._look(frame)
        return None

    def _begin(self, frame: Frame) -> None:
        self._reference, self._looked_ns, self._fine_ns = Steadiness(frame.gray), frame.t_ns, frame.t_ns

    def _look(self, frame: Frame) -> None:
        assert self._reference is not None
        motion = self._reference.motion(frame.gray)
        self.is_blind = not isinstance(motion, CameraMotion)
        if not isinstance(motion, CameraMotion):
            return  # hidden: nothing can be said
        if motion.most_px > self._limit_px(frame):
            self._suspected = Steadiness(frame.gray)
            return
        self._fine_ns = frame.t_ns
        # Below this share of corners in common cards have been played, and a new reference is taken.
        still_alike = 0.75
        if motion.agreeing < still_alike:
            self._reference = Steadiness(frame.gray)

    def _knocked(self, frame: Frame) -> Gap:
        gap = Gap(self._fine_ns, frame.t_ns, "lost_calibration")
        self._begin(frame)
        return gap

    def _limit_px(self, frame: Frame) -> float:
        # Share of the picture's width that it may wander: 0.4 pixels at 720p, about 0.35 mm on the field.
        knock_share = 0.3e-3
        return knock_share * int(frame.gray.shape[1])
