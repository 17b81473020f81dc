"""Model a printed marker as a lens shows it, and fit the model to a picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Floats = NDArray[np.float32]

CELL: Final = 4  # side of a model's cell, pixels


@dataclass(frozen=True, slots=True, eq=False)
class MarkerModels:
    """All prints in all four directions with one blur.

    A patch is compared only with what is specific to a print. The overall brightness, and the light that the
    blur lets in from the paper around the marker, do not count.
    """

    common: Floats  # shape (2, pixels), orthonormal: an even patch, and the light from around
    plain: Floats  # shape (4 * prints, pixels), the prints
    own: Floats  # `plain` without `common`, rows of length 1

    @classmethod
    def of(cls, prints: Sequence[Floats], blur: float) -> MarkerModels:
        """Blur prints (cells, cells), 1 for white; `blur` is the standard deviation in cells."""
        sigma, size = blur * CELL, len(prints[0]) * CELL
        rim = 3 * CELL
        around = np.pad(np.zeros((size, size), np.float32), rim, constant_values=1)
        inside = (slice(rim, rim + size),) * 2
        light = cv2.GaussianBlur(around, (0, 0), sigma)[inside].reshape(-1)
        common = np.linalg.qr(np.column_stack([np.ones(size * size), light]))[0].T.astype(np.float32)
        plain = []
        for cells in prints:
            wide = np.pad(np.kron(cells, np.ones((CELL, CELL), np.float32)), rim)
            seen = cv2.GaussianBlur(wide, (0, 0), sigma)[inside]
            plain += [np.rot90(seen, -turn).reshape(-1) for turn in range(4)]
        rows = np.asarray(np.stack(plain), np.float32)
        own = rows - (rows @ common.T) @ common
        return cls(common, rows, own / np.linalg.norm(own, axis=1, keepdims=True))

    def likeness(self, patch: Floats) -> Floats:
        """Return the correlation of a patch with every print, -1..1."""
        rest = patch - (self.common @ patch) @ self.common
        return np.asarray(self.own @ (rest / max(float(np.linalg.norm(rest)), 1e-6)), np.float32)

    def likeness_with(self, patch: Floats, row: int) -> float:
        """Return the correlation of a patch with one print, -1..1."""
        rest = patch - (self.common @ patch) @ self.common
        return float(self.own[row] @ rest) / max(float(np.linalg.norm(rest)), 1e-6)

    def step(self, patch: Floats, row: int, *, bends: bool) -> Points | None:
        """Return the map of the model, shape (3, 3), that brings it nearer to a patch; None if there is none.

        `patch`: shape (pixels,). `bends`: fit perspective; otherwise parallel sides stay parallel.
        """
        basis = np.vstack([self.common, self.own[row]])
        model = (basis @ patch) @ basis
        size = int(np.sqrt(len(model)))
        down, across = np.gradient(model.reshape(size, size).astype(np.float64))
        y, x = np.mgrid[:size, :size].astype(np.float64)
        radial = across * x + down * y
        slopes = [across * x, across * y, across, down * x, down * y, down]
        slopes += [-radial * x, -radial * y] if bends else []
        jacobian = np.column_stack([slope.reshape(-1) for slope in slopes])
        rest = (patch - model).astype(np.float64)
        # a change of brightness is no movement
        flat = basis.astype(np.float64)
        jacobian -= flat.T @ (flat @ jacobian)
        scale = np.linalg.norm(jacobian, axis=0)
        if not scale.all():
            return None
        jacobian /= scale
        normal = jacobian.T @ jacobian + 1e-6 * np.eye(len(scale))
        found = np.zeros(9)
        found[: len(scale)] = np.linalg.solve(normal, jacobian.T @ rest) / scale
        return found.reshape(3, 3) + np.eye(3)
