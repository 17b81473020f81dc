"""How a card that was struck flies off: instant and velocity of its launch, from the pictures just after it.

Within a few hundredths of a second a struck card moves evenly, pushed by the hand or free. Its launch has
five numbers: instant, velocity in x and y, rate of turning. For each picture after the card was last seen in
place an energy map tells how much better the picture is explained with the card at each place and angle than
by the field without it; the launch whose path runs through the valleys of all maps at once is the answer.
Pixels that can be neither card nor field (hands, sleeves) take no part, so that half a card is enough. The
spread of the instant comes from how much worse other instants explain the same pictures.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.departure import Departure, View
from vision.field_model import FieldModel, shrunk
from vision.slots import Floats, Sight, Slot

_ANGLES_DEG = tuple(range(-40, 41, 10))
_TURN_RATES = (-1.2, -0.6, 0.0, 0.6, 1.2)  # degrees per millisecond
_MAX_SPEED = 8.0  # metres per second, faster than any hand strikes
_TEMPERATURE = 0.012  # energy difference at which another instant is e times less likely
_INSTANTS = 13
_VIEWS = 3  # on either side: later than that a card no longer flies evenly
HAND_SHADE = 0.62  # darker than this share of the card's paper, and unlike the field: not card
_FOREIGN_GRAY = 15.0
_IMPOSSIBLE = 1e6
_EXPOSURE_MS = 3.0  # typical: a launch within the exposure of a frame is seen as a small shift
_SIGHT_SIGMA_PX = 0.7


@dataclass(frozen=True, slots=True, eq=False)
class Flight:
    """How a card flew off.

    Attributes
    ----------
    number : index of its slot.
    slot : where it lay.
    t_ns, spread_ns : mean and standard deviation of the instant of its launch.
    velocity_px : (2,), pixels per millisecond.
    turn_deg : degrees per millisecond, clockwise in the picture.
    strength : energy gained per picture by explaining it with the flying card: 0 means not seen at all,
        1 that every picture shows the whole card just so.
    """

    number: int
    slot: Slot
    t_ns: float
    spread_ns: float
    velocity_px: NDArray[np.float64]
    turn_deg: float
    strength: float

    def place_at(self, t_ns: float) -> tuple[NDArray[np.float64], float]:
        """Return how far the card has come, (2,) pixels, and how far it has turned, degrees."""
        flown_ms = max(0.0, (t_ns - self.t_ns) / 1e6)
        return self.velocity_px * flown_ms, self.turn_deg * flown_ms

    def corners_at(self, t_ns: float) -> NDArray[np.float64]:
        """Return the card's corners, shape (4, 2), pixels."""
        shift, angle_deg = self.place_at(t_ns)
        cos, sin = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
        centre = self.slot.centre_px
        turned = (self.slot.corners_px - centre) @ np.array([[cos, sin], [-sin, cos]])
        return np.asarray(centre + shift + turned)


@dataclass(frozen=True, slots=True, eq=False)
class _Energies:
    """Energy of one picture for every angle and place: bilinear look-up by shift in pixels."""

    t_ms: float
    maps: list[Floats]
    offsets: list[NDArray[np.float64]]
    cell: int

    def at(self, shift_x: Floats, shift_y: Floats, angle_deg: float) -> Floats:
        which = int(np.argmin([abs(angle_deg - angle) for angle in _ANGLES_DEG]))
        column = (shift_x + self.offsets[which][0]) / self.cell
        row = (shift_y + self.offsets[which][1]) / self.cell
        return np.asarray(
            cv2.remap(
                self.maps[which],
                column.astype(np.float32),
                row.astype(np.float32),
                cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_CONSTANT,
                borderValue=0.0,
            ),
            np.float32,
        )


def fit_flight(
    field: FieldModel,
    number: int,
    departure: Departure,
    latest_ns: int,
    *,
    gone: Collection[int],
    sights: Sequence[Sight] = (),
    others: Sequence[Flight] = (),
) -> Flight | None:
    """Find how the card in slot `number` flew off.

    Parameters
    ----------
    field : the resting field.
    number : index of the slot.
    departure : the pictures from when the card was last seen in place.
    latest_ns : the launch was not later than this.
    gone : numbers of the slots whose cards have left, this one among them.
    sights : where the card's face was seen, in order of time: shifts of up to a pixel after it set off.
    others : known flights of other cards, whose pictures must not be taken for this card's.

    Returns
    -------
    Flight or None
        None where there is no picture to judge by.
    """
    still_ns = departure.still_ns
    views = departure.around_launch(_VIEWS)
    if not views:
        return None
    energies = [
        _energies(field, number, view, departure=departure, gone=gone, others=others) for view in views
    ]
    latest_ms = (latest_ns - still_ns) / 1e6
    instants = np.linspace(0.0, latest_ms + _EXPOSURE_MS / 2, _INSTANTS * 2 + 1)[1::2]
    near = [sight for sight in sights if sight.seen and still_ns <= sight.t_ns <= views[-1].t_ns]
    reach = _MAX_SPEED * field.px_per_mm  # pixels per millisecond
    span_ms = max(energy.t_ms for energy in energies)
    step = max(2**field.halvings / span_ms, reach / 40)
    count = np.ceil(reach / step)
    speeds = np.arange(-count, count + 1, dtype=np.float32) * np.float32(step)
    speed_x, speed_y = np.meshgrid(speeds, speeds)
    too_fast = (np.hypot(speed_x, speed_y) > reach).astype(np.float32) * np.float32(_IMPOSSIBLE)
    best = np.full(len(instants), np.inf)
    ways = np.zeros((len(instants), 3))
    for index, instant in enumerate(instants):
        for rate in _TURN_RATES:
            total = too_fast.copy()
            for energy in energies:
                flown = max(0.0, energy.t_ms - float(instant))
                total += energy.at(speed_x * flown, speed_y * flown, rate * flown)
            for sight in near:
                flown = max(0.0, (sight.t_ns - still_ns) / 1e6 - float(instant))
                miss_x, miss_y = speed_x * flown - sight.shift_px[0], speed_y * flown - sight.shift_px[1]
                total += _TEMPERATURE * np.minimum((miss_x**2 + miss_y**2) / (2 * _SIGHT_SIGMA_PX**2), 12.0)
            place = int(np.argmin(total))
            if total.flat[place] < best[index]:
                best[index] = total.flat[place]
                ways[index] = speed_x.flat[place], speed_y.flat[place], rate
    weight = np.exp(-(best - best.min()) / _TEMPERATURE)
    weight /= weight.sum()
    mean_ms = float(weight @ instants)
    spread_ms = float(np.sqrt(weight @ (instants - mean_ms) ** 2 + (instants[1] - instants[0]) ** 2 / 12))
    way = ways[int(np.argmin(best))]
    return Flight(
        number=number,
        slot=field.slots[number],
        t_ns=still_ns + mean_ms * 1e6,
        spread_ns=spread_ms * 1e6,
        velocity_px=way[:2],
        turn_deg=float(way[2]),
        strength=max(0.0, -float(best.min()) / len(energies)),
    )


def _energies(
    field: FieldModel,
    number: int,
    view: View,
    *,
    departure: Departure,
    gone: Collection[int],
    others: Sequence[Flight],
) -> _Energies:
    gray = view.gray
    cell = 2**field.halvings
    x0, y0 = departure.origin_px
    # cells must fall on the same pixels as those of the turned card
    skip_x, skip_y = -x0 % cell, -y0 % cell
    height, width = ((gray.shape[0] - skip_y) // cell * cell, (gray.shape[1] - skip_x) // cell * cell)
    inside = (slice(skip_y, skip_y + height), slice(skip_x, skip_x + width))
    x0, y0 = x0 + skip_x, y0 + skip_y
    window = (slice(y0, y0 + height), slice(x0, x0 + width))
    seen = shrunk(np.asarray(gray[inside] / view.light[inside], np.float32), field.halvings)
    empty = shrunk(field.without(gone, window), field.halvings)
    for other in others:
        _paint(empty, field, other, view.t_ns, (x0, y0))
    foreign = (np.abs(seen - empty) > _FOREIGN_GRAY) & (seen < HAND_SHADE * field.paper(number))
    weight = 1.0 - foreign.astype(np.float32)
    contrast = field.contrast(number)
    gain = weight * (seen * seen - (seen - empty) ** 2)
    maps, offsets = [], []
    for angle in _ANGLES_DEG:
        card, mask, corner = field.card(number, angle)
        if card.shape[0] > seen.shape[0] or card.shape[1] > seen.shape[1]:
            maps.append(np.zeros((1, 1), np.float32))
            offsets.append(np.zeros(2))
            continue
        energy = (
            cv2.matchTemplate(gain, mask, cv2.TM_CCORR)
            - 2 * cv2.matchTemplate(weight * seen, card * mask, cv2.TM_CCORR)
            + cv2.matchTemplate(weight, card * card * mask, cv2.TM_CCORR)
        )
        maps.append(np.asarray(energy / (contrast * mask.sum()), np.float32))
        offsets.append(corner - (x0, y0))
    return _Energies((view.t_ns - departure.still_ns) / 1e6, maps, offsets, cell)


def _paint(empty: Floats, field: FieldModel, flight: Flight, t_ns: int, origin_px: tuple[int, int]) -> None:
    """Paint a flying card into a coarse picture of the field."""
    shift, angle_deg = flight.place_at(t_ns)
    card, mask, corner = field.card(flight.number, angle_deg)
    column, row = np.rint((corner + shift - origin_px) / 2**field.halvings).astype(int)
    rows = slice(max(0, row), min(empty.shape[0], row + card.shape[0]))
    columns = slice(max(0, column), min(empty.shape[1], column + card.shape[1]))
    if rows.start >= rows.stop or columns.start >= columns.stop:
        return
    part = (slice(rows.start - row, rows.stop - row), slice(columns.start - column, columns.stop - column))
    empty[rows, columns] = np.where(mask[part] > 0.5, card[part], empty[rows, columns])
