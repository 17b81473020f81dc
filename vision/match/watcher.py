"""Follow a whole match as the eye sees it: settled layouts, and each poem with its facts.

Between poems players put cards back, send some and take others away, so the layout is read anew whenever the
field has come to rest after a motion. The cards are watched from then on. The next poem is judged against
that layout; its facts are complete when something was touched and the field is at rest again. Whatever
happens after that, until the next settled layout, is tidying and no contact.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np

from calibration.failure import FailedEstimation
from referee.facts import FieldSettled, Gap, PoemStarted, Testimony, Touch
from vision.contact.rearrangement import is_early, is_play, is_tidied, may_be_carried, soonest_ns
from vision.departures.card_track import EarlySighting
from vision.departures.outcome import proof_px
from vision.field.layout_reader import FIELD_CORNERS_M, LayoutReading
from vision.field.picture_quality import as_delivered, enlarged, lies_out_of_view
from vision.field.stillness import RESTING_FRAMES, SETTLE_NS, StillnessMeter
from vision.frames.frame import Frame, Gray
from vision.frames.shutter import RowClock
from vision.launch.territory_exit import territories_px
from vision.match.known_field import (
    OUT_OF_VIEW,
    ClosedPoem,
    KnownField,
    LastRest,
    fullest,
    named,
    told_by_name,
)
from vision.poem.clearance import Clearance
from vision.poem.closure import PoemEnd, as_far_as_seen
from vision.poem.disturbance import as_long_as, disturbance, lies_as_it_lay
from vision.poem.events import PoemSeen, WatchEvent
from vision.poem.watcher import PoemWatcher
from vision.torifuda.prior_knowledge import NOTHING_KNOWN, PriorKnowledge
from vision.witnesses.second_camera import SecondWitness, account_of


class MatchWatcher:
    """Follows a match from frame to frame.

    `report_tidying`: report every settled layout between poems, as a live panel shows them, and each poem as
    soon as its hands have left. False, enough for a recording, reads only the layouts that poems are played
    on, which halves the work, and waits a little for hands that come back. `second`: the sightings of another
    camera of the same field; its facts are combined with this one's. `known`: what is known beforehand of the
    camera's lens and of the deck.

    `reading`: the latest settled layout, in pixels of the frames that were fed; None before the first.
    """

    def __init__(
        self,
        *,
        report_tidying: bool = True,
        second: SecondWitness | None = None,
        known: PriorKnowledge = NOTHING_KNOWN,
    ) -> None:
        self._report_tidying, self._second = report_tidying, second
        self._field = KnownField(known)
        self._width_px = 0
        self.reading: LayoutReading | None = None
        self._stillness = StillnessMeter()
        self._rows = RowClock(known.readout)
        self._recent: deque[Frame] = deque(maxlen=RESTING_FRAMES)
        self._rest = LastRest(keeps_since=not report_tidying)
        self._watcher: PoemWatcher | None = None
        self._clearance: Clearance | None = None
        self._start: PoemStarted | None = None
        self._is_unnamed = False
        self._closed: ClosedPoem | None = None
        self._contacts: Sequence[Testimony] = ()  # of the open poem, as last computed
        self._read_at_ns: int | None = None
        self._retry_ns = 0
        self._end: PoemEnd | None = None
        self._is_unsettled = False
        self._unwatched: Gap | None = None
        self._watched_from_ns = 0

    @property
    def problem(self) -> FailedEstimation | None:
        """Why the last try to read a layout failed; None if it succeeded."""
        return self._field.problem

    @property
    def given(self) -> frozenset[int]:
        """Names of cards that a person gave; see `name_card`."""
        return self._field.given

    @property
    def obstacle(self) -> str:
        """What keeps the open poem open: a `hand` over the field, `motion`, or nothing of both ("")."""
        if self._start is None or self._end is None:
            return ""
        moves = self._stillness.still_since_ns is None
        return "hand" if self._end.sees_hand else "motion" if moves else ""

    def poem_started(self, start: PoemStarted) -> list[WatchEvent]:
        """Register a poem's first sound; an open poem ends now at the latest."""
        self.verse_withdrawn()
        events = self._close_poem(next_ns=start.t_ns) if self._start is not None else []
        self._closed = None
        self._is_unsettled, self._unwatched = False, None
        if self._is_stale() and self._recent:
            events += self._read_before_poem()
        if self._watched_from_ns > soonest_ns(start):
            self._unwatched = Gap(start.t_ns, self._watched_from_ns, "view_blocked")
        self._start = start
        if self._end is not None:
            self._end.begin(start.poem)
        if self._second is not None and self._field.reading is not None and self._watcher is not None:
            self._second.begin(self._field.reading, self._watcher.grid.picture.astype(np.uint8))
        return events

    def verse_began(self, t_ns: int, t_unc_ns: int) -> list[WatchEvent]:
        """Register a first sound before it is known which poem it is, or whether it is one at all.

        The poem stays open until `poem_named` or `verse_withdrawn`, whatever is touched.
        """
        joka = 0  # stands for a poem without a name: the eye never watches the joka
        events = self.poem_started(PoemStarted(joka, t_ns, t_unc_ns))
        self._is_unnamed = True
        return events

    def poem_named(self, start: PoemStarted) -> list[WatchEvent]:
        """Name the poem of the open verse; if none is open any more, the poem begins now."""
        if not self._is_unnamed:
            return self.poem_started(start)
        self._start, self._is_unnamed = start, False
        return []

    def poem_renamed(self, start: PoemStarted) -> list[WatchEvent]:
        """Correct the latest poem's name; return the poem again if it was closed already."""
        if self._start is not None:
            self._start = start
        if self._start is not None or self._closed is None:
            return []
        was, self._closed = self._closed.seen.start.poem, self._closed.named(start)
        self._field.note_taken(start.poem, self._closed.seen.facts, instead_of=was)
        return [self._closed.seen]

    def verse_withdrawn(self) -> None:
        """Discard the open verse, which was no poem; the field is read anew when it rests."""
        if self._is_unnamed:
            self._start, self._is_unnamed, self._read_at_ns = None, False, None
            self._rest.forget()

    def feed(self, frame: Frame) -> list[WatchEvent]:
        """Process the next frame and return what has become known."""
        self._width_px = frame.shape_px[1]
        frame = enlarged(frame)
        self._stillness.feed(frame)
        if self._watcher is not None and frame.glance is None:
            frame = self._watcher.steadied(frame)
        self._recent.append(frame)
        if self._watcher is not None:
            self._watcher.feed(frame, at_rest=self._stillness.still_since_ns is not None)
        if self._start is None or self._watcher is None or self._end is None:
            return self._watch_tidying(frame)
        self._rest.note(frame, self._resting() if self._stillness.is_at_rest(frame.t_ns) else [])
        if self._is_unnamed:
            return []
        if self._is_unsettled and self._stillness.is_at_rest(frame.t_ns) and (events := self._settle(frame)):
            return events
        stale = self._is_stale() or self._end.is_due(frame.t_ns)
        if stale and self._end.is_clear(self._recent) and not self._was_found_clear(frame.t_ns):
            return self._found_clear(frame)
        if self._report_tidying:
            at_rest = self._stillness.is_at_rest(frame.t_ns)
            if at_rest and self._end.is_left_alone(self._start, self._recent):
                return self._close_untouched()
        return []

    def _close_untouched(self) -> list[WatchEvent]:
        """End a poem that nobody played; the field is read anew, since the rules wait for it."""
        assert self._watcher is not None
        events = self._close_poem(self._facts(self._watcher))
        self._read_at_ns = None
        return events

    def _settle(self, frame: Frame) -> list[WatchEvent]:
        """Read the field that was still being tidied as the poem began, unless somebody has played by now."""
        assert self._start is not None
        assert self._watcher is not None
        if any(is_play(fact, self._start) for fact in self._facts(self._watcher)):
            return []
        self._is_unsettled = False
        if frame.t_ns > soonest_ns(self._start):  # something may have been missed
            self._unwatched = Gap(self._start.t_ns, frame.t_ns, "view_blocked")
        return self._read_layout(self._resting())

    def _found_clear(self, frame: Frame) -> list[WatchEvent]:
        """Judge what the hands that have left the field did; a poem in which they touched something ends."""
        assert self._watcher is not None
        assert self._start is not None
        assert self._end is not None
        facts, start = self._facts(self._watcher), self._start
        if self._is_unsettled and not any(is_play(fact, start) for fact in facts):
            return []
        # in a recording, a hand that carries a card is followed until it leaves
        carried = not self._report_tidying and may_be_carried(self._watcher.manners, facts, start)
        if carried and not self._stillness.is_at_rest(frame.t_ns):
            self._read_at_ns = (self._stillness.last_moving_ns or frame.t_ns) - 1  # as of then
            return []
        if self._end.is_played(start.poem, facts):
            if self._disturbed(self._watcher, frame, facts) is not None:
                if not self._stillness.is_at_rest(frame.t_ns):
                    return []
                if self._lies_as_it_lay(self._watcher, self._resting()):
                    return self._read_layout(self._resting())  # the camera moved, and no card
            if not self._end.waits(start.poem, facts, frame.t_ns):
                return self._close_poem(facts)
        self._read_at_ns = frame.t_ns  # hands came and went and took nothing: the sightings stay valid
        return []

    def _disturbed(self, watcher: PoemWatcher, frame: Frame, facts: Sequence[Testimony] = ()) -> Gap | None:
        since_ns = frame.t_ns if self._start is None else self._start.t_ns
        # hands are told apart from the floor; cards are recognised by themselves
        light = watcher.map.lighting.farthest_since(since_ns) if facts else None
        return disturbance(watcher.grid, frame.gray, watcher.px_per_mm, since_ns, frame.t_ns, light=light)

    def name_card(self, place: int, card: int | None) -> list[WatchEvent]:
        """Name the card at a place of `reading` on a person's word; the name holds while it lies there.

        Another card that had this name loses it. Between poems only. Raises IndexError if no layout was read,
        or it has no such place.
        """
        reading, resting = self._field.name(place, card), self._resting()
        return self._watch(reading, [frame.gray for frame in resting], resting[-1].t_ns)

    def read_now(self) -> list[WatchEvent]:
        """Read the field as it lies, at rest or not; nothing before the first picture. Between poems only."""
        return self._read_layout(self._resting()) if self._recent else []

    @property
    def poem_is_open(self) -> bool:
        """Whether a poem has begun and is not over yet."""
        return self._start is not None

    @property
    def rests(self) -> bool:
        """Whether a glance at the next frame will most likely do: nothing moves, no card is hidden."""
        if not self._recent or not self._stillness.rests_at_a_glance(self._recent[-1].t_ns):
            return False
        return self._watcher is None or self._watcher.rests

    @property
    def covered_share(self) -> float:
        """Share of the cards that hands or other things cover, 0..1."""
        return 0.0 if self._watcher is None else self._watcher.covered_share

    def moving(self) -> list[EarlySighting]:
        """Return the cards seen away from their places while a poem is open; no proof yet."""
        return [] if self._start is None or self._watcher is None else self._watcher.moving()

    def give_up(self, t_ns: int, reason: str = "eye_failed") -> list[WatchEvent]:
        """Give up an open poem because the eye itself failed; the field is read anew when it rests."""
        self.verse_withdrawn()
        start, self._start = self._start, None
        self._watcher = self._clearance = self._end = self._read_at_ns = None
        self._stillness = StillnessMeter()
        self._rest.forget()
        reading = self.reading
        if start is None or reading is None:
            return []
        return [PoemSeen(start, reading, (Gap(start.t_ns, t_ns, reason),), t_ns)]

    def close(self) -> list[WatchEvent]:
        """End the watch; an open poem is closed with what was seen of it."""
        self.verse_withdrawn()
        clear = self._hands_left
        events = self._close_poem() if self._start is not None else []
        if self._report_tidying:  # whoever stops a live watch says so
            return events
        return [as_far_as_seen(event, self._recent[-1].t_ns, clear=clear) for event in events]

    def _is_stale(self) -> bool:
        """Tell whether something has moved since the layout was last read."""
        moved_ns = self._stillness.last_moving_ns
        return self._read_at_ns is None or (moved_ns is not None and moved_ns > self._read_at_ns)

    def _was_found_clear(self, t_ns: int) -> bool:
        """Tell whether the field was found clear a moment ago, and no hand has been over it since."""
        since_ns = None if self._end is None else self._end.clear_since_ns
        if self._read_at_ns is None or since_ns is None:
            return False
        return since_ns < self._read_at_ns and t_ns - self._read_at_ns < SETTLE_NS

    def _watch_tidying(self, frame: Frame) -> list[WatchEvent]:
        at_rest = self._stillness.is_at_rest(frame.t_ns)
        if at_rest:
            self._rows.note(frame)
            if self._is_stale() and self._report_tidying and frame.t_ns >= self._retry_ns:
                return self._read_layout(self._resting())
        self._rest.note(frame, self._resting() if at_rest else [])
        return []

    def _resting(self) -> list[Frame]:
        return self._stillness.at_rest(self._recent)

    def _read_before_poem(self) -> list[WatchEvent]:
        """Read the field as it last rested, or was last seen best, and check what has happened since."""
        rest = self._rest
        if self._report_tidying or (rest.frames and not rest.since):
            return self._read_layout(self._resting())
        lately = list(rest.since or self._recent)
        rested = bool(rest.frames) and not rest.is_long_ago
        events = self._read_and_follow(rest.frames, rest.since) if rested else []
        best, cards = fullest(lately, self._field.geometry, self._field.known)
        if rested and not self._is_unsettled and named(self._field.reading) >= cards:
            return events
        if best < len(lately) - 1:
            return self._read_and_follow(lately[best : best + 1], lately[best + 1 :])
        events = self._read_layout(self._resting())
        lay = self._clearance is not None and self._clearance.lay_still(lately)
        self._is_unsettled = not (lay or self._stillness.is_at_rest(lately[-1].t_ns))
        return events

    def _read_and_follow(self, pictures: Sequence[Frame], since: Iterable[Frame]) -> list[WatchEvent]:
        """Read the field in these pictures, and check what has happened to its cards since."""
        events = self._read_layout(pictures)
        if self._watcher is not None:
            for frame in since:
                self._watcher.feed(frame)
            self._is_unsettled = bool(self._watcher.gone().any())
        return events

    def _close_poem(
        self, facts: Sequence[Testimony] | None = None, next_ns: int | None = None
    ) -> list[WatchEvent]:
        """End the open poem with these facts; if it ends untouched, with what was seen until now.

        The next poem begins at `next_ns`.
        """
        start, watcher = self._start, self._watcher
        if start is None or watcher is None or self._field.reading is None:
            self._start = None
            self._rest.forget()
            return []
        seen = list(self._facts(watcher) if facts is None else facts)
        contacts = self._contacts
        latest = self._recent[-1]
        spoiled = self._disturbed(watcher, latest, seen)
        self._start = None
        self._field.note_taken(start.poem, seen)
        if not self._report_tidying:
            self._watcher, self._read_at_ns = None, None
        elif any(is_tidied(fact) or isinstance(fact, Touch) for fact in seen):
            self._read_at_ns = None  # cards may still move; the field is read when it rests
        if facts is not None or not self._rest.holds_after(seen):
            self._rest.forget()
        if spoiled is not None:
            seen = self._spoiled(watcher, spoiled, seen, is_untouched=facts is None)
        if self._second is not None:
            contacts = self._second.joined(account_of(watcher, seen), latest.t_ns)
            seen = self._told_apart(contacts, watcher, start)  # the other camera reports the same hands
        if lies_out_of_view(self._field.reading, start.poem):
            seen.append(Gap(start.t_ns, latest.t_ns, OUT_OF_VIEW))
        seen = self._as_it_began(seen, start, latest.t_ns)
        cue_lead_ns = 250_000_000  # live, a first sound may be known this long before its picture comes
        late_ns = cue_lead_ns if self._report_tidying else 0
        if next_ns is not None and watcher.misses(next_ns - late_ns):
            seen.append(Gap(latest.t_ns, next_ns, "view_blocked"))
        told = PoemSeen(start, as_delivered(self._field.reading, self._width_px), tuple(seen), latest.t_ns)
        look_after = partial(self._field.layout_in, self._resting())
        self._closed = ClosedPoem(told, contacts, watcher.manners, look_after)
        return [told]

    def _spoiled(
        self, watcher: PoemWatcher, spoiled: Gap, seen: list[Testimony], *, is_untouched: bool
    ) -> list[Testimony]:
        """Return what was seen of a poem in which the camera was knocked, or a lamp switched."""
        if self._rest.frames and self._disturbed(watcher, self._rest.frames[-1]) is None:
            self._rest.forget()  # it shows the field before the disturbance
        gaps: list[Testimony] = [fact for fact in seen if isinstance(fact, Gap)]
        # hands already hide cards; if nothing was seen to happen since the field last rested, those frames
        # tell as much
        rested = self._rest.frames if len(gaps) == len(seen) else []
        if is_untouched and any(
            self._lies_as_it_lay(watcher, resting) for resting in (self._resting(), rested) if resting
        ):
            return gaps  # the rest is the camera's own motion
        return [*seen, as_long_as(spoiled, watcher.map.lighting.switched_ns(), seen)]

    def _as_it_began(self, seen: list[Testimony], start: PoemStarted, now_ns: int) -> list[Testimony]:
        """Return what was seen of a poem; the field may still have been tidied as it began."""
        if not self._is_unsettled:
            return seen if self._unwatched is None else [*seen, self._unwatched]
        settled = [fact for fact in seen if isinstance(fact, Gap) or not is_early(fact, start)]
        return [*settled, Gap(start.t_ns, now_ns, "view_blocked")]

    def _lies_as_it_lay(self, watcher: PoemWatcher, resting: Sequence[Frame]) -> bool:
        """Tell whether every card is seen to lie among the others as it lay before the poem."""
        assert self._field.reading is not None
        pictures = [frame.gray for frame in resting]
        found = self._field.look(resting)
        return isinstance(found, LayoutReading) and lies_as_it_lay(
            watcher.grid, pictures, self._field.reading, found, proof_px(watcher.px_per_mm)
        )

    @property
    def _hands_left(self) -> bool:
        """Whether no hand reaches over the field."""
        return self._end is not None and self._end.clear_since_ns is not None

    def _facts(self, watcher: PoemWatcher) -> list[Testimony]:
        """Return the facts of the open poem; tidying is no contact."""
        assert self._start is not None
        self._contacts = watcher.finish(hands_left=self._hands_left)
        return self._told_apart(self._contacts, watcher, self._start)

    def _told_apart(
        self, facts: Sequence[Testimony], watcher: PoemWatcher, start: PoemStarted
    ) -> list[Testimony]:
        """Return a poem's facts; contacts that only tidied a card are reported as tidying."""
        assert self._field.reading is not None
        look_after = partial(self._field.layout_in, self._resting())
        return told_by_name(facts, watcher.manners, start, self._field.reading.layout, look_after)

    def _read_layout(self, resting: Sequence[Frame]) -> list[WatchEvent]:
        latest = resting[-1]
        self._read_at_ns = latest.t_ns
        found = self._field.read(resting, self._clearance)
        if found is None:
            self._read_at_ns = None  # tried again at the next rest or poem
            retry_ns = 500_000_000
            self._retry_ns = latest.t_ns + retry_ns
            return []
        events = self._watch(found, [frame.gray for frame in resting], latest.t_ns)
        if self._watcher is not None:  # frames may be missing until the next one
            self._watcher.feed(latest, at_rest=True)
        return events

    def _watch(self, found: LayoutReading, pictures: Sequence[Gray], t_ns: int) -> list[WatchEvent]:
        """Watch the cards of a layout from now on."""
        self._field.reading, self._watched_from_ns = found, t_ns
        self.reading = as_delivered(found, self._width_px)
        self._stillness.look_only_at(found.geometry.to_image(FIELD_CORNERS_M))
        slots = found.slots()
        self._watcher = self._clearance = self._end = None
        if slots:
            around = territories_px(found.geometry)
            self._watcher = PoemWatcher(slots, pictures, self._rows, around, hall=self._field.known.hall)
            self._clearance = Clearance(self._watcher, found.geometry.to_image(FIELD_CORNERS_M))
            self._end = PoemEnd(self._watcher, self._clearance, is_awaited=self._report_tidying)
            if self._second is not None:
                self._second.place(found, self._watcher.grid.picture.astype(np.uint8))
        return [FieldSettled(found.layout, t_ns)]
