"""The resting field of a clip, for moving its cards in its pictures with hands left where they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames.frame import Frame, Gray

Floats = NDArray[np.float32]
Place = NDArray[np.float64]

_REACH_MM = 20.0  # around a card: the farthest that an edit moves it, and a little


@dataclass(frozen=True, slots=True)
class Pose:
    """How far a card lies from its place: millimetres right and down, and degrees about its centre."""

    x_mm: float
    y_mm: float
    turn_deg: float = 0.0


@dataclass(eq=False)
class Field:
    """The cards of a clip as they lie before its poem."""

    rest: Floats  # the mean of pictures before the poem
    corners_px: Mapping[int, Place]  # where each card lies, (4, 2), by its number
    sides: Mapping[int, str]  # whose territory it lies in
    moved: frozenset[int]  # the cards that truly move: touched, pushed, or struck by others
    pressed_ns: Mapping[int, int]  # when those of them that fingers press and hardly move are touched
    # poem, target_side: the read card, and whose territory holds it; None if it is dead
    poem: int
    target_side: str | None
    first_ns: int | None  # the first true touch, or None
    starts_ns: int  # the poem's first sound
    readout_s: float  # time from a picture's first row to its last
    _cards: dict[int, _Card] = field(default_factory=dict)

    @classmethod
    def of(cls, truth: Mapping[str, Any], frames: Iterable[Frame]) -> Field:
        """Read a clip of one poem: its truth, and its pictures from the beginning on."""
        poem = truth["poems"][0]
        starts_ns = round(poem["t_ms"] * 1e6)
        resting: list[Gray] = []
        wanted = 8
        for frame in frames:
            if frame.t_ns >= starts_ns or len(resting) == wanted:
                break
            resting.append(frame.gray)
        reached = [*poem["touches"], *poem["pushed_out"], *poem["displaced"]]
        pressed_mm = 4.0  # a card that moves less stays where a press left it
        pressed = [one for one in poem["touches"] if one["moved_mm"] < pressed_mm]
        readout_ms = truth["meta"]["conditions"]
        readout_ms = readout_ms.get("readout", readout_ms.get("readout_ms", 0.0)) or 0.0
        lying = poem.get("layout_before") or truth["layout"]
        places = truth["meta"]["corners_px"]
        return cls(
            np.mean(resting, axis=0).astype(np.float32),
            {one["card"]: np.array(places[str(one["card"])], np.float64) for one in lying},
            {one["card"]: one["side"] for one in lying},
            frozenset(one["card"] for one in reached),
            {one["card"]: round(one["t_ms"] * 1e6) for one in pressed},
            poem["poem"],
            poem["target_side"],
            round(min(one["t_ms"] for one in poem["touches"]) * 1e6) if poem["touches"] else None,
            starts_ns,
            readout_ms / 1e3,
        )

    @property
    def px_per_mm(self) -> float:
        """Scale of the picture."""
        card_mm2 = 52.0 * 73.0
        areas = [cv2.contourArea(one.astype(np.float32)) for one in self.corners_px.values()]
        return float(np.sqrt(np.median(areas) / card_mm2))

    @property
    def middle_px(self) -> int:
        """The row of the picture between the two territories."""
        far, near = (
            [one[:, 1] for card, one in self.corners_px.items() if self.sides[card] == side]
            for side in ("far", "near")
        )
        return round(float(max(each.max() for each in far) + min(each.min() for each in near)) / 2)

    @property
    def still(self) -> list[int]:
        """The cards that nothing moves in truth."""
        return [card for card in self.corners_px if card not in self.moved]

    def centre_mm(self, card: int) -> Place:
        """Return a card's place, millimetres in the picture's directions."""
        return np.asarray(self.corners_px[card].mean(axis=0) / self.px_per_mm)

    def ended(self, after: Floats, card: int) -> tuple[Field, Pose]:
        """Return the field as a card lies in the end, and how it would have to move to lie as it lay.

        `after` is the picture in the end, with nothing over the card.
        """
        low = np.floor(self.corners_px[card].min(axis=0)).astype(int) - 4
        high = np.ceil(self.corners_px[card].max(axis=0)).astype(int) + 5
        part = slice(low[1], high[1]), slice(low[0], high[0])
        motion, stop = cv2.MOTION_EUCLIDEAN, (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 60, 1e-4)
        was, now = (np.ascontiguousarray(one[part]) for one in (self.rest, after))
        guess: Any = np.eye(2, 3, dtype=np.float32)
        found: Any = cv2.findTransformECC(was, now, guess, motion, stop, None, 3)  # type: ignore[call-overload]
        warp = np.asarray(found[1], np.float64)
        turn_rad = float(np.arctan2(warp[1, 0], warp[0, 0]))
        centre = self.corners_px[card].mean(axis=0)
        lies = warp[:, :2] @ (centre - low) + warp[:, 2] + low
        turned = (self.corners_px[card] - centre) @ warp[:, :2].T + lies
        back_mm = (centre - lies) / self.px_per_mm
        field = replace(self, rest=after, corners_px={**self.corners_px, card: turned}, _cards={})
        return field, Pose(float(back_mm[0]), float(back_mm[1]), float(np.rad2deg(turn_rad)))

    def covered(self, gray: Gray, card: int) -> float:
        """Return the share of a card that something lies over in a picture."""
        one = self._card(card)
        return float(1 - one.visible(gray)[one.inside].mean())

    def moved_by(self, gray: Gray, poses: Mapping[int, Pose]) -> Gray:
        """Return a picture in which cards lie elsewhere; what lies over them stays where it is."""
        seen = gray.astype(np.float32)
        for card, pose in poses.items():
            if max(abs(pose.x_mm), abs(pose.y_mm), abs(pose.turn_deg)) > 1e-3:
                one = self._card(card)
                seen[one.window] += one.visible(gray) * one.light(gray) * one.change(pose, self.px_per_mm)
        return np.clip(np.rint(seen), 0, 255).astype(np.uint8)

    def _card(self, card: int) -> _Card:
        if card not in self._cards:
            self._cards[card] = _Card.of(self.rest, self.corners_px[card], _REACH_MM * self.px_per_mm)
        return self._cards[card]


@dataclass(frozen=True, slots=True, eq=False)
class _Card:
    """The part of the resting picture around a card, with and without it."""

    window: tuple[slice, slice]
    rest: Floats
    floor: Floats
    mask: Floats
    centre_px: Place
    smooth: Floats
    power: Floats
    inside: NDArray[np.bool_]

    @classmethod
    def of(cls, picture: Floats, corners_px: Place, reach_px: float) -> _Card:
        low = np.maximum(np.floor(corners_px.min(axis=0) - reach_px), 0).astype(int)
        high = np.minimum(np.ceil(corners_px.max(axis=0) + reach_px) + 1, picture.shape[::-1]).astype(int)
        window = slice(low[1], high[1]), slice(low[0], high[0])
        rest = picture[window].copy()
        mask = np.zeros(rest.shape, np.uint8)
        cv2.fillConvexPoly(mask, np.rint((corners_px - low) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
        gone = cv2.dilate(mask, np.ones((5, 5), np.uint8))
        floor = cv2.inpaint(np.clip(rest, 0, 255).astype(np.uint8), gone, 3, cv2.INPAINT_TELEA)
        smooth = _mean(rest)
        power = np.maximum(_mean(rest * rest) - smooth * smooth, 0)
        share = np.asarray(mask / np.float32(255), np.float32)
        centre_px = corners_px.mean(axis=0) - low
        return cls(window, rest, floor.astype(np.float32), share, centre_px, smooth, power, mask > 127)

    def visible(self, gray: Gray) -> Floats:
        """Return how far the resting field is seen there, 0..1: print by its strokes, paper by its light."""
        now = gray[self.window].astype(np.float32)
        smooth = _mean(now)
        power = np.maximum(_mean(now * now) - smooth * smooth, 0)
        joint = _mean(now * self.rest) - smooth * self.smooth
        alike = joint / np.sqrt(np.maximum(power * self.power, 1.0))
        flat_gray2, noise_gray2, print_like, dim, bright = 60.0, 120.0, 0.6, 0.5, 1.3
        ratio = smooth / np.maximum(self.smooth, 1.0)
        paper = (self.power < flat_gray2) & (power < noise_gray2) & (ratio > dim) & (ratio < bright)
        seen = ((alike > print_like) | paper).astype(np.float32)
        # what lies over a card has an edge; a single spot is noise
        whole = cv2.morphologyEx(seen, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
        return np.asarray(cv2.blur(cv2.erode(whole, np.ones((3, 3), np.uint8)), (3, 3)), np.float32)

    def light(self, gray: Gray) -> Floats:
        """Return how bright the place is, relative to the resting picture."""
        now = _mean(gray[self.window].astype(np.float32))
        return np.asarray(np.clip(now / np.maximum(self.smooth, 1.0), 0.3, 1.3), np.float32)

    def change(self, pose: Pose, px_per_mm: float) -> Floats:
        """Return what changes in the resting picture if the card lies elsewhere."""
        x, y = self.centre_px
        warp = cv2.getRotationMatrix2D((float(x), float(y)), pose.turn_deg, 1.0)
        way_px = np.array([pose.x_mm, pose.y_mm]) * px_per_mm
        warp = warp + np.column_stack([np.zeros((2, 2)), way_px])
        size = self.rest.shape[::-1]
        card, mask = (
            cv2.warpAffine(one, warp, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
            for one in (self.rest, self.mask)
        )
        mask = np.clip(mask, 0, 1)
        bare = self.mask * self.floor + (1 - self.mask) * self.rest
        return np.asarray(mask * card + (1 - mask) * bare - self.rest, np.float32)


def _mean(picture: Floats) -> Floats:
    around_px = 11
    return np.asarray(cv2.blur(picture, (around_px, around_px)), np.float32)


def most_covered(field: Field, frames: Sequence[Frame], cards: Iterable[int]) -> list[tuple[float, int, int]]:
    """Return how far each card is covered at most, with the card and the instant, the most covered first."""
    found = []
    for card in cards:
        shares = [(field.covered(frame.gray, card), frame.t_ns) for frame in frames]
        share, t_ns = max(shares, default=(0.0, 0))
        found.append((share, card, t_ns))
    return sorted(found, reverse=True)
