"""The floor below the cards, as the camera sees it."""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.simulator.drawing.camera import Camera
from vision.simulator.drawing.paths import Floats
from vision.simulator.drawing.sprites import Pixels
from vision.simulator.drawing.style import Style

Tones = NDArray[np.float32]  # brightness relative to the mean of the floor

_PATTERN_M = (1.6, 1.1)


@dataclass(frozen=True)
class _Sheet:
    rng: np.random.Generator
    px_per_m: float

    @property
    def shape(self) -> tuple[int, int]:
        return round(_PATTERN_M[1] * self.px_per_m), round(_PATTERN_M[0] * self.px_per_m)

    def x_m(self) -> Tones:
        return np.arange(self.shape[1], dtype=np.float32)[None, :] / np.float32(self.px_per_m)

    def y_m(self) -> Tones:
        return np.arange(self.shape[0], dtype=np.float32)[:, None] / np.float32(self.px_per_m)

    def streaks(self, along_mm: float, across_mm: float) -> Tones:
        """Return noise stretched into fibres of these sizes, standard deviation 1."""
        along, across = max(along_mm / 1000 * self.px_per_m, 0.3), max(across_mm / 1000 * self.px_per_m, 0.3)
        # Wide noise needs few samples: it is drawn coarsely and enlarged.
        coarse = max(1, int(along // 4)), max(1, int(across // 4))
        small = (-(-self.shape[0] // coarse[1]) + 8, -(-self.shape[1] // coarse[0]) + 8)
        noise = cv2.GaussianBlur(
            self.rng.standard_normal(small, np.float32),
            (0, 0),
            sigmaX=along / coarse[0],
            sigmaY=across / coarse[1],
        )
        if coarse != (1, 1):
            size = (small[1] * coarse[0], small[0] * coarse[1])
            noise = cv2.resize(noise, size, interpolation=cv2.INTER_CUBIC)
        cut = np.asarray(noise[: self.shape[0], : self.shape[1]], np.float32)
        return np.asarray(cut / cut.std(), np.float32)


def _tatami(sheet: _Sheet) -> Tones:
    """Return igusa rush: fine ribs across, short pale fibres, and the seam of two mats."""
    x, y = sheet.x_m(), sheet.y_m()
    ribs = 0.04 * np.cos(2 * np.pi * y / 0.0058) * (1 + 0.5 * sheet.streaks(25, 5))
    warp = 0.035 * np.exp(-(((x / 0.0145) % 1.0 - 0.5) ** 2) / 0.012)
    fibres = 0.035 * sheet.streaks(15, 0.56) + 0.02 * sheet.streaks(4.4, 0.44)
    rows = 0.012 * sheet.streaks(190, 1.25)
    patches = 0.018 * sheet.streaks(110, 56)
    seam_y = _PATTERN_M[1] / 2 + sheet.rng.uniform(-0.3, 0.3)
    seam = 1 - 0.35 * np.exp(-(((y - np.float32(seam_y)) / 0.0016) ** 2))
    return np.asarray((1 + ribs - warp + fibres + rows + patches) * seam, np.float32)


def _felt(sheet: _Sheet) -> Tones:
    """Return felt or low-pile carpet: even, with a faint nap."""
    return np.asarray(1 + 0.045 * sheet.streaks(1, 1) + 0.03 * sheet.streaks(44, 56), np.float32)


def _planks(sheet: _Sheet) -> Tones:
    """Return wooden boards with grain and dark joints."""
    y = sheet.y_m()
    board = np.floor(y / 0.09).astype(int)
    tint = sheet.rng.normal(0, 0.05, board.max() + 1)[board]
    tone = 1 + tint + 0.05 * sheet.streaks(70, 1.4) + 0.03 * np.sin(6 * sheet.streaks(150, 11))
    joint = np.abs((y / 0.09) % 1.0 - 0.5) > 0.488
    return np.asarray(np.where(joint, tone * 0.62, tone), np.float32)


_PATTERNS = {"tatami": _tatami, "felt": _felt, "planks": _planks}


def floor_picture(style: Style, camera: Camera, rng: np.random.Generator) -> Pixels:
    """Return the bare floor through the camera, blue-green-red, before the fall-off of the light."""
    densest_px_per_m = 1600.0
    sheet = _Sheet(rng, min(densest_px_per_m, 1.4 * camera.px_per_m))
    # The area of a pixel is averaged before the look-up, or fine ribs would cause moiré.
    tone = cv2.GaussianBlur(_PATTERNS[style.floor](sheet), (0, 0), 0.5 * sheet.px_per_m / camera.px_per_m)
    maps = np.empty((camera.height_px, camera.width_px, 2), np.float32)
    band_px = 32  # rows that a processor's cache holds while it computes with them
    for top in range(0, camera.height_px, band_px):
        band = maps[top : top + band_px]
        x, y = np.meshgrid(np.arange(camera.width_px), np.arange(top, top + len(band)))
        floor_m = camera.to_floor(np.column_stack([x.ravel(), y.ravel()]).astype(np.float64))
        band[:] = ((floor_m + np.array(_PATTERN_M) / 2) * sheet.px_per_m).reshape(band.shape)
    seen = cv2.remap(tone, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    picture = np.asarray(seen)[..., None] * np.array(style.floor_colour, np.float32)
    return np.clip(picture, 0, 255).astype(np.uint8)


def light_picture(style: Style, camera: Camera) -> Floats:
    """Return the light on each pixel, 0..1, shape (height, width)."""
    vignette, across, down = style.light
    y, x = np.mgrid[0 : camera.height_px, 0 : camera.width_px]
    u, v = x / camera.width_px * 2 - 1, y / camera.height_px * 2 - 1
    light = (1 - vignette * (u**2 + v**2) / 2) * (1 + across * u) * (1 + down * v)
    return np.asarray(light / light.max())


SMALLER: Final = 4  # shadows are soft, so they are drawn at a size smaller by this factor


class SoftLight:
    """The light on a table.

    `light`: light on each of its pixels, 0..1, shape (height, width).

    `shape`: rows and columns of the grid on which shadows are drawn.
    """

    def __init__(self, camera: Camera, light: Floats) -> None:
        self.shape = camera.height_px // SMALLER, camera.width_px // SMALLER
        self._size = camera.width_px, camera.height_px
        small = cv2.resize(light, self.shape[::-1], interpolation=cv2.INTER_AREA)
        self._light = np.asarray(small, np.float32)

    def at(self, at_px: Floats) -> float:
        """Return the light, 0..1, at a point of the picture, (2,) x and y."""
        rows, columns = self.shape
        x = min(max(int(at_px[0] / SMALLER), 0), columns - 1)
        y = min(max(int(at_px[1] / SMALLER), 0), rows - 1)
        return float(self._light[y, x])

    def left_by(self, *shadows: NDArray[np.floating]) -> Pixels:
        """Return the light that reaches the table, shape (height, width), 255 for full light.

        `shadows`: share of the light that each takes away, of `shape`.
        """
        lit: NDArray[np.floating] = self._light
        for shadow in shadows:
            lit = lit * (1 - shadow)
        left = (lit * 255).astype(np.uint8)
        return np.asarray(cv2.resize(left, self._size, interpolation=cv2.INTER_LINEAR), np.uint8)


def fallen_px(camera: Camera, joints: Floats, sun: Floats) -> Floats:
    """Return where the shadows of joints (N, 3) fall, (N, 2) pixels of the grid of shadows."""
    fallen = np.column_stack([joints[:, :2] + sun * joints[:, 2:], np.zeros(len(joints))])
    return camera.to_image(fallen) / SMALLER


def thick_line(dark: Pixels, start: Floats, end: Floats, wide: float, value: int) -> None:
    """Draw the shadow of a limb, given its ends (2,) and its width in pixels of `dark`."""
    fine_bits = 4  # lines begin and end at sixteenths of a pixel
    first, last = (np.rint(point * 2**fine_bits).astype(int).tolist() for point in (start, end))
    cv2.line(dark, first, last, value, max(1, round(wide)), cv2.LINE_AA, fine_bits)


def softened(dark: Pixels, edge: float) -> Pixels:
    """Return a shadow whose edges fade over about `edge` pixels to either side."""
    size = (max(3, int(edge) | 1),) * 2
    return np.asarray(cv2.blur(cv2.blur(dark, size), size), np.uint8)
