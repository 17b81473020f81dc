"""Who touched which card first: the facts of one poem, proven by the motion of the cards.

A hand over a card proves nothing; a card that lies elsewhere afterwards was moved. `PoemWatcher` looks at
every card in every frame (`vision.field.slots`). For each card it remembers the last frame that still showed
its face in place, and a few pictures from then on. It also follows the players' arms
(`vision.hands.player_map`). When the poem is over, each card that moved gets the instant its motion began
(`vision.launch.onset`) and the player whose hand was there.
"""

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.facts import Gap, Testimony, Touch, Unprovable
from referee.sides import Side
from vision.contact.facts import NO_HAND, RESTED, Contact, doubt_between, hidden_fact, unproven
from vision.contact.rearrangement import Manner, manners_of
from vision.contact.still_fingers import StillFingers
from vision.departures.card_track import EarlySighting, Track
from vision.departures.departure import Departure, window_around
from vision.departures.last_place import LastPlaces
from vision.departures.outcome import End, Ending, endings, have_moved, may_be_hands, proof_px
from vision.field.model import FieldModel
from vision.field.resting_map import RowLight
from vision.field.slots import Slot, SlotGrid, sights_of
from vision.field.steady_view import SteadyView
from vision.frames.afterimage import Afterimage
from vision.frames.frame import Frame, Gray
from vision.frames.pyramid import halved
from vision.frames.shutter import Readout, RowClock
from vision.hand_cues.side import HandSides
from vision.hands.frame_map import SIDES, FrameMap, box_of
from vision.hands.player_map import PlayerMap
from vision.launch.strikes import Strike
from vision.poem.inquiry import Inquiry, MovedCard
from vision.poem.lost_frames import Hole, Steps
from vision.torifuda.prior_knowledge import NOTHING_KNOWN, Hall

_BARE_SHARE, _CLEAR_SHARE = 0.4, 0.05
"""Share of a card's place that something covers: above the first it is hidden, below the second clear."""


class PoemWatcher:
    """Watches one poem, from before its first sound until the hands have left.

    `ends`: what became of each slot's card by the latest answer of `finish`; empty before. `manners`: how
    cards were moved that, by that answer, may have been tidied and not played.

    Parameters
    ----------
    slots : where the cards lie at the beginning.
    resting : up to eight pictures of the field at rest, before any hand came in.
    rows : what other poems told about the camera's shutter; None learns it from this poem alone.
    territories : corners of each territory in the picture, (4, 2); None if unknown.
    row_shares : (S,), where on the sensor each slot is exposed, as a share of its height, if the picture's
        rows are not the sensor's; None if they are.
    hall : what trials in this hall told of its floor, lamps and camera.
    """

    def __init__(
        self,
        slots: Sequence[Slot],
        resting: Sequence[Gray],
        rows: RowClock | None = None,
        territories: Mapping[Side, NDArray[np.float64]] | None = None,
        row_shares: NDArray[np.float64] | None = None,
        *,
        hall: Hall = NOTHING_KNOWN.hall,
    ) -> None:
        self._hall = hall
        self.ends: Sequence[Ending] = ()
        self.manners: Mapping[int | None, Manner] = {}
        self.grid = SlotGrid(slots, resting)
        self.field = FieldModel(self.grid.picture, slots)
        self.px_per_mm = self.field.px_per_mm
        self._row_light = RowLight(self.grid.picture, hall.ripple)
        self._steadied = SteadyView(self.grid, self.px_per_mm)
        self.map = PlayerMap(resting, self.field.floor, self.px_per_mm)
        height, width = resting[0].shape
        self._size = width, height
        self._tracks = [Track(slot, window_around(slot, self._size)) for slot in slots]
        self._cells = np.array([box_of(slot, self.map.scale, self._size) for slot in slots])
        rest = halved(np.rint(self.grid.picture).astype(np.uint8), self.map.halvings)
        self._afterimage = Afterimage(rest, self._cells, hall.lag_ns)
        before_frames = 3
        self._recent: deque[tuple[Frame, FrameMap]] = deque(maxlen=before_frames)
        self._rows = rows or RowClock()
        self._territories = territories
        self._first_ns = self._holds_until_ns = 0
        self._steps = Steps()
        most_holes = 200  # a film may repeat every third picture
        self._holes: deque[Hole] = deque(maxlen=most_holes)
        self._latest: tuple[Frame, FrameMap] | None = None
        self._answer: tuple[bool, list[Testimony]] | None = None
        players = self.map  # a reference to `self` would be a cycle and keep each poem's pictures alive
        self._inquiry = Inquiry(self.field, players.scale)
        self._hand_sides = HandSides()
        self._still_fingers = StillFingers(self.field, self.map.scale)
        self._cover = np.zeros(len(slots))
        self._proof_px = proof_px(self.px_per_mm)
        self._floor = self.grid.block_means(self.field.floor)
        self._centres_px = np.array([slot.centre_px for slot in slots])
        self._sees_rows = row_shares is None
        self._row_shares = self._centres_px[:, 1] / height if row_shares is None else row_shares

    def steadied(self, frame: Frame) -> Frame:
        """Return the next frame in even light, as a camera and mats at rest would have shown it."""
        even = self._row_light.feed(frame, float(np.mean(self._cover)))
        return self._steadied.feed(even, self._cover, self.gone())

    def feed(self, frame: Frame, *, at_rest: bool = False) -> None:
        """Look at the next frame; `at_rest` says that nothing moves over the field in it.

        At rest and with nothing over a card, the last map of hands still holds: hands come from outside.
        """
        held = self._holds_until_ns > (0 if frame.glance is not None else frame.t_ns)
        if at_rest and self._latest is not None and held:
            over = self._latest[1]
        else:
            if not at_rest:
                self._see_what_was_held()
            over = self.map.feed(frame.gray, frame.t_ns)
            holds_ns = 30_000_000
            self._holds_until_ns = frame.t_ns + holds_ns
        self._answer = None
        quiet_share = 0.02  # of the picture: the most that hands may cover while flickering lamps are watched
        if self._sees_rows and over.area < quiet_share * over.mask.size:
            self._rows.note(frame)
        if self._latest is None:
            self._first_ns = frame.t_ns
        else:
            if self.misses(frame.t_ns):
                self._holes.append(Hole(self._latest[0].t_ns, frame.t_ns, self._latest[1], over))
            self._steps.note(frame.t_ns - self._latest[0].t_ns)
        if over.area:
            self._afterimage.note(over.evenly_unlit, frame.t_ns)
        self._latest = (frame, over)
        self._still_fingers.feed(frame.t_ns, over)
        covered = self._cover = self._covered(over.mask)
        # a card may have left between two pictures without anything being seen over it
        changed = covered if over.changed is over.mask else self._covered(over.changed)
        which = np.flatnonzero((changed > 0) | [track.active for track in self._tracks])
        if len(which):
            self._look(frame, over, which, covered)
            self._holds_until_ns = 0
        self._recent.append((frame, over))
        departures = self._departures()
        absent = frozenset(departures)
        gone = frozenset(number for number, one in departures.items() if one.shown_gone_ns is not None)
        for departure in departures.values():
            departure.add(frame, over, absent, gone)

    def _see_what_was_held(self) -> None:
        """Look for hands in a frame that was taken for one at rest: beside the cards they go unnoticed."""
        if len(self._recent) > 1 and self._recent[-1][1] is self._recent[-2][1]:
            frame = self._recent[-1][0]
            self._latest = self._recent[-1] = (frame, self.map.feed(frame.gray, frame.t_ns))

    @property
    def rests(self) -> bool:
        """Whether in the latest frame nothing lay over a card and every card was in its place."""
        return self._holds_until_ns > 0

    @property
    def over(self) -> FrameMap | None:
        """Map of the hands and things over the field in the latest frame; None before the first."""
        return None if self._latest is None else self._latest[1]

    @property
    def covered_share(self) -> float:
        """Share of the cards that have not left which something covers in the latest frame, 0..1."""
        lying = ~self.gone()
        return float(np.mean(self._cover[lying] > _BARE_SHARE)) if lying.any() else 0.0

    @property
    def lag_ns(self) -> float | None:
        """How late the camera shows a motion, see `Afterimage`."""
        return self._afterimage.lag_ns

    def carried_px(self) -> NDArray[np.float64]:
        """Return how far camera and mat carried each card in the frame last steadied, (S, 2)."""
        return self._steadied.carried_px()

    def misses(self, t_ns: int) -> bool:
        """Tell whether frames are missing between the latest one and the instant `t_ns`."""
        return self._latest is not None and self._steps.are_missing(t_ns - self._latest[0].t_ns)

    def gone(self) -> NDArray[np.bool_]:
        """Return for each slot whether its card was seen elsewhere, or bare floor in its place; (S,)."""
        seen_ns = [track.departure and track.departure.seen_gone_ns for track in self._tracks]
        return np.array([t_ns is not None for t_ns in seen_ns], np.bool_)

    def veiled(self) -> list[int]:
        """Return the slots whose card is gone or lies below something that looks like bare floor."""
        return [number for number, one in self._departures().items() if one.may_be_veiled]

    def looks_bare(self, number: int) -> bool:
        """Tell whether the latest frame showed something like bare floor in a slot's place."""
        return self._tracks[number].sights[-1].bare > 0

    def last_still_ns(self) -> int:
        """Return when a card that is gone by now last lay in place, the latest such instant; 0 for none."""
        departures = self._departures().values()
        return max((one.still_ns for one in departures if one.seen_gone_ns is not None), default=0)

    def moving(self) -> list[EarlySighting]:
        """Return the cards seen away from their places, at once and without proof.

        A card that vanished faster than a hand covers it is returned only after it has stayed away for a
        moment.
        """
        seen = []
        vanished_ns = 7_000_000  # one more picture at 120 fps: a passing hand mostly shows in it
        for number, track in enumerate(self._tracks):
            departure = track.departure
            if departure is None or departure.seen_gone_ns is None:
                continue
            away_ns = track.sights[-1].t_ns - departure.seen_gone_ns
            if departure.shown_gone_ns is not None or (departure.vanished and away_ns >= vanished_ns):
                player = None if self.over is None else self.over.player_in(self._cells[number])
                seen.append(EarlySighting(track.slot.card, track.slot.side, player, departure.seen_gone_ns))
        return seen

    def finish(self, *, hands_left: bool = True) -> list[Testimony]:
        """Return the facts of the poem as far as it was watched; more frames may follow.

        Until the hands have left, what looks like bare floor below a hand may be that hand.
        """
        if self._latest is None:
            return []
        if self._answer is None or self._answer[0] is not hands_left:
            self._answer = hands_left, self._facts(self._latest[0], hands_left=hands_left)
        return list(self._answer[1])

    def _facts(self, frame: Frame, *, hands_left: bool) -> list[Testimony]:
        ends = endings(self.field, self.grid, frame)
        below_hands = set() if hands_left else set(np.flatnonzero(self._cover > _CLEAR_SHARE).tolist())
        hands = may_be_hands(ends, self._departures(), below_hands)
        ends |= {number: Ending(End.HIDDEN) for number in hands}
        ends |= self._leaving(ends, frame.t_ns, hands_left=hands_left)
        places = LastPlaces(self.field, ends, frame.gray, self.over)
        revealed = places.found(number for number in ends if self._tracks[number].departure is not None)
        ends |= revealed
        self.ends = tuple(ends.values())
        moved, self.manners = have_moved(ends, self._departures(), frame.t_ns), {}
        facts: list[Testimony] = [*self._open(ends, moved, frame.t_ns)]
        if moved:
            sights = {number: self._tracks[number].sights for number in moved}
            contacts = self._inquiry.contacts(moved, sights)
            self.manners = manners_of(self.grid.slots, contacts, moved)
            for card, found in self._moved(contacts, moved, ends, frame.t_unc_ns, revealed):
                facts += card.facts(found, self._territories, places, self._hand_sides)
        gaps = self._gaps(facts)
        if self._afterimage.hides_causes:
            facts = [unproven(one, "smeared_pictures") if isinstance(one, Touch) else one for one in facts]
        return [*gaps, *facts]

    def _open(self, ends: Mapping[int, Ending], moved: Collection[int], now_ns: int) -> Iterator[Unprovable]:
        """Yield what stays open about cards that were not seen to move."""
        for number, one in ends.items():
            slot, departure = self._tracks[number].slot, self._tracks[number].departure
            if one.end is End.HIDDEN and departure is not None and not departure.proven:
                yield hidden_fact(slot, departure, now_ns)
            elif one.end is End.GONE and departure is None:
                yield doubt_between(slot, None, self._first_ns, now_ns, NO_HAND)
        shifted = {n for n, one in self._departures().items() if one.proof_shift_px is not None}
        for number in sorted(shifted.difference(moved)):  # not certain: it may have moved
            yield hidden_fact(self._tracks[number].slot, self._departures()[number], now_ns)
        for number, player, from_ns, to_ns in self._still_fingers.rests:
            if ends[number].end is End.IN_PLACE and number not in shifted.union(moved):
                yield doubt_between(self._tracks[number].slot, SIDES[player], from_ns, to_ns, RESTED)

    def _moved(
        self,
        contacts: Sequence[tuple[Strike, Sequence[Contact]]],
        moved: Mapping[int, Departure],
        ends: Mapping[int, Ending],
        t_unc_ns: int,
        revealed: Collection[int],
    ) -> Iterator[tuple[MovedCard, Sequence[Contact]]]:
        """Yield the cards that moved, and the hands at each.

        `revealed` are those that were seen lying elsewhere in the end, but never leaving.
        """
        readout, lag_ns = self._readout(), self.lag_ns or 0.0
        for strike, found in contacts:
            slot, departure = self._tracks[strike.number].slot, moved[strike.number]
            delay_ns, delay_unc_ns = readout.delay_at(float(self._row_shares[strike.timed_at]))
            card = MovedCard(
                slot,
                strike,
                departure,
                delay_ns - lag_ns,
                float(np.hypot(t_unc_ns, delay_unc_ns)),
                lag_ns,
                left=departure.left or ends[strike.number].end is End.GONE,
                is_revealed=strike.number in revealed,
                is_shaken=departure.slid_px < self._hall.floor_mm * self.px_per_mm,
            )
            yield card, found

    def _gaps(self, facts: Sequence[Testimony]) -> list[Gap]:
        """Return the holes between frames in which more may have happened to a card than the facts tell."""
        assert self._latest is not None
        told: dict[int, set[Side | None]] = {
            number: {
                fact.player
                for fact in facts
                if not isinstance(fact, Gap) and fact.card in {track.slot.card, None}
            }
            for number, track in enumerate(self._tracks)
        }
        away = {
            number: one
            for number, one in self._departures().items()
            if told[number] or self.ends[number].end is not End.IN_PLACE
        }
        gaps = []
        if facts and self._afterimage.leaves_open(touched=any(isinstance(one, Touch) for one in facts)):
            gaps.append(Gap(self._first_ns, self._latest[0].t_ns, "smeared_pictures"))
        for hole in self._holes:
            for number, one in away.items():
                gone_ns = self._latest[0].t_ns if one.surely_gone_ns is None else one.surely_gone_ns
                if not hole.covers(one.still_ns, gone_ns):
                    continue
                players: set[Side | None] = {
                    SIDES[player] for player in hole.players_at(self._tracks[number].slot)
                }
                if len(players) != 1 or told[number] != players:
                    gaps.append(Gap(hole.from_ns, hole.to_ns, "dropped_frames"))
                    break
        return gaps

    def _leaving(self, ends: Mapping[int, Ending], now_ns: int, *, hands_left: bool) -> dict[int, Ending]:
        """Return the endings of cards that were seen to leave and whose places are covered by now."""
        departures = self._departures().items()
        hidden = {
            number: one for number, one in departures if ends[number].end is End.HIDDEN and not one.proven
        }
        for departure in hidden.values():
            departure.settled_ns, departure.final_shift_px = now_ns, None
        bared = [number for number, one in hidden.items() if one.bared and hands_left]
        for number in bared:
            del hidden[number]
        sights = {number: self._tracks[number].sights for number in hidden}
        left = self._inquiry.leaving(hidden, sights)
        return {number: Ending(End.GONE) for number in [*left, *bared]}

    def _readout(self) -> Readout:
        """Return the time the camera takes from its first row to its last, as far as it is known."""
        steps_ns = [later.t_ns - earlier.t_ns for (earlier, _), (later, _) in pairwise(self._recent)]
        return self._rows.readout(float(np.median(steps_ns)) if steps_ns else 0.0)

    def _departures(self) -> dict[int, Departure]:
        """Return the cards that are not seen in their places, by slot number."""
        return {
            number: track.departure
            for number, track in enumerate(self._tracks)
            if track.departure is not None
        }

    def _covered(self, mask: NDArray[np.uint8]) -> NDArray[np.float64]:
        """Return the share of each slot's box in the players' map that a mask covers, (S,)."""
        x0, y0, x1, y1 = self._cells.T
        sums = cv2.integral(mask)
        cells = sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0]
        return np.asarray(cells / np.maximum((x1 - x0) * (y1 - y0), 1))

    def _look(
        self, frame: Frame, over: FrameMap, which: NDArray[np.intp], covered: NDArray[np.float64]
    ) -> None:
        looks = self.grid.look(frame.gray, which)
        light = over.light_near(self._centres_px[which])
        bare = self.grid.bare(looks, which, self._floor, light).sum(axis=1)
        bare[covered[which] > _BARE_SHARE] = 0  # a hand may be as bright as the floor
        sights = sights_of(looks, frame.t_ns, bare=bare, clear=covered[which] < _CLEAR_SHARE)
        for number, sight in zip(which, sights, strict=True):
            track = self._tracks[number]
            track.follow(sight, self._recent, self._proof_px)
            track.active = track.departure is not None or sight.seen < int(self.grid.textured[number].sum())
