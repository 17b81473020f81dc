"""Effects of the camera on a picture: noise, the ripple of lamps, and frames that come late or never."""

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from vision.simulator.drawing.paths import Floats
from vision.simulator.drawing.sprites import Pixels
from vision.simulator.drawing.style import Style


@dataclass(frozen=True, slots=True)
class Shutter:
    """Exposure time of each row, and how much later the last row is than the first, in seconds."""

    exposure_s: float
    readout_s: float

    @property
    def reach_s(self) -> float:
        """Time from the middle of the frame to its first or last light."""
        return (self.exposure_s + self.readout_s) / 2

    def row_weights(self, times: Floats, t_s: float, rows: Floats, height: int) -> Floats:
        """Return the weight of each sample in each row, (samples, rows); a row's weights add up to 1."""
        middle = t_s + ((rows + 0.5) / height - 0.5) * self.readout_s
        half_step = float(times[1] - times[0]) / 2
        opens, closes = middle - self.exposure_s / 2, middle + self.exposure_s / 2
        inside = np.minimum(times[:, None] + half_step, closes) - np.maximum(
            times[:, None] - half_step, opens
        )
        inside = np.maximum(inside, 0)
        return np.asarray(inside / inside.sum(axis=0))


_MARGIN_PX = 64
_TILES = 3
LAMP_HZ = 100.0  # lamps ripple at twice the mains frequency
_FULL_TURN = 2 * np.pi


@dataclass(frozen=True, slots=True)
class Flash:
    """A light that the whole hall sees: when it goes on, for how long, and how much brighter it makes it."""

    t_s: float
    seconds: float = 0.12
    strength: float = 0.5

    def share(self, from_s: float, to_s: float) -> float:
        """Return the share of a stretch of time during which it is on."""
        inside_s = min(to_s, self.t_s + self.seconds) - max(from_s, self.t_s)
        return max(0.0, inside_s) / (to_s - from_s)


class Sensor:
    """Adds noise from a few prepared tiles, and the lamps' ripple in bands of rows."""

    def __init__(
        self,
        style: Style,
        size: tuple[int, int],
        shutter: Shutter,
        rng: np.random.Generator,
        *,
        in_colour: bool,
        flash: Flash | None = None,
    ) -> None:
        width, height = size
        self._readout_s, self._exposure_s = shutter.readout_s, shutter.exposure_s
        self._flash = flash
        # A long exposure averages the ripple away.
        self._depth = style.flicker * float(np.sinc(LAMP_HZ * shutter.exposure_s))
        self._drift = style.drift
        self._phase = float(rng.uniform(0, _FULL_TURN))
        self._rng = np.random.default_rng(rng.integers(2**63))
        shape: tuple[int, ...] = (height + _MARGIN_PX, width + _MARGIN_PX)
        if in_colour:
            shape = (*shape, 3)
        sigma = float(rng.uniform(*style.noise))
        self._tiles = []
        for _ in range(_TILES):
            noise = rng.standard_normal(shape, np.float32) * np.float32(sigma)
            self._tiles.append(np.clip(np.rint(noise + 128), 0, 255).astype(np.uint8))

    def expose(self, picture: Pixels, t_s: float) -> Pixels:
        """Return the sensor's output for a picture at `t_s`."""
        height, width = picture.shape[:2]
        left, top = (int(shift) for shift in self._rng.integers(_MARGIN_PX, size=2))
        tile = self._tiles[int(self._rng.integers(_TILES))][top : top + height, left : left + width]
        if self._readout_s == 0 or (self._depth == 0 and self._flash is None):
            return np.asarray(cv2.addWeighted(picture, self._gain(t_s), tile, 1.0, -128.0), np.uint8)
        result = np.empty_like(picture)
        band_px = 16
        for start in range(0, height, band_px):
            rows = slice(start, start + band_px)
            delay_s = ((start + band_px / 2) / height - 0.5) * self._readout_s
            cv2.addWeighted(
                picture[rows], self._gain(t_s + delay_s), tile[rows], 1.0, -128.0, dst=result[rows]
            )
        return result

    def _gain(self, t_s: float) -> float:
        ripple = self._depth * np.sin(_FULL_TURN * LAMP_HZ * t_s + self._phase)
        drift_hz = 0.13
        slow = self._drift * np.sin(_FULL_TURN * drift_hz * t_s + self._phase)
        flash = 0.0
        if self._flash is not None:
            half_s = self._exposure_s / 2
            flash = self._flash.strength * self._flash.share(t_s - half_s, t_s + half_s)
        return float((1 + ripple) * (1 + slow) * (1 + flash))


def frame_times(fps: float, style: Style, shutter: Shutter, rng: np.random.Generator) -> Iterator[float]:
    """Yield the instants, seconds, of the frames that arrive, without end and in order."""
    step_s = 1 / fps
    # Frames cannot follow each other faster than the exposure allows.
    most_s = max(0.0, min(0.3 * step_s, (step_s - shutter.exposure_s) / 2))
    index = 0
    while True:
        shake_s = float(np.clip(rng.normal(0, 1) * style.jitter_s, -most_s, most_s))
        if rng.uniform() >= style.dropped:
            yield (index + 0.5) * step_s + shake_s
        index += 1
