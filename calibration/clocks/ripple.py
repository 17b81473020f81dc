"""The ripple of mains lamps in a rolling shutter's rows, which tells how long the rows take.

Lamps brighten twice in every period of the mains. Rows that are exposed one after another show that ripple at
phases one after another: how fast the phase runs down the picture is the read-out. Rows of a global shutter
ripple all at once, which is a read-out of nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Gray = NDArray[np.uint8]
Floats = NDArray[np.float64]

LAMPS_HZ = (100.0, 120.0)
"""Twice the mains of 50 and 60 Hz."""
_BANDS = 90
_ROWS_OF_BAND = 2  # that are looked at; grain is averaged out over their length, and over all pictures
_LEAST_RIPPLE = 0.002  # share of the brightness, below which grain wins
_CLEAR = 4.0  # standard errors by which a row's ripple must stand out
_COHERENT = 0.9
_STEP_S = 5e-5
_LEAST_SIGMA_S = 2e-4  # a ripple is no pure sine
_ALIKE = 1e-3  # lamps that ripple in step with the frames cannot be told from steady ones


@dataclass(frozen=True, slots=True)
class Ripple:
    """A lamp's ripple as the rows show it.

    Attributes
    ----------
    readout_s, sigma_s : from the first row to the last, and its standard deviation.
    """

    readout_s: float
    sigma_s: float


def bands_of(gray: Gray) -> Floats:
    """Return the mean brightness of each band of rows, by a few of its rows, from top to bottom."""
    tall = max(1, len(gray) // _BANDS)
    step = tall // _ROWS_OF_BAND if tall % _ROWS_OF_BAND == 0 else 1
    chosen = gray[(step - 1) // 2 : len(gray) // tall * tall : step]
    rows = cv2.reduce(chosen, 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F)
    return np.asarray(rows.reshape(-1, tall // step).mean(axis=1), np.float64)


def find_ripple(t_s: Floats, bands: Floats, longest_s: float) -> Ripple | None:
    """Return the clearest ripple of mains lamps, None where none is seen.

    Parameters
    ----------
    t_s : (N,), the middle of each picture's exposure.
    bands : (N, B), brightness of each picture's bands of rows over a still scene.
    longest_s : the longest read-out to be thought of.
    """
    shares = bands / np.maximum(bands.mean(axis=0), 1.0)
    found = [one for hertz in LAMPS_HZ if (one := _ripple_at(t_s, shares, hertz, longest_s)) is not None]
    return min(found, key=lambda one: one.sigma_s) if found else None


def lamps_in_step(t_s: Floats) -> Sequence[float]:
    """Return the lamps' frequencies that would stand still in pictures taken at these instants."""
    return [hertz for hertz in LAMPS_HZ if _is_in_step(_normal(_design(t_s, hertz)))]


def _ripple_at(t_s: Floats, shares: Floats, hertz: float, longest_s: float) -> Ripple | None:
    design = _design(t_s, hertz)
    normal = _normal(design)
    if _is_in_step(normal):
        return None
    count = len(t_s)
    solution = np.linalg.solve(normal * count, design.T @ shares)
    ripple = solution[2] - 1j * solution[3]
    # near a step with the frames a ripple is seen as slowly as light that wanders, and is as doubtful
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
    """Return the columns whose mixture a band's brightness is: steady, drifting, and rippling; (N, 4)."""
    middle = t_s - t_s.mean()
    turn = 2 * np.pi * hertz
    return np.stack([np.ones_like(middle), middle, np.cos(turn * middle), np.sin(turn * middle)], axis=1)


def _normal(design: Floats) -> Floats:
    return np.asarray(design.T @ design / len(design), np.float64)


def _is_in_step(normal: Floats) -> bool:
    return bool(np.linalg.eigvalsh(normal)[0] < _ALIKE)
