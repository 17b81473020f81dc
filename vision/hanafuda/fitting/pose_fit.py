"""Move cards' rough places to where their prints fit best, over the visible part of each.

Far from the place it climbs: small moves to all sides are tried. Near the place the gradients of the print
give the move (Gauss-Newton; the gradients are the deck's, so they are computed once): one look instead of
seven.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Picture
from vision.hanafuda.gallery import PLAIN, Floats, Prints, centred, channels_of
from vision.hanafuda.pose import Poses, cell_centres_mm, cut

Mask = NDArray[np.bool_]


class FittedPrint:
    """Some cards' prints, limited to the visible part of each.

    `which`: shape (N,), each card's print. `visible`: shape (N, cells), the visible cells of each.
    """

    def __init__(self, prints: Prints, which: NDArray[np.intp], visible: Mask) -> None:
        self.mask = np.repeat(visible, 3, axis=1).astype(np.float32)
        self.count = np.maximum(np.count_nonzero(visible, axis=1), 1).astype(np.float32)
        self.print = centred(prints.cells[which].reshape(len(which), -1), visible, self.count)
        self.length = np.einsum("ni,ni->n", self.print, self.print)

    def only(self, some: NDArray[np.intp]) -> FittedPrint:
        part = object.__new__(FittedPrint)
        part.mask, part.count = self.mask[some], self.count[some]
        part.print, part.length = self.print[some], self.length[some]
        return part

    def likeness(self, crops: Floats) -> Floats:
        """Return the likeness of crops to their card's print, as `Prints.likeness` does.

        `crops`: shape (N, T, cells, 3).

        Returns: shape (N, T), -1..1.
        """
        flat = crops.reshape(*crops.shape[:2], -1)
        product = np.matmul(flat, self.print[:, :, None])[..., 0]
        seen = flat * self.mask[:, None]
        return self.alike(product, np.matmul(seen, channels_of(self.mask.shape[1] // 3)), flat)

    def alike(self, product: Floats, sums: Floats, flat: Floats) -> Floats:
        """Return the likeness of crops to their card's print from intermediate results.

        `product`: shape (N, T), of the crops with the print. `sums`: shape (N, T, 3), over the visible cells
        of each channel. `flat`: shape (N, T, 3 * cells), the crops.
        """
        spread = np.einsum("nti,nti,ni->nt", flat, flat, self.mask)
        spread -= np.square(sums).sum(axis=2) / self.count[:, None]
        least = np.square(self.count * PLAIN)[:, None]
        return np.asarray(product / np.sqrt(np.maximum(spread * self.length[:, None], least)), np.float32)


class Descent:
    """Computes from crops at rough places their likeness to each card's print, and their offset from it.

    Both follow from a few products with each crop: with the print's gradients, with the print, and with the
    visible cells of each channel.

    `slopes`: their gradients, as `slopes_of` returns them.
    """

    def __init__(self, fitted: FittedPrint, slopes: Floats) -> None:
        self._fitted = fitted
        self._rows = np.empty((len(slopes), 7, slopes.shape[2]), np.float32)
        self._rows[:, :3] = slopes
        self._rows[:, 3] = fitted.print
        self._rows[:, 4:] = channels_of(slopes.shape[2] // 3).T
        self._rows *= fitted.mask[:, None]
        product = np.matmul(self._rows, self._rows.transpose(0, 2, 1))
        self._along = product[:, :3, 3] / np.maximum(product[:, 3, 3], 1)[:, None]
        self._mean = product[:, :3, 4:] / fitted.count[:, None, None]
        # a change of light or contrast is not a move
        normal = product[:, :3, :3] - np.matmul(self._mean, product[:, 4:, :3])
        normal -= self._along[:, :, None] * product[:, None, :3, 3]
        # millimetres and radians are weighted by the change that each causes
        diagonal = np.einsum("nii->ni", normal)
        # Share of the normal equations' mean that is added to their diagonal: bare hills tell little about
        # moves.
        damping = 0.02
        normal += damping * np.maximum(diagonal, 1)[:, :, None] * np.eye(3, dtype=np.float32)
        self._inverse = np.linalg.inv(normal)

    def looked_at(self, crops: Floats) -> tuple[Floats, Floats]:
        """Return the likeness of crops, and how far they are off.

        `crops`: shape (N, cells, 3).

        Returns: shape (N,), -1..1, and shape (N, 3): millimetres right and down on the card, and radians.
        """
        flat = crops.reshape(len(crops), -1)
        product = np.matmul(self._rows, flat[:, :, None])[..., 0]
        likeness = self._fitted.alike(product[:, 3:4], product[:, None, 4:], flat[:, None])[:, 0]
        off = product[:, :3] - self._along * product[:, 3:4]
        off -= np.matmul(self._mean, product[:, 4:, None])[..., 0]
        # Lower bound of the visible contrast relative to the print's: below it differences are not scaled up
        # further.
        least_gain = 0.2
        gain = np.maximum(product[:, 3] / np.maximum(self._fitted.length, 1), least_gain)
        moves = np.matmul(self._inverse, off[..., None])[..., 0] / gain[:, None]
        return likeness, np.asarray(moves, np.float32)


class CardFitter:
    """Fits cards on one view of the table.

    `view`: the table from above, averaged beforehand over about a cell of the prints. `scale`: pixels of
    `view` per pixel of the full view.
    """

    def __init__(
        self, view: Picture, prints: Prints, size_mm: tuple[float, float], scale: float = 1.0
    ) -> None:
        self._view, self._prints, self._size_mm, self._scale = view, prints, size_mm, scale

    def cut(self, poses: Poses) -> Floats:
        """Return the crops at poses, shape (N, cells, 3)."""
        return cut(self._view, poses, self._prints.grid, self._size_mm, self._scale)

    def climbed(
        self, poses: Poses, which: NDArray[np.intp], visible: Mask, step: tuple[float, float]
    ) -> tuple[Poses, Floats]:
        """Move poses by steps of millimetres and radians as long as they fit better.

        Returns: the poses, and the likeness there.

        `poses`: shape (N, 3). `which`: shape (N,), each card's print. `visible`: shape (N, cells), what is
        seen of each.
        """
        fitted, moves = FittedPrint(self._prints, which, visible), _neighbours(*step)
        poses, fit = poses.copy(), np.full(len(poses), -1, np.float32)
        moving = np.arange(len(poses))
        climbs = 3  # most moves per pose
        staying_lead = 1e-4  # likeness by which staying put is preferred
        for _ in range(climbs):
            if not len(moving):
                break
            tries = poses[moving][:, None, :] + moves
            crops = self.cut(tries.reshape(-1, 3)).reshape(len(moving), len(moves), -1, 3)
            likeness = fitted.only(moving).likeness(crops)
            likeness[:, 0] += staying_lead
            chosen = likeness.argmax(axis=1)
            poses[moving] = np.take_along_axis(tries, chosen[:, None, None], axis=1)[:, 0]
            fit[moving] = likeness.max(axis=1)
            moving = moving[chosen > 0]
        return poses, fit

    def descended(
        self, poses: Poses, which: NDArray[np.intp], visible: Mask, reach: tuple[float, float]
    ) -> tuple[Poses, Floats]:
        """Move poses along their prints' gradients, in each round by at most `reach`; see `climbed`."""
        fitted = FittedPrint(self._prints, which, visible)
        descent = Descent(fitted, _slopes(self._prints, self._size_mm)[which])
        best, fit = poses, np.full(len(poses), -1, np.float32)
        limit = np.array([reach[0], reach[0], reach[1]])
        # Looks at every pose, one more than moves: the last move would be smaller than the noise.
        descents = 4
        for number in range(descents):
            crops = self.cut(poses)
            likeness, off = descent.looked_at(crops)
            better = likeness > fit
            best, fit = np.where(better[:, None], poses, best), np.where(better, likeness, fit)
            if number == descents - 1 or not better.any():
                break
            off = np.clip(off, -limit, limit)
            cos, sin = np.cos(poses[:, 2]), np.sin(poses[:, 2])
            # if the print is seen too far right, the card lies to the left
            poses = poses - np.column_stack(
                [cos * off[:, 0] - sin * off[:, 1], sin * off[:, 0] + cos * off[:, 1], off[:, 2]]
            )
        return best, fit


def _neighbours(step_mm: float, step_rad: float) -> NDArray[np.float64]:
    """Return small moves, staying put first."""
    steps = [(0.0, 0.0, 0.0)]
    for axis, step in enumerate((step_mm, step_mm, step_rad)):
        for sign in (step, -step):
            move = [0.0, 0.0, 0.0]
            move[axis] = sign
            steps.append((move[0], move[1], move[2]))
    return np.array(steps)


@lru_cache(maxsize=4)
def _slopes(prints: Prints, size_mm: tuple[float, float]) -> Floats:
    """Return the gradients of all of a deck's prints; cached for both grids of a deck or two."""
    return slopes_of(prints.cells, prints.grid, size_mm)


def slopes_of(cells: Floats, grid: tuple[int, int], size_mm: tuple[float, float]) -> Floats:
    """Return how prints change when their card is seen beside its place: their gradients.

    `cells`: shape (N, cells, 3), gray levels, row by row.

    Returns: shape (N, 3, 3 * cells): per millimetre right, per millimetre down, per radian of turning.
    """
    across, down = grid
    pictures = cells.reshape(len(cells), down, across, 3)
    right = np.gradient(pictures, axis=2) * np.float32(across / size_mm[0])
    low = np.gradient(pictures, axis=1) * np.float32(down / size_mm[1])
    x, y = cell_centres_mm(grid, size_mm).astype(np.float32).reshape(down, across, 1, 2).transpose(3, 0, 1, 2)
    turned = low * x - right * y
    return np.stack([right, low, turned], axis=1).reshape(len(cells), 3, -1)
