"""The pictures kept around the moment a card was last seen in place."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from vision.field.slots import SEEN_BLOCKS, Face, Floats, Shift, Sight, Slot
from vision.frames.frame import Frame, Gray
from vision.hands.frame_map import FrameMap

_T = TypeVar("_T")

_PROOF_SHARE = 2.0  # what is seen only for a while must be seen more clearly
_BARE_BLOCKS = 2

Window = tuple[slice, slice]  # rows and columns of a part of the frame


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A part of one frame, around a card."""

    t_ns: int
    gray: Gray  # the cut-out, (h, w)
    window: Window
    over: FrameMap  # what lay over the whole field, and whose it was
    # numbers of the slots whose cards were not seen in their places in the frame
    absent: frozenset[int] = frozenset()
    # those of them whose cards had been seen elsewhere by then, or whose place had shown the floor
    gone: frozenset[int] = frozenset()

    @property
    def light(self) -> Floats:
        """Factor of the light between the resting picture and the cut-out, of the cut-out's shape."""
        return self.over.light_at(self.window)

    def map_around(self, slot: Slot, reach_mm: float) -> Window:
        """Return the part of the players' map within `reach_mm` of a card's centre."""
        reach_px = reach_mm * slot.px_per_mm
        height, width = self.over.players.shape
        low = np.floor((slot.centre_px - reach_px) * self.over.scale).astype(int)
        high = np.ceil((slot.centre_px + reach_px) * self.over.scale).astype(int)
        (x0, y0), (x1, y1) = np.maximum(low, 0), np.maximum(high, 0)
        return slice(y0, min(y1, height)), slice(x0, min(x1, width))

    def kept(self) -> View:
        """Return the view with its own copy of the pixels, so that the frame can be freed."""
        return replace(self, gray=self.gray.copy())


@dataclass(slots=True)
class _Run:
    """An unbroken run of looks that show the same."""

    looks: int = 0
    since_ns: int = 0

    def proves(self, shown: bool, t_ns: int) -> bool:
        """Count a look; return whether the run is long enough not to be chance."""
        if not shown:
            self.looks = 0
            return False
        if self.looks == 0:
            self.since_ns = t_ns
        self.looks += 1
        proof_looks = 4
        proof_ns = 30_000_000
        return self.looks >= proof_looks and t_ns - self.since_ns >= proof_ns


@dataclass(slots=True, eq=False)
class Departure:
    """A card that is no longer seen in place."""

    window: Window  # where the views are cut out
    still_ns: int  # the last instant at which the card was seen in place
    # pictures around the last sight and around the moment the card was seen gone, in order of time
    views: list[View] = field(default_factory=list)
    # the first instant at which the card was seen elsewhere, or its place showed the floor, or it had
    # vanished faster than a hand covers it
    seen_gone_ns: int | None = None
    # the same without what may be a hand: a card that vanished, or floor that is seen when something has lain
    # over the card for a while and still does
    shown_gone_ns: int | None = None
    vanished: bool = False  # it vanished faster than a hand covers it
    # what first showed it gone may have been a hand: it vanished, or something like the floor was seen while
    # something lay over the card
    veiled: bool = False
    moved: bool = False  # the card was seen elsewhere since, if only by a little
    floorlike: bool = False  # what came over the card looks like bare floor, so seeing that proves nothing
    left: bool = False  # the floor was seen in its place long enough for a proof
    # the same, though something may have lain over a part of it. It is no proof alone: that may be a hand as
    # gray as the floor.
    bared: bool = False
    # (2,), where it lay when it was seen elsewhere long enough for a proof
    proof_shift_px: NDArray[np.float64] | None = None
    final_shift_px: NDArray[np.float64] | None = None  # (2,), where it lies in the end, if it stayed near
    settled_ns: int = 0  # the instant at which that was seen
    _closed: bool = False
    _found: dict[Hashable, Any] = field(default_factory=dict)
    _early: int | None = None
    _bare: _Run = field(default_factory=_Run)
    _floor: _Run = field(default_factory=_Run)
    _elsewhere: _Run = field(default_factory=_Run)

    @property
    def proven(self) -> bool:
        """Whether it was seen gone long and clearly enough to have been moved, even if it was put back."""
        return self.left or self.proof_shift_px is not None

    @property
    def may_be_veiled(self) -> bool:
        """Whether the only sign of its leaving is something like bare floor, which may be a hand as gray."""
        return self.floorlike and self.seen_gone_ns is None

    @property
    def slid_px(self) -> float:
        """How far from its place it came to lie; infinite if it did not stay near."""
        return math.inf if self.final_shift_px is None else float(np.hypot(*self.final_shift_px))

    @property
    def origin_px(self) -> tuple[int, int]:
        """(x, y) of the views' upper left corner in the frame."""
        return self.window[1].start, self.window[0].start

    @property
    def surely_gone_ns(self) -> int | None:
        """The first instant at which it was certainly away from its place; None if it may lie there."""
        return self.shown_gone_ns if self.veiled else self.seen_gone_ns

    @property
    def bracket_ns(self) -> tuple[int, int]:
        """The two instants between which the card set off: last seen in place, first seen gone."""
        latest = self.settled_ns if self.seen_gone_ns is None else self.seen_gone_ns
        return self.still_ns, max(latest, self.still_ns + 1)

    def after(self) -> list[View]:
        """Return the views after the last sight in place."""
        return [view for view in self.views if view.t_ns > self.still_ns]

    def place_in(self, view: View, face: Face) -> Shift | None:
        """Return where the card lies in one of the views; the search is done once."""
        return self.once(("place", view.t_ns), partial(face.find, view.gray, self.origin_px))

    def once(self, key: Hashable, find: Callable[[], _T]) -> _T:
        """Return what `find` finds in the views whose instants are in `key`, or the cached result."""
        if key not in self._found:
            self._found[key] = find()
        found: _T = self._found[key]
        return found

    def note(self, sight: Sight, proof_px: float) -> None:
        """Note what a frame shows of the card."""
        clearly = sight.seen >= SEEN_BLOCKS and sight.is_moved(_PROOF_SHARE * proof_px)
        self.moved |= sight.is_moved(proof_px)
        bare = sight.bare >= _BARE_BLOCKS and (sight.clear or not self.floorlike)
        if self.seen_gone_ns is None and (clearly or bare):
            self.seen_gone_ns, self.veiled = sight.t_ns, not (clearly or sight.clear)
        at_once_ns = 45_000_000  # floor seen beside an arm this soon after the card is no sleeve
        at_once = sight.t_ns - self.still_ns <= at_once_ns
        if self.shown_gone_ns is None and (clearly or (bare and (sight.clear or at_once))):
            self.shown_gone_ns = sight.t_ns
        left_blocks = 9
        if self._bare.proves(sight.clear and sight.bare >= left_blocks and not sight.seen, sight.t_ns):
            self.left = True
        self.bared |= self._floor.proves(sight.bare >= left_blocks and not sight.seen, sight.t_ns)
        if self._elsewhere.proves(clearly, sight.t_ns) and self.proof_shift_px is None:
            self.proof_shift_px = sight.shift_px.astype(np.float64)

    def is_refuted(self, sight: Sight, proof_px: float) -> bool:
        """Tell whether a look shows that the card lies in its place after all.

        A part of its face beside something like floor shows it, too: a sleeve of the floor's gray may come
        over a card from one picture to the next.
        """
        near = sight.seen > 0 and sight.length_px < proof_px
        if self.moved:
            # a card that moved is back in place only if it is seen this much nearer than the proof
            clean_share = 0.4
            return near and sight.length_px < clean_share * proof_px
        beside = min(sight.seen, sight.bare) >= _BARE_BLOCKS and not sight.is_moved(_PROOF_SHARE * proof_px)
        return near or (beside and self.seen_gone_ns is not None)

    def add(
        self,
        frame: Frame,
        over: FrameMap,
        absent: frozenset[int] = frozenset(),
        gone: frozenset[int] = frozenset(),
    ) -> None:
        """Keep a picture if it is wanted: around the last sight, and around the departure.

        See `View` for the parameters.
        """
        if self._closed:
            return
        self.views.append(View(frame.t_ns, frame.gray[self.window], self.window, over, absent, gone))
        if self._early is None:
            if _enough(self.views, self.still_ns):
                self.views = [view.kept() for view in self.views]
                self._early = len(self.views)
        elif self.seen_gone_ns is None:
            waiting_views = 6  # kept while something hides the card and nothing shows yet that it left
            del self.views[self._early : -waiting_views]
        if self.seen_gone_ns is not None and _enough(self.views, self.seen_gone_ns):
            self._closed = True
            self.views = [view.kept() for view in self.views]


def window_around(slot: Slot, size: tuple[int, int]) -> Window:
    """Return the part of a picture of `size` (width, height) that is kept of a card's departure."""
    reach_mm = 130.0  # around the card: a fast hand's way in one frame at 30 fps
    reach = reach_mm * slot.px_per_mm
    low = np.floor(slot.corners_px.min(axis=0) - reach).astype(int)
    high = np.ceil(slot.corners_px.max(axis=0) + reach).astype(int) + 1
    x0, y0 = np.maximum(low, 0)
    x1, y1 = np.minimum(high, size)
    return slice(int(y0), int(y1)), slice(int(x0), int(x1))


def _enough(views: list[View], since_ns: int) -> bool:
    after = sum(view.t_ns >= since_ns for view in views)
    after_views = 4
    after_ns = 45_000_000
    return after > after_views and views[-1].t_ns - since_ns >= after_ns
