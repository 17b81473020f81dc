"""When a poem is over: hands have left the field, and its card does not wait to be taken any more.

A hand that touched a wrong card, or only the cards beside the one that was read, leaves the field like one
that has taken it. But the card still lies there, and who sees that takes it a moment later.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from referee.facts import Gap, Testimony, Touch, Unprovable
from vision.contact.facts import HIDDEN
from vision.contact.rearrangement import is_dead
from vision.departures.outcome import End
from vision.departures.residual_motion import stirs
from vision.frames.frame import Frame
from vision.poem.clearance import Clearance
from vision.poem.events import PoemSeen, WatchEvent
from vision.poem.watcher import PoemWatcher


def as_far_as_seen(event: WatchEvent, ends_ns: int, *, clear: bool) -> WatchEvent:
    """Return what is told as the pictures end, with a gap where a poem cannot have been over by then.

    Parameters
    ----------
    ends_ns : when the last picture was taken.
    clear : no hand was over the field then.
    """
    if not isinstance(event, PoemSeen):
        return event
    lasted_ns = ends_ns - event.start.t_ns
    unsure_chance = 0.5  # so sure of a touch nobody counts on it
    touches = [fact for fact in event.facts if isinstance(fact, Touch) and fact.confidence > unsure_chance]
    # of a card that a hand hid until the end it is not known when it went: it may have been long before
    touched_ns = [touch.earliest_ns for touch in touches]
    # below a hand that still lies there a card may have been touched
    hidden = any(isinstance(fact, Unprovable) and fact.reason == HIDDEN for fact in event.facts)
    # Pictures that end sooner after the first sound, or after a touch with a hand still over the field, do
    # not show all of a poem: in 1272 films of five renderers they end 1.0 and 0.44 s after it at the soonest.
    played_ns, after_touch_ns = 900_000_000, 300_000_000
    over = clear or (not hidden and all(ends_ns - t_ns >= after_touch_ns for t_ns in touched_ns))
    if lasted_ns >= played_ns and over:
        return event
    gap = Gap(event.start.t_ns, max(ends_ns, event.start.t_ns), "film_ends")
    return replace(event, facts=(*event.facts, gap))


class PoemEnd:
    """Follows the end of the poems that are played on a layout.

    Parameters
    ----------
    watcher : what watches its cards.
    clearance : tells whether hands lie over them.
    is_awaited : people wait for the ruling.

    Attributes
    ----------
    clear_since_ns : since when no arm has been over the field, None where one is or may be.
    """

    def __init__(self, watcher: PoemWatcher, clearance: Clearance, *, is_awaited: bool) -> None:
        self._watcher, self._clearance = watcher, clearance
        self._is_awaited = is_awaited
        # A poem is over when something was touched and no arm has been over the field for this long: where
        # people wait for the ruling, and where nobody does. A hand may leave the field for a moment and
        # strike once more.
        clear_ns, surely_clear_ns = 15_000_000, 60_000_000
        self._patience_ns = clear_ns if is_awaited else surely_clear_ns
        self.clear_since_ns: int | None = None
        self._waits_until_ns: int | None = None

    def begin(self) -> None:
        """Take note that a poem begins."""
        self._waits_until_ns = None

    def is_clear(self, frames: Sequence[Frame]) -> bool:
        """Tell whether no arm has been over the field for a while, and no card has just left.

        `frames` are the latest pictures, in order of time.
        """
        watcher, t_ns = self._watcher, frames[-1].t_ns
        if watcher.over is None:
            return False
        if self._clearance.hands_over_field(watcher.over, watcher.gone()):
            self.clear_since_ns = None
        elif self.clear_since_ns is None:
            self.clear_since_ns = t_ns
        # A hand that sweeps may be out of the field at once: the other player's may still be on its way to
        # it.
        both_come_ns = 150_000_000
        if self.clear_since_ns is None or t_ns - watcher.last_still_ns() < both_come_ns:
            return False
        clear_ns = t_ns - self.clear_since_ns
        # For so long a hand that looks like the floor is waited for: it leaves, and shows a card or the
        # floor.
        veiled_ns = 400_000_000
        if clear_ns < self._patience_ns or (clear_ns < veiled_ns and self._may_be_veiled(frames)):
            return False
        sleeve_ns = 1_000_000_000  # for a sleeve that looks like the floor in somebody's shade
        return clear_ns >= sleeve_ns or not self._may_be_shaded(frames[-1])

    def _may_be_veiled(self, frames: Sequence[Frame]) -> bool:
        """Tell whether what looks like the bare floor may be a hand."""
        watcher = self._watcher
        if any(watcher.looks_bare(number) for number in watcher.veiled()):
            return True
        return any(stirs(watcher.grid.slots[number], frames) for number in np.flatnonzero(watcher.gone()))

    def _may_be_shaded(self, frame: Frame) -> bool:
        """Tell whether what looks like the bare floor lies in a dark shade, or is a sleeve."""
        watcher = self._watcher
        # Where a sleeve is wider than two arms, all of it seems to lie in its own light. Of 149 places that
        # cards had left two lay in one so dark, of eight below a sleeve seven.
        dim_share = 0.8
        dim = dim_share * watcher.map.lighting.factor
        return any(
            watcher.field.light_around(int(number), frame.gray) < dim
            for number in np.flatnonzero(watcher.gone())
        )

    def waits(self, poem: int, facts: Sequence[Testimony], t_ns: int) -> bool:
        """Tell whether the card of a poem, in which something was touched, may still be taken.

        Where nobody waits for the ruling, a dead poem lasts until nobody strikes once more.

        Parameters
        ----------
        poem : its number.
        facts : the latest answer of the watcher.
        t_ns : now.
        """
        touches = [fact for fact in facts if isinstance(fact, Touch)]
        cards = [slot.card for slot in self._watcher.grid.slots]
        if touches and not self._is_awaited and is_dead(poem, cards):
            # A player who struck at a dead card may strike once more: in all but one of 235 such poems at
            # most 0.69 s later, and a hand that is on its way is waited for.
            again_ns = 700_000_000
            self._waits_until_ns = max(touch.t_ns for touch in touches) + again_ns
            return t_ns < self._waits_until_ns
        if any(touch.card == poem for touch in touches) or not self._lies(poem):
            return False
        if self._waits_until_ns is None:
            # Nobody waits for longer with a card that was read and still lies there after others were
            # touched.
            taken_ns = 1_000_000_000
            self._waits_until_ns = t_ns + taken_ns
        return t_ns < self._waits_until_ns

    def is_due(self, t_ns: int) -> bool:
        """Tell whether a card has waited for long enough."""
        return self._waits_until_ns is not None and t_ns >= self._waits_until_ns

    def _lies(self, poem: int) -> bool:
        """Tell whether a card lies in its place, by the latest answer of the watcher."""
        slots = self._watcher.grid.slots
        return any(
            slot.card == poem and one.end is End.IN_PLACE
            for slot, one in zip(slots, self._watcher.ends, strict=True)
        )
