"""Floors as textures: woven tatami and looped carpet, drawn anew for each hall."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Texture = NDArray[np.float32]
TEXELS_PER_M = 1600.0
SIZE_M = (2.0, 1.7)  # width and depth of the floor that is drawn finely


def _shape() -> tuple[int, int]:
    return round(SIZE_M[1] * TEXELS_PER_M), round(SIZE_M[0] * TEXELS_PER_M)


def tatami(colour: tuple[float, float, float], rng: np.random.Generator) -> tuple[Texture, Texture]:
    """Return a mat's colour (height, width, 3: blue, green, red, linear 0..1) and its relief (height, width).

    Rushes lie across; hemp warps bind them each 15 mm or so and leave a groove; each rush has its own shade.
    """
    height, width = _shape()
    rush_m, warp_m = float(rng.uniform(0.0022, 0.0032)), float(rng.uniform(0.013, 0.017))
    x, y = np.arange(width) / TEXELS_PER_M, np.arange(height) / TEXELS_PER_M
    row = np.floor(y / rush_m).astype(int)
    pair = np.abs(np.sin(np.pi * y / rush_m))[:, None]
    groove = np.abs(np.sin(np.pi * (x / warp_m)[None, :] + np.pi / 2 * (row % 2)[:, None])) ** 0.35
    relief = np.asarray(pair**0.6 * groove, np.float32)
    shades = np.random.default_rng(rng.integers(2**32)).normal(0, 1, (row.max() + 1, width // 40 + 2))
    shade = cv2.resize(shades.astype(np.float32), (width, len(shades)), interpolation=cv2.INTER_LINEAR)[row]
    worn = cv2.resize(
        rng.normal(0, 1, (9, 11)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
    )
    light = (0.72 + 0.28 * relief) * (1 + 0.085 * shade) * (1 + 0.035 * worn)
    tinted = np.array(colour, np.float32) * light[..., None]
    tinted[..., 0] *= 1 - 0.04 * worn
    return np.clip(tinted, 0, 1), relief


def carpet(colour: tuple[float, float, float], rng: np.random.Generator) -> tuple[Texture, Texture]:
    """Return a looped carpet's colour and relief, as `tatami` does."""
    height, width = _shape()
    loop_px = float(rng.uniform(0.0025, 0.004)) * TEXELS_PER_M
    grain = rng.normal(0, 1, (height, width)).astype(np.float32)
    blurred = np.asarray(cv2.GaussianBlur(grain, (0, 0), loop_px / 2.5), np.float32)
    loops = blurred / float(blurred.std())
    fibres = rng.normal(0, 1, (height, width)).astype(np.float32)
    trodden = cv2.resize(
        rng.normal(0, 1, (14, 16)).astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC
    )
    relief = np.clip(0.5 + 0.2 * loops, 0, 1)
    light = (1 + 0.13 * loops) * (1 + 0.07 * fibres) * (1 + 0.04 * trodden)
    return np.clip(np.array(colour, np.float32) * light[..., None], 0, 1), np.asarray(relief, np.float32)


FLOORS = {"tatami": tatami, "carpet": carpet}
