"""Project points of the room into the picture: a pinhole with a slightly distorting lens above the field."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """An overhead camera."""

    width_px: int
    height_px: int
    across_m: float  # width of the tatami that the picture shows at its centre
    height_m: float  # height of the lens above the field
    tilt_rad: float = 0.0  # angle by which the optical axis leans towards the far player
    roll_rad: float = 0.0  # rotation of the picture about its centre
    offset_m: tuple[float, float] = (0.0, 0.0)  # place on the field above which the lens hangs, (x, y)
    k1: float = 0.0  # radial distortion; at the corner the picture is stretched by 1 + k1

    @property
    def px_per_m(self) -> float:
        """Pixels per metre of the tatami at the centre of the picture."""
        return self.width_px / self.across_m

    @cached_property
    def _half_diagonal_px(self) -> float:
        return float(np.hypot(self.width_px, self.height_px)) / 2

    @cached_property
    def _middle_px(self) -> Floats:
        return np.array([self.width_px, self.height_px]) / 2 - 0.5

    @cached_property
    def _focal_px(self) -> float:
        return float(self.px_per_m * self.height_m / np.cos(self.tilt_rad))

    @cached_property
    def _axes(self) -> Floats:
        """Rows: the camera's right, down and forward directions in field coordinates (x, y, height)."""
        lean, roll = self.tilt_rad, self.roll_rad
        right = np.array([1.0, 0.0, 0.0])
        down = np.array([0.0, np.cos(lean), -np.sin(lean)])
        forward = np.array([0.0, -np.sin(lean), -np.cos(lean)])
        return np.stack(
            [np.cos(roll) * right + np.sin(roll) * down, -np.sin(roll) * right + np.cos(roll) * down, forward]
        )

    @cached_property
    def _lens_m(self) -> Floats:
        # The axis meets the field near its centre, so a leaning camera hangs on the near side.
        y_m = self.offset_m[1] + self.height_m * np.tan(self.tilt_rad)
        return np.array([self.offset_m[0], y_m, self.height_m])

    def to_image(self, points_m: Floats) -> Floats:
        """Project points (N, 3) = x, y, height in metres to pixels (N, 2)."""
        seen = (np.asarray(points_m, np.float64) - self._lens_m) @ self._axes.T
        few = 16  # for fewer points single computations are faster than arrays
        if len(seen) < few:
            return np.array([self._bent(*place) for place in seen.tolist()]).reshape(-1, 2)
        flat = seen[:, :2] / seen[:, 2:] * self._focal_px
        radius2 = (flat * flat).sum(axis=1, keepdims=True) / self._half_diagonal_px**2
        return np.asarray(flat * (1 + self.k1 * radius2) + self._middle_px)

    def _bent(self, right: float, down: float, depth: float) -> tuple[float, float]:
        """Return the distorted pixel of a point at these distances to the camera's right, below and ahead."""
        x, y = right / depth * self._focal_px, down / depth * self._focal_px
        stretch = 1 + self.k1 * ((x * x + y * y) / self._half_diagonal_px**2)
        return x * stretch + (self.width_px / 2 - 0.5), y * stretch + (self.height_px / 2 - 0.5)

    def to_floor(self, points_px: Floats) -> Floats:
        """Return the floor points (N, 2) in metres that appear at `points_px` (N, 2)."""
        seen = np.asarray(points_px, np.float64) - self._middle_px
        flat = np.empty_like(seen)
        block = 16_384  # points that fit a processor's cache: a whole picture takes twice the time at once
        for start in range(0, len(seen), block):
            x, y = np.ascontiguousarray(seen[start : start + block].T)
            flat_x, flat_y = x, y
            for _ in range(6):  # converges to 1e-6 px for |k1| < 0.2
                stretch = 1 + self.k1 * ((flat_x * flat_x + flat_y * flat_y) / self._half_diagonal_px**2)
                flat_x, flat_y = x / stretch, y / stretch
            flat[start : start + block, 0], flat[start : start + block, 1] = flat_x, flat_y
        rays = np.column_stack([flat / self._focal_px, np.ones(len(flat))]) @ self._axes
        reach = self._lens_m[2] / rays[:, 2:]
        return np.asarray(self._lens_m[:2] - rays[:, :2] * reach)

    def px_per_m_at(self, height_m: float, at_m: Floats | None = None) -> float:  # noqa: ARG002
        """Return pixels per metre at a height above the tatami; from above they are the same everywhere."""
        return self.px_per_m * self.height_m / (self.height_m - height_m)

    def right_px(self, at_m: Floats, angle_rad: float) -> Floats | None:  # noqa: ARG002
        """Return where a flat thing's right points in the picture; None if it keeps its shape, as here."""
        return None
