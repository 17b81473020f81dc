"""Decide when a poem is over: the hands have left the field, and nobody may still take its card.

A hand that touched a wrong card, or only the cards beside the one that was read, leaves the field like a hand
that has taken it. But the card still lies there, and a player who sees that takes it a moment later.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from referee.facts import Gap, PoemStarted, Testimony, Touch, Unprovable
from vision.contact.facts import HIDDEN, may_be_touch
from vision.contact.rearrangement import UNSURE, is_dead
from vision.departures.outcome import End
from vision.frames.frame import Frame
from vision.poem.clearance import Clearance
from vision.poem.events import PoemSeen, WatchEvent
from vision.poem.watcher import PoemWatcher

CLOSES_NS = (
    150_000_000  # after the last card left: a sweeping hand may leave before the other player's comes in
)


def as_far_as_seen(event: WatchEvent, ends_ns: int, *, clear: bool) -> WatchEvent:
    """Return an event of a film that ends, with a gap if its poem may not have been over yet.

    `event`: a settled layout, or a poem; only a poem can get a gap. `ends_ns`: when the last picture was
    taken.
    """
    if not isinstance(event, PoemSeen):
        return event
    lasted_ns = ends_ns - event.start.t_ns
    touches = [fact for fact in event.facts if isinstance(fact, Touch) and fact.confidence > UNSURE]
    # a card that a hand hid until the end may have left long before
    touched_ns = [touch.earliest_ns for touch in touches]
    # a card below a hand that still lies there may have been touched
    hidden = any(isinstance(fact, Unprovable) and fact.reason == HIDDEN for fact in event.facts)
    # Films that end earlier than this, after the first sound or after a touch with a hand still over the
    # field, do not show all of a poem: of 1272 films of five renderers none ends sooner than 1.0 and 0.44 s
    # after.
    played_ns, after_touch_ns = 900_000_000, 300_000_000
    over = clear or (not hidden and all(ends_ns - t_ns >= after_touch_ns for t_ns in touched_ns))
    if lasted_ns >= played_ns and over:
        return event
    gap = Gap(event.start.t_ns, max(ends_ns, event.start.t_ns), "film_ends")
    return replace(event, facts=(*event.facts, gap))


class PoemEnd:
    """Follows the end of each poem that is played on a layout.

    `clearance`: tells whether hands lie over them. `is_awaited`: whether people wait for the ruling.

    `clear_since_ns`: since when no arm has been over the field; None while one is or may be there.
    `sees_hand`: whether one was over it when it was looked for last.
    """

    def __init__(self, watcher: PoemWatcher, clearance: Clearance, *, is_awaited: bool) -> None:
        self._watcher, self._clearance = watcher, clearance
        self._is_awaited = is_awaited
        # A poem is over when something was touched and no arm has been over the field for this long. The
        # longer time holds if nobody waits for the ruling: a hand may leave the field for a moment and
        # strike again.
        clear_ns, surely_clear_ns = 15_000_000, 60_000_000
        self._patience_ns = clear_ns if is_awaited else surely_clear_ns
        self.clear_since_ns: int | None = None
        self.sees_hand = False
        self._waits_until_ns: int | None = None
        self._poem: int | None = None

    def begin(self, poem: int) -> None:
        self._waits_until_ns, self._poem, self.sees_hand = None, poem, False

    def is_clear(self, frames: Sequence[Frame]) -> bool:
        """Tell whether no arm has been over the field for a while, and no card has just left.

        `frames` are the latest pictures, in order of time.
        """
        watcher, t_ns = self._watcher, frames[-1].t_ns
        if watcher.over is None:
            return False
        gone = watcher.gone()
        self.sees_hand = self._clearance.hands_over_field(watcher.over, gone, t_ns, self._poem)
        if self.sees_hand:
            self.clear_since_ns = None
        elif self.clear_since_ns is None:
            self.clear_since_ns = t_ns
        if self.clear_since_ns is None or t_ns - watcher.last_still_ns() < CLOSES_NS:
            return False
        clear_ns = t_ns - self.clear_since_ns
        # How long to wait for a hand that looks like the floor: it leaves, and shows a card or the floor.
        veiled_ns = 400_000_000
        if clear_ns < self._patience_ns:
            return False
        if clear_ns < veiled_ns and any(map(watcher.looks_bare, watcher.veiled())):
            return False
        sleeve_ns = 1_000_000_000  # the same for a sleeve that looks like the floor in somebody's shade
        return clear_ns >= sleeve_ns or not self._may_be_shaded(frames[-1])

    def _may_be_shaded(self, frame: Frame) -> bool:
        """Tell whether what looks like bare floor lies in a dark shade, or is a sleeve."""
        watcher = self._watcher
        # A sleeve wider than two arms seems to lie in a light of its own. Of 149 places that cards had left,
        # two were this dark; of eight below a sleeve, seven.
        dim_share = 0.8
        dim = dim_share * watcher.map.lighting.factor
        return any(
            watcher.field.light_around(int(number), frame.gray) < dim
            for number in np.flatnonzero(watcher.gone())
        )

    def is_played(self, poem: int, facts: Sequence[Testimony]) -> bool:
        """Tell whether something was touched that may end a poem, or a hand may have pressed its card."""
        dead = is_dead(poem, self._cards)
        return any(
            isinstance(fact, Touch) or (may_be_touch(fact) and (dead or fact.card == poem)) for fact in facts
        )

    def waits(self, poem: int, facts: Sequence[Testimony], t_ns: int) -> bool:
        """Tell whether a poem's card may still be taken after something was touched.

        If nobody waits for the ruling, a dead poem stays open until no second strike is to be expected.

        `facts`: the latest answer of the watcher.
        """
        touches = [fact for fact in facts if may_be_touch(fact)]
        if touches and not self._is_awaited and is_dead(poem, self._cards):
            # A player who struck at a dead card may strike once more: at most 0.69 s later in all but one of
            # 235 such poems. A hand that is on its way by then is waited for.
            again_ns = 700_000_000
            self._waits_until_ns = max(touch.t_ns for touch in touches) + again_ns
            return t_ns < self._waits_until_ns
        if any(touch.card == poem for touch in touches) or not self._lies(poem):
            return False
        if self._waits_until_ns is None:
            # Nobody waits longer before taking a read card that still lies there after others were touched.
            taken_ns = 1_000_000_000
            self._waits_until_ns = t_ns + taken_ns
        return t_ns < self._waits_until_ns

    def is_left_alone(self, start: PoemStarted, frames: Sequence[Frame]) -> bool:
        """Tell whether nobody will play a poem any more: its card is not there, and it was read.

        `frames` as for `is_clear`.
        """
        # The first half is read in 5 s at competition pace, and nobody plays after it.
        half_read_ns = 6_000_000_000
        was_read = frames[-1].t_ns - start.t_ns >= half_read_ns
        return was_read and is_dead(start.poem, self._cards) and self.is_clear(frames)

    @property
    def _cards(self) -> list[int | None]:
        return [slot.card for slot in self._watcher.grid.slots]

    def is_due(self, t_ns: int) -> bool:
        """Tell whether the wait for a card is over."""
        return self._waits_until_ns is not None and t_ns >= self._waits_until_ns

    def _lies(self, poem: int) -> bool:
        """Tell whether a card lies in its place by the watcher's latest answer."""
        slots = self._watcher.grid.slots
        return any(
            slot.card == poem and one.end is End.IN_PLACE
            for slot, one in zip(slots, self._watcher.ends, strict=True)
        )
