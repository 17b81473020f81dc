"""Disturbances of whole pictures in a hall: a knocked camera, and lamps."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from vision.simulator.drawing.sprites import Pixels


class Disturbance(Protocol):
    """Anything that changes pictures from some instant on, or for a while."""

    def apply(self, picture: Pixels, t_s: float) -> Pixels:
        """Return the changed picture of instant `t_s`."""


@dataclass(frozen=True, slots=True)
class Knock:
    """The camera is pushed: it swings and ends up looking elsewhere."""

    t_s: float
    shift: tuple[float, float]  # shift of the picture, (x, y), as shares of its width
    # turn_deg, zoom: rotation and magnification of the picture about its centre
    turn_deg: float = 0.0
    zoom: float = 1.0

    def apply(self, picture: Pixels, t_s: float) -> Pixels:
        """Return the picture as the pushed camera shows it."""
        since_s = t_s - self.t_s
        if since_s < 0:
            return picture
        height, width = picture.shape[:2]
        shake_s = 0.06  # time in which a knocked tripod's swing fades to a third
        shake_hz = 11.0
        swing = 1 + float(np.exp(-since_s / shake_s) * np.sin(2 * np.pi * shake_hz * since_s))
        warp = cv2.getRotationMatrix2D(
            ((width - 1) / 2, (height - 1) / 2), self.turn_deg * swing, 1 + (self.zoom - 1) * swing
        )
        warp[:, 2] += np.array(self.shift) * width * swing
        return np.asarray(
            cv2.warpAffine(picture, warp, (width, height), borderMode=cv2.BORDER_REPLICATE), np.uint8
        )


@dataclass(frozen=True, slots=True)
class Lamp:
    """A lamp beside the field is switched; it lights one side of the picture more than the other."""

    t_s: float
    gain: float  # factor of the brightness in the middle, 1 for no change
    slope: float = 0.0  # how much brighter than the middle the right edge is

    def apply(self, picture: Pixels, t_s: float) -> Pixels:
        if t_s < self.t_s:
            return picture
        light = self.gain + self.slope * np.linspace(-1, 1, picture.shape[1], dtype=np.float32)
        shape = (1, -1, 1) if picture.ndim == 3 else (1, -1)
        return np.clip(picture * light.reshape(shape), 0, 255).astype(np.uint8)


@dataclass(frozen=True, slots=True)
class Ripple:
    """Lamps that flicker at twice the mains frequency, seen row by row."""

    t_s: float
    hz: float  # frequency of the flicker: 100 or 120
    depth: float  # amplitude of the light as a share of its mean
    readout_s: float = 0.01  # time from the first to the last row of a picture

    def apply(self, picture: Pixels, t_s: float) -> Pixels:
        if t_s < self.t_s:
            return picture
        rows_s = t_s + (np.arange(picture.shape[0]) / picture.shape[0] - 0.5) * self.readout_s
        light = 1 + self.depth * np.sin(2 * np.pi * self.hz * rows_s)
        shape = (-1, 1, 1) if picture.ndim == 3 else (-1, 1)
        seen: Pixels = np.clip(picture * light.astype(np.float32).reshape(shape), 0, 255).astype(np.uint8)
        return seen


def disturbed(
    pictures: Iterator[tuple[int, Pixels]], disturbances: Sequence[Disturbance]
) -> Iterator[tuple[int, Pixels]]:
    """Yield instants, nanoseconds, and pictures after all disturbances."""
    for t_ns, picture in pictures:
        seen = picture
        for disturbance in disturbances:
            seen = disturbance.apply(seen, t_ns / 1e9)
        yield t_ns, seen
