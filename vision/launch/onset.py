"""When a card began to move.

A card that was pressed slides a few millimetres and stays in view. Either the hand sets it in motion, as a
minimum-jerk curve does (source in docs/credits.md), or it lands moving and is braked evenly, and the card
takes on its speed: the shift over time is compared with these curves, and their beginning is the instant.
A card that another one knocked glides until friction stops it, one below a hand that lies on it may creep.
A card that was struck flies off: `vision.launch.flight` finds its launch. Both weigh every instant between
the frame in which the card was last seen in place and the one in which it was first seen elsewhere, so that
the interval is as wide as what was not seen. Times are those of the frames, as if every row were exposed with
the middle one; `vision.frames.shutter` tells by how much a card's own row is early or late.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import Sight
from vision.launch.flight import Flight

Floats = NDArray[np.float64]

_SLIDE_MS = np.geomspace(6.0, 32.0, 9)
"""How long a pressed card may take to come to rest."""
_CREEP_MS, _CREEP_SHARE = (45.0, 70.0, 110.0, 170.0, 250.0), 0.02
"""How long one may creep below a hand that lies on it: a slide so slow must explain its pictures better than
the others by this share of their chance."""
_FRICTION = np.array([0.0025, 0.0036, 0.005])
"""What slows down a card that glides by itself, millimetres per square millisecond: no hand holds it."""
WEAK = 0.1  # a path that explains the pictures no better than this is not believed


@dataclass(frozen=True, slots=True)
class Onset:
    """When a card began to move; of one that crept below a hand, when that touched it.

    Attributes
    ----------
    t_ns, t_unc_ns : the instant and the half width of its 95 % interval.
    earliest_ns : the card was last seen in place.
    latest_ns : it was seen elsewhere, or seen no more.
    """

    t_ns: float
    t_unc_ns: float
    earliest_ns: int
    latest_ns: int


def slide_onset(
    field: FieldModel, number: int, sights: Sequence[Sight], departure: Departure
) -> Onset | None:
    """Return when a card began to move that slid by millimetres; None where it went further.

    Parameters
    ----------
    field : the resting field.
    number : index of the slot.
    sights : what each frame showed of the card, in order of time.
    departure : the pictures around the moment it was last seen in place, and where it lies in the end.
    """
    final = departure.final_shift_px
    if final is None or departure.left:
        return None
    face = field.face(number)
    still_ns = departure.still_ns
    slope_sigma_px, search_sigma_px = 0.03, 0.1  # errors of a seen shift, mostly from shadows' edges
    agreeing_blocks = 3  # blocks, in which a shift must be seen
    trace = {
        sight.t_ns: (sight.shift_px.astype(np.float64), slope_sigma_px)
        for sight in sights
        if sight.seen >= (1 if sight.t_ns <= still_ns else agreeing_blocks)
    }
    small_px = 0.4
    for view in departure.after():
        # small shifts are best told by the slope of the gray levels, larger ones by search
        if view.t_ns not in trace or float(np.hypot(*trace[view.t_ns][0])) > small_px:
            found = departure.place_in(view, face)
            if found is not None:
                trace[view.t_ns] = found.shift_px, search_sigma_px
    times = np.array(sorted(trace))
    shifts = np.array([trace[t][0] for t in times]).reshape(-1, 2)  # none where an arm hid it all the time
    sigma_px = np.array([trace[t][1] for t in times])
    after = times > still_ns
    moved_share = 0.4
    away = np.hypot(*shifts.T) >= moved_share * float(np.hypot(*final))
    moved = times[after & away]
    earliest = still_ns
    latest = int(moved[0]) if len(moved) else departure.settled_ns
    # Time after which a pressed card lies still, and until which the hand does not yet drag it away.
    rest_from_ns, rest_to_ns = 20_000_000, 60_000_000
    rest = shifts[(times >= latest + rest_from_ns) & (times <= latest + rest_to_ns)]
    rest_px = np.median(rest, axis=0) if len(rest) else final
    progress = shifts @ rest_px / max(float(rest_px @ rest_px), 1e-6)
    shift_sigma_share = 0.06  # and, once it moves, from what the smooth curves do not know
    moving_share = 0.05
    curve_sigma = np.where(progress > moving_share, shift_sigma_share, 0.0)
    sigma = np.hypot(sigma_px / max(float(np.hypot(*rest_px)), 1e-3), curve_sigma)
    near = (times >= earliest - 60_000_000) & (times <= latest + 60_000_000)
    way_mm = float(np.hypot(*rest_px)) / field.slots[number].px_per_mm
    t_ms, seen, sigma = (times[near] - earliest) / 1e6, progress[near], sigma[near]
    # what is worked ahead mostly sees the same
    key = "slide", *(part.tobytes() for part in (t_ms, seen, sigma)), latest, way_mm
    compared = partial(_compared, t_ms, seen, sigma, (latest - earliest) / 1e6, way_mm)
    mean_ms, spread_ms = departure.once(key, compared)
    slide_model_ms = 1.2  # standard deviation of what the curves leave out
    unc_ms = 2 * float(np.hypot(spread_ms, slide_model_ms))
    return Onset(earliest + mean_ms * 1e6, unc_ms * 1e6, earliest, latest)


def _compared(
    t_ms: Floats, seen: Floats, sigma: Floats, latest_ms: float, way_mm: float
) -> tuple[float, float]:
    """Return when a card was touched that slid, by all curves together: mean and standard deviation, ms.

    Parameters
    ----------
    t_ms, seen, sigma : (T,), when which share of its way was seen to be done, and how surely.
    latest_ms : it was seen elsewhere then; all times count from its last sight in place.
    way_mm : how far it went.
    """
    instants = np.linspace(-25.0, latest_ms, 161)
    since_ms = t_ms[None] - instants[:, None]
    glides_ms = _glides_ms(way_mm)
    slides_ms = _SLIDE_MS[:, None, None]
    # Time constants with which a card takes on the speed of a hand that lands moving, light ones the longest.
    grips_ms = (0.75, 1.5, 3.0, 6.0)
    shapes = [pushed(since_ms, slides_ms), braked(since_ms, glides_ms[:, None, None], grips_ms[0])]
    shapes += [braked(since_ms, slides_ms, grip) for grip in grips_ms]
    creeps_ms = np.array(_CREEP_MS)[:, None, None]
    at_once = sum(map(len, shapes))
    shapes += [pushed(since_ms, creeps_ms), np.clip(since_ms / creeps_ms, 0.0, 1.0)]
    off = np.concatenate(shapes)
    off -= seen
    off /= sigma
    off *= off
    misfit = 0.5 * np.minimum(off, 25.0).sum(axis=2)
    misfit[at_once:] -= np.log(_CREEP_SHARE)
    likelihood = np.exp(misfit.min() - misfit)  # many pictures may fit none of them well
    slid, crept = likelihood[:at_once].sum(axis=0), likelihood[at_once:].sum(axis=0)
    # Mean time for which a hand lies on a card that creeps before it sets it in motion; else it does at once.
    held_ms = 35.0
    touched_ms = instants - held_ms
    total = slid.sum() + crept.sum()
    mean_ms = (slid @ instants + crept @ touched_ms) / total
    square = (slid @ instants**2 + crept @ (touched_ms**2 + held_ms**2)) / total - mean_ms**2
    return float(mean_ms), float(max(square, 0.0) ** 0.5)


def _glides_ms(way_mm: float) -> Floats:
    """Return how long a card may glide that another one knocked; none where a hand lets it slide as long."""
    glides_ms = (2 * way_mm / _FRICTION) ** 0.5
    return np.asarray(glides_ms[glides_ms > _SLIDE_MS[-1]])


def pushed(since_ms: Floats, slide_ms: Floats | float) -> Floats:
    """Return the share of its way that a card has come which a resting hand sets in motion (minimum jerk).

    Parameters
    ----------
    since_ms : the time since it did.
    slide_ms : how long the card takes to come to rest; both of shapes that fit together.
    """
    phase = np.minimum(np.maximum(since_ms, 0.0) / slide_ms, 1.0)
    square = phase * phase
    return np.asarray(square * phase * (10 - 15 * phase + 6 * square))


def braked(since_ms: Floats, slide_ms: Floats | float, grip_ms: float) -> Floats:
    """Return the share of its way that a card has come under a hand that lands moving and is braked evenly.

    Parameters
    ----------
    since_ms : the time since the hand landed.
    slide_ms : how long the hand takes to come to rest; both of shapes that fit together.
    grip_ms : time constant with which the card takes on the hand's speed.
    """
    landed_ms = np.maximum(since_ms, 0.0)
    moving_ms = np.minimum(landed_ms, slide_ms)
    tiny = 1e-300
    # how much the card lags behind still: one exponential for every slide
    lagging, at_rest = np.exp(-landed_ms / grip_ms), np.maximum(np.exp(-slide_ms / grip_ms), tiny)
    follow = 1 - np.maximum(lagging, at_rest)
    lag = 1 + grip_ms / slide_ms
    way = lag * (moving_ms - grip_ms * follow) - moving_ms * moving_ms / (2 * slide_ms)
    speed = lag * follow - moving_ms / slide_ms
    way += speed * grip_ms * (1 - np.minimum(lagging / at_rest, 1.0))
    return np.asarray(way * 2 / slide_ms)


def flight_onset(departure: Departure, flight: Flight | None) -> Onset:
    """Return when a card began to move that was struck away: its launch, or only the bracket around it."""
    earliest, latest = departure.bracket_ns
    if flight is None:
        middle = (earliest + latest) / 2
        exposure_ns = 1.5e6  # a card that sets off during an exposure still looks as if it lay there, or not
        return Onset(middle, latest - middle + exposure_ns, earliest, latest)
    launch = flight.launch
    speed = float(np.hypot(*flight.velocity_px)) / flight.slot.px_per_mm
    least_ns = 1.5e6  # Half width of what an even flight leaves out: cards that jump, hands that slow down.
    # a card that a hand only brushes creeps before it goes evenly, metres per second
    creep_mm, slowest_mps = 2.0, 0.4
    model_ns = max(least_ns, creep_mm / max(speed, slowest_mps) * 1e6)
    return Onset(launch.t_ns, float(np.hypot(launch.half_ns, model_ns)), earliest, latest)
