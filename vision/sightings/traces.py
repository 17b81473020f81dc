"""Compute how well a card that left its place fits a picture: for every angle, a map over places.

Each cell of a picture counts for or against the card by the ratio of two likelihoods: that it shows one of
the card's own gray levels, or what lies there without the card. Both allow for a hand on top, with gray
levels known from the players' arms, so a hand's pixels tell nothing and half a card is enough. Gray levels
survive the smear of a fast card much better than strokes do, so the card is reduced to a few of them: border,
print and paper.
"""

from __future__ import annotations

from collections.abc import Hashable, MutableMapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.departures.departure import View, Window
from vision.field.model import FieldModel
from vision.field.slots import Floats
from vision.frames.pyramid import halved
from vision.hands.frame_map import FrameMap
from vision.imaging.correlation import Spectra, correlated, spectra_of

_ANGLE_STEP_DEG = 10
ANGLES_DEG = tuple(range(-60, 61, _ANGLE_STEP_DEG))
_COVER = np.array(
    [0.1, 0.7], np.float32
)  # probability of a hand on a cell outside and inside the players' map


@dataclass(frozen=True, slots=True, eq=False)
class Traces:
    """The evidence of one picture for a card at each place and angle."""

    t_ms: float  # instant of the picture, counted from when the card was last seen in place
    # for each of `ANGLES_DEG` the energy of the card at every place: minus the mean log likelihood ratio over
    # its cells; 0 where nothing speaks for or against it. A single 0 for an impossible angle.
    maps: list[Floats]
    # for each map, (2,), minus the shift of its first cell from the card's resting place, pixels
    offsets: list[NDArray[np.float64]]
    cell: int  # pixels per cell


@dataclass(frozen=True, slots=True, eq=False)
class Painted:
    """A card known to be elsewhere in a picture: at a shift in pixels, turned clockwise."""

    number: int
    shift_px: NDArray[np.float64]
    angle_deg: float


@dataclass(frozen=True, slots=True, eq=False)
class Bare:
    """A picture's evidence for a card, without other cards known to lie elsewhere in it; (h, w) cells."""

    seen: Floats  # gray levels, corrected to the resting picture's light
    hand: _Hand
    rest: Floats  # likelihood of what is seen if only the cards that certainly left are gone
    ground: Floats
    spectra: Spectra


def traces_of(
    field: FieldModel,
    number: int,
    view: View,
    still_ns: int,
    painted: Sequence[Painted] = (),
    *,
    turned_deg: float = 90.0,
    known: MutableMapping[Hashable, Bare] | None = None,
) -> Traces:
    """Compute a card's traces in one of its views.

    `still_ns`: when the card was last seen in place. `painted`: where other cards are known to be, which must
    not be mistaken for this one. `turned_deg`: largest possible turn of the card; larger angles get no maps.
    `known`: cached results for views; new ones are added.
    """
    cell = 2**field.halvings
    rows, columns = window = _window(view, cell)
    left, surely = gone_by(field, number, view)
    key = number, view.t_ns, left, surely
    known = {} if known is None else known
    if key not in known:
        known[key] = _bare(field, number, view, left, surely)
    bare = known[key]
    shape, spectra = bare.seen.shape, bare.spectra
    if painted:
        without = field.without(left, window).copy()
        for other in painted:
            _paint(without, field, other, (columns.start, rows.start))
        ground = _ground(bare.seen, without, bare.rest, bare.hand)
        spectra = spectra + spectra_of(np.log(bare.ground / ground), shape)
    hand_mm = 70.0  # around a card's centre: where a hand may hide it
    hidden = view.over.players[view.map_around(field.slots[number], hand_mm)].any()
    # largest evidence of a picture with a hand against a card, since hands may look like bare floor
    most_hidden = 0.1
    most = np.float32(most_hidden)
    fitting = field.fitting(number, ANGLES_DEG, shape)
    turns = [index for index, angle in enumerate(fitting) if abs(angle) - _ANGLE_STEP_DEG <= turned_deg]
    prints = field.spectra_of_prints(number, fitting, shape)
    energies = correlated(spectra, prints[turns[0] : turns[-1] + 1], shape) if turns else ()
    maps, offsets = [np.zeros((1, 1), np.float32)] * len(ANGLES_DEG), [np.zeros(2)] * len(ANGLES_DEG)
    for turn, energy in zip(turns, energies, strict=True):
        card, index = field.print_of(number, fitting[turn]), ANGLES_DEG.index(fitting[turn])
        _, tall, wide = card.shares.shape
        places = energy[: shape[0] - tall + 1, : shape[1] - wide + 1] * np.float32(-1 / card.area)
        maps[index] = np.minimum(places, most, out=places) if hidden else places
        offsets[index] = card.corner_px - (columns.start, rows.start)
    return Traces((view.t_ns - still_ns) / 1e6, maps, offsets, cell)


def _bare(field: FieldModel, number: int, view: View, left: frozenset[int], surely: frozenset[int]) -> Bare:
    cell = 2**field.halvings
    rows, columns = window = _window(view, cell)
    inside = (
        slice(rows.start - view.window[0].start, rows.stop - view.window[0].start),
        slice(columns.start - view.window[1].start, columns.stop - view.window[1].start),
    )
    seen = halved(view.gray[inside].astype(np.float32), field.halvings)
    seen /= view.over.light_at(window, cell)  # it varies so slowly that one sample per cell is enough
    hand = _hand_density(view, window, seen, cell)
    levels, spread = field.levels(number)
    left_sigma = 12.0  # the same for cards that may have been nudged
    rest = _density(seen - field.without(surely, window), left_sigma)
    ground = _ground(seen, field.without(left, window), rest, hand)
    printed = _density(seen - levels[:, None, None], spread)
    evidence = np.log((printed * (1 - hand.cover) + hand.density) / ground)
    return Bare(seen, hand, rest, ground, spectra_of(evidence, seen.shape))


def _ground(seen: Floats, without: Floats, rest: Floats, hand: _Hand) -> Floats:
    """Return the likelihood of what is seen without the card."""
    floor_sigma = 6.0  # gray levels by which floor differs from the resting picture: shade and noise
    ground = np.maximum(_density(seen - without, floor_sigma), rest)
    return np.asarray(ground * (1 - hand.cover) + hand.density, np.float32)


def gone_by(field: FieldModel, number: int, view: View) -> tuple[frozenset[int], frozenset[int]]:
    """Return which cards around a view may have left by then, and which certainly have, `number` included.

    A card that a hand hid may have left, whatever turns out later, so the result for a view is final at once.
    """
    around, own = field.around(view.window), frozenset({number})
    return own | (view.absent & around), own | (view.gone & around)


@dataclass(frozen=True, slots=True, eq=False)
class _Hand:
    """The probability of a hand on each cell, and that times the likelihood of the cell's gray level."""

    cover: Floats
    density: Floats


@lru_cache(maxsize=16)  # the cards of a poem leave in few frames
def _shades(over: FrameMap) -> tuple[NDArray[np.uint8], Floats]:
    """Return the arms of a frame, (h, w), and the density of a hand pixel's gray level, (256,)."""
    arms = np.asarray(cv2.dilate((over.players > 0).astype(np.uint8), np.ones((3, 3), np.uint8)), np.uint8)
    shades = np.clip(over.unlit[over.players > 0], 0, 255).astype(np.intp)
    counts = np.bincount(shades, minlength=256).astype(np.float32)[None]
    shades_sigma = 6.0
    smooth = cv2.GaussianBlur(counts, (0, 0), shades_sigma)[0]
    any_shade = 0.1  # share of a hand's pixels with unpredictable gray levels
    density = any_shade / 256 + (1 - any_shade) * smooth / max(1.0, float(smooth.sum()))
    return arms, np.asarray(density, np.float32)


def _hand_density(view: View, window: tuple[slice, slice], seen: Floats, cell: int) -> _Hand:
    over = view.over
    arms, density = _shades(over)
    (height, width), (tall, wide) = over.shape_px, over.players.shape
    y, x = (
        np.minimum(((np.arange(count) + 0.5) * cell + part.start) * side / full, side - 1).astype(np.intp)
        for part, count, side, full in zip(window, seen.shape, (tall, wide), (height, width), strict=True)
    )
    cover = _COVER[arms[y[:, None], x]]
    return _Hand(cover, cover * density[np.clip(seen, 0, 255).astype(np.uint8)])


def _density(off: Floats, sigma: float) -> Floats:
    return np.asarray(np.exp(-0.5 * (off / sigma) ** 2) / (sigma * np.sqrt(2 * np.pi)), np.float32)


def _window(view: View, cell: int) -> Window:
    """Return the view's window, cut so that its cells coincide with those of the turned card."""
    rows, columns = (slice(-(-part.start // cell) * cell, part.stop // cell * cell) for part in view.window)
    return rows, columns


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
