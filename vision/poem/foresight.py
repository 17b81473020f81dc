"""Have the helper look at pictures of a card that left its place before their results are asked for.

A card's face, its print and the motion around it depend on the pictures alone, and most of these results are
asked for in the end. During a race the eye has hardly any time for them while pictures come in, but the
helper has little to do then. So the helper looks at a few pictures whenever nothing else is asked of it, and
is soon free for the next trail.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Generator, Hashable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from vision.contact.velocities import origins_between
from vision.departures.departure import Departure, View
from vision.field.model import FieldModel
from vision.field.slots import Slot
from vision.hand_cues.shade import print_in
from vision.hand_cues.speed import hand_velocity
from vision.hands.frame_map import FAR, NEAR
from vision.launch.errands import Errand, Helper
from vision.sightings.traces import Bare


@dataclass(slots=True, eq=False)
class LooksErrand(Errand):
    """Looks at some of a card's pictures; the answer is `vision.departures.departure.Departure.looks`.

    Of the first `seen_before` pictures only the motion on to the next ones is wanted.
    """

    seen_before: int

    def steps(self, _: MutableMapping[Hashable, Bare]) -> Generator[None, None, dict[Hashable, Any]]:
        """Look at the pictures; see `Errand`."""
        departure, views = self.departure, self.departure.views
        for view in views[self.seen_before :]:
            # and where the card itself lies in it
            print_in(self.field, self.number, departure, view, may_fly=True)
            yield
        slot = self.field.slots[self.number]
        hand_velocity(slot, departure)
        if any(_is_contested(slot, view) for view in views):
            yield from self._contested_steps(slot, views[max(0, self.seen_before - 1) :])
        return departure.looks

    def _contested_steps(self, slot: Slot, views: Sequence[View]) -> Generator[None, None, None]:
        """Measure how hands move around the instant at which the card set off."""
        still_ns = self.departure.still_ns
        early_ns, late_ns = 10_000_000, 25_000_000  # around a card's last sight: when it may have set off
        for earlier, later in pairwise(views):
            beside_ns = (later.t_ns - earlier.t_ns) / 2
            since_ns = (earlier.t_ns + later.t_ns) / 2 - still_ns
            if -early_ns - beside_ns <= since_ns <= late_ns + beside_ns:
                origins_between(slot, self.departure, earlier, later)
                yield


class Foresight:
    """Gives the helper pictures to look at while it has nothing else to do.

    Parameters
    ----------
    field : the resting field.
    helper : another process that does errands.
    """

    def __init__(self, field: FieldModel, helper: Helper) -> None:
        self._field, self._helper = field, helper
        self._asked: deque[tuple[Departure, Errand]] = deque()
        self._seen_ns: dict[Departure, int] = {}
        self._contested: dict[Departure, tuple[int, bool]] = {}  # views counted, and whether any is contested

    def go_on(self, departures: Mapping[int, Departure]) -> None:
        """Take over what was found, and ask for the next looks if nobody else uses the helper.

        Parameters
        ----------
        departures : the cards that are not seen in their places, by the numbers of their slots.
        """
        self.take_over()
        self._forget_but(set(departures.values()))
        slots = self._field.slots
        most_asked = 2  # errands at a time: they may delay a trail
        while len(self._asked) < most_asked and self._helper.load == len(self._asked):
            waiting = [number for number, one in departures.items() if self._has_new(slots[number], one)]
            if not waiting:
                return
            number = min(waiting, key=lambda number: departures[number].still_ns)
            self._ask(number, departures[number])

    def take_over(self) -> None:
        """Take over what was found so far."""
        if self._asked:
            self._helper.go_on()
        while self._asked and (self._asked[0][1].is_done or self._asked[0][1].is_lost):
            departure, errand = self._asked.popleft()
            if errand.is_done:
                departure.take_over(errand.answer)

    def _forget_but(self, present: Collection[Departure]) -> None:
        """Forget the cards that were only covered, together with their pictures."""
        for gone in [one for one in (*self._contested, *self._seen_ns) if one not in present]:
            self._contested.pop(gone, None)
            self._seen_ns.pop(gone, None)

    def _has_new(self, slot: Slot, departure: Departure) -> bool:
        """Tell whether a card has pictures that will be asked about and were not looked at yet."""
        wanted = departure.lasting()
        if not wanted or self._seen_ns.get(departure, 0) >= wanted[-1].t_ns:
            return False
        if departure.proof_shift_px is not None:  # it slid: how far a hand's shade covers it will be asked
            return True
        known, contested = self._contested.get(departure, (0, False))
        if not contested and known < len(wanted):
            contested = any(_is_contested(slot, view) for view in wanted[known:])
            self._contested[departure] = len(wanted), contested
        return contested

    def _ask(self, number: int, departure: Departure) -> None:
        seen_ns = self._seen_ns.get(departure, 0)
        wanted = departure.lasting()
        first = sum(view.t_ns <= seen_ns for view in wanted)
        # earlier pictures to repeat: the card was looked for in them, and hands are followed from them on
        pictures_before = 2
        before = min(first, pictures_before)
        at_once = 4  # pictures per errand: some 10 ms of work
        some = wanted[first - before : first + at_once]
        self._seen_ns[departure] = some[-1].t_ns
        errand = LooksErrand(self._field, number, departure.as_it_is(some), before)
        self._asked.append((departure, self._helper.ask(errand)))


def _is_contested(slot: Slot, view: View) -> bool:
    contested_mm = 150.0  # around a card: if both players' hands are this near, both are asked about
    around = view.over.players[view.map_around(slot, contested_mm)]
    return bool((around == NEAR).any() and (around == FAR).any())
