"""Slots: the places where cards lie, and what a frame shows of them, block by block.

Each card is divided into 4 x 3 blocks. In a new frame every block is compared with the resting picture by
least squares for a small shift and for changed light: gain, offset and slope. A block that fits shows the
card's own face, and how far it has moved. A block that does not fit is covered by a hand, a shadow's edge or
another card, or the card has left. Thanks to blocks, partly covered cards can be read without first telling
hand from card. All slots are computed in one vectorised step.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.peak import beside_summit
from referee.layout import CARD_HEIGHT_M, CARD_WIDTH_M
from referee.sides import Side
from vision.frames.frame import Gray

Floats = NDArray[np.float32]

BLOCKS = (4, 3)  # rows and columns of blocks, along a card's long and short side
SEEN_BLOCKS = 3  # of a card that must show where it lies
MIN_TEXTURE = 6.0  # standard deviation in gray levels that a block needs to be recognised
_BLOCK_POINTS = 16  # samples along each side of a block: about one per pixel at 720p
_SLOPE = np.array([1.0, -8.0, 0.0, 8.0, -1.0], np.float32) / 12  # derivative, exact for cubics


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """A card's resting place in the picture."""

    card: int | None  # torifuda 1..100, or None if it could not be read
    side: Side
    # shape (4, 2), corners in order around the card, pixels (x right, y down)
    corners_px: NDArray[np.float64]
    centre_px: NDArray[np.float64] = field(init=False, repr=False)  # shape (2,), centre of the card
    px_per_mm: float = field(init=False, repr=False)  # local scale, from the card's own area
    confidence: float = 1.0  # probability in 0..1 that the card's name is right

    def __post_init__(self) -> None:
        first, second, third, fourth = self.corners_px
        area_px = float(cv2.contourArea(np.asarray(self.corners_px, np.float32)))
        scale = float(np.sqrt(area_px / (CARD_WIDTH_M * CARD_HEIGHT_M))) / 1000
        # computed once, since both are used thousands of times in a poem
        object.__setattr__(self, "centre_px", np.asarray((first + second + third + fourth) / 4))
        object.__setattr__(self, "px_per_mm", scale)

    def upright_corners_px(self) -> NDArray[np.float64]:
        """Corners, shape (4, 2), turned so that the first edge is a short one."""
        corners = np.asarray(self.corners_px, np.float64)
        first, second = np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[2] - corners[1])
        return corners if first <= second else np.asarray(np.roll(corners, -1, axis=0))


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """One frame's view of S slots with B blocks each."""

    seen: NDArray[np.bool_]  # (S, B) bool, whether the block shows the card's own face
    shift_px: Floats  # (S, B, 2), shift since the resting picture; valid where seen, up to about a pixel
    shift_sigma_px: Floats  # (S, B), standard deviation of each component, from the block's own residual
    gain: Floats  # (S, B), brightness relative to the resting picture
    # mean, deviation: (S, B), mean and standard deviation of the block's gray levels
    mean: Floats
    deviation: Floats


@dataclass(slots=True, eq=False)
class Sight:
    """One frame's view of one card."""

    t_ns: int
    seen: int  # number of blocks that showed the card's face
    shift_px: NDArray[np.float32]  # (2,), median shift of those blocks
    spread_px: float = 0.0  # how far these blocks disagree about it
    bare: int = 0  # number of blocks that showed the floor instead
    clear: bool = False  # whether nothing lay over the place
    # (B,), which blocks showed the card's face; None if only their number is known
    shown: NDArray[np.bool_] | None = None

    @property
    def length_px(self) -> float:
        """Distance of the card from its place, pixels."""
        return float(np.hypot(*self.shift_px))

    def is_moved(self, proof_px: float) -> bool:
        """Tell whether the blocks agree that the card lies at least `proof_px` from its place."""
        return self.seen > 0 and self.length_px >= proof_px and self.spread_px < self.length_px / 2


class SlotGrid:
    """The resting picture of all slots, prepared for fast looks.

    `resting`: pictures of the field at rest, averaged to remove the camera's noise.
    """

    def __init__(self, slots: Sequence[Slot], resting: Sequence[Gray]) -> None:
        if not resting:
            raise ValueError("resting must hold at least one picture of the field at rest, got none")
        self.slots = tuple(slots)
        picture = np.asarray(np.mean(np.stack(list(resting)), axis=0, dtype=np.float32), np.float32)
        self.picture = picture
        shape_px = picture.shape
        self._index = _sample_indices(self.slots, shape_px)
        gradient_x = cv2.filter2D(picture, cv2.CV_32F, _SLOPE[None]).ravel()
        gradient_y = cv2.filter2D(picture, cv2.CV_32F, _SLOPE[:, None]).ravel()
        rest = picture.ravel()[self._index]
        self.rest_deviation = rest.std(axis=2)
        self._centre = rest.mean(axis=2, keepdims=True)
        ramp = np.linspace(-1, 1, _BLOCK_POINTS, dtype=np.float32)
        across, along = (part.ravel() for part in np.meshgrid(ramp, ramp))
        design = np.stack(
            [
                -gradient_x[self._index],
                -gradient_y[self._index],
                rest - self._centre,
                np.ones_like(rest),
                rest * across,
                rest * along,
            ],
            axis=2,
        )
        self._design = design  # (S, B, 6, N): shift in x and y, gain, offset, slope of the light
        normal = np.matmul(design, design.swapaxes(2, 3)).astype(np.float64)
        normal += np.eye(design.shape[2]) * 1e-3
        self._inverse = np.linalg.inv(normal).astype(np.float32)
        self.textured = self.rest_deviation > MIN_TEXTURE
        self.noise = _noise(resting, self._index)
        self._whole: tuple[Gray, Looks] | None = None

    def look(
        self, gray: Gray, which: NDArray[np.intp] | None = None, *, offset_px: tuple[int, int] = (0, 0)
    ) -> Looks:
        """Look at the slots numbered `which` (all if None) in a new frame.

        Given slots are looked for `offset_px` (x, y) from their places; their shifts count from there.
        """
        if which is not None:
            return self._look(gray, which, offset_px)
        if self._whole is None or self._whole[0] is not gray:  # several callers ask about a poem's last frame
            self._whole = gray, self._look(gray, None)
        return self._whole[1]

    def _look(self, gray: Gray, which: NDArray[np.intp] | None, offset_px: tuple[int, int] = (0, 0)) -> Looks:
        pick = slice(None) if which is None else which
        index = self._index[pick]
        if offset_px != (0, 0):
            index = np.clip(index + offset_px[1] * gray.shape[1] + offset_px[0], 0, gray.size - 1)
        values = gray.ravel()[index].astype(np.float32) - self._centre[pick]
        count = values.shape[2]
        if which is None:
            moment = np.matmul(self._design, values[..., None])  # (S, B, 6, 1)
        else:  # slot by slot: copying the matrices of all slots takes longer than the rest
            moment = np.empty((*values.shape[:2], self._design.shape[2], 1), np.float32)
            for place, number in enumerate(which.tolist()):
                np.matmul(self._design[number], values[place, ..., None], out=moment[place])
        solution = np.matmul(self._inverse[pick], moment)[..., 0]
        square = np.einsum("sbn,sbn->sb", values, values)
        left = np.maximum(square - np.einsum("sbk,sbk->sb", solution, moment[..., 0]), 0.0)
        mean = moment[..., 3, 0] / count
        spread = np.maximum(square - mean * mean * count, 1e-3)
        gain = solution[..., 2]
        noise_share = self.noise**2 * count / spread
        # share of a block's variance that shadow edges and blur may leave unexplained
        unexplained_share = 0.12
        # range of the light within which a block still counts as the card's face
        gain_range = (0.35, 2.5)
        fits = (
            (left / spread < unexplained_share + 1.5 * noise_share)
            & (gain > gain_range[0])
            & (gain < gain_range[1])
            & self.textured[pick]
        )
        residual = np.sqrt(left / count)
        spur = np.sqrt((self._inverse[pick][..., 0, 0] + self._inverse[pick][..., 1, 1]) / 2)
        safe_gain = np.maximum(gain, gain_range[0])
        return Looks(
            seen=fits,
            shift_px=solution[..., :2] / safe_gain[..., None],
            shift_sigma_px=np.maximum(residual, self.noise) * spur / safe_gain,
            gain=gain,
            mean=mean + self._centre[pick][..., 0],
            deviation=np.sqrt(spread / count),
        )

    def bare(self, looks: Looks, which: NDArray[np.intp], floor: Floats, light: Floats) -> NDArray[np.bool_]:
        """Tell which blocks show bare floor, (S, B).

        `looks`: what a frame shows of the slots numbered `which`. `floor`: (S, B), mean gray level of the
        floor under every slot's blocks, see `block_means`. `light`: brightness of the frame relative to the
        resting picture, for each of `which`.
        """
        expected, face = floor[which] * light[:, None], self._centre[which][..., 0] * light[:, None]
        return is_floor(looks.mean, looks.deviation, expected, face, self.rest_deviation[which]) & ~looks.seen

    def block_means(self, picture: Floats) -> Floats:
        """Return the mean gray level of a picture in each slot's blocks, shape (S, B)."""
        return np.asarray(picture.ravel()[self._index].mean(axis=2), np.float32)


def is_floor(
    mean: Floats, deviation: Floats, floor: Floats, face: Floats, printed: Floats
) -> NDArray[np.bool_]:
    """Tell which blocks look like bare floor.

    `mean`, `deviation`: mean and standard deviation of the blocks' gray levels. All parameters have the same
    shape. `floor`, `face`: mean gray level that the floor and the card would show there, in the same light.
    `printed`: standard deviation of the card's gray levels.
    """
    off = np.abs(mean - floor)
    floor_closer = 0.4  # and must be this much closer to the floor than to the card
    # a floor may be as bright as print and paper together; then only the missing strokes tell
    unlike = (off < floor_closer * np.abs(mean - face)) | is_smooth(deviation, printed)
    floor_share = 0.09  # bare floor may differ by this share from what is expected beside the cards
    floor_gray = 3.0
    return np.asarray((off < floor_share * floor + floor_gray) & unlike & (deviation < printed / 2 + 2))


def is_smooth(deviation: Floats, printed: Floats) -> NDArray[np.bool_]:
    """Tell which blocks hold no strokes of a card, by the deviations of their and the card's gray levels."""
    # Standard deviation of a block with strokes, gray levels, and the share of it that floors stay below.
    strokes_gray, smooth_share = 12.0, 0.25
    return np.asarray((printed > strokes_gray) & (deviation < smooth_share * printed))


def sights_of(
    looks: Looks, t_ns: int, *, bare: NDArray[np.intp] | None = None, clear: NDArray[np.bool_] | None = None
) -> list[Sight]:
    """Summarise the blocks of each card in one frame; blocks that fit badly (shadow edges) count less.

    `looks`: what the frame shows of S slots. `bare`, `clear`: (S,), see `Sight`.
    """
    count = looks.seen.sum(axis=1)
    used = np.where(count > 0, np.maximum(2, (count + 1) // 2), 0)
    order = np.argsort(np.where(looks.seen, looks.shift_sigma_px, np.inf), axis=1)
    shifts = looks.shift_px[np.arange(len(count))[:, None], order]
    shift = _middle(shifts, np.minimum(used, count)).astype(np.float32)
    off = shifts - shift[:, None]
    spread = _middle(np.hypot(off[..., 0], off[..., 1])[..., None], count)[:, 0]
    bare = np.zeros(len(count), np.intp) if bare is None else bare
    clear = np.zeros(len(count), np.bool_) if clear is None else clear
    return [
        Sight(t_ns, *one)
        for one in zip(
            count.tolist(), shift, spread.tolist(), bare.tolist(), clear.tolist(), looks.seen, strict=True
        )
    ]


def _middle(values: Floats, count: NDArray[np.intp]) -> Floats:
    """Return the median (S, K) over the first `count` (S,) of each slot's values (S, B, K); 0 if none."""
    listed = np.arange(values.shape[1]) < count[:, None]
    sorted_values = np.sort(np.where(listed[..., None], values, np.inf), axis=1)
    every = np.arange(len(count))
    found = (sorted_values[every, np.maximum(count - 1, 0) // 2] + sorted_values[every, count // 2]) / 2
    return np.asarray(np.where(count[:, None] > 0, found, 0), np.float32)


def _sample_indices(slots: Sequence[Slot], shape_px: tuple[int, ...]) -> NDArray[np.intp]:
    """Return flat picture indices (S, B, N) of the points at which the cards' blocks are sampled."""
    rows, columns = BLOCKS
    across = np.linspace(0.02, 0.98, columns * _BLOCK_POINTS)
    along = np.linspace(0.014, 0.986, rows * _BLOCK_POINTS)
    grid = np.stack(np.meshgrid(across, along), axis=-1).reshape(-1, 1, 2).astype(np.float32)
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    to_picture = [
        cv2.getPerspectiveTransform(unit, slot.upright_corners_px().astype(np.float32)) for slot in slots
    ]
    points = np.stack([cv2.perspectiveTransform(grid, one)[:, 0] for one in to_picture])
    height, width = shape_px
    x, y = np.rint(points).astype(np.int32).transpose(2, 0, 1)
    flat = np.clip(y, 0, height - 1) * width + np.clip(x, 0, width - 1)
    blocks = flat.reshape(-1, rows, _BLOCK_POINTS, columns, _BLOCK_POINTS).swapaxes(2, 3)
    return np.ascontiguousarray(blocks.reshape(-1, rows * columns, _BLOCK_POINTS**2), np.intp)


def _noise(resting: Sequence[Gray], index: NDArray[np.intp]) -> float:
    """Return the camera's noise, standard deviation in gray levels, from differences at rest."""
    if len(resting) < 2:
        return 2.0
    first, last = (gray.ravel()[index].astype(np.float32) for gray in (resting[0], resting[-1]))
    difference = last - first
    difference -= difference.mean(axis=2, keepdims=True)  # flicker is not noise
    return max(0.5, float(np.median(np.abs(difference))) / 0.6745 / 2**0.5)


REACH_MM = 9.0
MIN_MATCH = 0.8  # normalised correlation of a card's print with itself


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """How far a card lies from its place."""

    shift_px: NDArray[np.float64]  # (2,), median over its blocks
    blocks: int


class Face:
    """A card's face, cut into blocks that can be found again.

    `picture`: (height, width), the field at rest.
    """

    def __init__(self, picture: Floats, slot: Slot) -> None:
        self._reach_px = max(3, round(REACH_MM * slot.px_per_mm))
        agree_mm = 1.2  # blocks of one card may disagree by this much, since it may also have turned
        self._agree_px = max(1.0, agree_mm * slot.px_per_mm)
        self._blocks: list[tuple[int, int, NDArray[np.uint8]]] = []
        corners = slot.upright_corners_px()
        rows, columns = BLOCKS
        sides = np.linalg.norm(corners[1] - corners[0]), np.linalg.norm(corners[2] - corners[1])
        size = max(8, round(float(sides[0] / columns + sides[1] / rows) / 2))
        for row in range(rows):
            for column in range(columns):
                u, v = (column + 0.5) / columns, (row + 0.5) / rows
                top = corners[0] + u * (corners[1] - corners[0])
                bottom = corners[3] + u * (corners[2] - corners[3])
                x, y = np.rint(top + v * (bottom - top) - size / 2).astype(int)
                if x < 0 or y < 0 or x + size > picture.shape[1] or y + size > picture.shape[0]:
                    continue
                block = picture[y : y + size, x : x + size]
                if float(block.std()) > MIN_TEXTURE:
                    self._blocks.append((int(x), int(y), np.clip(block, 0, 255).astype(np.uint8)))

    @property
    def blocks(self) -> int:
        """Number of blocks with enough print to be found again."""
        return len(self._blocks)

    def find(self, gray: Gray, origin_px: tuple[int, int] = (0, 0)) -> Shift | None:
        """Find the card near its old place.

        Returns: None if fewer than three blocks agree.

        `gray`: a frame or a cut-out of one. `origin_px`: (x, y) of the cut-out's corner in the frame.
        """
        shifts = [
            shift for block in self._blocks if (shift := self._match(gray, origin_px, *block)) is not None
        ]
        if len(shifts) < SEEN_BLOCKS:
            return None
        places = np.array(shifts)
        near = np.linalg.norm(places[:, None] - places[None], axis=2) <= self._agree_px
        centre = int(near.sum(axis=1).argmax())
        group = places[near[centre]]
        if len(group) < SEEN_BLOCKS:
            return None
        ordered = np.sort(group, axis=0)  # for so few values, sorting is faster than np.median
        return Shift((ordered[(len(group) - 1) // 2] + ordered[len(group) // 2]) / 2, len(group))

    def _match(
        self, gray: Gray, origin_px: tuple[int, int], x: int, y: int, block: NDArray[np.uint8]
    ) -> tuple[float, float] | None:
        x, y = x - origin_px[0], y - origin_px[1]
        window, x0, y0 = self._around(gray, x, y, block)
        if window is None:
            return None
        scores = np.asarray(cv2.matchTemplate(window, block, cv2.TM_CCOEFF_NORMED), np.float32)
        _, best, _, (column, row) = cv2.minMaxLoc(scores)
        if not best >= MIN_MATCH:
            return None
        beside = beside_summit(scores, column, row)
        return x0 - x + column + beside[0], y0 - y + row + beside[1]

    def _around(self, gray: Gray, x: int, y: int, part: Gray) -> tuple[Gray | None, int, int]:
        """Return the window to search for a part that lay at (x, y), and its corner; None if outside."""
        tall, wide = part.shape
        x0, y0 = max(0, x - self._reach_px), max(0, y - self._reach_px)
        window = gray[y0 : y + tall + self._reach_px, x0 : x + wide + self._reach_px]
        return None if window.shape[0] < tall or window.shape[1] < wide else window, x0, y0
