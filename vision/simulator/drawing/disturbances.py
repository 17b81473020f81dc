"""What happens to whole pictures in a hall: the camera is knocked, a lamp switched on, somebody walks by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from vision.simulator.drawing.sprites import Pixels


class Disturbance(Protocol):
    """Anything that changes pictures from some instant on, or for a while."""

    def apply(self, picture: Pixels, t_s: float) -> Pixels:
        """Return the picture of instant `t_s` as it then looks."""


@dataclass(frozen=True, slots=True)
class Knock:
    """The camera is pushed: it swings and comes to look elsewhere.

    Attributes
    ----------
    t_s : when.
    shift : how far the picture moves, (x, y), as shares of its width.
    turn_deg, zoom : how it turns and grows about its middle.
    """

    t_s: float
    shift: tuple[float, float]
    turn_deg: float = 0.0
    zoom: float = 1.0

    def apply(self, picture: Pixels, t_s: float) -> Pixels:
        """Return the picture as the pushed camera shows it."""
        since_s = t_s - self.t_s
        if since_s < 0:
            return picture
        height, width = picture.shape[:2]
        shake_s = 0.06  # A knocked tripod's swing fades to a third in this time.
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
    """A lamp beside the field is switched: it lights one side of the picture more than the other.

    Attributes
    ----------
    t_s : when.
    gain : brightness in the middle, 1 for no change.
    slope : how much brighter still the right edge is than the middle.
    """

    t_s: float
    gain: float
    slope: float = 0.0

    def apply(self, picture: Pixels, t_s: float) -> Pixels:
        """Return the picture in the light that there is."""
        if t_s < self.t_s:
            return picture
        light = self.gain + self.slope * np.linspace(-1, 1, picture.shape[1], dtype=np.float32)
        shape = (1, -1, 1) if picture.ndim == 3 else (1, -1)
        return np.clip(picture * light.reshape(shape), 0, 255).astype(np.uint8)


@dataclass(frozen=True, slots=True)
class Passer:
    """Somebody walks past one side of the field: feet at the picture's edge, and a shadow that reaches in.

    Attributes
    ----------
    t_s, span_s : when, and for how long.
    left : past the left edge, else the right one.
    reach : how far the shadow comes into the picture, as a share of its width.
    """

    t_s: float
    span_s: float
    left: bool = True
    reach: float = 0.25

    def apply(self, picture: Pixels, t_s: float) -> Pixels:
        """Return the picture with the person in it."""
        share = (t_s - self.t_s) / self.span_s
        if not 0 <= share <= 1:
            return picture
        height, width = picture.shape[:2]
        small = (width // 4, height // 4)
        x = 0 if self.left else small[0]
        y = int((1.5 * share - 0.25) * small[1])
        shade = np.zeros((small[1], small[0]), np.float32)
        cv2.ellipse(shade, (x, y), (int(self.reach * small[0]), int(0.2 * small[1])), 0, 0, 360, 0.4, -1)
        shade = cv2.resize(cv2.GaussianBlur(shade, (0, 0), 0.02 * small[0]), (width, height))
        dark = 1 - (shade[..., None] if picture.ndim == 3 else shade)
        seen: Pixels = np.clip(picture * dark, 0, 255).astype(np.uint8)
        foot = (int(0.02 * width), int(0.07 * height))
        cv2.ellipse(seen, (4 * x, 4 * y), foot, 0, 0, 360, (52, 48, 46) if seen.ndim == 3 else 48, -1)
        return seen


def disturbed(
    pictures: Iterator[tuple[int, Pixels]], disturbances: Sequence[Disturbance]
) -> Iterator[tuple[int, Pixels]]:
    """Yield instants in ns and pictures, each as all disturbances leave it."""
    for t_ns, picture in pictures:
        seen = picture
        for disturbance in disturbances:
            seen = disturbance.apply(seen, t_ns / 1e9)
        yield t_ns, seen
