"""What the cards lie on, as the camera sees it."""

from __future__ import annotations

import cv2
import numpy as np

from vision.simulator.camera import Camera
from vision.simulator.paths import Floats
from vision.simulator.sprites import Pixels
from vision.simulator.style import Style

_PATTERN_PX_PER_M = 1600.0
_PATTERN_M = (1.6, 1.1)


def _streaks(rng: np.random.Generator, shape: tuple[int, int], along: float, across: float) -> Floats:
    """Noise stretched to fibres, standard deviation 1; `along`, `across` are its reach in pixels."""
    # Wide noise needs few samples: draw it coarse and enlarge it.
    coarse = max(1, int(along // 4)), max(1, int(across // 4))
    small = (-(-shape[0] // coarse[1]) + 8, -(-shape[1] // coarse[0]) + 8)
    noise = cv2.GaussianBlur(
        rng.standard_normal(small, np.float32), (0, 0), sigmaX=along / coarse[0], sigmaY=across / coarse[1]
    )
    if coarse != (1, 1):
        size = (small[1] * coarse[0], small[0] * coarse[1])
        noise = cv2.resize(noise, size, interpolation=cv2.INTER_CUBIC)
    noise = noise[: shape[0], : shape[1]]
    return np.asarray(noise / noise.std())


def _tatami(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Igusa rush: fine ribs across, short pale fibres, and the seam of two mats."""
    rows, columns = shape
    y = np.arange(rows, dtype=np.float32)[:, None] / _PATTERN_PX_PER_M
    x = np.arange(columns, dtype=np.float32)[None, :] / _PATTERN_PX_PER_M
    ribs = 0.04 * np.cos(2 * np.pi * y / 0.0058) * (1 + 0.5 * _streaks(rng, shape, 40, 8))
    warp = 0.035 * np.exp(-(((x / 0.0145) % 1.0 - 0.5) ** 2) / 0.012)
    fibres = 0.035 * _streaks(rng, shape, 24, 0.9) + 0.02 * _streaks(rng, shape, 7, 0.7)
    rows_tone = 0.012 * _streaks(rng, shape, 300, 2.0)
    patches = 0.018 * _streaks(rng, shape, 180, 90)
    seam_y = _PATTERN_M[1] / 2 + rng.uniform(-0.3, 0.3)
    seam = 1 - 0.35 * np.exp(-(((y - seam_y) / 0.0016) ** 2))
    tone = (1 + ribs - warp + fibres + rows_tone + patches) * seam
    # Worn patches lose their green first.
    return np.asarray(tone[..., None] * np.ones(3) - patches[..., None] * np.array([0.9, 0.3, 0.0]))


def _felt(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Felt or low-pile carpet: even, with a faint nap."""
    tone = 1 + 0.045 * _streaks(rng, shape, 1.6, 1.6) + 0.03 * _streaks(rng, shape, 70, 90)
    return np.asarray(tone[..., None] * np.ones(3))


def _planks(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Wooden boards with grain and dark joints."""
    rows, columns = shape
    y, _ = np.mgrid[0:rows, 0:columns] / _PATTERN_PX_PER_M
    board = np.floor(y / 0.09).astype(int)
    tint = rng.normal(0, 0.05, board.max() + 1)[board]
    grain = _streaks(rng, shape, 110, 2.2)
    tone = 1 + tint + 0.05 * grain + 0.03 * np.sin(6 * _streaks(rng, shape, 240, 18))
    joint = np.abs((y / 0.09) % 1.0 - 0.5) > 0.488
    tone = np.where(joint, tone * 0.62, tone)
    return np.asarray(tone[..., None] * np.ones(3))


_PATTERNS = {"tatami": _tatami, "felt": _felt, "planks": _planks}


def floor_picture(style: Style, camera: Camera, rng: np.random.Generator) -> Pixels:
    """Return the bare floor through the camera, blue-green-red, without the fall-off of the light."""
    shape = (round(_PATTERN_M[1] * _PATTERN_PX_PER_M), round(_PATTERN_M[0] * _PATTERN_PX_PER_M))
    pattern = _PATTERNS[style.floor](rng, shape) * np.array(style.floor_colour)
    # What one pixel covers is averaged before it is looked up, or fine ribs would beat with the pixels.
    blur = _PATTERN_PX_PER_M / camera.px_per_m * 0.5
    pattern = cv2.GaussianBlur(pattern.astype(np.float32), (0, 0), blur)
    x, y = np.meshgrid(np.arange(camera.width_px), np.arange(camera.height_px))
    floor_m = camera.to_floor(np.column_stack([x.ravel(), y.ravel()]).astype(np.float64))
    at = (floor_m + np.array(_PATTERN_M) / 2) * _PATTERN_PX_PER_M
    maps = at.astype(np.float32).reshape(camera.height_px, camera.width_px, 2)
    picture = cv2.remap(pattern, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.clip(picture, 0, 255).astype(np.uint8)


def light_picture(style: Style, camera: Camera) -> Floats:
    """Return how bright each pixel is lit, 0..1, shape (height, width)."""
    vignette, across, down = style.light
    y, x = np.mgrid[0 : camera.height_px, 0 : camera.width_px]
    u, v = x / camera.width_px * 2 - 1, y / camera.height_px * 2 - 1
    light = (1 - vignette * (u**2 + v**2) / 2) * (1 + across * u) * (1 + down * v)
    return np.asarray(light / light.max())
