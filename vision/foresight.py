"""Pictures of a card that left its place, looked at before anybody asks for what they show.

What is found of a card's face, its print and the motion around it hangs on the pictures alone, and most of it
is asked for in the end. A race leaves the eye hardly any time for that while its pictures come in, but the
helper has little to do then: it looks at them whenever it is idle.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable, Mapping, MutableMapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from vision.card_traces import Bare
from vision.departure import Departure, View
from vision.errands import Errand, Helper
from vision.field_model import FieldModel
from vision.hand_speed import hand_velocity
from vision.over import FAR, NEAR
from vision.shade import print_in
from vision.slots import Slot
from vision.velocities import origins_between, shift_in

_CONTESTED_MM = 150.0  # around a card: both players' hands are asked about where both are seen
_EARLY_NS, _LATE_NS = 10_000_000, 25_000_000  # from a card's last sight to when it may have set off
_MOVES_NS = 60_000_000  # so long after its last sight it is asked how far a card has moved
_SHIFTS = 4  # of these pictures, at most: three are asked for, and the first may come too early


@dataclass(slots=True, eq=False)
class LooksErrand(Errand):
    """Looks at a card's pictures that are wanted: what `vision.departure.Departure.looks` tells then."""

    def steps(self, _: MutableMapping[Hashable, Bare]) -> Generator[None, None, dict[Hashable, Any]]:
        """Look at the pictures; see `Errand`."""
        field, number, departure = self.field, self.number, self.departure
        for view in departure.views:
            print_in(field, number, departure, view, may_fly=True)  # and where the card itself lies in it
            yield
        hand_velocity(field.slots[number], departure)
        if any(_is_contested(field.slots[number], view) for view in departure.views):
            yield from _contested_steps(field, number, departure)
        return departure.looks


class Foresight:
    """Lets a helper look at pictures while it has nothing else to do.

    Parameters
    ----------
    field : the resting field.
    helper : another process that does errands.
    """

    def __init__(self, field: FieldModel, helper: Helper) -> None:
        self._field, self._helper = field, helper
        self._asked: tuple[Departure, Errand] | None = None
        self._seen_ns: dict[Departure, int] = {}

    def go_on(self, departures: Mapping[int, Departure]) -> None:
        """Take over what was found, and ask for the next card's looks where the helper is idle.

        Parameters
        ----------
        departures : the cards that are not seen in their places, by the numbers of their slots.
        """
        self.take_over()
        if self._asked is not None or not self._helper.is_idle:
            return
        waiting = [number for number, one in departures.items() if self._has_new(one)]
        if waiting:
            number = min(waiting, key=lambda number: departures[number].still_ns)
            self._ask(number, departures[number])

    def take_over(self) -> None:
        """Take over what was found by now."""
        if self._asked is None:
            return
        departure, errand = self._asked
        self._helper.go_on()
        if errand.is_done:
            departure.take_over(errand.answer)
        if errand.is_done or errand.is_lost:
            self._asked = None

    def _has_new(self, departure: Departure) -> bool:
        """Tell whether a card has pictures that will be asked about, and were not looked at."""
        if departure.is_complete:
            return self._seen_ns.get(departure, 0) < departure.views[-1].t_ns
        return departure.has_begun and departure not in self._seen_ns

    def _ask(self, number: int, departure: Departure) -> None:
        seen_ns = self._seen_ns.get(departure, 0)
        wanted = departure.as_it_is()
        seen = sum(view.t_ns <= seen_ns for view in wanted.views)
        del wanted.views[: max(0, seen - 1)]  # the last one that was seen is where the next ones begin
        self._seen_ns[departure] = departure.views[-1].t_ns
        self._asked = departure, self._helper.ask(LooksErrand(self._field, number, wanted))


def _is_contested(slot: Slot, view: View) -> bool:
    around = view.over.players[view.map_around(slot, _CONTESTED_MM)]
    return bool((around == NEAR).any() and (around == FAR).any())


def _contested_steps(field: FieldModel, number: int, departure: Departure) -> Generator[None, None, None]:
    """Look how hands and card move around the instant at which the card set off."""
    from_ns, to_ns = departure.still_ns - _EARLY_NS, departure.still_ns + _LATE_NS
    for earlier, later in pairwise(departure.views):
        beside_ns = (later.t_ns - earlier.t_ns) / 2
        if from_ns - beside_ns <= (earlier.t_ns + later.t_ns) / 2 <= to_ns + beside_ns:
            origins_between(field.slots[number], departure, earlier, later)
            yield
    moved = 0
    for view in departure.after():
        if view.t_ns - departure.still_ns > _MOVES_NS or moved == _SHIFTS:
            break
        moved += shift_in(field, number, departure, view) is not None
        yield
