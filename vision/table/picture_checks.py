"""Check once a second what the pictures of a card table lack."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from enum import StrEnum
from typing import Final

import numpy as np

from vision.field.picture_quality import PAPER, edge_blur_px
from vision.frames.frame import Frame
from vision.frames.light_meter import LightMeter
from vision.table.stillness import LOOK_BACK_NS, TableStillness

_LOOK_NS: Final = 1_000_000_000
_LOOKS, _FEWEST_LOOKS = 8, 2
"""Number of latest looks that count, and how many of them must agree: a hunting lens is reported, too."""


class Lack(StrEnum):
    """What the pictures may lack."""

    FEW_PICTURES = "few_pictures"
    DARK = "dark"
    BLURRED = "blurred"
    UNSTEADY_LIGHT = "unsteady_light"
    REST = "rest"  # the table has not come to rest for long: somebody stands before the camera


class PictureChecks:
    """Looks at a table's pictures; `feed` belongs to the eye's thread."""

    def __init__(self) -> None:
        self._light = LightMeter()
        self._stillness = TableStillness()
        self._t_ns, self._rested_ns = 0, 0
        self._looks: deque[frozenset[Lack]] = deque(maxlen=_LOOKS)
        self._looked_ns: int | None = None
        self._compared_ns: int | None = None
        self._came = 0

    def feed(self, frame: Frame) -> None:
        self._light.feed(frame)
        self._came += 1
        self._t_ns = frame.t_ns
        if self._looked_ns is None:
            self._looked_ns, self._came, self._rested_ns = frame.t_ns, 0, frame.t_ns
        elif frame.t_ns - self._looked_ns >= _LOOK_NS:
            fps = self._came * 1e9 / (frame.t_ns - self._looked_ns)
            self._looks.append(frozenset(self._found(frame, fps)))
            self._looked_ns, self._came = frame.t_ns, 0
        self._look_for_rest(frame)

    def _look_for_rest(self, frame: Frame) -> None:
        # the eye compares every picture; a table that rests is at rest for longer than this
        if self._compared_ns is not None and frame.t_ns - self._compared_ns < LOOK_BACK_NS:
            return
        self._compared_ns = frame.t_ns
        self._stillness.feed(frame)
        if self._light.is_unsteady:  # the picture's rim lies in other light then, and no arm over it
            self._stillness.forget_edge()
            self._rested_ns = frame.t_ns
        if self._stillness.still_since_ns is not None and not self._stillness.arms:
            self._rested_ns = frame.t_ns

    @property
    def has_arm(self) -> bool:
        """Whether something reaches in over the picture's edge now."""
        return bool(self._stillness.arms)

    @property
    def moves(self) -> bool:
        """Whether something moves in the picture now."""
        return self._stillness.still_since_ns is None

    def lacks(self) -> list[Lack]:
        times = Counter(lack for look in tuple(self._looks) for lack in look)
        lacks = {lack for lack, count in times.items() if count >= _FEWEST_LOOKS}
        restless_ns = 8_000_000_000  # hands that play leave the table sooner
        if self._t_ns - self._rested_ns > restless_ns:
            lacks.add(Lack.REST)
        return sorted(lacks)

    def _found(self, frame: Frame, fps: float) -> Iterator[Lack]:
        fewest_fps = 12.0  # a card that is laid and taken at once rests for a fifth of a second
        if fps < fewest_fps:
            yield Lack.FEW_PICTURES
        brightest = float(np.quantile(frame.gray[::4, ::4], 0.98))  # paper: cards and markers lie there
        if brightest < PAPER.least:
            yield Lack.DARK
        most_blur_px = 1.3  # a Gaussian of 1 pixel measures as this; a lens in focus has less
        blur_px = edge_blur_px(frame.gray)
        if blur_px is not None and blur_px > most_blur_px:
            yield Lack.BLURRED
        if self._light.is_unsteady:
            yield Lack.UNSTEADY_LIGHT
