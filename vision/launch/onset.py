"""Find when a card began to move.

A pressed card slides a few millimetres and stays in view. Either the hand sets it in motion along a
minimum-jerk curve (source in docs/credits.md), or the hand lands moving and is braked evenly while the card
takes on its speed. The shift over time is compared with these curves, and their beginning is the instant. A
card that another card knocked glides until friction stops it; a card below a resting hand may creep. A struck
card flies off: `vision.launch.flight` finds its launch. Every instant between the last frame with the card in
place and the first one with it elsewhere is weighed, so the interval is as wide as what was not seen. Times
are those of the frames, as if every row were exposed with the middle one; `vision.frames.shutter` gives the
delay of a card's own row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import Sight
from vision.launch.flight import Flight
from vision.sightings.path import EXPOSED_MS

Floats = NDArray[np.float64]

_SLIDE_MS = np.geomspace(6.0, 32.0, 9)  # how long a pressed card may take to come to rest, milliseconds
_CREEP_MS, _CREEP_SHARE = (45.0, 70.0, 110.0, 170.0, 250.0), 0.02
"""How long a card may creep below a resting hand, milliseconds, and the prior weight of such slow slides."""
_FRICTION = np.array([0.0025, 0.0036, 0.005])
"""Deceleration of a card that glides by itself, millimetres per square millisecond."""
WEAK = 0.1  # a path with less strength than this is not trusted
VAGUE_NS = 25e6  # half width from which a card's own pictures tell less of its time than its neighbours do


@dataclass(frozen=True, slots=True)
class Onset:
    """When a card began to move; for a card that crept below a hand, when the hand touched it."""

    # t_ns, t_unc_ns: the instant and the half width of its 95 % interval
    t_ns: float
    t_unc_ns: float
    earliest_ns: int  # when the card was last seen in place
    latest_ns: int  # when it was first seen elsewhere, or no longer seen


def slide_onset(
    field: FieldModel, number: int, sights: Sequence[Sight], departure: Departure
) -> Onset | None:
    """Return when a card began to slide by millimetres; None if it went farther.

    `sights`: what each frame showed of the card, in order of time. `departure`: the pictures around the last
    sight in place, and where the card lies in the end.
    """
    final = departure.final_shift_px
    if final is None or departure.left:
        return None
    face = field.face(number)
    still_ns = departure.still_ns
    slope_sigma_px, search_sigma_px = 0.03, 0.1  # errors of a measured shift, mostly from shadows' edges
    agreeing_blocks = 3  # blocks that must show a shift
    trace = {
        sight.t_ns: (sight.shift_px.astype(np.float64), slope_sigma_px)
        for sight in sights
        if sight.seen >= (1 if sight.t_ns <= still_ns else agreeing_blocks)
    }
    small_px = 0.4
    for view in departure.after():
        # the slope of the gray levels measures small shifts best, a search larger ones
        if view.t_ns not in trace or float(np.hypot(*trace[view.t_ns][0])) > small_px:
            found = departure.place_in(view, face)
            if found is not None:
                trace[view.t_ns] = found.shift_px, search_sigma_px
    times = np.array(sorted(trace))
    shifts = np.array([trace[t][0] for t in times]).reshape(-1, 2)  # none if an arm hid it all the time
    sigma_px = np.array([trace[t][1] for t in times])
    after = times > still_ns
    moved_share = 0.4
    away = np.hypot(*shifts.T) >= moved_share * float(np.hypot(*final))
    moved = times[after & away]
    earliest = still_ns
    latest = int(moved[0]) if len(moved) else departure.settled_ns
    # From when a pressed card lies still, and until when the hand does not yet drag it away.
    rest_from_ns, rest_to_ns = 20_000_000, 60_000_000
    rest = shifts[(times >= latest + rest_from_ns) & (times <= latest + rest_to_ns)]
    rest_px = np.median(rest, axis=0) if len(rest) else final
    progress = shifts @ rest_px / max(float(rest_px @ rest_px), 1e-6)
    shift_sigma_share = 0.06  # added while it moves: what the smooth curves do not model
    moving_share = 0.05
    curve_sigma = np.where(progress > moving_share, shift_sigma_share, 0.0)
    sigma = np.hypot(sigma_px / max(float(np.hypot(*rest_px)), 1e-3), curve_sigma)
    near = (times >= earliest - 60_000_000) & (times <= latest + 60_000_000)
    way_mm = float(np.hypot(*rest_px)) / field.slots[number].px_per_mm
    t_ms, seen, sigma = (times[near] - earliest) / 1e6, progress[near], sigma[near]
    # work done ahead mostly gets the same input
    key = "slide", *(part.tobytes() for part in (t_ms, seen, sigma)), latest, way_mm
    compared = partial(_compared, t_ms, seen, sigma, (latest - earliest) / 1e6, way_mm)
    mean_ms, spread_ms = departure.once(key, compared)
    slide_model_ms = 1.2  # standard deviation of what the curves do not model
    unc_ms = 2 * float(np.hypot(spread_ms, slide_model_ms))
    return Onset(earliest + mean_ms * 1e6, unc_ms * 1e6, earliest, latest)


def _compared(
    t_ms: Floats, seen: Floats, sigma: Floats, latest_ms: float, way_mm: float
) -> tuple[float, float]:
    """Return mean and standard deviation, ms, of when a sliding card was touched, over all curves.

    `t_ms`, `seen`, `sigma`: (T,), instants, the share of its way seen by then, and its standard deviation.
    `latest_ms`: when it was seen elsewhere. All times count from its last sight in place. `way_mm`: the
    length of its way.
    """
    instants = np.linspace(-25.0, latest_ms, 161)
    since_ms = t_ms[None] - instants[:, None]
    slides_ms = _SLIDE_MS[:, None, None]
    # Time constants with which a card takes on the speed of a hand that lands moving; light hands have the
    # longest.
    grips_ms = (0.75, 1.5, 3.0, 6.0)
    glides_ms = _glides_ms(way_mm)[:, None, None]
    shapes = [pushed(since_ms, slides_ms), braked(since_ms, glides_ms, grips_ms[0])]
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
    likelihood = np.exp(misfit.min() - misfit)  # many pictures may fit none of the curves well
    slid, crept = likelihood[:at_once].sum(axis=0), likelihood[at_once:].sum(axis=0)
    # Mean time for which a hand lies on a card before that creeps; other cards move at once.
    held_ms = 35.0
    touched_ms = instants - held_ms
    total = slid.sum() + crept.sum()
    mean_ms = (slid @ instants + crept @ touched_ms) / total
    square = (slid @ instants**2 + crept @ (touched_ms**2 + held_ms**2)) / total - mean_ms**2
    return float(mean_ms), float(max(square, 0.0) ** 0.5)


def _glides_ms(way_mm: float) -> Floats:
    """Return how long a knocked card may glide, milliseconds; no time that a hand's slide lasts as well."""
    glides_ms = (2 * way_mm / _FRICTION) ** 0.5
    return np.asarray(glides_ms[glides_ms > _SLIDE_MS[-1]])


def pushed(since_ms: Floats, slide_ms: Floats | float) -> Floats:
    """Return the share of its way that a card has gone when a resting hand sets it in motion (minimum jerk).

    `since_ms`: time since it set off. `slide_ms`: time until the card comes to rest; the shapes broadcast.
    """
    phase = np.minimum(np.maximum(since_ms, 0.0) / slide_ms, 1.0)
    square = phase * phase
    return np.asarray(square * phase * (10 - 15 * phase + 6 * square))


def braked(since_ms: Floats, slide_ms: Floats | float, grip_ms: float) -> Floats:
    """Return the share of its way that a card has gone below a hand that lands moving and is braked evenly.

    `since_ms`: time since the hand landed. `slide_ms`: time until the hand comes to rest; the shapes
    broadcast. `grip_ms`: time constant with which the card takes on the hand's speed.
    """
    landed_ms = np.maximum(since_ms, 0.0)
    moving_ms = np.minimum(landed_ms, slide_ms)
    tiny = 1e-300
    # how far the card still lags behind: one exponential for every slide
    lagging, at_rest = np.exp(-landed_ms / grip_ms), np.maximum(np.exp(-slide_ms / grip_ms), tiny)
    follow = 1 - np.maximum(lagging, at_rest)
    lag = 1 + grip_ms / slide_ms
    way = lag * (moving_ms - grip_ms * follow) - moving_ms * moving_ms / (2 * slide_ms)
    speed = lag * follow - moving_ms / slide_ms
    way += speed * grip_ms * (1 - np.minimum(lagging / at_rest, 1.0))
    return np.asarray(way * 2 / slide_ms)


def flight_onset(departure: Departure, flight: Flight | None) -> Onset:
    """Return when a struck card began to move: its launch, or only the bracket around it."""
    earliest, latest = departure.bracket_ns
    if flight is None:
        middle = (earliest + latest) / 2
        return Onset(middle, latest - middle + EXPOSED_MS / 2 * 1e6, earliest, latest)
    launch = flight.launch
    speed = float(np.hypot(*flight.velocity_px)) / flight.slot.px_per_mm
    least_ns = 1.5e6  # half width of what an even flight does not model: jumping cards, slowing hands
    # a card that a hand only brushes creeps before it moves evenly
    creep_mm, slowest_mps = 2.0, 0.4
    model_ns = max(least_ns, creep_mm / max(speed, slowest_mps) * 1e6)
    return Onset(launch.t_ns, float(np.hypot(launch.half_ns, model_ns)), earliest, latest)
