"""Take the motion of camera and mats out of the pictures before anything is looked for in them.

A boom trembles after a slap, a mat creeps below a kneeling player: all cards of a player's half then move
alike, and each would seem to have been touched. So the motion of each half is measured in every picture by
the print of its resting cards, and the picture is moved back. What the cards of a half do not have in common
stays: no hand presses most of a player's cards at once, far from one another.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.sides import Side
from vision.field.slots import MIN_MATCH, SEEN_BLOCKS, Slot, SlotGrid, sights_of
from vision.frames.frame import Frame, Gray

_MOST_CARDS = 8  # of each half that are looked at in a picture
FEWEST_CARDS = 4
"""Cards that must lie alike to tell where their half lies; fewer do not tell how the camera moves."""
_FEWEST_SHARE = 0.5  # of those that are looked at
_AGREE_PX = 0.3  # cards at rest lie alike within this: ten times the error of one look
_STILL_PX = 0.12  # a smaller motion is left: below the least that counts, see `outcome.proof_px`
_REACH_MM = 3.0  # the farthest motion that is taken out: a camera that moved farther was knocked

Points = NDArray[np.float64]
Affine = NDArray[np.float64]  # shape (2, 3): where a point of the resting picture lies now, both in pixels


class SteadyView:
    """Moves pictures back to where the field rested."""

    def __init__(self, grid: SlotGrid, px_per_mm: float) -> None:
        self._grid, self._reach_px = grid, max(2, round(_REACH_MM * px_per_mm))
        self._centres_px = np.array([slot.centre_px for slot in grid.slots]).reshape(-1, 2)
        self._halves = {side: _spread(grid.slots, {side}) for side in Side}
        if min(len(half) for half in self._halves.values()) < FEWEST_CARDS:
            # late in a match: cards of both players tell how the camera moves, though not how a mat creeps
            self._halves = dict.fromkeys(Side, _spread(grid.slots, set(Side)))
        self._middle_px = _middle_px(grid.slots, grid.picture.shape[0])
        self._latest: dict[Side, Affine] = dict.fromkeys(Side, np.eye(2, 3))

    def feed(self, frame: Frame, cover: NDArray[np.float64], gone: NDArray[np.bool_]) -> Frame:
        """Return a frame as a camera and mats at rest would have shown it.

        `frame`: the next frame; it is returned as it is if nothing has moved. `cover`: (S,), share of each
        slot that something lay over a moment ago. `gone`: (S,), whether its card was seen to have left it.
        """
        shown = {  # first those that lie free in their places
            side: sorted(half, key=lambda number: bool(cover[number] > 0 or gone[number]))[:_MOST_CARDS]
            for side, half in self._halves.items()
        }
        found = {side: self._motion(frame.gray, which) for side, which in shown.items()}
        moved = {side: one if one is not None else self._guessed(side, found) for side, one in found.items()}
        self._latest = moved
        if max(self._length_px(one, side) for side, one in moved.items()) < _STILL_PX:
            return frame
        # one look overshoots sharp print: of a shift by 0.9 pixels it made 1.15
        back = self._back(frame.gray, moved)
        for side, which in shown.items():
            left = self._motion(back, which)
            if left is not None:
                moved[side] = _after(moved[side], left)
        return replace(frame, picture=self._back(frame.gray, moved))

    def carried_px(self) -> Points:
        """Return how far camera and mat carried each card along in the latest picture, (S, 2)."""
        carried = np.zeros_like(self._centres_px)
        for number, slot in enumerate(self._grid.slots):
            motion, place = self._latest[slot.side], self._centres_px[number]
            carried[number] = motion[:, :2] @ place + motion[:, 2] - place
        return carried

    def _guessed(self, side: Side, found: Mapping[Side, Affine | None]) -> Affine:
        """Return how a half has moved that shows too few cards.

        With a camera both halves move. Where they did not move alike, a mat has crept, and lies as it lay.
        """
        other, latest = found[side.opponent], self._latest
        alike = np.abs(latest[side] - latest[side.opponent]).max() < 2 * _AGREE_PX
        return other if alike and other is not None else latest[side]

    def _motion(self, gray: Gray, half: Sequence[int]) -> Affine | None:
        """Return how a half of the field has moved; None if too few of its cards agree."""
        if len(half) < FEWEST_CARDS:
            return None
        which = np.array(half, np.intp)
        offset = (0, 0)
        shifts, shown = self._shifts(gray, which, offset)
        if np.count_nonzero(shown) < _FEWEST_SHARE * len(half):
            # beyond a pixel no slope of gray levels leads back: the prints themselves are searched for
            offset = self._searched(gray, which)
            if offset != (0, 0):
                shifts, shown = self._shifts(gray, which, offset)
        if np.count_nonzero(shown) < FEWEST_CARDS:
            return None
        return _agreed(self._centres_px[which[shown]], shifts[shown])

    def _shifts(
        self, gray: Gray, which: NDArray[np.intp], offset: tuple[int, int]
    ) -> tuple[Points, NDArray[np.bool_]]:
        sights = sights_of(self._grid.look(gray, which, offset_px=offset), 0)
        shifts = np.array([one.shift_px for one in sights], np.float64) + offset
        return shifts, np.array([one.seen >= SEEN_BLOCKS for one in sights])

    def _searched(self, gray: Gray, which: NDArray[np.intp]) -> tuple[int, int]:
        """Return the whole pixels by which most cards' prints have moved; (0, 0) if they do not agree."""
        found, most_asked = [], 5
        for number in which[:most_asked]:
            part, window = self._parts(gray, int(number))
            if part is not None and window is not None:
                _, match, _, (column, row) = cv2.minMaxLoc(
                    cv2.matchTemplate(window, part, cv2.TM_CCOEFF_NORMED)
                )
                if match > MIN_MATCH:
                    found.append((column - self._reach_px, row - self._reach_px))
        fewest = 3
        if len(found) < fewest:
            return 0, 0
        x, y = np.median(np.array(found), axis=0)
        return round(float(x)), round(float(y))

    def _parts(self, gray: Gray, number: int) -> tuple[Gray | None, Gray | None]:
        """Return the middle of a card's print and the part of a picture in which it may lie."""
        slot, reach = self._grid.slots[number], self._reach_px
        half_mm = 18.0  # of a card's 52 mm, and a little less
        half = round(half_mm * slot.px_per_mm)
        x, y = np.rint(slot.centre_px).astype(int)
        height, width = gray.shape
        if min(x, y) < half + reach or x + half + reach >= width or y + half + reach >= height:
            return None, None
        part = self._grid.picture[y - half : y + half, x - half : x + half]
        around = half + reach
        return (
            np.clip(np.rint(part), 0, 255).astype(np.uint8),
            gray[y - around : y + around, x - around : x + around],
        )

    def _length_px(self, motion: Affine, side: Side) -> float:
        """Return how far the cards of a half have moved at most."""
        points = self._centres_px[self._halves[side]] if self._halves[side] else self._centres_px
        return float(np.hypot(*(points @ motion[:, :2].T + motion[:, 2] - points).T).max())

    def _back(self, gray: Gray, moved: Mapping[Side, Affine]) -> Gray:
        """Return a picture in which both halves lie where they rested."""
        size = gray.shape[1], gray.shape[0]
        way = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
        parts = {
            side: cv2.warpAffine(gray, motion, size, flags=way, borderMode=cv2.BORDER_REPLICATE)
            for side, motion in moved.items()
        }
        row = round(self._middle_px)
        return np.asarray(np.concatenate([parts[Side.FAR][:row], parts[Side.NEAR][row:]]), np.uint8)


def _after(moved: Affine, left: Affine) -> Affine:
    """Return the motion that is left over followed by the one that was taken out."""
    return np.column_stack([moved[:, :2] @ left[:, :2], moved[:, :2] @ left[:, 2] + moved[:, 2]])


def _spread(slots: Sequence[Slot], sides: Set[Side]) -> list[int]:
    """Return the cards of one half or both, so ordered that the first few lie far from one another."""
    left = [number for number, slot in enumerate(slots) if slot.side in sides]
    order: list[int] = []
    while left:
        away = [
            min(
                (float(np.hypot(*(slots[one].centre_px - slots[other].centre_px))) for other in order),
                default=0.0,
            )
            for one in left
        ]
        order.append(left.pop(int(np.argmax(away))))
    return order


def _middle_px(slots: Sequence[Slot], height_px: int) -> float:
    """Return the row of the picture between the two halves."""
    far = max((slot.centre_px[1] for slot in slots if slot.side is Side.FAR), default=0.0)
    near = min((slot.centre_px[1] for slot in slots if slot.side is Side.NEAR), default=float(height_px))
    return float(far + near) / 2


def _agreed(places_px: Points, shifts_px: Points) -> Affine | None:
    """Return the motion on which most places (N, 2) with their shifts (N, 2) agree; None if too few do."""
    apart = np.hypot(*(shifts_px[:, None] - shifts_px[None]).transpose(2, 0, 1))
    most = int((apart < 2 * _AGREE_PX).sum(axis=1).argmax())
    alike = apart[most] < 2 * _AGREE_PX
    motion = None
    for _ in range(2):
        if np.count_nonzero(alike) < max(FEWEST_CARDS, _FEWEST_SHARE * len(places_px)):
            return None
        motion = _fitted(places_px[alike], shifts_px[alike])
        expected = places_px @ motion[:, :2].T + motion[:, 2] - places_px
        alike = np.hypot(*(shifts_px - expected).T) < _AGREE_PX
    return motion


def _fitted(places_px: Points, shifts_px: Points) -> Affine:
    """Return a shift and a small turn (by least squares) that carry places to where they lie now."""
    middle, shift = places_px.mean(axis=0), shifts_px.mean(axis=0)
    arms, off = places_px - middle, shifts_px - shift
    size = float((arms * arms).sum())
    turn = float((arms[:, 0] * off[:, 1] - arms[:, 1] * off[:, 0]).sum()) / max(size, 1e-6)
    fewest = 5  # cards that tell a turn
    if len(places_px) < fewest:
        turn = 0.0
    linear = np.array([[1.0, -turn], [turn, 1.0]])
    return np.column_stack([linear, middle + shift - linear @ middle])
