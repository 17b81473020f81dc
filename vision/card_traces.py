"""Where a picture shows traces of a card that left its place: for every angle, a map over places.

Each cell of a picture speaks for the card or against it by the ratio of two likelihoods: that it shows one
of the card's own gray levels, or what lies there without the card. Both must allow for a hand on top, whose
gray levels are known from the players' arms, so that a hand's pixels say nothing and half a card is enough.
Gray levels survive the smear of a fast card much better than its strokes do, so the card is reduced to a few
of them: border, print and paper.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.correlation import correlated, spectra_of
from vision.departure import Departure, View
from vision.field_model import FieldModel, shrunk
from vision.hands import Over
from vision.slots import Floats

_ANGLE_STEP_DEG = 10
ANGLES_DEG = tuple(range(-60, 61, _ANGLE_STEP_DEG))
_LEVELS = 3
_FLOOR_SIGMA = 6.0  # gray levels by which the floor differs from the resting picture: shade and noise
_LEFT_SIGMA = 12.0  # the same for cards that may have been nudged
_COVERED, _UNCOVERED = 0.7, 0.1  # how likely a hand lies on a cell inside and outside the players' map
_SHADES_SIGMA = 6.0
_HAND_MM = 70.0  # around a card's middle: where a hand may hide it
_HIDDEN = 0.1  # most that a picture with a hand speaks against a card: hands may look like the bare floor
_ANY_SHADE = 0.1  # part of a hand's pixels whose gray level cannot be foreseen


@dataclass(frozen=True, slots=True, eq=False)
class Traces:
    """What one picture tells about a card's whereabouts.

    Attributes
    ----------
    t_ms : instant of the picture, counted from when the card was last seen in place.
    maps : for each of `ANGLES_DEG` the energy of the card at every place: minus the mean logarithm of the
        likelihood ratio over its cells; 0 where nothing speaks for it or against it. A single 0 for an angle
        that is out of the question.
    offsets : (2,) for each map, shift of its first cell from the card's resting place, minus, pixels.
    cell : pixels to a cell.
    """

    t_ms: float
    maps: list[Floats]
    offsets: list[NDArray[np.float64]]
    cell: int

    def at(self, shift_x: Floats, shift_y: Floats, angle_index: int) -> Floats:
        """Return the energies of the card at shifts in pixels, bilinear; 0 outside the picture."""
        column = (shift_x + self.offsets[angle_index][0]) / self.cell
        row = (shift_y + self.offsets[angle_index][1]) / self.cell
        return np.asarray(
            cv2.remap(
                self.maps[angle_index],
                column.astype(np.float32),
                row.astype(np.float32),
                cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_CONSTANT,
                borderValue=0.0,
            ),
            np.float32,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Painted:
    """A card that is known to be somewhere else in a picture: at a shift in pixels, turned clockwise."""

    number: int
    shift_px: NDArray[np.float64]
    angle_deg: float


def traces_of(
    field: FieldModel,
    number: int,
    view: View,
    departures: Mapping[int, Departure],
    painted: Sequence[Painted] = (),
    *,
    turned_deg: float = 90.0,
) -> Traces:
    """Look for a card in one of its views.

    Parameters
    ----------
    field : the resting field.
    number : index of the card's slot.
    view : a picture around it.
    departures : those of all cards that left, by the number of their slots, this one among them.
    painted : where other cards are known to be, which must not be taken for this one.
    turned_deg : how far the card can have turned at most; there are no maps for larger angles.
    """
    cell = 2**field.halvings
    # cells must fall on the same pixels as those of the turned card
    rows, columns = (_on_cells(part, cell) for part in view.window)
    inside = (
        slice(rows.start - view.window[0].start, rows.stop - view.window[0].start),
        slice(columns.start - view.window[1].start, columns.stop - view.window[1].start),
    )
    seen = shrunk(np.asarray(view.gray[inside] / view.light[inside], np.float32), field.halvings)
    left, surely = gone_by(field, number, view, departures)
    without = field.without(left, (rows, columns))
    with_rest = field.without(surely, (rows, columns))
    if painted:
        without = without.copy()
    for other in painted:
        _paint(without, field, other, (columns.start, rows.start))
    hand = _hand_density(view, (rows, columns), seen)
    levels, spread = field.levels(number, _LEVELS)
    shown = (_density(seen - without, _FLOOR_SIGMA), _density(seen - with_rest, _LEFT_SIGMA))
    ground = np.maximum(*shown) * (1 - hand.cover) + hand.density
    evidence = np.log(
        (_density(seen[..., None] - levels, spread) * (1 - hand.cover[..., None]) + hand.density[..., None])
        / ground[..., None]
    )
    spectra = spectra_of(evidence, seen.shape)
    hidden = view.over.players[view.map_around(field.slots[number], _HAND_MM)].any()
    most = np.float32(_HIDDEN if hidden else np.inf)
    maps, offsets = [], []
    for angle in ANGLES_DEG:
        card = field.print_of(number, angle, _LEVELS)
        tall, wide, _ = card.shares.shape
        if abs(angle) - _ANGLE_STEP_DEG > turned_deg or tall > seen.shape[0] or wide > seen.shape[1]:
            maps.append(np.zeros((1, 1), np.float32))
            offsets.append(np.zeros(2))
            continue
        energy = correlated(
            spectra,
            field.spectra_of_print(number, angle, _LEVELS, seen.shape),
            (seen.shape[0] - tall + 1, seen.shape[1] - wide + 1),
        )
        maps.append(np.minimum(energy / -card.area, most, dtype=np.float32))
        offsets.append(card.corner_px - (columns.start, rows.start))
    return Traces((view.t_ns - departures[number].still_ns) / 1e6, maps, offsets, cell)


def gone_by(
    field: FieldModel, number: int, view: View, departures: Mapping[int, Departure]
) -> tuple[frozenset[int], frozenset[int]]:
    """Return which cards around a view may have left by then, and which surely have, `number` among them."""
    around = {other: one for other, one in departures.items() if field.reaches(other, view.window)}
    left = {other for other, one in around.items() if view.t_ns > one.still_ns} | {number}
    surely = {other for other in left if other == number or view.t_ns >= departures[other].bracket_ns[1]}
    return frozenset(left), frozenset(surely)


@dataclass(frozen=True, slots=True, eq=False)
class _Hand:
    """How likely a hand lies on each cell, and that times how likely it would look as the cell does."""

    cover: Floats
    density: Floats


@lru_cache(maxsize=16)  # the cards of a poem leave in few frames
def _shades(over: Over) -> tuple[NDArray[np.uint8], Floats]:
    """Return the arms of a frame, (h, w), and how likely a hand's pixel has each gray level, (256,)."""
    arms = np.asarray(cv2.dilate((over.players > 0).astype(np.uint8), np.ones((3, 3), np.uint8)), np.uint8)
    shades = np.clip(over.unlit[over.players > 0], 0, 255).astype(np.intp)
    counts = np.bincount(shades, minlength=256).astype(np.float32)[None]
    smooth = cv2.GaussianBlur(counts, (0, 0), _SHADES_SIGMA)[0]
    density = _ANY_SHADE / 256 + (1 - _ANY_SHADE) * smooth / max(1.0, float(smooth.sum()))
    return arms, np.asarray(density, np.float32)


def _hand_density(view: View, window: tuple[slice, slice], seen: Floats) -> _Hand:
    over = view.over
    arms, density = _shades(over)
    (height, width), (tall, wide) = over.shape_px, over.players.shape
    y, x = (
        np.clip(
            (np.linspace(part.start, part.stop, 2 * count + 1)[1::2] * side / full).astype(np.intp),
            0,
            side - 1,
        )
        for part, count, side, full in zip(window, seen.shape, (tall, wide), (height, width), strict=True)
    )
    cover = np.where(arms[np.ix_(y, x)] > 0, _COVERED, _UNCOVERED).astype(np.float32)
    return _Hand(cover, cover * density[np.clip(seen, 0, 255).astype(np.intp)])


def _density(off: Floats, sigma: float) -> Floats:
    """Return the normal density of differences in gray level."""
    return np.asarray(np.exp(-0.5 * (off / sigma) ** 2) / (sigma * np.sqrt(2 * np.pi)), np.float32)


def _on_cells(part: slice, cell: int) -> slice:
    return slice(-(-part.start // cell) * cell, part.stop // cell * cell)


def _paint(picture: Floats, field: FieldModel, other: Painted, origin_px: tuple[int, int]) -> None:
    """Paint a card that lies elsewhere into a coarse picture of the field."""
    card, mask, corner = field.card(other.number, other.angle_deg)
    column, row = np.rint((corner + other.shift_px - origin_px) / 2**field.halvings).astype(int)
    rows = slice(max(0, row), min(picture.shape[0], row + card.shape[0]))
    columns = slice(max(0, column), min(picture.shape[1], column + card.shape[1]))
    if rows.start >= rows.stop or columns.start >= columns.stop:
        return
    part = (slice(rows.start - row, rows.stop - row), slice(columns.start - column, columns.stop - column))
    picture[rows, columns] = np.where(mask[part] > 0.5, card[part], picture[rows, columns])
