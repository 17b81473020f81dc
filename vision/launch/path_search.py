"""Search for a launch: the path with the least total energy in the maps of all pictures.

A path has an instant, a grip (the time constant with which the card takes on the hand's speed), a velocity
and a rate of turning. First all velocities of a coarse grid are tried for a few instants; around the best of
them the fine grid is tried for every instant and grip. Each picture is evaluated once for all paths of one
rate of turning. A struck card flies about as fast as the hand at it (`vision.hand_cues.speed`): other
velocities cost energy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.field.model import FieldModel
from vision.field.slots import Floats, Sight
from vision.sightings.spots import Spot
from vision.sightings.traces import ANGLES_DEG, Traces

_LADEN_AT_ONCE, _LADEN_MS, _LADEN = 0.35, 25.0, 2.0  # a row of cards slows the hand: see `_courses`


def launch_likelihood(
    spots: Sequence[Spot],
    instants_ns: NDArray[np.float64],
    hand_px: NDArray[np.float64] | None,
    px_per_mm: float,
) -> NDArray[np.float64]:
    """Return how well each instant explains where a card was seen, (N,), 1 for the best.

    `spots`: where it was seen, including the last sight in place. `instants_ns`: (N,), the instants to weigh.
    `hand_px`: (2,), velocity of the hand at it, pixels per millisecond; None if no hand was seen.
    `px_per_mm`: scale of the picture at the card.
    """
    seen = np.array([spot.shift_px for spot in spots])
    sigma = np.array([spot.sigma_px for spot in spots])
    since_ms = np.maximum((np.array([spot.t_ns for spot in spots]) - instants_ns[:, None]) / 1e6, 0.0)
    if hand_px is None:
        any_mps = 2.5  # m/s, if no hand was seen
        mean, speed = np.zeros(2), any_mps * px_per_mm
    else:
        hand_share = 0.9  # of the hand's speed that a card takes on: it is held back and slips
        mean = hand_share * hand_px
        speed = speed_sigma_px(hand_px, px_per_mm)
    found = []
    kept = [np.arange(len(spots)), *(np.delete(np.arange(len(spots)), one) for one in range(1, len(spots)))]
    false_share, view_mm = 0.005, 300.0  # one of 291 simulated places was false; false ones lie this far off
    lost = np.log(false_share / (view_mm * px_per_mm) ** 2)
    walk_mps = 0.15  # m/s per square root of a millisecond: hands change by 0.7 m/s in 20 ms
    way_sigma = 0.02  # of the way, not modelled here: perspective, and cards that rise
    for late, grip_ms, likely in _courses():
        flown_ms = since_ms - late * grip_ms * -np.expm1(-since_ms / max(grip_ms, 1e-6))  # (N, S)
        own = sigma**2 + (way_sigma * flown_ms * np.hypot(*mean)) ** 2
        spread = _together(flown_ms, speed, walk_mps * px_per_mm) + np.eye(len(spots)) * own[:, :, None]
        off = seen - flown_ms[:, :, None] * mean  # (N, S, 2)
        for true in kept:
            density = _log_density(off[:, true], spread[:, true[:, None], true])
            found.append(np.log(likely) + (len(spots) - len(true)) * lost + density)
    logarithm = np.array(found)
    return np.asarray(np.exp(logarithm - logarithm.max()).sum(axis=0))


def _courses() -> list[tuple[float, float, float]]:
    """Return how cards take on the hand's speed: the share that comes late, its time constant, its weight.

    A single card takes on all of it within a few milliseconds. A row of cards, edge to edge, takes on a share
    at once, as each card knocks the next, and the rest slowly: fingers hold what they drive by friction
    alone.
    """
    # a card hit at its edge moves at once; that is as likely as being dragged by fingers on it
    at_once_weight = 2.0
    grips = {**dict.fromkeys(GRIPS_MS, 1.0), 0.0: at_once_weight}
    alone = [(1.0, grip_ms, likely) for grip_ms, likely in grips.items()]
    return [*alone, (1 - _LADEN_AT_ONCE, _LADEN_MS, _LADEN)]


def _together(flown_ms: NDArray[np.float64], speed_px: float, walk_px: float) -> NDArray[np.float64]:
    """Return the covariance (N, S, S), square pixels, of ways flown in the times (N, S).

    `flown_ms`: the times, milliseconds. `speed_px`: standard deviation of the first velocity, pixels per
    millisecond. `walk_px`: step of the velocity's random walk, pixels per millisecond per square root of a
    millisecond.
    """
    short = np.minimum(flown_ms[:, :, None], flown_ms[:, None, :])
    long = np.maximum(flown_ms[:, :, None], flown_ms[:, None, :])
    return speed_px**2 * short * long + walk_px**2 * short**2 * (long / 2 - short / 6)


def _log_density(off_px: NDArray[np.float64], spread: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the log density (N,) of places (N, S, 2), normal and with the same spread in both directions."""
    square = (off_px * np.linalg.solve(spread, off_px)).sum(axis=(1, 2))
    # both directions share the covariance, so the root of its determinant counts twice
    return np.asarray(-square / 2 - np.linalg.slogdet(spread)[1] - off_px.shape[1] * np.log(2 * np.pi))


HORIZON_MS = 50.0  # later than this a card no longer flies evenly
GRIPS_MS = (0.0, 1.5, 3.0)  # time constants with which a card takes on the speed of the hand
TEMPERATURE = 0.2  # energy difference at which another instant is e times less likely, at least
_TURN_RATES = (-1.2, -0.6, 0.0, 0.6, 1.2)  # degrees per millisecond
_SEEN_LATER = 0.5  # energy of a picture after the horizon, as a share of its best: the card fits somewhere


def speed_sigma_px(hand_px: NDArray[np.floating], px_per_mm: float) -> float:
    """Return the standard deviation between the speeds of a struck card and the hand, pixels per millisecond.

    `hand_px`: (2,), the hand's velocity, pixels per millisecond.
    """
    sigma_mps, sigma_share = 0.6, 0.3  # m/s, and share of the hand's speed
    return float(np.hypot(sigma_mps * px_per_mm, sigma_share * np.hypot(*hand_px)))


def reach_deg(flown_ms: float) -> float:
    """Return how far a card that set off at most `flown_ms` ago may have turned, degrees."""
    most = max(_TURN_RATES) * max(0.0, flown_ms)
    return most if flown_ms <= HORIZON_MS else float(ANGLES_DEG[-1])


class LaunchSearch:
    """Finds the best paths through the maps of one card.

    `still_ns`: the instant from which the maps' times count. `hand_px`: (2,), the hand's velocity at the
    card, pixels per millisecond; None if no hand was seen.
    """

    def __init__(
        self,
        field: FieldModel,
        traces: Sequence[Traces],
        sights: Sequence[Sight],
        still_ns: int,
        hand_px: NDArray[np.float64] | None,
    ) -> None:
        self._hand_px = hand_px
        self._px_per_mm = field.px_per_mm
        self._atlases = [_Atlas(one) for one in traces]
        self._later = [_SEEN_LATER * min(float(one.min()) for one in trace.maps) for trace in traces]
        self._sights = [((sight.t_ns - still_ns) / 1e6, sight.shift_px) for sight in sights]
        fastest_mps = 8.0  # m/s, faster than any hand strikes
        self._reach = fastest_mps * field.px_per_mm  # pixels per millisecond
        span_ms = min(HORIZON_MS, max(trace.t_ms for trace in traces))
        speed_steps = 40
        self._step = max(2**field.halvings / span_ms, self._reach / speed_steps)

    def over(
        self, instants_ms: NDArray[np.float64], promising: Sequence[NDArray[np.int32]]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the least energy for each instant and grip, (N, G), and its path, (N, G, 3).

        Returns: energies; and the paths: velocity in x and y, pixels per millisecond, and turning, degrees
        per millisecond.

        `instants_ms`: (N,), ascending, counted from when the card was last seen in place. `promising`: the
        result of `promising`.
        """
        launches = np.stack(np.meshgrid(instants_ms, GRIPS_MS, indexing="ij"), axis=-1).reshape(-1, 2)
        energies = np.full(len(launches), np.inf, np.float32)
        ways = np.zeros((len(launches), 3))
        rows = np.arange(len(launches))
        for rate, places in zip(_TURN_RATES, promising, strict=True):
            if not len(places):
                continue
            (total,) = self._energies(launches, places, (rate,))
            best = total.argmin(axis=1)
            better = total[rows, best] < energies
            energies[better] = total[rows, best][better]
            ways[better, :2] = places[best[better]] * self._step
            ways[better, 2] = rate
        shape = len(instants_ms), len(GRIPS_MS)
        return energies.reshape(shape).astype(np.float64), ways.reshape(*shape, 3)

    def unlike_hand(self, velocity: NDArray[np.floating]) -> Floats:
        """Return the energy (P,) that velocities (P, 2), px/ms, cost for differing from the hand's."""
        if self._hand_px is None:
            return np.zeros(len(velocity), np.float32)
        sigma = speed_sigma_px(self._hand_px, self._px_per_mm)
        off = ((velocity - self._hand_px) ** 2).sum(axis=1) / (2 * sigma**2)
        # the most that a card is charged for flying off otherwise, e.g. from a hand that is hidden
        most_energy = 6.0
        return np.asarray(TEMPERATURE * np.minimum(off, most_energy), np.float32)

    def promising(self, instants_ms: NDArray[np.float64]) -> list[NDArray[np.int32]]:
        """Return for each rate of turning the places (P, 2) of the fine velocity grid worth trying."""
        instants_ms = _thinned(instants_ms)
        coarse_steps = 2  # steps of the fine grid per step of the coarse grid
        count = int(np.ceil(self._reach / self._step / coarse_steps))
        grid = coarse_steps * np.arange(-count, count + 1, dtype=np.int32)
        places = np.stack(np.meshgrid(grid, grid), axis=-1).reshape(-1, 2)
        places = places[np.hypot(*places.T) * self._step <= self._reach]
        launches = np.stack([instants_ms, np.zeros(len(instants_ms))], axis=-1)
        total = self._energies(launches, places, _TURN_RATES).swapaxes(0, 1)
        flat = total.reshape(len(launches), -1)
        most_places = 12  # places of the coarse grid kept for each of these instants
        kept = np.unique(np.argpartition(flat, min(most_places, flat.shape[1] - 1), axis=1)[:, :most_places])
        around = np.stack(np.meshgrid(*[np.arange(1 - coarse_steps, coarse_steps)] * 2), axis=-1).reshape(
            -1, 2
        )
        found = []
        for index in range(len(_TURN_RATES)):
            centres = places[kept[kept // len(places) == index] % len(places)]
            fine = (centres[:, None] + around).reshape(-1, 2)
            fine = fine[np.hypot(*fine.T) * self._step <= self._reach]
            found.append(np.unique(fine, axis=0).astype(np.int32))
        return found

    def _energies(
        self, launches: NDArray[np.float64], places: NDArray[np.int32], rates: Sequence[float]
    ) -> Floats:
        """Return the energies (R, L, P) of launches, instant and grip (L, 2), at P places of the grid.

        R is the number of `rates` of turning.
        """
        velocity = (places * self._step).astype(np.float32)
        common = np.tile(self.unlike_hand(velocity), (len(launches), 1))
        sight_sigma_px = 0.7
        sight_limit = 12.0
        for t_ms, (shift_x, shift_y) in self._sights:
            flown = _flown_ms(t_ms, launches)[:, None]
            miss = (flown * velocity[:, 0] - shift_x) ** 2 + (flown * velocity[:, 1] - shift_y) ** 2
            miss /= 2 * sight_sigma_px**2
            common += TEMPERATURE * (flown < HORIZON_MS) * np.minimum(miss, sight_limit)
        totals = np.tile(common, (len(rates), 1, 1))
        for atlas, later in zip(self._atlases, self._later, strict=True):
            flown = _flown_ms(atlas.t_ms, launches)
            near = flown <= HORIZON_MS
            every = bool(near.all())
            if not every:
                totals[:, ~near] += later
            if near.any():
                paths = atlas.paths(velocity, flown if every else flown[near])
                for index, rate in enumerate(rates):
                    totals[index, slice(None) if every else near] += paths.energies(rate)
        return totals


class _Atlas:
    """All maps of one picture in one array, one angle below the other, each with a rim of zeros."""

    def __init__(self, traces: Traces) -> None:
        self.t_ms = traces.t_ms
        self.cell = traces.cell
        self.first = np.array(traces.offsets, np.float32) / traces.cell + 1
        tall, wide = np.max([one.shape for one in traces.maps], axis=0) + 2
        self.tall = int(tall)
        maps = np.zeros((len(traces.maps), tall, wide), np.float32)
        for index, one in enumerate(traces.maps):
            maps[index, 1 : one.shape[0] + 1, 1 : one.shape[1] + 1] = one
        self.maps = maps.reshape(-1, wide)

    def paths(self, velocity: Floats, flown_ms: Floats) -> _Paths:
        """Return where cards are after flying for times (L,) at velocities (P, 2)."""
        scale = (flown_ms / np.float32(self.cell))[:, None]
        return _Paths(self, flown_ms, scale * velocity[:, 0], scale * velocity[:, 1])


@dataclass(frozen=True, slots=True, eq=False)
class _Paths:
    """Places of cards in a picture, at any angle: columns and rows (L, P) of its maps' cells."""

    atlas: _Atlas
    flown_ms: Floats
    columns: Floats
    rows: Floats

    def energies(self, rate: float) -> Floats:
        """Return the energies (L, P) of cards that turn at a rate, by bilinear interpolation."""
        atlas = self.atlas
        turned = (rate * self.flown_ms - ANGLES_DEG[0]) / (ANGLES_DEG[1] - ANGLES_DEG[0])
        angle = np.minimum(np.maximum(np.rint(turned), 0), len(ANGLES_DEG) - 1).astype(np.intp)
        first = atlas.first[angle]
        column, row = self.columns + first[:, :1], self.rows + first[:, 1:]
        np.minimum(np.maximum(row, 0, out=row), atlas.tall - 1, out=row)
        row += (angle * atlas.tall).astype(np.float32)[:, None]
        return np.asarray(
            cv2.remap(
                atlas.maps, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0.0
            ),
            np.float32,
        )


def _thinned(instants_ms: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return some of the instants, and the instants after the last one that a grip leads to."""
    kept = [instants_ms[0]]
    coarse_ms = 2.0  # step of the instants for which the coarse grid is tried
    for instant in instants_ms[1:]:
        if instant - kept[-1] >= coarse_ms:
            kept.append(instant)
    return np.array([*kept, instants_ms[-1] + GRIPS_MS[-1] / 2, instants_ms[-1] + GRIPS_MS[-1]])


def _flown_ms(t_ms: float, launches: NDArray[np.float64]) -> Floats:
    """Return the time of flight at full speed that leads as far as the launches (L, 2) do, (L,)."""
    since, grip = np.maximum(t_ms - launches[:, 0], 0.0), launches[:, 1]
    lost = grip * -np.expm1(-since / np.maximum(grip, 1e-6))
    return np.asarray(since - lost, np.float32)
