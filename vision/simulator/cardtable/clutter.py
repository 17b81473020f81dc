"""Things on a card table that are no cards: phones, boxes, cups, coasters and score sheets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from vision.simulator.cardtable.script import Pose, Script, Track
from vision.simulator.cardtable.sprites import flat_sprite
from vision.simulator.drawing.paths import Floats
from vision.simulator.drawing.sprites import Pixels, Sprite

FIRST_NUMBER: Final = 1000
"""First number of a thing, above all numbers of cards."""
ONLOOKER: Final = "onlooker"
"""Owner of the hand that brings and takes things, from the table's left."""


@dataclass(frozen=True)
class Clutter:
    """One thing, and its path over the table.

    Attributes
    ----------
    picture : shape (height, width, 3), blue, green, red.
    track : where it lies when; a hand moves it.
    """

    picture: Pixels
    width_mm: float
    height_mm: float
    round_mm: float = 2.0
    track: Track = field(default_factory=Track)

    def sprite(self, px_per_mm: float, blur_px: float, tint: Floats) -> Sprite:
        """Return its picture, as `flat_sprite` does."""
        size = round(self.width_mm * px_per_mm), round(self.height_mm * px_per_mm)
        mask = np.zeros((size[1], size[0]), np.uint8)
        reach = round(min(self.round_mm * px_per_mm, min(size) / 2 - 1))
        cv2.rectangle(mask, (reach, reach), (size[0] - 1 - reach, size[1] - 1 - reach), 255, cv2.FILLED)
        if reach:
            disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
            mask = np.asarray(cv2.dilate(mask, disc), np.uint8)
        return flat_sprite(self.picture, mask / 255, px_per_mm, blur_px, tint)


def _sheet(width_mm: float, height_mm: float, colour: tuple[int, int, int]) -> Pixels:
    px_per_mm = 5.0
    size = round(height_mm * px_per_mm), round(width_mm * px_per_mm)
    return np.full((*size, 3), colour, np.uint8)


def _box(_: np.random.Generator) -> Clutter:
    """Return the black box of a deck, as large as a card."""
    picture = _sheet(36, 56, (22, 20, 22))
    cv2.rectangle(picture, (8, 8), (picture.shape[1] - 9, picture.shape[0] - 9), (34, 30, 32), 2)
    return Clutter(picture, 36, 56, 1.0)


def _phone(rng: np.random.Generator) -> Clutter:
    """Return a phone whose dark screen mirrors the ceiling."""
    picture = _sheet(72, 148, (16, 15, 14))
    rows, columns = picture.shape[:2]
    sheen = (
        np.linspace(0, rng.uniform(20, 60), rows)[:, None, None] * np.linspace(0.3, 1, columns)[None, :, None]
    )
    inside = np.asarray(np.clip(picture + sheen, 0, 255), np.uint8)[18:-18, 14:-14]
    picture[18:-18, 14:-14] = inside
    return Clutter(picture, 72, 148, 8.0)


def _coaster(rng: np.random.Generator) -> Clutter:
    """Return a square cork coaster with the ring of a cup."""
    picture = _sheet(88, 88, (96, 140, 178))
    grain = rng.normal(0, 14, (*picture.shape[:2], 1))
    picture = np.asarray(np.clip(picture + grain, 0, 255), np.uint8)
    cv2.circle(picture, (220, 220), 150, (60, 96, 130), 6)
    return Clutter(picture, 88, 88, 3.0)


def _cup(_: np.random.Generator) -> Clutter:
    """Return a cup of tea from above."""
    picture = _sheet(74, 74, (225, 228, 230))
    middle = picture.shape[0] // 2
    cv2.circle(picture, (middle, middle), 150, (70, 120, 110), cv2.FILLED)
    cv2.ellipse(picture, (middle - 40, middle - 50), (50, 20), -40, 0, 360, (170, 200, 195), cv2.FILLED)
    return Clutter(picture, 74, 74, 37.0)


def _score_sheet(rng: np.random.Generator) -> Clutter:
    """Return a ruled sheet with figures."""
    picture = _sheet(70, 100, (232, 236, 238))
    for row in range(40, picture.shape[0], 40):
        cv2.line(picture, (15, row), (picture.shape[1] - 16, row), (150, 150, 150), 2)
        for column in (30, 140, 250):
            cv2.putText(picture, str(rng.integers(0, 60)), (column, row - 6), 0, 1.0, (60, 40, 40), 3)
    cv2.line(picture, (120, 10), (120, picture.shape[0] - 11), (90, 90, 200), 2)
    return Clutter(picture, 70, 100, 0.0)


def _wrapper(_: np.random.Generator) -> Clutter:
    """Return the box of another deck, as large as a card, red and white with a title."""
    picture = _sheet(38, 58, (50, 44, 190))
    cv2.rectangle(picture, (30, 40), (picture.shape[1] - 31, 150), (225, 230, 232), cv2.FILLED)
    cv2.putText(picture, "No.1", (44, 110), 0, 1.3, (30, 28, 30), 4)
    return Clutter(picture, 38, 58, 1.0)


CLUTTER: Final[Mapping[str, Callable[[np.random.Generator], Clutter]]] = {
    "box": _box,
    "phone": _phone,
    "coaster": _coaster,
    "cup": _cup,
    "score sheet": _score_sheet,
    "wrapper": _wrapper,
}
"""Things by name."""


def _away(pose: Pose) -> Pose:
    """Return where a hand waits at the table's left, outside the picture."""
    return Pose(-360.0, pose.y_mm, pose.angle, 40.0)


def _grip(thing: Clutter, pose: Pose) -> Pose:
    """Return where fingers hold a thing: at the side from which the hand comes."""
    return Pose(pose.x_mm - min(thing.width_mm, thing.height_mm) / 2 + 8, pose.y_mm, 0.0, pose.z_mm + 8)


def move_clutter(script: Script, thing: Clutter, t_s: float, to: Pose | None) -> None:
    """Let an onlooker put a thing down, move it, or take it away.

    Parameters
    ----------
    script : receives the onlooker's hand.
    thing : lies there from the film's beginning if `t_s` is 0.
    t_s : when the hand sets out, at least 3 s after the onlooker's previous action.
    to : its new place, None for away.
    """
    track = thing.track
    if t_s <= 0:
        assert to is not None
        track.add(0.0, to)
        return
    hand = script.hands.setdefault(ONLOOKER, Track())
    begins = track.poses[-1] if track.times_s else None
    start = begins or to
    assert start is not None
    outside = _away(start)
    if not hand.times_s:
        hand.add(0.0, outside)
    hand.hold(t_s)
    way_s = 0.7  # time that a hand is on its way
    if begins is None:  # it is brought along
        track.add(t_s, Pose(outside.x_mm + 20, outside.y_mm, start.angle, 20.0))
    else:
        t_s += way_s
        hand.add(t_s, _grip(thing, begins))
        track.hold(t_s)
    t_s += way_s
    end = to or Pose(outside.x_mm + 20, outside.y_mm, start.angle, 20.0)
    hand.add(t_s, _grip(thing, end))
    track.add(t_s, end)
    if to is None:
        track.gone_s = t_s
        return
    hand.add(t_s + way_s, _away(end))
