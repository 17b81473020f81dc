"""What a webcam makes of light: exposure, white balance, tone curve, noise reduction, sharpening, noise."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Light = NDArray[np.float32]
Pixels = NDArray[np.uint8]


@dataclass(frozen=True)
class Webcam:
    """One camera's manners."""

    mean: float  # where its automatic exposure puts the middle of the picture, of full scale, as shown
    warmth: float  # factor on red, its reciprocal on blue
    contrast: float  # strength of the S of the tone curve, 0 none
    # smooth_px, sharpen, sharpen_px: noise reduction, and strength and radius of the unsharp mask
    smooth_px: float
    sharpen: float
    sharpen_px: float
    noise: float  # standard deviation at mid-gray, gray levels; darker parts have less
    hunts: float  # depth of slow changes of the exposure, 0..1

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> Webcam:
        """Draw a camera at random."""
        return cls(
            float(rng.uniform(0.4, 0.58)),
            float(rng.uniform(0.93, 1.08)),
            float(rng.uniform(0.0, 0.6)),
            float(rng.uniform(0.3, 0.75)),
            float(rng.uniform(0.2, 0.9)),
            float(rng.uniform(0.8, 1.5)),
            float(rng.uniform(1.2, 3.0)),
            float(rng.choice([0.0, 0.015, 0.03])),
        )

    def gain(self, resting: Light) -> float:
        """Return by how much the light of the resting hall is multiplied."""
        wanted = self.mean**2.2  # the inverse of the display's curve, roughly
        return float(wanted / max(float(np.median(resting)), 1e-9))

    def curve(self, light: Light) -> Light:
        """Return linear light 0.. as values 0..1: sRGB with a soft shoulder and an S."""
        knee = 0.7
        soft = np.where(light > knee, knee + (1 - knee) * (1 - np.exp(-(light - knee) / (1 - knee))), light)
        shown = np.where(soft <= 0.0031308, 12.92 * soft, 1.055 * np.maximum(soft, 1e-9) ** (1 / 2.4) - 0.055)
        return np.asarray(shown + self.contrast * (shown - 0.5) * shown * (1 - shown), np.float32)

    def expose(self, light: Light, gain: float, t_s: float, rng: np.random.Generator) -> Pixels:
        """Return the picture (height, width, 3: blue, green, red) of linear light in the same order."""
        hunted = gain * (1 + self.hunts * np.sin(2 * np.pi * 0.4 * t_s))
        balance = np.array([1 / self.warmth, 1.0, self.warmth], np.float32) * np.float32(hunted)
        shown = self.curve(light * balance) * 255
        level = np.sqrt(np.clip(shown, 8, 255) / 128)
        shown += rng.standard_normal(shown.shape, np.float32) * level * np.float32(1.6 * self.noise)
        smooth = np.asarray(cv2.GaussianBlur(shown, (0, 0), self.smooth_px))
        sharp = smooth + self.sharpen * (smooth - cv2.GaussianBlur(smooth, (0, 0), self.sharpen_px))
        return np.clip(np.rint(sharp), 0, 255).astype(np.uint8)
