"""Find out what happened to the cards of a poem: when and how each one set off, and whose hands were at it.

The work is done piece by piece, and slow results are kept. So most of it can be done while the hands are
still leaving, from what was seen by then, and the final answer is the same as without that.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Generator, Hashable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np

from vision.contact.approach import Hands, Made
from vision.contact.attribution import contact_steps
from vision.contact.contact import Contact
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import Sight
from vision.frames.shutter import Readout
from vision.hands.frame_map import FrameMap
from vision.launch.errands import Helper
from vision.launch.flight import Flight, finished, is_shown
from vision.launch.flight_fits import FlightFits
from vision.launch.onset import WEAK
from vision.launch.rolling_shear import sheared_readout, tells_of_rows
from vision.launch.strikes import RoughSlide, Strike, explain_steps
from vision.poem.foresight import Foresight
from vision.poem.prepared_answer import PreparedAnswer
from vision.poem.supposition import Supposition

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What happened to the cards of a poem.

    Attributes
    ----------
    contacts : for each card that moved its motion, and the hands at it.
    sheared : estimates of the camera's read-out from the cards that flew off.
    """

    contacts: list[tuple[Strike, list[Contact]]]
    sheared: list[Readout]


def struck_by_turns(shown: Sequence[int], moved: Mapping[int, Departure]) -> list[list[int]]:
    """Return the cards that the first hand struck, then those of the first two hands, and so on.

    Parameters
    ----------
    shown : slot numbers of the cards whose flights can be fitted.
    moved : the departures of these cards, and perhaps of others.
    """
    in_turn = sorted(shown, key=lambda number: moved[number].still_ns)
    turn_ns = 60_000_000  # a hand that strikes several cards reaches the next one within this time
    ends = [
        index
        for index in range(1, len(in_turn) + 1)
        if index == len(in_turn)
        or moved[in_turn[index]].still_ns - moved[in_turn[index - 1]].still_ns > turn_ns
    ]
    return [in_turn[:end] for end in ends]


class Inquiry:
    """Finds out what happened to the cards that moved, and remembers what it has found.

    Parameters
    ----------
    field : the resting field.
    scale : size of the players' map relative to the frame.
    look_back, kept : see `vision.contact.approach.Hands`.
    helper : another process that follows cards, if there is one.
    partings : returns how often arms that had met have parted so far; results depend on it.
    """

    def __init__(
        self,
        field: FieldModel,
        scale: float,
        look_back: Callable[[int], bool],
        kept: Callable[[float, float], Sequence[tuple[int, FrameMap]]],
        *,
        helper: Helper | None,
        partings: Callable[[], int],
    ) -> None:
        self._field = field
        self._scale = scale
        self._partings = partings
        self._look_back = look_back
        self._kept = kept
        self._flights = FlightFits(field, helper)
        self._foresight = None if helper is None else Foresight(field, helper)
        self._sheared: dict[Flight, Readout | None] = {}
        self._hands: dict[frozenset[Flight], Hands] = {}
        self._made: Made = {}
        self._ahead = self._beside = _nothing()
        self._ahead_of: Hashable = None
        self._beside_of: Hashable = None
        self._rough: dict[int, RoughSlide] = {}
        self._prepared: PreparedAnswer[Outcome] | None = None
        self._prepared_at = 0

    def at_once(self, steps: Generator[None, None, _T]) -> _T:
        """Run all steps of an answer that is wanted now, and return it."""
        self._flights.hurries = True
        try:
            return finished(steps)
        finally:
            self._flights.hurries = False

    def outcome_steps(
        self, moved: Mapping[int, Departure], sights: Mapping[int, Sequence[Sight]]
    ) -> Generator[None, None, Outcome]:
        """Find out about the cards in `moved`, by slot number; see `strikes.explain_steps`."""
        prepared = self._prepared_for(moved)
        if prepared is not None:
            return (yield from prepared.steps())
        return (yield from self._outcome_steps(moved, sights))

    def _outcome_steps(
        self, moved: Mapping[int, Departure], sights: Mapping[int, Sequence[Sight]]
    ) -> Generator[None, None, Outcome]:
        if self._foresight is not None:
            self._foresight.take_over()
        return (yield from self._steps(moved, sights))

    def leaving_steps(
        self, hidden: Mapping[int, Departure], sights: Mapping[int, Sequence[Sight]]
    ) -> Generator[None, None, set[int]]:
        """Return which of the cards with covered places were seen moving away from there.

        In 200 simulated poems 17 of 26 hidden cards were, and all 17 had moved. See `outcome_steps` for the
        parameters.
        """
        trails = yield from self._flights.steps_alone(list(hidden), hidden, sights)
        return {number for number, trail in trails.items() if _has_left(trail.flight)}

    def seem_to_leave(
        self, hidden: Mapping[int, Departure], sights: Mapping[int, Sequence[Sight]]
    ) -> set[int]:
        """Return the part of `leaving_steps`' answer that is known already."""
        leaving = set()
        for number, departure in hidden.items():
            trail = self._flights.found_alone(number, departure, sights[number])
            if trail is not None and _has_left(trail.flight):
                leaving.add(number)
        return leaving

    def look_ahead(
        self, departures: Mapping[int, Departure], sights: Callable[[int], Sequence[Sight]]
    ) -> None:
        """Have the helper follow the cards that are not seen in their places, and look at their pictures.

        Parameters
        ----------
        departures : these cards' departures, by slot number.
        sights : returns what each frame showed of a card, by slot number.
        """
        self._flights.ask_ahead(departures, sights)
        if self._foresight is not None:
            self._foresight.go_on(departures)

    def advance(self, supposed: Supposition, sights: Mapping[int, Sequence[Sight]], until_ns: int) -> None:
        """Do a part of the work of `outcome_steps` ahead, until about `until_ns` of the thread's CPU time.

        First comes what can be known by now, then the outcome as if the hands had left, and last what is
        needed if things turn out otherwise. A wrong supposition only wastes some of the work.

        Parameters
        ----------
        supposed : what probably became of the cards.
        sights : what each frame showed of them.
        until_ns : CPU time of the thread at which to stop, as `time.thread_time_ns` counts it.
        """
        moved = supposed.moved
        self._prepared = self._prepared_for(moved)
        is_ahead = self._prepared is not None or self._is_ahead(supposed, sights, until_ns)
        if self._prepared is None and is_ahead and all(map(_is_known, moved.values())):
            self._prepared = PreparedAnswer(moved, self._outcome_steps(moved, sights))
            self._prepared_at = self._partings()
        if self._prepared is not None and self._go_on(self._prepared.step, until_ns):
            asked = _asked_of(moved), frozenset(supposed.hidden), frozenset(supposed.doubted)
            if asked != self._beside_of:
                self._beside_of, self._beside = asked, self._steps_beside(supposed, sights)
            self._go_on(partial(_is_over, self._beside), until_ns)

    def _prepared_for(self, moved: Mapping[int, Departure]) -> PreparedAnswer[Outcome] | None:
        """Return the prepared outcome if it still holds for the cards that moved."""
        prepared = self._prepared if self._prepared_at == self._partings() else None
        return prepared if prepared is not None and prepared.holds(moved) else None

    def _is_ahead(self, supposed: Supposition, sights: Mapping[int, Sequence[Sight]], until_ns: int) -> bool:
        """Go on with what can be known by now; tell whether all of it is."""
        asked = _asked_of(supposed.moved), frozenset(supposed.doubted)
        if asked != self._ahead_of:
            self._ahead_of, self._ahead = asked, self._steps_ahead(supposed.moved, sights)
            self._flights.withdraw()
        return self._go_on(partial(_is_over, self._ahead), until_ns)

    def _go_on(self, step: Callable[[], bool], until_ns: int) -> bool:
        """Take steps until time is up or only the helper can go on; tell whether the last one was taken."""
        while time.thread_time_ns() < until_ns:
            self._flights.waits = False
            if step():
                return True
            if self._flights.waits:
                break
        return False

    def _steps_ahead(
        self, moved: Mapping[int, Departure], sights: Mapping[int, Sequence[Sight]]
    ) -> Generator[None, None, None]:
        """Find out what can be known by now.

        The cards struck first are followed first: what seems to leave much later is mostly a hand.
        """
        for struck in struck_by_turns(_struck(moved), moved):
            yield from self._flights.steps(struck, moved, sights)
        known = {number for number, one in moved.items() if _is_known(one)}
        if len(known) < len(moved):
            yield from self._steps(moved, sights, known, self._rough)

    def _steps_beside(
        self, supposed: Supposition, sights: Mapping[int, Sequence[Sight]]
    ) -> Generator[None, None, None]:
        """Follow cards for the cases in which doubtful guesses are wrong."""
        moved, hidden = supposed.moved, supposed.hidden
        certain = {number: one for number, one in moved.items() if number not in supposed.doubted}
        # a card that others have come to lie on mostly turns out to have left, too
        away = [number for number, one in hidden.items() if is_shown(one)]
        for left in ({**moved, **hidden}, certain):
            struck = [number for number in (*_struck(moved), *away) if number in left]
            flights = yield from self._flights.steps(struck, left, sights)
            yield from self._sheared_steps(list(flights.values()), left)

    def _steps(
        self,
        moved: Mapping[int, Departure],
        sights: Mapping[int, Sequence[Sight]],
        only: Collection[int] | None = None,
        rough: MutableMapping[int, RoughSlide] | None = None,
    ) -> Generator[None, None, Outcome]:
        strikes = yield from explain_steps(self._field, moved, sights, self._flights, only=only, rough=rough)
        flights = [strike.covers for strike in strikes if strike.covers is not None]
        sheared = yield from self._sheared_steps(flights, moved)
        known = frozenset(flight for flight in flights if flight.strength >= WEAK)
        if known not in self._hands:
            most_guessed = 4  # sets of flights for which the hands are kept
            while len(self._hands) >= most_guessed:
                del self._hands[next(iter(self._hands))]
            most_maps = 1000  # of the hands; a poem of ten cards that moved needed 132
            if len(self._made) > most_maps:
                self._made.clear()
            self._hands[known] = Hands(
                self._field, known, self._scale, self._look_back, self._kept, made=self._made
            )
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


def _nothing() -> Generator[None, None, None]:
    yield from ()


def _is_over(steps: Generator[None, None, None]) -> bool:
    """Take a step; tell whether none was left."""
    return next(steps, steps) is steps


def _is_known(one: Departure) -> bool:
    """Tell whether all of a card's motion is seen that hands over the field leave visible."""
    return one.is_complete or one.final_shift_px is not None


def _asked_of(moved: Mapping[int, Departure]) -> Hashable:
    """Return what is known of the moved cards that determines which results can be found."""
    return frozenset(
        (number, one, is_shown(one), one.is_complete, one.final_shift_px is None)
        for number, one in moved.items()
    )


def _struck(moved: Mapping[int, Departure]) -> list[int]:
    """Return the slots of the cards that seem to have flown and whose motion is fully shown."""
    return [
        number for number, one in moved.items() if is_shown(one) and (one.left or one.final_shift_px is None)
    ]


def _has_left(flight: Flight) -> bool:
    """Tell whether a card's print was seen moving away from its place."""
    left_mm, left_spots = 10.0, 2  # a print seen this far away in the end, and this often, has left
    if len(flight.spots) < left_spots:
        return False
    return float(np.hypot(*flight.spots[-1].shift_px)) > left_mm * flight.slot.px_per_mm
