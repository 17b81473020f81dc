"""Take the ripple of lamps out of pictures that a rolling shutter exposes row by row.

Lamps on the mains ripple 100 or 120 times a second. A rolling shutter shows that as bands over the rows, and
if the picture rate does not fit they wander: print and floor then differ from their resting picture like a
shade that nobody casts. So each row's light is measured by what of the resting field it shows, and evened out
from when on it has been seen to change while nothing else did.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames.frame import Frame

Floats = NDArray[np.float32]

_WAVES = (
    9  # cosines over the height of a picture: four and a half bands, 20 ms of read-out at 120 Hz and more
)
_RIPPLES = 0.012  # standard deviation of the rows' light over time, as a share, that tells a ripple
_QUIET_PICTURES = 6  # without hands, by which it is measured
_KEPT_PICTURES = 24
_EVEN_SHARE = 0.05  # samples of a row that show the resting field lie this near to the row's light
_QUIET_COVER = 0.2  # share of the cards below hands up to which a picture counts as quiet


class RowLight:
    """Measures and evens out the light of rows.

    `rest`: the field at rest, (height, width). `ripple`: how far the light is known to oscillate, as a share
    of it; 0 if unknown.
    """

    def __init__(self, rest: Floats, ripple: float = 0.0) -> None:
        height, width = rest.shape
        rows, columns = 90, 64
        self._rows = np.linspace(0, height - 1, rows).astype(np.intp)
        self._columns = np.linspace(0, width - 1, columns).astype(np.intp)
        dark_gray = 20.0  # darker places tell little of the light
        seen = rest[np.ix_(self._rows, self._columns)]
        self._told = (seen > dark_gray).any(axis=1)  # a film may have a black rim
        self._rest = np.where(seen > dark_gray, seen, np.inf)
        self._waves = np.cos(np.pi * np.arange(_WAVES) * (np.arange(rows)[:, None] + 0.5) / rows)
        whole = (np.arange(height)[:, None] + 0.5) / height
        self._whole = np.cos(np.pi * np.arange(_WAVES) * whole)
        self._quiet: deque[Floats] = deque(maxlen=_KEPT_PICTURES)
        self.ripples = ripple > np.sqrt(2) * _RIPPLES  # a sine's amplitude, its standard deviation

    def feed(self, frame: Frame, cover: float) -> Frame:
        """Return the next frame in even light, or as it is if lamps do not ripple.

        `cover`: share of the cards that hands lay over a moment ago.
        """
        if not self.ripples and cover > _QUIET_COVER:
            return frame
        light = self._light(frame)
        if light is None:
            return frame
        if cover <= _QUIET_COVER:
            self._quiet.append(light)
            if len(self._quiet) >= _QUIET_PICTURES:
                change = np.std(np.stack(self._quiet) @ self._waves.T, axis=0)
                self.ripples |= float(np.median(change)) > _RIPPLES
        if not self.ripples:
            return frame
        rows = (self._whole @ light).astype(np.float32)[:, None]
        # rounds and clips in a tenth of NumPy's time; light is never negative
        return replace(frame, picture=np.asarray(cv2.convertScaleAbs(frame.gray / rows), np.uint8))

    def _light(self, frame: Frame) -> Floats | None:
        """Return the light of the rows relative to the resting picture, as weights of the waves; mean 1."""
        ratio = frame.gray[np.ix_(self._rows, self._columns)] / self._rest
        seen = np.isfinite(self._rest)
        ordered = np.sort(np.where(seen, ratio, np.inf), axis=1)
        middle = ordered[np.arange(len(ordered)), np.maximum(seen.sum(axis=1) - 1, 0) // 2]
        middle = np.where(self._told, middle, 1.0)
        near = np.abs(ratio - middle[:, None]) < _EVEN_SHARE * middle[:, None]
        weight = near.mean(axis=1)
        least_share = 0.3  # of a row that must show the resting field
        tells = self._told & (weight > least_share)
        if np.count_nonzero(tells) < 2 * _WAVES:
            return None
        found = np.linalg.lstsq(
            self._waves[tells] * weight[tells, None], (middle * weight)[tells], rcond=None
        )[0]
        return np.asarray(found / max(float(found[0]), 1e-3), np.float32)
