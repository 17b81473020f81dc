"""One picture of the table and the instant it shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Gray = NDArray[np.uint8]  # a gray picture, shape (height, width), uint8
Colour = NDArray[np.uint8]  # a colour picture, shape (height, width, 3), uint8, channels blue, green, red

LACKING_STEPS = 1.5  # usual times between pictures from which one is missing; half of one is jitter
EIGHTH = 8  # width and height in pixels of a glance's pixel: a block of a JPEG


class Glimpse:
    """A picture of which only a glance is decoded until the whole is asked for.

    `glance`: the picture at an eighth of its size, each pixel the mean of 8 x 8.
    """

    __slots__ = ("_decode", "_gray", "glance")

    def __init__(self, glance: Gray, decode: Callable[[], Gray]) -> None:
        self.glance = glance
        self._decode = decode
        self._gray: Gray | None = None

    def turned(self, turn: Callable[[Gray], Gray]) -> Glimpse:
        """Return the picture and its glance after applying `turn` to both."""
        return Glimpse(turn(self.glance), lambda: turn(self.gray()))

    @property
    def is_decoded(self) -> bool:
        """Whether the whole picture was asked for."""
        return self._gray is not None

    def gray(self) -> Gray:
        """Return the whole picture, decoded once."""
        if self._gray is None:
            self._gray = self._decode()
        return self._gray


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One frame of a source."""

    picture: Gray | Glimpse  # the gray picture, or a glance at it that can become the whole
    t_ns: int  # middle of the exposure of the middle row, on the source's clock
    t_unc_ns: int  # 95 % half width of that instant (> 0)
    index: int  # 0-based count of frames that the source decoded (never used as a clock)
    # the camera's own MJPEG bytes if the source had them (kept as evidence, not re-encoded)
    jpeg: bytes | None = None
    # returns the same picture in colour, if a source without MJPEG bytes can
    render_colour: Callable[[], Colour] | None = None

    @property
    def gray(self) -> Gray:
        """The picture, shape (height, width), uint8."""
        return self.picture.gray() if isinstance(self.picture, Glimpse) else self.picture

    @property
    def shape_px(self) -> tuple[int, int]:
        """Height and width of the picture, decoded or not."""
        if isinstance(self.picture, Glimpse):
            height, width = self.picture.glance.shape
            return height * EIGHTH, width * EIGHTH
        height, width = self.picture.shape
        return height, width

    @property
    def glance(self) -> Gray | None:
        """The picture at an eighth of its size if nothing more was decoded so far, else None."""
        if not isinstance(self.picture, Glimpse) or self.picture.is_decoded:
            return None
        return self.picture.glance

    def eighth(self) -> Gray:
        """Return the picture at an eighth of its size, each pixel the mean of 8 x 8."""
        if isinstance(self.picture, Glimpse):
            return self.picture.glance
        height, width = (side // EIGHTH for side in self.picture.shape)
        whole = self.picture[: height * EIGHTH, : width * EIGHTH]
        return np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), np.uint8)

    def colour(self) -> Colour:
        """Return the picture in colour, decoded on demand since few are needed; gray if there is none."""
        if self.render_colour is not None:
            return self.render_colour()
        if self.jpeg is not None and (decoded := colour_of(self.jpeg)) is not None:
            return decoded
        return np.asarray(cv2.cvtColor(self.gray, cv2.COLOR_GRAY2BGR), np.uint8)


def brightest_channel(colour: Colour) -> Gray:
    """Return the brightest channel of each pixel of a colour picture: coloured ink pales in it.

    Pink, red and orange ink reflect red light nearly as paper does, and blue ink blue light; black text
    reflects no light.
    """
    blue, green, red = cv2.split(colour)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def colour_of(jpeg: bytes) -> Colour | None:
    """Decode JPEG bytes to colour, oriented as they say themselves; None if they are damaged."""
    return decoded(jpeg, cv2.IMREAD_COLOR)


def decoded(data: bytes, flags: int) -> NDArray[np.uint8] | None:
    """Return a stored picture (JPEG, PNG, ...) as `cv2.imdecode` decodes it with such flags.

    None if it is no picture, is damaged, or claims more pixels than OpenCV accepts.
    """
    if not data:
        return None
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        return None
    return None if picture is None else np.asarray(picture, np.uint8)
