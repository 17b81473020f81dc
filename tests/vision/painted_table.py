"""A small painted table for tests: white cards with strokes on a woven floor, arms, shade and noise."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np

from referee.sides import Side
from vision.field.slots import Slot
from vision.frames.frame import Frame, Gray

PX_PER_MM = 1.0
SIZE = (960, 540)
CARD_PX = (52.0, 73.0)
SKIN, PAPER, FLOOR, INK = 120, 215, 150, 40
_REACH = 52  # from the middle of a card to the edge of what is pasted, pixels
_SHIFTS = 64  # each picture takes its noise from another place of a larger sheet of it


@dataclass(frozen=True)
class Pose:
    """Where a card lies relative to its place: millimetres (pixels here) and degrees clockwise."""

    x: float = 0.0
    y: float = 0.0
    turn_deg: float = 0.0
    absent: bool = False


@dataclass(frozen=True)
class Arm:
    """A straight arm from its player's edge to a finger tip."""

    side: Side
    tip: tuple[float, float]
    root_x: float
    width: float = 60.0
    gray: int = SKIN


@dataclass
class PaintedTable:
    """Twelve cards in two territories, numbered 1 to 12 from the upper left."""

    noise: float = 1.5
    seed: int = 1
    slots: list[Slot] = field(init=False)

    def __post_init__(self) -> None:
        self._rng = np.random.default_rng(self.seed)
        weave = self._rng.normal(0, 4, (SIZE[1] // 3, 1)) + self._rng.normal(0, 2, (1, SIZE[0] // 3))
        self._floor = FLOOR + cv2.resize(weave.astype(np.float32), SIZE, interpolation=cv2.INTER_LINEAR)
        self.slots, self._faces = [], []
        for number in range(12):
            row, column = divmod(number, 6)
            centre = np.array([200.0 + column * 54.0, 200.0 + row * 110.0])
            side = Side.FAR if row == 0 else Side.NEAR
            self.slots.append(Slot(number + 1, side, centre + _corners(CARD_PX)))
            self._faces.append(self._face())
        self._noise = self._rng.standard_normal((SIZE[1] + _SHIFTS, SIZE[0] + _SHIFTS), np.float32)

    def _face(self) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
        face = np.full((146, 104), PAPER, np.uint8)
        cv2.rectangle(face, (0, 0), (103, 145), 90, 4)
        for y in range(22, 140, 24):
            for x in range(20, 100, 30):
                strokes = self._rng.integers(-9, 10, (3, 4))
                for x0, y0, x1, y1 in strokes:
                    cv2.line(face, (x + int(x0), y + int(y0)), (x + int(x1), y + int(y1)), INK, 4)
        return face

    def gray(
        self,
        poses: Mapping[int, Pose] | None = None,
        arms: Sequence[Arm] = (),
        shade: float = 1.0,
        shade_from_x: float = 0.0,
        order: Sequence[int] = (),
    ) -> Gray:
        """Return a picture.

        `poses` moves cards by number, `shade` darkens what is right of a soft edge, and the cards of `order`
        are painted last, one over the other.
        """
        picture = self._floor.copy()
        rank = {number: place for place, number in enumerate(order, 1)}
        for index in sorted(range(12), key=lambda index: rank.get(index + 1, 0)):
            slot, face = self.slots[index], self._faces[index]
            pose = (poses or {}).get(slot.card or 0, Pose())
            if not pose.absent:
                _paste(picture, face, slot.centre_px + np.array([pose.x, pose.y]), pose.turn_deg)
        for arm in arms:
            root_y = float(SIZE[1] if arm.side is Side.NEAR else 0)
            line = np.rint([[arm.root_x, root_y], arm.tip]).astype(int)
            cv2.line(picture, tuple(line[0]), tuple(line[1]), arm.gray, int(arm.width), cv2.LINE_AA)
        if shade < 1.0:
            edge = 1 / (1 + np.exp(-(np.arange(SIZE[0]) - shade_from_x) / 25.0))
            picture = picture * (1 - (1 - shade) * edge)[None].astype(np.float32)
        left, top = self._rng.integers(_SHIFTS, size=2)
        noise = self._noise[top : top + SIZE[1], left : left + SIZE[0]] * np.float32(self.noise)
        return np.asarray(np.clip(cv2.GaussianBlur(picture, (0, 0), 0.6) + noise, 0, 255), np.uint8)

    def share_print(self, card: int, other: int, share: float) -> None:
        """Print on a card from its top down what is printed on another, over a share of its height."""
        rows = round(share * len(self._faces[card - 1]))
        self._faces[card - 1][:rows] = self._faces[other - 1][:rows]

    def stain(self, card: int, gray: int, share: float) -> None:
        """Darken or lighten the floor below a card, from its top down over a share of its height."""
        x, y = np.rint(self.slots[card - 1].upright_corners_px().min(axis=0)).astype(int)
        self._floor[y : y + round(share * CARD_PX[1]), x : x + round(CARD_PX[0])] = gray

    def resting(self, count: int = 6) -> list[Gray]:
        """Return pictures of the table at rest."""
        return [self.gray() for _ in range(count)]

    def frame(self, t_ms: float, gray: Gray) -> Frame:
        """Return a picture as a frame of a camera."""
        return Frame(gray, round(t_ms * 1e6), 500_000, round(t_ms))


def _corners(size: tuple[float, float]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    half_x, half_y = size[0] / 2, size[1] / 2
    return np.array([[-half_x, -half_y], [half_x, -half_y], [half_x, half_y], [-half_x, half_y]])


def _paste(picture: np.ndarray, face: np.ndarray, centre: np.ndarray, turn_deg: float) -> None:
    low = np.rint(centre).astype(int) - _REACH
    card, mask = _turned(face.tobytes(), face.shape, tuple((centre - low).tolist()), turn_deg)
    x0, y0 = np.maximum(low, 0)
    x1, y1 = np.minimum(low + 2 * _REACH, SIZE)
    if x0 < x1 and y0 < y1:
        inside = (slice(y0 - low[1], y1 - low[1]), slice(x0 - low[0], x1 - low[0]))
        part = picture[y0:y1, x0:x1]
        part[:] = part * (1 - mask[inside]) + card[inside] * mask[inside]


@lru_cache(maxsize=256)  # most cards lie where they lay in the picture before
def _turned(
    printed: bytes, shape: tuple[int, int], at: tuple[float, float], turn_deg: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return a card turned about its middle, which is `at`, and how much of each pixel it covers."""
    face = np.frombuffer(printed, np.uint8).reshape(shape)
    height, width = shape
    middle = width / 2 - 0.5, height / 2 - 0.5
    matrix = cv2.getRotationMatrix2D(middle, -turn_deg, CARD_PX[0] / width)
    shift: np.ndarray = np.array(at) - middle
    matrix[:, 2] += shift
    smooth = cv2.GaussianBlur(face.astype(np.float32), (0, 0), 1.2)
    card = cv2.warpAffine(smooth, matrix, (2 * _REACH, 2 * _REACH), flags=cv2.INTER_LINEAR)
    mask = cv2.warpAffine(np.ones_like(face, np.float32), matrix, (2 * _REACH, 2 * _REACH))
    return card, mask


def swept(speed: float = 2.5) -> list[Frame]:
    """Return how two cards are swept away side by side, at 120 fps, and the arm leaves; pixels per ms."""
    table, frames, struck_ms = PaintedTable(), [], {11: 137.0, 12: 139.0}
    x, y = table.slots[11].centre_px
    for t_ms in np.arange(0.0, 420.0, 1000 / 120):
        poses = {
            card: Pose(speed * max(0.0, t_ms - since), 0.3 * max(0.0, t_ms - since))
            for card, since in struck_ms.items()
        }
        arm = Arm(Side.NEAR, (x - 90 + speed * (t_ms - 137.0), y), x - 60, 50.0)
        frames.append(table.frame(float(t_ms), table.gray(poses, [arm] if 90 < t_ms < 300 else [])))
    return frames
