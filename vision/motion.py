"""How a card that was struck flies off: instant and velocity of its launch, from the pictures just after it.

Within a few hundredths of a second a struck card moves evenly, pushed by the hand or free. Its launch has
five numbers: instant, velocity in x and y, rate of turning. For each picture after the card was last seen in
place an energy map tells how much better the picture is explained with the card at each place and angle than
by the field without it; the launch whose path runs through the valleys of all maps at once is the answer.
Pixels that can be neither card nor field (hands, sleeves) take no part, so that half a card is enough. The
spread of the instant comes from how much worse other instants explain the same pictures.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.departure import Departure, View
from vision.field_model import FieldModel, shrunk
from vision.slots import Floats

_ANGLES_DEG = tuple(range(-40, 41, 10))
_TURN_RATES = (-1.2, -0.6, 0.0, 0.6, 1.2)  # degrees per millisecond
_MAX_SPEED = 9.0  # metres per second, faster than any hand strikes
_TEMPERATURE = 0.6  # energy difference at which another instant is e times less likely
_INSTANTS = 13
_VIEWS = 5
_HAND_SHADE = 0.62  # darker than this share of the card's paper, and unlike the field: not card


@dataclass(frozen=True, slots=True)
class Launch:
    """The most likely launch of a card.

    Attributes
    ----------
    t_ns, spread_ns : mean and standard deviation of the instant.
    velocity : (x, y), metres per second in the picture's directions.
    strength : energy gained per picture by explaining it with the flying card; 0 means not seen at all.
    """

    t_ns: float
    spread_ns: float
    velocity: tuple[float, float]
    strength: float


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


def fit_launch(
    field: FieldModel, number: int, departure: Departure, latest_ns: int, gone: Collection[int]
) -> Launch | None:
    """Find the launch of the card in slot `number`.

    Parameters
    ----------
    field : the resting field.
    number : index of the slot.
    departure : the pictures from when the card was last seen in place.
    latest_ns : the launch was not later than this.
    gone : numbers of the slots whose cards have left, this one among them.

    Returns
    -------
    Launch or None
        None where there is no picture to judge by.
    """
    still_ns = departure.still_ns
    views = departure.after()[:_VIEWS]
    energies = [_energies(field, number, view, departure, gone) for view in views]
    if not energies:
        return None
    latest_ms = (latest_ns - still_ns) / 1e6
    instants = np.linspace(0.0, latest_ms, _INSTANTS * 2 + 1)[1::2]
    reach = _MAX_SPEED * field.px_per_mm  # pixels per millisecond
    span_ms = max(energy.t_ms for energy in energies)
    step = max(2**field.halvings / span_ms, reach / 40)
    speeds = np.arange(-np.ceil(reach / step), np.ceil(reach / step) + 1, dtype=np.float32) * np.float32(step)
    speed_x, speed_y = np.meshgrid(speeds, speeds)
    best = np.full(len(instants), np.inf)
    best_speed = np.zeros((len(instants), 2))
    for index, instant in enumerate(instants):
        for rate in _TURN_RATES:
            total = np.zeros_like(speed_x)
            for energy in energies:
                flown = max(0.0, energy.t_ms - float(instant))
                total += energy.at(speed_x * flown, speed_y * flown, rate * flown)
            place = int(np.argmin(total))
            if total.flat[place] < best[index]:
                best[index] = total.flat[place]
                best_speed[index] = speed_x.flat[place], speed_y.flat[place]
    weight = np.exp(-(best - best.min()) / _TEMPERATURE)
    weight /= weight.sum()
    mean_ms = float(weight @ instants)
    spread_ms = float(np.sqrt(weight @ (instants - mean_ms) ** 2 + (latest_ms / _INSTANTS) ** 2 / 12))
    velocity = best_speed[int(np.argmin(best))] / field.px_per_mm
    return Launch(
        t_ns=still_ns + mean_ms * 1e6,
        spread_ns=spread_ms * 1e6,
        velocity=(float(velocity[0]), float(velocity[1])),
        strength=max(0.0, -float(best.min()) / len(energies)),
    )


def _energies(
    field: FieldModel, number: int, view: View, departure: Departure, gone: Collection[int]
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
    foreign = (np.abs(seen - empty) > 15) & (seen < _HAND_SHADE * field.paper(number))
    weight = 1.0 - foreign.astype(np.float32)
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
        maps.append(np.asarray(energy / (100 * mask.sum()), np.float32))
        offsets.append(corner - (x0, y0))
    return _Energies((view.t_ns - departure.still_ns) / 1e6, maps, offsets, cell)
