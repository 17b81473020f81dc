"""Measure from trials called aloud what moves a resting card in a hall: floor, air, cloth, camera and lamps.

Each trial is watched like a poem that has no card on the field. So what moves is measured by the eye's own
means (`SteadyView`, `LightMeter`, `endings`), and what the eye would tell of it is known as well.
"""

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.clocks.timing import FrameTiming, measure_timing
from calibration.failure import FailedEstimation
from referee.facts import Gap, Touch
from referee.sentence import Sentence
from referee.sides import Side
from vision.contact.small_slides import SMALL_MM
from vision.departures.outcome import End
from vision.field.layout_reader import FIELD_CORNERS_M, LayoutReading, read_layout
from vision.field.picture_quality import enlarged
from vision.field.slots import SEEN_BLOCKS, sights_of
from vision.field.stillness import RESTING_FRAMES, StillnessMeter
from vision.frames.frame import Frame
from vision.frames.light_meter import LightMeter
from vision.launch.territory_exit import territories_px
from vision.poem.watcher import PoemWatcher
from vision.torifuda.prior_knowledge import NOTHING_KNOWN, PriorKnowledge

_CARD_MM = 45.0  # from a card's middle to its corners: a hand this near may have touched it
FROM_MM = (_CARD_MM, 80.0, 150.0, 300.0)
"""Distances of a card's centre from the nearest hand at which the classes of the table begin."""

Floats = NDArray[np.float64]


class Trial(StrEnum):
    """What was called aloud."""

    QUIET = "quiet"
    KNEEL = "kneel"
    SLAP = "slap"
    SWEEP = "sweep"
    SLEEVE = "sleeve"
    PASSER = "passer"
    SILENT = "silent"
    PRESS = "press"
    HOVER = "hover"

    @property
    def touches(self) -> bool:
        """Whether a card is touched in it."""
        return self in (Trial.SILENT, Trial.PRESS)

    @property
    def shakes(self) -> bool:
        """Whether in it only floor or camera can move a card that no hand is over."""
        return self in (Trial.QUIET, Trial.KNEEL, Trial.SLAP, Trial.PASSER)


@dataclass(frozen=True, slots=True, eq=False)
class _Watched:
    """One trial that was watched."""

    trial: Trial  # what was called
    # moved_mm, away_mm: (N,), how far each card moved that no hand was over, infinite if it left its place,
    # and how near a hand came to its centre
    moved_mm: Floats
    away_mm: Floats
    noise_mm: Floats  # (M,), how far resting cards seemed to lie from their places in single pictures
    carried_mm: Floats  # (T, 2, 2), for each picture how far near and far half moved together, x and y
    t_s: Floats  # (T,), the instants of these pictures
    told: str  # `touch`, `unprovable` or `nothing`
    lag_ns: float | None  # how late the camera showed a motion; None if nothing told it


class HallTrials:
    """Watches trials, one after the other.

    `known`: what is known of the camera and the deck.

    `reading`: the field at the beginning of the latest trial that could be watched. `problem`: why a trial
    could not be watched, the latest; empty if none failed.
    """

    def __init__(self, known: PriorKnowledge = NOTHING_KNOWN) -> None:
        self._known = known
        self._stillness, self._light = StillnessMeter(), LightMeter()
        self._recent: deque[Frame] = deque(maxlen=RESTING_FRAMES)
        self._t_ns: list[int] = []
        self._ripples: list[float] = []
        self._open: _OpenTrial | None = None
        self.reading: LayoutReading | None = None
        self._done: list[_Watched] = []
        self._unread = 0
        self.problem = Sentence()

    def begin(self, trial: Trial) -> None:
        """End the trial before, and begin the next one with the field as it rests now."""
        self.end()
        resting = self._stillness.at_rest(self._recent)
        if not resting:
            self._leave_out(Sentence("no picture came before it was called"))
            return
        geometry = None if self.reading is None else self.reading.geometry
        found = read_layout([one.gray for one in resting], geometry, self._known, resting[-1].colour)
        if isinstance(found, FailedEstimation) or not found.slots():
            none = Sentence("no card was found")
            self._leave_out(found.told if isinstance(found, FailedEstimation) else none)
            return
        self.reading = found
        self._stillness.look_only_at(found.geometry.to_image(FIELD_CORNERS_M))
        self._open = _OpenTrial(trial, found, resting)

    def end(self) -> None:
        """End the open trial, if there is one."""
        watched = None if self._open is None else self._open.ended()
        if watched is not None:
            self._done.append(watched)
        self._open = None

    def feed(self, frame: Frame) -> None:
        """Take in the next picture."""
        frame = enlarged(frame)
        self._t_ns.append(frame.t_ns)
        self._light.feed(frame)
        self._stillness.feed(frame)
        self._recent.append(frame)
        if self._open is not None:
            self._open.feed(frame, at_rest=self._stillness.still_since_ns is not None)
            if self._open.trial is Trial.QUIET and self._light.ripple:
                self._ripples.append(self._light.ripple)

    def figures(self) -> dict[str, Any]:
        """Return the table: JSON-able figures with units in their names; None where nothing tells one."""
        shakes = [one for one in self._done if one.trial.shakes]
        quiet = [one for one in self._done if one.trial is Trial.QUIET]
        noise_mm = _share(np.concatenate([np.zeros(0), *(one.noise_mm for one in quiet)]), 95)
        moved_mm = np.concatenate([np.zeros(0), *(one.moved_mm for one in shakes)])
        by_floor_mm = moved_mm[moved_mm < SMALL_MM]  # no floor moves a card farther
        floor_mm = max([noise_mm or 0.0, *by_floor_mm.tolist()]) if shakes else None
        timing = measure_timing(self._t_ns)
        fps, lost_share = None, None
        if isinstance(timing, FrameTiming):
            fps, lost_share = timing.fps, timing.lost / (timing.frames + timing.lost)
        tremble_mm, tremble_hz = _tremble(quiet)
        shaken_mm, shaken_hz = _tremble(self._done)
        return {
            "fps": fps,
            "lost_share": lost_share,
            "floor_mm": floor_mm,
            "noise_mm": noise_mm,
            "tremble_mm": tremble_mm,
            "tremble_hz": tremble_hz,
            "shaken_mm": shaken_mm,
            "shaken_hz": shaken_hz,
            "drift_mm": _drift(quiet),
            "creep_mm": _drift([one for one in self._done if one.trial is Trial.KNEEL]),
            "ripple_share": float(np.median(self._ripples)) if self._ripples else None,
            "lag_ms": _share(
                np.array([one.lag_ns for one in self._done if one.lag_ns is not None]) / 1e6, 50
            ),
            "from_mm": list(FROM_MM),
            "shock": {
                trial.value: self._by_distance(trial) for trial in (Trial.SLAP, Trial.SWEEP, Trial.SLEEVE)
            },
            "told": {
                trial.value: Counter(one.told for one in self._done if one.trial is trial)
                for trial in Trial
                if any(one.trial is trial for one in self._done)
            },
            "unread": self._unread,
        }

    def _leave_out(self, why: Sentence) -> None:
        self._unread += 1
        self.problem = why

    def _by_distance(self, trial: Trial) -> dict[str, list[float | None] | list[int]]:
        """Return for each distance how many cards there were, how far they moved, and how many left."""
        done = [one for one in self._done if one.trial is trial]
        moved_mm, away_mm = (
            np.concatenate([np.zeros(0), *parts])
            for parts in ([one.moved_mm for one in done], [one.away_mm for one in done])
        )
        ends = (*FROM_MM[1:], np.inf)
        known = ~np.isnan(moved_mm)
        moved_mm, away_mm = moved_mm[known], away_mm[known]
        classes = [
            moved_mm[(away_mm >= low) & (away_mm < high)] for low, high in zip(FROM_MM, ends, strict=True)
        ]
        stayed = [one[np.isfinite(one)] for one in classes]
        return {
            "cards": [len(one) for one in classes],
            "usual_mm": [_share(one, 50) for one in stayed],
            "most_mm": [_share(one, 100) for one in stayed],
            "left": [int(np.isinf(one).sum()) for one in classes],
        }


class _OpenTrial:
    """Watches one trial from its call on."""

    def __init__(self, trial: Trial, reading: LayoutReading, resting: Sequence[Frame]) -> None:
        self.trial = trial
        slots, pictures = reading.slots(), [frame.gray for frame in resting]
        self._watcher = PoemWatcher(slots, pictures, None, territories_px(reading.geometry))
        self._middles_px = np.array([slot.centre_px for slot in slots])
        self._sides = np.array([slot.side is Side.NEAR for slot in slots])
        self._away_mm = np.full(len(slots), np.inf)
        self._still: deque[Frame] = deque(maxlen=RESTING_FRAMES)
        self._carried_mm: list[Floats] = []
        self._t_s: list[float] = []
        self._noise_mm: list[Floats] = []
        for frame in resting[-1:]:
            self._watcher.feed(frame, at_rest=True)

    def feed(self, frame: Frame, *, at_rest: bool) -> None:
        watcher = self._watcher
        steadied = watcher.steadied(frame)
        carried_mm = watcher.carried_px() / watcher.px_per_mm
        halves = [carried_mm[self._sides == near] for near in (True, False)]
        self._carried_mm.append(
            np.array([half.mean(axis=0) if len(half) else np.full(2, np.nan) for half in halves])
        )
        self._t_s.append(frame.t_ns / 1e9)
        watcher.feed(steadied, at_rest=at_rest)
        if at_rest:
            self._still.append(steadied)
        else:
            self._still.clear()
        self._see_hands()
        noise_every = 10  # pictures: those between tell the same
        if self.trial is Trial.QUIET and len(self._t_s) % noise_every == 0:
            self._noise_mm.append(self._lie_mm(steadied.gray))

    def ended(self) -> _Watched | None:
        """Return what was seen; None if no picture came."""
        if not self._t_s:
            return None
        facts = [fact for fact in self._watcher.finish() if not isinstance(fact, Gap)]
        touched = any(isinstance(fact, Touch) for fact in facts)
        told = "touch" if touched else "unprovable" if facts else "nothing"
        free = self._away_mm > _CARD_MM
        return _Watched(
            self.trial,
            self._moved_mm()[free],
            self._away_mm[free],
            np.concatenate([np.zeros(0), *self._noise_mm]),
            np.array(self._carried_mm),
            np.array(self._t_s),
            told,
            self._watcher.lag_ns,
        )

    def _see_hands(self) -> None:
        over = self._watcher.over
        if over is None or not over.area:
            return
        # the rims of a card that jumps differ from its resting picture, too, but are thinner than a hand
        hands = cv2.morphologyEx(over.mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        if not hands.any():
            return
        away_cells = cv2.distanceTransform((hands == 0).astype(np.uint8), cv2.DIST_L2, 3)
        height, width = over.mask.shape
        x, y = np.rint(self._middles_px * over.scale).astype(np.intp).T
        cells = away_cells[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
        mm_per_cell = 1 / (self._watcher.px_per_mm * over.scale)
        self._away_mm = np.minimum(self._away_mm, cells * mm_per_cell)

    def _moved_mm(self) -> Floats:
        """Return how far each card lies from its place in the end, infinite if it left it, (S,)."""
        if self._still:
            mean = np.mean([frame.gray for frame in self._still], axis=0)
            lies_mm = self._lie_mm(np.rint(mean).astype(np.uint8), every=True)
        else:  # somebody still moved as the next trial was called
            lies_mm = np.full(len(self._away_mm), np.nan)
        for number, ending in enumerate(self._watcher.ends):
            if ending.end is End.MOVED and ending.shift_px is not None:
                lies_mm[number] = np.hypot(*ending.shift_px) / self._watcher.px_per_mm
            elif ending.end in (End.GONE, End.MOVED):
                lies_mm[number] = np.inf
            elif ending.end is End.HIDDEN:
                lies_mm[number] = np.nan
        return lies_mm

    def _lie_mm(self, gray: NDArray[np.uint8], *, every: bool = False) -> Floats:
        """Return how far cards lie from their places; those that cannot be seen left out, or as nan."""
        sights = sights_of(self._watcher.grid.look(gray), 0)
        lies_mm = np.array([one.length_px / self._watcher.px_per_mm for one in sights], np.float64)
        seen = np.array([one.seen >= SEEN_BLOCKS for one in sights])
        return np.where(seen, lies_mm, np.nan) if every else lies_mm[seen]


def _tremble(done: Sequence[_Watched]) -> tuple[float | None, float | None]:
    """Return how far the picture moved about its mean place at most, and at which rate; None if unknown."""
    most_mm, rate_hz = None, None
    for one in done:
        both_mm = np.nanmean(one.carried_mm, axis=1)
        fewest = 16  # pictures that tell a rate
        if len(both_mm) < fewest:
            continue
        drift = np.stack([np.polyval(np.polyfit(one.t_s, way, 1), one.t_s) for way in both_mm.T], axis=1)
        swing_mm = both_mm - drift
        length_mm = float(np.hypot(*swing_mm.T).max())
        if most_mm is None or length_mm > most_mm:
            least_mm = 0.05  # below it noise has no rate
            most_mm, rate_hz = length_mm, _rate_hz(one.t_s, swing_mm) if length_mm > least_mm else None
    return most_mm, rate_hz


def _rate_hz(t_s: Floats, swing_mm: Floats) -> float:
    """Return the rate with the most power; the pictures may come a little unevenly."""
    even_s = np.linspace(t_s[0], t_s[-1], len(t_s))
    padded = 8 * len(t_s)  # so that the peak is found between two whole periods, too
    power = sum(
        np.abs(np.fft.rfft(np.interp(even_s, t_s, way) * np.hanning(len(t_s)), padded)) ** 2
        for way in swing_mm.T
    )
    step_s = float(even_s[1] - even_s[0])
    return float(np.fft.rfftfreq(padded, step_s)[int(np.argmax(power))])


def _drift(done: Sequence[_Watched]) -> float | None:
    """Return how far a half lay at the end of a trial from where it lay at its beginning, at most."""
    lengths_mm = []
    for one in done:
        around_s = 0.5  # over which a place is taken, so that no tremble counts
        first = one.carried_mm[one.t_s <= one.t_s[0] + around_s]
        last = one.carried_mm[one.t_s >= one.t_s[-1] - around_s]
        way_mm = np.nanmedian(last, axis=0) - np.nanmedian(first, axis=0)
        lengths_mm += [float(length) for length in np.hypot(*way_mm.T) if np.isfinite(length)]
    return max(lengths_mm, default=None)


def _share(values: Floats, percent: float) -> float | None:
    """Return the value below which so many of a hundred lie; None if there are none."""
    finite = values[np.isfinite(values)]
    return float(np.percentile(finite, percent)) if len(finite) else None
