"""The resting field at the scale of the players' map, and how a frame differs from it under its own light.

Light (flicker, and the wide soft shade of players) changes the picture by a factor that varies slowly: it is
the median of that factor over an area wider than two arms. Arms and their own sharp shadows are narrower and
stay visible. No median follows the edge of a wide shade: see `WideShade`.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames.frame import Frame, Gray

Floats = NDArray[np.float32]

SPARSE = 3  # light is sampled at every third pixel of about 7 mm
_CELL = np.ones((3, 3), np.uint8)


class WideShade:
    """Follows the light over the edges of shades while somebody's shade lies over the field."""

    def __init__(self) -> None:
        self._until_ns = 0

    def light_under(self, factor: Gray, covered: NDArray[np.uint8], light: Gray, t_ns: int) -> Gray | None:
        """Return the light of a picture with a wide shade over it; None if there is none.

        A hand's own soft shade is small, and is left as it is.

        `factor`: (h, w), how much brighter each pixel is than in the resting picture, hundredths. `covered`:
        (h, w), 1 where pixels differ from what `light` predicts. `light`: (h / 3, w / 3), the light by
        medians, hundredths; the result is sampled alike.
        """
        # least difference of the light within the picture, in hundredths, while somebody's shade lies over it
        uneven_hundredths = 15
        if int(light.max()) - int(light.min()) <= uneven_hundredths:
            return None
        floor, even = _floor(factor, covered)
        shaded = np.count_nonzero(floor & covered)
        # pixels of floor that look covered: more than a hand's own shade, and the same once a shade was there
        wide_px, left_px = 400, 40
        if shaded >= wide_px:
            stays_ns = 2_000_000_000  # after that, less of it still counts as shade
            self._until_ns = t_ns + stays_ns
        elif t_ns >= self._until_ns or shaded < left_px:
            return None
        return _light_of(floor, even, light)


def _floor(factor: Gray, covered: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], Floats]:
    """Return where floor is reached without crossing an outline, (h, w), and the smoothed factors (h, w)."""
    even = cv2.blur(factor.astype(np.float32), (3, 3))
    step = cv2.subtract(cv2.dilate(even, _CELL), cv2.erode(even, _CELL))
    outline_step = 0.05  # least relative step of the light over two pixels at an outline
    smooth = (np.asarray(step) < outline_step * np.asarray(even)).astype(np.uint8)
    # narrower gaps in an outline are closed
    inside = np.asarray(cv2.erode(smooth, _CELL, borderType=cv2.BORDER_CONSTANT, borderValue=1))
    count, number = cv2.connectedComponents(inside, connectivity=4)
    known = np.bincount(number[(covered == 0) & (inside > 0)], minlength=count)
    fewest_px = 200  # known pixels of floor from which more floor can be reached
    is_floor = known >= fewest_px
    is_floor[0] = False
    return smooth & np.asarray(cv2.dilate(is_floor[number].astype(np.uint8), _CELL)), np.asarray(even)


def _light_of(floor: NDArray[np.uint8], even: Floats, light: Gray) -> Gray:
    """Return the light of the floor around each sample, or `light` where there is no floor."""
    seen = np.ascontiguousarray((even * floor)[::SPARSE, ::SPARSE])
    weight = np.ascontiguousarray(floor[::SPARSE, ::SPARSE].astype(np.float32))
    found, told = light.astype(np.float32), np.zeros(light.shape, np.bool_)
    spans = (3, 9, 27)  # widths, in samples, of the surroundings whose floor gives the light
    least_floor = 0.2  # share of the surroundings that must be floor
    for span in spans:
        near = np.asarray(cv2.blur(weight, (span, span)))
        tells = ~told & (near >= least_floor)
        found[tells] = (np.asarray(cv2.blur(seen, (span, span))) / np.maximum(near, 1e-3))[tells]
        told |= tells
    return np.asarray(np.clip(np.rint(found), 1, 255), np.uint8)


UNIT = 100.0  # brightness factor 1 in the 8 bit pictures of factors


class RestingMap:
    """The resting field, with and without its cards.

    `resting`: pictures of the field at rest, at the map's size.

    `rest`: mean of `resting`.
    """

    def __init__(self, resting: Sequence[Gray], bare: Gray) -> None:
        self.rest = np.rint(np.mean(resting, axis=0)).astype(np.uint8)
        self._bare = bare
        too_dark = 8  # gray levels: below this a pixel cannot tell how much brighter it has become
        self._black = self.rest < too_dark
        differences = [
            cv2.absdiff(one, _lit(self.rest, self._wide(self._light(self._factor(one))))) for one in resting
        ]
        noise = float(np.mean(np.stack(differences))) / 0.8
        min_step_gray = 7.0
        noise_factor = 6.0
        self._threshold = max(min_step_gray, noise_factor * noise)
        self._shade = WideShade()

    def changed(self, small: Gray, t_ns: int) -> tuple[Gray, Gray, NDArray[np.uint8]]:
        """Return a frame's light, sparsely sampled and at the map's size, and 1 where it shows anything new.

        Light is relative to the resting picture, in hundredths. Frames must come in the order of time.
        """
        factor = self._factor(small)
        light = self._light(factor)
        wide = self._wide(light)
        new = self._differs(small, self.rest, wide)
        shaded = self._shade.light_under(factor, new, light, t_ns)
        if shaded is None:
            return light, wide, new
        wide = self._wide(shaded)
        return shaded, wide, self._differs(small, self.rest, wide)

    def covered(self, small: Gray, wide: Gray) -> NDArray[np.uint8]:
        """Return 1 where a frame shows no bare floor under a light at the map's size."""
        return self._differs(small, self._bare, wide)

    def is_floor(self, small: Gray, light: Gray) -> NDArray[np.bool_]:
        """Tell where a frame may show bare floor, (h, w); see `PlayerMap.is_floor`."""
        usual, wide = np.full_like(small, median_of(light)), self._wide(light)
        low, high = (_lit(self._bare, bound(usual, wide)) for bound in (np.minimum, np.maximum))
        darker, brighter = cv2.subtract(low, small), cv2.subtract(small, high)
        return np.asarray(np.maximum(darker, brighter) <= self._threshold, np.bool_)

    def _factor(self, small: Gray) -> Gray:
        """Return each pixel's brightness relative to the resting picture, in hundredths."""
        factor = np.asarray(cv2.divide(small, self.rest, scale=UNIT), np.uint8)
        factor[self._black] = UNIT
        return factor

    def _light(self, factor: Gray) -> Gray:
        """Return the light, as medians of the factors, sparsely sampled."""
        sparse = np.ascontiguousarray(cv2.blur(factor, (3, 3))[::SPARSE, ::SPARSE])
        median_samples = 11  # 3 x 11 pixels of about 8 mm are wider than two arms
        return np.asarray(np.maximum(cv2.blur(cv2.medianBlur(sparse, median_samples), (3, 3)), 1), np.uint8)

    def _differs(self, small: Gray, expected: Gray, wide: Gray) -> NDArray[np.uint8]:
        """Return 1 where a frame differs from an expected picture under a light."""
        off = np.asarray(cv2.absdiff(small, _lit(expected, wide)))
        return (off > self._threshold).astype(np.uint8)

    def _wide(self, light: Gray) -> Gray:
        height, width = self.rest.shape
        return np.asarray(cv2.resize(light, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


def median_of(light: Gray) -> int:
    """Return the median of a light in hundredths; for small integers sorting is faster than partitioning."""
    levels = np.sort(light, axis=None)
    return (int(levels[(levels.size - 1) // 2]) + int(levels[levels.size // 2])) // 2


def _lit(picture: Gray, light: Gray) -> Gray:
    return np.asarray(cv2.multiply(picture, light, scale=1 / UNIT), np.uint8)


class Lighting:
    """Follows the light over the field, relative to its resting picture."""

    def __init__(self) -> None:
        kept_changes = 20_000  # changes of the light: more than a minute of flicker at 240 fps
        # first and last instant of a level, and the level in hundredths
        self._levels: deque[tuple[int, int, int]] = deque(maxlen=kept_changes)
        latest_pictures = 5  # pictures that tell the present brightness
        self._latest: deque[int] = deque([round(UNIT)], maxlen=latest_pictures)

    def note(self, light: Gray, t_ns: int) -> None:
        """Note the light (h, w), in hundredths, of the next frame."""
        level = median_of(light)
        self._latest.append(level)
        if self._levels and self._levels[-1][2] == level:
            self._levels[-1] = self._levels[-1][0], t_ns, level
        else:
            self._levels.append((t_ns, t_ns, level))

    @property
    def factor(self) -> float:
        """Brightness of the field now, as a multiple of that in its resting picture."""
        return float(np.median(self._latest)) / UNIT

    def farthest_since(self, t_ns: int) -> float:
        """Return the brightness since an instant that differed most from that of the resting picture.

        Single pictures do not count: an arm may fill most of one.
        """
        since = [(level, last_ns > first_ns) for first_ns, last_ns, level in self._levels if last_ns >= t_ns]
        levels = np.array([level for level, lasts in since for _ in range(1 + lasts)], np.float64) / UNIT
        middles = (
            np.median(np.stack([levels[:-2], levels[1:-1], levels[2:]]), axis=0) if len(levels) > 2 else ()
        )
        factors = np.maximum([self.factor, *middles], 1 / UNIT)
        return float(factors[np.abs(np.log(factors)).argmax()])

    def switched_ns(self) -> tuple[int, int] | None:
        """Return the instants between which the light of the resting picture became the present light.

        Returns: the last picture before the change and the first one after it, nanoseconds; None if that was
        not seen.
        """
        whole = float(np.log(self.factor))
        least_factor = 1.1  # smallest factor that is seen through flicker and noise
        if abs(whole) < np.log(least_factor):
            return None
        way = np.log(np.array([level for _, _, level in self._levels]) / UNIT)
        # shares of the log factor from the light at rest to the present light
        begun_share, done_share = 0.25, 0.75
        begun = np.flatnonzero(way / whole > begun_share)[0]
        done = np.flatnonzero(way / whole < done_share)
        if not begun or not len(done):
            return None
        return self._levels[begun - 1][1], self._levels[min(done[-1] + 1, len(way) - 1)][0]


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
