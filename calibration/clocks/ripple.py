"""Measure the read-out time from the ripple of mains lamps in a rolling shutter's rows.

Lamps brighten twice in every period of the mains. Rows that are exposed one after another show the ripple at
successive phases: how fast the phase runs down the picture gives the read-out. Rows of a global shutter
ripple all at once: a read-out of zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Gray = NDArray[np.uint8]
Floats = NDArray[np.float64]

LAMPS_HZ = (100.0, 120.0)  # twice the mains frequencies of 50 and 60 Hz
_BANDS = 90
_ROWS_OF_BAND = 2  # rows sampled per band; their length and the number of pictures average the grain out
_LEAST_RIPPLE = 0.002  # share of the brightness; a smaller ripple drowns in grain
_CLEAR = 4.0  # standard errors by which the ripple must stand out
_COHERENT = 0.9
_STEP_S = 5e-5
_LEAST_SIGMA_S = 2e-4  # a ripple is no pure sine
_ALIKE = 1e-3  # a ripple in step with the frames cannot be told from steady light


@dataclass(frozen=True, slots=True)
class Ripple:
    """A lamp's ripple as the rows show it."""

    # readout_s, sigma_s: time from the first row to the last, and its standard deviation
    readout_s: float
    sigma_s: float


def bands_of(gray: Gray) -> Floats:
    """Return each band's mean brightness, sampled in a few of its rows, from top to bottom: shape (B,)."""
    tall = max(1, len(gray) // _BANDS)
    step = tall // _ROWS_OF_BAND if tall % _ROWS_OF_BAND == 0 else 1
    chosen = gray[(step - 1) // 2 : len(gray) // tall * tall : step]
    rows = cv2.reduce(chosen, 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F)
    return np.asarray(rows.reshape(-1, tall // step).mean(axis=1), np.float64)


def find_ripple(t_s: Floats, bands: Floats, longest_s: float) -> Ripple | None:
    """Return the clearest ripple of mains lamps; None if none is seen.

    Parameters
    ----------
    t_s : shape (N,); the centre of each picture's exposure.
    bands : shape (N, B); brightness of each picture's bands of rows over a still scene.
    longest_s : the longest read-out to try.
    """
    shares = bands / np.maximum(bands.mean(axis=0), 1.0)
    found = [one for hertz in LAMPS_HZ if (one := _ripple_at(t_s, shares, hertz, longest_s)) is not None]
    return min(found, key=lambda one: one.sigma_s) if found else None


def lamps_in_step(t_s: Floats) -> Sequence[float]:
    """Return the lamp frequencies, Hz, that would stand still in pictures taken at these instants."""
    return [hertz for hertz in LAMPS_HZ if _is_in_step(_normal(_design(t_s, hertz)))]


def _ripple_at(t_s: Floats, shares: Floats, hertz: float, longest_s: float) -> Ripple | None:
    design = _design(t_s, hertz)
    normal = _normal(design)
    if _is_in_step(normal):
        return None
    count = len(t_s)
    solution = np.linalg.solve(normal * count, design.T @ shares)
    ripple = solution[2] - 1j * solution[3]
    # almost in step with the frames, a ripple looks as slow as drifting light and is as uncertain
    doubt = float(np.sqrt(np.linalg.eigvalsh(np.linalg.inv(normal)[2:, 2:])[-1] / 2))
    noise = doubt * float(np.sqrt(np.mean((shares - design @ solution) ** 2) * 2 / count))
    depth = float(np.abs(ripple).mean())
    if depth < max(doubt * _LEAST_RIPPLE, _CLEAR * noise):
        return None
    turn = 2 * np.pi * hertz
    share = (np.arange(len(ripple)) + 0.5) / len(ripple) - 0.5
    tried_s = np.arange(0.0, longest_s + _STEP_S / 2, _STEP_S)
    sums = np.abs(np.exp(-1j * turn * tried_s[:, None] * share[None]) @ ripple)
    best = int(np.argmax(sums))
    if sums[best] < _COHERENT * np.abs(ripple).sum():
        return None
    error_s = noise / depth / turn / float(np.sqrt(np.sum(share**2)))
    return Ripple(float(tried_s[best]), float(np.hypot(_LEAST_SIGMA_S, error_s)))


def _design(t_s: Floats, hertz: float) -> Floats:
    """Return the components of a band's brightness, shape (N, 4): constant, drift, cosine, sine."""
    middle = t_s - t_s.mean()
    turn = 2 * np.pi * hertz
    return np.stack([np.ones_like(middle), middle, np.cos(turn * middle), np.sin(turn * middle)], axis=1)


def _normal(design: Floats) -> Floats:
    return np.asarray(design.T @ design / len(design), np.float64)


def _is_in_step(normal: Floats) -> bool:
    return bool(np.linalg.eigvalsh(normal)[0] < _ALIKE)
