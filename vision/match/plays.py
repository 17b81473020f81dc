"""Find the plays of a film from the picture alone, if nobody knows which poem was read when.

Whenever the field begins to stir after a rest, something may be played, so the cards are watched as if a poem
without a card had begun. What the hands then do tells plays from tidying. A card that was taken never lies on
the field again; a card that was only swept along comes back.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.failure import FailedEstimation
from referee.facts import FieldSettled, PoemStarted, Testimony, Touch, Unprovable
from referee.layout import Layout
from vision.contact.rearrangement import is_play, is_tidied
from vision.field.stillness import StillnessMeter
from vision.frames.frame import Frame
from vision.match.endurance import Endurance
from vision.match.watcher import MatchWatcher
from vision.poem.events import PoemSeen, WatchEvent
from vision.recordings.recording import JOKA
from vision.torifuda.prior_knowledge import NOTHING_KNOWN, PriorKnowledge

_LAG_NS = 33_000_000  # interval between compared pictures: a frame of the slowest usual film, 30 a second


class PaceMeter:
    """Measures the largest change of the picture within a thirtieth of a second.

    `peak_px`: the largest area that changed, in square pixels of the film.
    """

    def __init__(self) -> None:
        self.peak_px = 0.0
        self._past: deque[tuple[int, NDArray[np.uint8]]] = deque()

    def feed(self, frame: Frame) -> None:
        step = 2
        small = np.asarray(cv2.blur(np.ascontiguousarray(frame.gray[::step, ::step]), (5, 5)), np.uint8)
        self._past.append((frame.t_ns, small))
        while len(self._past) > 2 and frame.t_ns - self._past[1][0] >= _LAG_NS:
            self._past.popleft()
        apart_ns, past = frame.t_ns - self._past[0][0], self._past[0][1]
        if apart_ns < _LAG_NS // 2 or past.shape != small.shape:
            return
        steady_gray = 25  # gray levels: noise, compression and shade change less
        _, changed = cv2.threshold(cv2.absdiff(small, past), steady_gray, 255, cv2.THRESH_BINARY)
        area_px = cv2.countNonZero(changed) * step**2 * min(1.0, _LAG_NS / apart_ns)
        self.peak_px = max(self.peak_px, area_px)

    def is_slow(self, card_px: float) -> bool:
        """Tell whether the play looks slower than people play; `card_px` is the area of a card.

        Striking hands change an area of 5 to 18 cards; filmed 8 times slower 0 to 3.9, 4 times slower 1 to 8
        (20 simulated plays of 5 kinds, 240 pictures a second).
        """
        least_cards = 4.0
        return self.peak_px < least_cards * card_px


_LEAD_NS = 250_000_000
"""The supposed poem begins this long before the field stirs, so no contact is too early for an answer."""


@dataclass(frozen=True, slots=True)
class Play:
    """Hands that came to cards after a rest."""

    t_ns: int
    stirred_ns: int  # when the field began to stir, at most a second before
    touched: tuple[int, ...]  # the cards that were played, in the order of their contacts
    moved: tuple[int, ...]  # other cards that left their places without it being seen how
    lay: frozenset[int]  # every card that was read on the field before the play
    seen: PoemSeen  # the poem's facts, as of a poem without a card
    taken: tuple[int, ...] = ()  # the cards of `touched` and `moved` that never lie on the field again


class PlayFinder:
    """Finds the plays of a film. `known`: prior knowledge of the camera's lens and of the deck."""

    def __init__(self, known: PriorKnowledge = NOTHING_KNOWN) -> None:
        self._known = known
        self._pace = PaceMeter()
        self._card_px = 0.0  # the area of a card; 0 until a hand has come to one
        self._failures: list[str] = []
        self._found: list[Play] = []
        self._lay: list[tuple[int, frozenset[int]]] = []
        self._shape_px: tuple[int, int] | None = None
        self._begin()

    def feed(self, frame: Frame) -> None:
        if frame.shape_px != self._shape_px:
            self._shape_px = frame.shape_px
            self._begin()
            self._tell(self._tried(partial(self._watcher.feed, frame), frame.t_ns))
            self._start(frame.t_ns)
        rested_ns = self._stillness.still_for_ns(frame.t_ns)
        stirs = self._stillness.feed(frame) and rested_ns > 0
        # hands that pause in the middle of a play lie still for less
        pause_ns = 500_000_000
        goes_on = self._watcher.poem_is_open and rested_ns < pause_ns and self._watcher.moving()
        if stirs and not goes_on:
            self._start(frame.t_ns)
        if not self._watcher.rests:
            self._pace.feed(frame)
        self._tell(self._tried(partial(self._watcher.feed, frame), frame.t_ns))

    @property
    def is_read(self) -> bool:
        """Whether any card of the field was ever read."""
        return any(names for _, names in self._lay)

    @property
    def problem(self) -> FailedEstimation | None:
        """Why the latest attempt to read the field failed; None if it succeeded."""
        return self._watcher.problem

    @property
    def is_slow(self) -> bool:
        """Whether hands came to cards slower than people play: most likely slow motion."""
        return self._card_px > 0 and self._pace.is_slow(self._card_px)

    @property
    def rests(self) -> bool:
        """Whether a glance at the next frame will most likely be enough."""
        return self._watcher.rests

    def close(self, ends_ns: int) -> list[Play]:
        """Return the plays in the order of time; `ends_ns` is the film's end."""
        if self._stillness.is_at_rest(ends_ns):
            self._start(ends_ns)  # reads the field once more
        self._tell(self._tried(self._watcher.close, ends_ns))
        return [replace(play, taken=self._taken_in(play)) for play in self._found]

    def _begin(self) -> None:
        self._watcher = MatchWatcher(report_tidying=False, known=self._known)
        self._tried = Endurance(self._watcher, self._failures).tried
        self._stillness = StillnessMeter()

    def _start(self, t_ns: int) -> None:
        start = PoemStarted(JOKA, max(0, t_ns - _LEAD_NS), 1)
        self._tell(self._tried(partial(self._watcher.poem_started, start), t_ns, again=True))

    def _tell(self, events: Sequence[WatchEvent]) -> None:
        for event in events:
            if isinstance(event, FieldSettled):
                self._lay.append((event.t_ns, _names(event.layout)))
            elif isinstance(event, PoemSeen):
                self._note(event)

    def _note(self, seen: PoemSeen) -> None:
        contacts = [fact for fact in seen.facts if isinstance(fact, Touch | Unprovable) and fact.card]
        if contacts:
            areas_px = [cv2.contourArea(np.asarray(each, np.float32)) for each in seen.before.corners_px]
            self._card_px = float(np.median(areas_px))
        played = [fact for fact in contacts if is_play(fact, seen.start)]
        if not played:
            return
        touched = _cards(played)
        moved = _cards([fact for fact in contacts if not is_tidied(fact) and fact.card not in touched])
        first_ns = min(fact.t_ns for fact in played)
        # hands may hover over the field long before they play
        hovers_ns = 1_000_000_000
        stirred_ns = min(max(seen.start.t_ns + _LEAD_NS, first_ns - hovers_ns), first_ns)
        self._found.append(Play(first_ns, stirred_ns, touched, moved, _names(seen.before.layout), seen))

    def _taken_in(self, play: Play) -> tuple[int, ...]:
        later = frozenset[int]().union(*(names for t_ns, names in self._lay if t_ns > play.t_ns))
        return tuple(card for card in (*play.touched, *play.moved) if card not in later)


def _names(layout: Layout) -> frozenset[int]:
    return frozenset(placed.card for placed in layout if placed.card is not None)


def _cards(facts: Sequence[Testimony]) -> tuple[int, ...]:
    """Return the cards of contacts in the order of their instants, each once."""
    told = [fact for fact in facts if isinstance(fact, Touch | Unprovable)]
    ordered = sorted(told, key=lambda fact: fact.t_ns)
    return tuple(dict.fromkeys(fact.card for fact in ordered if fact.card is not None))
