"""The field as known from one rest to the next: where each card lies, and which card it is."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np

from calibration.failure import FailedEstimation
from calibration.field.geometry import FieldGeometry
from referee.facts import Gap, PoemStarted, Testimony, Touch
from referee.layout import CARD_WIDTH_M, HALF_DEPTH_M, HALF_WIDTH_M, Layout, PlacedCard
from vision.contact.rearrangement import Manner, is_tidied, may_be_carried, told_apart
from vision.field.layout_reader import LayoutReading, read_layout
from vision.field.picture_quality import lies_out_of_view
from vision.field.wrong_view import held_rightly
from vision.frames.frame import Frame
from vision.poem.clearance import Clearance
from vision.poem.events import PoemSeen
from vision.torifuda.prior_knowledge import NOTHING_KNOWN, PriorKnowledge

OUT_OF_VIEW = "out_of_view"


def told_by_name(
    contacts: Sequence[Testimony],
    manners: Mapping[int | None, Manner],
    start: PoemStarted,
    before: Layout,
    look_after: Callable[[], Layout],
) -> list[Testimony]:
    """Return a poem's contacts; those that only tidied a card are reported as tidying.

    `contacts`, `manners`: as `vision.poem.watcher.PoemWatcher` has them. `look_after`: returns the field as
    it lies now. It costs a reading, so it is called only if needed.
    """
    after = look_after() if may_be_carried(manners, contacts, start) else Layout(())
    return told_apart(contacts, manners, start, before, after)


@dataclass(frozen=True, eq=False)
class ClosedPoem:
    """A poem that was reported, with everything but its name that its facts depend on."""

    seen: PoemSeen
    # contacts, manners, look_after: as `told_by_name` takes them
    contacts: Sequence[Testimony]
    manners: Mapping[int | None, Manner]
    look_after: Callable[[], Layout]

    def named(self, start: PoemStarted) -> ClosedPoem:
        seen = self.seen
        was, now = self._testimony(seen.start), self._testimony(start)
        kept = set(map(_which, seen.facts))
        left_out = {_which(fact) for fact in was} - kept
        beside = [fact for fact in seen.facts if fact not in was and not _is_out_of_view(fact)]
        facts = [*(fact for fact in now if _which(fact) not in left_out), *beside]
        if lies_out_of_view(seen.before, start.poem):
            facts.append(Gap(start.t_ns, seen.t_closed_ns, OUT_OF_VIEW))
        return replace(self, seen=replace(seen, start=start, facts=tuple(facts)))

    def _testimony(self, start: PoemStarted) -> list[Testimony]:
        return told_by_name(self.contacts, self.manners, start, self.seen.before.layout, self.look_after)


def _which(fact: Testimony) -> object:
    """Return what identifies a fact, however it is reported."""
    return fact if isinstance(fact, Gap) else (fact.card, fact.t_ns)


def _is_out_of_view(fact: Testimony) -> bool:
    return isinstance(fact, Gap) and fact.reason == OUT_OF_VIEW


def fullest(
    frames: Sequence[Frame], geometry: FieldGeometry | None = None, known: PriorKnowledge = NOTHING_KNOWN
) -> tuple[int, int]:
    """Return the number of the latest of the recent pictures in which the most cards can be named.

    The second number is how many cards these are, -1 if no picture could be read.

    `geometry`, `known`: as for `read_layout`.
    """
    if not frames:
        raise ValueError("fullest needs at least one frame, got none")
    best, most, due_ns = len(frames) - 1, -1, frames[-1].t_ns
    # The step between the pictures that are read, and how far back the first of them may be.
    step_ns, back_ns = 150_000_000, 1_500_000_000
    for number in reversed(range(len(frames))):
        t_ns = frames[number].t_ns
        if t_ns < frames[-1].t_ns - back_ns:
            break
        if t_ns > due_ns:
            continue
        frame = frames[number]
        cards = named(read_layout([frame.gray], geometry, known, frame.colour))
        if cards > most:
            best, most = number, cards
        due_ns = t_ns - step_ns
    return best, most


def named(found: LayoutReading | FailedEstimation | None) -> int:
    """Return how many cards of a field could be named, -1 if it could not be read."""
    return found.named if isinstance(found, LayoutReading) else -1


_SAME_PLACE_M = 0.008
"""A card this close to an earlier card, in metres, whose face still shows the same picture, is that card."""
_MOST_STAY = 0.4  # from one poem to the next at least this share of the cards stays in place


def carried_over(
    before: LayoutReading, now: LayoutReading, in_place: Sequence[bool], given: Collection[int] = ()
) -> LayoutReading:
    """Complete a new reading with what has visibly not changed on the field.

    Returns: `now`, with two additions: a card that could not be named keeps its former name, and a card that
    was missed (because a hand or a sleeve covers part of it) keeps its place if its face is still seen there.

    `in_place`: for each card of `before`, whether its own face is still seen where it lay. `given`: names of
    `before` that a person gave; they hold whatever the face is read as.
    """
    cards = list(now.layout)
    corners, confidences = list(now.corners_px), list(now.confidences)
    named = {placed.card for placed in cards if placed.card is not None}
    read_again = [stayed for old, stayed in zip(before.layout, in_place, strict=True) if old.card in named]
    if sum(read_again) < _MOST_STAY * len(read_again):
        # Nearly all faces are gone from their places and can be read elsewhere: the camera was knocked, and a
        # face that still seems to be in place is a chance likeness.
        return _with_names_given(before, now, given)
    for old, old_corners, old_confidence, stayed in zip(
        before.layout, before.corners_px, before.confidences, in_place, strict=True
    ):
        if not stayed or old.card is None or old.card in named:
            continue
        nearest = min(range(len(cards)), key=lambda number: _distance_m(cards[number], old), default=None)
        if nearest is not None and _distance_m(cards[nearest], old) < _SAME_PLACE_M:
            if cards[nearest].card is None or old.card in given:
                named.discard(cards[nearest].card or 0)
                cards[nearest] = replace(cards[nearest], card=old.card, faces_owner=old.faces_owner)
                confidences[nearest] = old_confidence
                named.add(old.card)
        elif nearest is None or _distance_m(cards[nearest], old) > CARD_WIDTH_M / 2:
            cards.append(old)
            corners.append(np.asarray(old_corners))
            confidences.append(old_confidence)
            named.add(old.card)
    return LayoutReading(Layout(tuple(cards)), now.geometry, tuple(corners), tuple(confidences))


def without_taken(now: LayoutReading, taken: Collection[int]) -> LayoutReading:
    """Return a layout without the cards that were touched in earlier poems and lie outside the field now.

    A player who takes a card lays it down beside himself. A card that was thrown out by accident counts as
    missing.
    """
    stays = [
        placed.card not in taken or (abs(placed.x_m) <= HALF_WIDTH_M and abs(placed.y_m) <= HALF_DEPTH_M)
        for placed in now.layout
    ]
    if all(stays):
        return now
    return LayoutReading(
        Layout(tuple(compress(now.layout, stays))),
        now.geometry,
        tuple(compress(now.corners_px, stays)),
        tuple(compress(now.confidences, stays)),
    )


def with_name(reading: LayoutReading, place: int, card: int | None) -> LayoutReading:
    """Return a layout with a name at one place; any other card with this name loses it."""
    cards = tuple(
        replace(placed, card=card if number == place else None if placed.card == card else placed.card)
        for number, placed in enumerate(reading.layout)
    )
    return replace(reading, layout=Layout(cards))


def _with_names_given(before: LayoutReading, now: LayoutReading, given: Collection[int]) -> LayoutReading:
    """Restore the names given by a person to the same cards if a knocked camera shows them as before."""
    again = {placed.card: placed for placed in now.layout if placed.card is not None}
    both = [(old, again[old.card]) for old in before.layout if old.card in again]
    if not both:
        return now
    shifts_m = np.array([(new.x_m - old.x_m, new.y_m - old.y_m) for old, new in both])
    shift_m = np.median(shifts_m, axis=0)
    if np.mean(np.linalg.norm(shifts_m - shift_m, axis=1) < _SAME_PLACE_M) < _MOST_STAY:
        return now
    cards = list(now.layout)
    for old in before.layout:
        if old.card is None or old.card not in given or old.card in again:
            continue
        there = replace(old, x_m=old.x_m + float(shift_m[0]), y_m=old.y_m + float(shift_m[1]))
        nearest = min(range(len(cards)), key=lambda number: _distance_m(cards[number], there))
        if _distance_m(cards[nearest], there) < _SAME_PLACE_M:
            cards[nearest] = replace(cards[nearest], card=old.card, faces_owner=old.faces_owner)
    return replace(now, layout=Layout(tuple(cards)))


def _distance_m(one: PlacedCard, other: PlacedCard) -> float:
    return float(np.hypot(one.x_m - other.x_m, one.y_m - other.y_m))


class LastRest:
    """Keeps the pictures of the field at rest.

    `frames`: pictures of the field's last rest; empty if unknown. `since`: the latest pictures after them.
    """

    def __init__(self, *, keeps_since: bool) -> None:
        self._keeps_since = keeps_since
        self.frames: list[Frame] = []
        most_unread = 150  # 0.6 s at 240 fps, between the field at rest and a poem's first sound
        self.since: deque[Frame] = deque(maxlen=most_unread)

    @property
    def is_long_ago(self) -> bool:
        """Whether more pictures have come since than are kept."""
        return len(self.since) == self.since.maxlen

    def note(self, frame: Frame, resting: list[Frame]) -> None:
        """Take in the next picture; `resting` holds those of the field at rest, empty while it moves."""
        if resting:
            self.frames = resting
            self.since.clear()
        elif self._keeps_since:
            self.since.append(frame)

    def forget(self) -> None:
        """Forget how the field rested: its cards have moved."""
        self.frames = []

    def holds_after(self, seen: Sequence[Testimony]) -> bool:
        """Tell whether the field has rested since the last fact in `seen` that moved a card."""
        if any(isinstance(fact, Touch) for fact in seen):
            return False
        moved_ns = max((fact.t_ns for fact in seen if is_tidied(fact)), default=0)
        return bool(self.frames) and self.frames[0].t_ns > moved_ns


class KnownField:
    """Reads the field, and carries names from one reading to the next.

    `known`: prior knowledge of the camera's lens and of the deck.

    `reading`: the latest layout, in the pixels of enlarged pictures; None before the first. `problem`: why
    the latest attempt to read a layout failed; None if it succeeded.
    """

    def __init__(self, known: PriorKnowledge) -> None:
        self.reading: LayoutReading | None = None
        self.problem: FailedEstimation | None = None
        self.given: frozenset[int] = frozenset()
        self.known = known
        self._taken = set[int]()

    @property
    def geometry(self) -> FieldGeometry | None:
        """Place of the field in the enlarged picture; None before the first layout."""
        return None if self.reading is None else self.reading.geometry

    def look(self, resting: Sequence[Frame]) -> LayoutReading | FailedEstimation:
        """Read the layout in pictures of a field at rest, without names carried over."""
        pictures = [frame.gray for frame in resting]
        return read_layout(pictures, self.geometry, self.known, resting[-1].colour)

    def layout_in(self, resting: Sequence[Frame]) -> Layout:
        """Return the layout in these pictures, empty if it cannot be read."""
        found = self.look(resting)
        return found.layout if isinstance(found, LayoutReading) else Layout(())

    def read(self, resting: Sequence[Frame], clearance: Clearance | None) -> LayoutReading | None:
        """Read the layout, with the names that still hold.

        `clearance`: knows which cards lie as they did at the latest reading; None before the first.

        Returns: None if it cannot be read; `problem` says why.
        """
        found = self.look(resting)
        if isinstance(found, LayoutReading) and self.reading is None:
            found = held_rightly(found, [frame.gray for frame in resting], self.known)
        if isinstance(found, FailedEstimation):
            self.problem = found
            return None
        self.problem = None
        if self.reading is not None and clearance is not None:
            found = carried_over(self.reading, found, clearance.cards_in_place(resting[-1].gray), self.given)
        return without_taken(found, self._taken)

    def name(self, place: int, card: int | None) -> LayoutReading:
        """Return the latest layout with the card at a place named as a person says.

        Raises IndexError if no layout was read, or it has no such place.
        """
        if self.reading is None or not 0 <= place < len(self.reading.layout):
            raise IndexError(f"the layout has no place {place}")
        was = self.reading.layout.cards[place].card
        self.given = self.given - {was or 0} | ({card} if card is not None else frozenset())
        return with_name(self.reading, place, card)

    def note_taken(self, poem: int, facts: Sequence[Testimony], instead_of: int | None = None) -> None:
        """Remember that a poem's card has left the field, if it was touched."""
        self._taken.discard(instead_of or 0)
        if any(isinstance(fact, Touch) and fact.card == poem for fact in facts):
            self._taken.add(poem)
