"""What happened to the cards of a poem: when and how each that moved set off, and whose hands were at it.

It is found out piece by piece, and what takes long is kept: so most of it can be known while the hands are
still leaving, from what has been seen by then, and the answer at the end is the same as without.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Hashable, Mapping, Sequence
from dataclasses import dataclass

from vision.approach import Hands
from vision.contacts import Contact, contact_steps
from vision.departure import Departure
from vision.field_model import FieldModel
from vision.flights import Flights
from vision.motion import Flight, finished, is_shown
from vision.onset import WEAK
from vision.shear import sheared_readout, tells_of_rows
from vision.shutter import Readout
from vision.slots import Sight
from vision.strikes import Strike, explain_steps


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What happened to the cards of a poem.

    Attributes
    ----------
    contacts : for each card that moved its motion, and the hands at it.
    sheared : what the cards that flew off tell about the camera's read-out.
    """

    contacts: list[tuple[Strike, list[Contact]]]
    sheared: list[Readout]


class Inquiry:
    """Finds out what happened to the cards that moved, and remembers what it has found.

    Parameters
    ----------
    field : the resting field.
    scale : size of the players' map relative to the frame.
    """

    def __init__(self, field: FieldModel, scale: float) -> None:
        self._field = field
        self._scale = scale
        self._flights = Flights(field)
        self._sheared: dict[Flight, Readout | None] = {}
        self._hands: dict[frozenset[Flight], Hands] = {}
        self._ahead: Generator[None, None, None] | None = None
        self._ahead_of: Hashable = None

    def outcome(self, moved: Mapping[int, Departure], sights: Mapping[int, Sequence[Sight]]) -> Outcome:
        """Find out about the cards in `moved`, by the numbers of their slots; see `strikes.explain`."""
        return finished(self._steps(moved, sights))

    def advance(
        self,
        moved: Mapping[int, Departure],
        hidden: Mapping[int, Departure],
        sights: Mapping[int, Sequence[Sight]],
        budget_ns: int,
    ) -> None:
        """Do a part of the work of `outcome` ahead, for about `budget_ns` of the thread's CPU time.

        What turns out otherwise in the end only makes some of the work useless.

        Parameters
        ----------
        moved : the cards that were seen elsewhere, by the numbers of their slots.
        hidden : those that something lies over: they may have moved with the others.
        sights : what each frame showed of the cards that moved.
        budget_ns : see above.
        """
        asked = frozenset((number, one, is_shown(one), one.is_complete) for number, one in moved.items())
        if (asked, frozenset(hidden)) != self._ahead_of:
            self._ahead_of = asked, frozenset(hidden)
            self._ahead = self._steps_ahead(moved, hidden, sights)
        until_ns = time.thread_time_ns() + budget_ns
        while self._ahead is not None and time.thread_time_ns() < until_ns:
            try:
                next(self._ahead)
            except StopIteration:
                self._ahead = None

    def _steps_ahead(
        self,
        moved: Mapping[int, Departure],
        hidden: Mapping[int, Departure],
        sights: Mapping[int, Sequence[Sight]],
    ) -> Generator[None, None, None]:
        """Find out what can be known by now: as if what is hidden lay still, then as if it had moved."""
        if all(one.is_complete or one.final_shift_px is not None for one in moved.values()):
            yield from self._steps(moved, sights)
        shown = [
            number
            for number, one in moved.items()
            if is_shown(one) and (one.left or one.final_shift_px is None)
        ]
        for left in (moved, {**moved, **hidden}):
            flights = yield from self._flights.steps(shown, left, sights)
            yield from self._sheared_steps(list(flights.values()), left)

    def _steps(
        self, moved: Mapping[int, Departure], sights: Mapping[int, Sequence[Sight]]
    ) -> Generator[None, None, Outcome]:
        strikes = yield from explain_steps(self._field, moved, sights, self._flights)
        flights = [strike.flight for strike in strikes if strike.flight is not None]
        sheared = yield from self._sheared_steps(flights, moved)
        known = frozenset(flight for flight in flights if flight.strength >= WEAK)
        if known not in self._hands:
            self._hands = {known: Hands(self._field, known, self._scale)}
        contacts = yield from contact_steps(self._field, moved, strikes, self._hands[known])
        return Outcome(contacts, sheared)

    def _sheared_steps(
        self, flights: Sequence[Flight], moved: Mapping[int, Departure]
    ) -> Generator[None, None, list[Readout]]:
        sheared = []
        for flight in tells_of_rows(flights):
            if flight not in self._sheared:
                self._sheared[flight] = sheared_readout(self._field, flight, moved[flight.number])
                yield
            sheared.append(self._sheared[flight])
        return [one for one in sheared if one is not None]
