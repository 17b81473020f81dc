"""How a card that was struck flies off: instant and velocity of its launch, from the pictures just after it.

Within a few hundredths of a second a struck card moves evenly, pushed by the hand or free, once it has taken
on the hand's speed. Its launch has six numbers: instant, time in which it takes on its speed, velocity in x
and y, rate of turning. For each picture after the card was last seen in place `vision.card_traces` tells how
well it fits at each place and angle; the launch whose path runs through the valleys of all maps at once is
the answer. The chances of the instant come from how much worse other instants explain the same pictures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.card_traces import ANGLES_DEG, Painted, Traces, traces_of
from vision.departure import Departure
from vision.field_model import FieldModel
from vision.slots import Floats, Sight, Slot

_TURN_RATES = (-1.2, -0.6, 0.0, 0.6, 1.2)  # degrees per millisecond
_GRIPS_MS = (0.0, 1.5, 3.0)  # time constants with which a card takes on the speed of the hand
_MAX_SPEED = 8.0  # metres per second, faster than any hand strikes
_HASTE = 0.1  # energy of that speed: slower cards are likelier
_SPEED_STEPS = 40
_TEMPERATURE = 0.2  # energy difference at which another instant is e times less likely, at least
_MISFIT = 0.03  # and as a share of the whole: steps of the search, and what an even flight leaves out
_VIEWS = 8
_HORIZON_MS = 50.0  # later than that a card no longer flies evenly
_SEEN_LATER = 0.5  # a card fits the pictures after that somewhere, this well as at its best place
_LATER = 0.15  # cards leave when a hand first hides them; each later instant is this much less likely
HAND_SHADE = 0.62  # darker than this share of the card's paper, and unlike the field: not card
_IMPOSSIBLE = 1e6
_EXPOSURE_MS = 3.0  # typical: a launch within the exposure of a frame is seen as a small shift
_INSTANT_MS = 0.5
_FEWEST, _MOST, _HIDDEN = 12, 40, 10  # instants tried near the last sight, and later
_FLOWN_STEP_MS = 0.25
_SIGHT_SIGMA_PX = 0.7
_SIGHT_LIMIT = 12.0
_GONE_MM = 120.0  # farther from its place a card is outside its views


@dataclass(frozen=True, slots=True)
class Launch:
    """When a card set off: median and ends of the interval that holds it with 95 %."""

    t_ns: float
    early_ns: float
    late_ns: float


@dataclass(frozen=True, slots=True, eq=False)
class Flight:
    """How a card flew off.

    Attributes
    ----------
    number : index of its slot.
    slot : where it lay.
    t_ns : instant at which its even flight begins, traced back.
    launch : when it set off.
    velocity_px : (2,), pixels per millisecond.
    turn_deg : degrees per millisecond, clockwise in the picture.
    strength : how much the pictures speak for it: mean logarithm of the likelihood ratio over the card's
        pixels while it is within sight; 0 means not seen at all.
    """

    number: int
    slot: Slot
    t_ns: float
    launch: Launch
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


def fit_flight(
    field: FieldModel,
    number: int,
    departures: Mapping[int, Departure],
    *,
    sights: Sequence[Sight] = (),
    others: Sequence[Flight] = (),
) -> Flight | None:
    """Find how the card in slot `number` flew off.

    Parameters
    ----------
    field : the resting field.
    number : index of the slot.
    departures : those of all cards that moved, by the number of their slots, this one among them.
    sights : where the card's face was seen, in order of time: shifts of up to a pixel after it set off.
    others : known flights of other cards, whose pictures must not be taken for this card's.

    Returns
    -------
    Flight or None
        None where there is no picture to judge by.
    """
    departure = departures[number]
    still_ns, latest_ns = departure.bracket_ns
    views = departure.after()[:_VIEWS]
    if not views:
        return None
    traces = [
        traces_of(
            field,
            number,
            view,
            departures,
            [Painted(other.number, *other.place_at(view.t_ns)) for other in others],
        )
        for view in views
    ]
    near = [sight for sight in sights if sight.seen and still_ns <= sight.t_ns <= views[-1].t_ns]
    search = _Search(field, traces, near, still_ns)
    edges = _edges((latest_ns - still_ns) / 1e6)
    instants = (edges[1:] + edges[:-1]) / 2
    energies, ways = search.over(instants)
    best = float(energies.min())
    temperature = max(_TEMPERATURE, -_MISFIT * best)
    chance = np.exp((best - energies) / temperature).sum(axis=1)
    chance *= np.diff(edges) * np.where(instants < traces[0].t_ms, 1.0, _LATER)
    reached = np.concatenate([[0.0], np.cumsum(chance) / chance.sum()])
    early, middle, late = still_ns + np.interp([0.025, 0.5, 0.975], reached, edges) * 1e6
    index, grip = np.unravel_index(int(np.argmin(energies)), energies.shape)
    even_ms = float(instants[index]) + _GRIPS_MS[grip]
    velocity, turn = ways[index, grip, :2], float(ways[index, grip, 2])
    in_sight_ms = _GONE_MM * field.px_per_mm / max(float(np.hypot(*velocity)), 1e-6)
    shown = sum(one.t_ms - even_ms < in_sight_ms for one in traces)
    return Flight(
        number=number,
        slot=field.slots[number],
        t_ns=still_ns + even_ms * 1e6,
        launch=Launch(float(middle), float(early), float(late)),
        velocity_px=velocity,
        turn_deg=turn,
        strength=max(0.0, -best / max(1, shown)),
    )


def _edges(latest_ms: float) -> NDArray[np.float64]:
    """Return the ends of the stretches of time to try, longer ones where a card was hidden for long.

    A launch within an exposure may look like one just beside the bracket.
    """
    start, end = -_EXPOSURE_MS / 2, latest_ms + _EXPOSURE_MS / 2
    near = min(end, _HORIZON_MS)
    count = int(np.clip((near - start) / _INSTANT_MS, _FEWEST, _MOST))
    edges = np.linspace(start, near, count + 1)
    return np.asarray(
        np.concatenate([edges, np.geomspace(near, end, _HIDDEN + 1)[1:]]) if end > near else edges
    )


def _flown_ms(since_ms: float, grip_ms: float) -> float:
    """Return for how long a card would have flown at full speed to be where it is."""
    if since_ms <= 0 or grip_ms == 0:
        return max(0.0, since_ms)
    return since_ms - grip_ms * (1 - float(np.exp(-since_ms / grip_ms)))


class _Search:
    """Tries all velocities at once for one instant after another."""

    def __init__(
        self, field: FieldModel, traces: Sequence[Traces], sights: Sequence[Sight], still_ns: int
    ) -> None:
        self._traces = traces
        self._later = [_SEEN_LATER * min(float(one.min()) for one in trace.maps) for trace in traces]
        self._sights = [((sight.t_ns - still_ns) / 1e6, sight.shift_px) for sight in sights]
        reach = _MAX_SPEED * field.px_per_mm  # pixels per millisecond
        span_ms = min(_HORIZON_MS, max(trace.t_ms for trace in traces))
        step = max(2**field.halvings / span_ms, reach / _SPEED_STEPS)
        count = np.ceil(reach / step)
        speeds = np.arange(-count, count + 1, dtype=np.float32) * np.float32(step)
        self._x, self._y = np.meshgrid(speeds, speeds)
        haste = (self._x**2 + self._y**2) / reach**2
        self._start = np.where(haste > 1, _IMPOSSIBLE, _HASTE * haste).astype(np.float32)
        self._known: dict[tuple[int, int, int], Floats] = {}

    def over(self, instants_ms: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the least energy for each instant and grip, and its way: velocity in x and y, turning."""
        energies = np.full((len(instants_ms), len(_GRIPS_MS)), np.inf)
        ways = np.zeros((len(instants_ms), len(_GRIPS_MS), 3))
        for index, instant in enumerate(instants_ms):
            for which, grip_ms in enumerate(_GRIPS_MS):
                base = self._with_sights(float(instant), grip_ms)
                for rate in _TURN_RATES:
                    total = base.copy()
                    for number, trace in enumerate(self._traces):
                        total += self._energy(number, _flown_ms(trace.t_ms - instant, grip_ms), rate)
                    place = int(np.argmin(total))
                    if total.flat[place] < energies[index, which]:
                        energies[index, which] = total.flat[place]
                        ways[index, which] = self._x.flat[place], self._y.flat[place], rate
        return energies, ways

    def _with_sights(self, instant_ms: float, grip_ms: float) -> Floats:
        total = self._start.copy()
        for t_ms, shift in self._sights:
            flown = _flown_ms(t_ms - instant_ms, grip_ms)
            if flown < _HORIZON_MS:
                miss = (self._x * flown - shift[0]) ** 2 + (self._y * flown - shift[1]) ** 2
                total += _TEMPERATURE * np.minimum(miss / (2 * _SIGHT_SIGMA_PX**2), _SIGHT_LIMIT)
        return total

    def _energy(self, number: int, flown_ms: float, rate: float) -> Floats | float:
        """Return the energies of one picture for all velocities."""
        if flown_ms > _HORIZON_MS:
            return self._later[number]
        step = round(flown_ms / _FLOWN_STEP_MS)
        turned = (rate * step * _FLOWN_STEP_MS - ANGLES_DEG[0]) / (ANGLES_DEG[1] - ANGLES_DEG[0])
        angle = min(max(round(turned), 0), len(ANGLES_DEG) - 1)
        key = number, step, angle
        if key not in self._known:
            flown = np.float32(step * _FLOWN_STEP_MS)
            self._known[key] = self._traces[number].at(self._x * flown, self._y * flown, angle)
        return self._known[key]
