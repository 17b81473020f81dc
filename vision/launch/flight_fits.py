"""The flights of all cards that were struck in a poem, fitted piece by piece, each only once.

Cards that are struck together fly side by side and look alike from afar, so each is followed once on its own
and, unless its print was seen on its way, once more with the others' paths known; at last cards of a row tell
one another when they set off (`vision.launch.row_times`). A fit depends only on the pictures around its card,
and the second one on its neighbours' first; its result is kept, and what was begun is gone on with.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Mapping, Sequence
from dataclasses import dataclass

from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import Sight
from vision.hand_cues.entry import entries_of
from vision.launch.errands import Errand, Helper, TrailErrand
from vision.launch.flight import Flight, Trail, is_shown, views_of
from vision.launch.onset import WEAK
from vision.launch.row_times import in_rows
from vision.sightings.traces import Bare


class FlightFits:
    """Follows cards that left their places, and remembers what it has found.

    Parameters
    ----------
    field : the resting field.
    helper : another process that follows them, where there is one.

    Attributes
    ----------
    waits : the latest step only waited for the helper.
    hurries : all are wanted at once.
    """

    def __init__(self, field: FieldModel, helper: Helper | None = None) -> None:
        self.waits = self.hurries = False
        self._field, self._helper = field, helper
        self._errands: dict[Hashable, Errand] = {}
        self._known: dict[Hashable, Trail | None] = {}
        self._bare: dict[Hashable, Bare] = {}
        self._begun: dict[Hashable, Generator[None, None, Trail | None]] = {}
        self._entered: dict[tuple[Trail, tuple[float, ...]], Flight] = {}
        self._told: dict[tuple[Flight, Flight], Flight] = {}
        self._ahead: set[Departure] = set()

    def steps(
        self,
        struck: Sequence[int],
        departures: Mapping[int, Departure],
        sights: Mapping[int, Sequence[Sight]],
    ) -> Generator[None, None, dict[int, Flight]]:
        """Return the flights of the cards that could be followed, by the number of their slots.

        It is done in steps of a few milliseconds.

        Parameters
        ----------
        struck : numbers of the slots whose cards flew off, in the order to follow them.
        departures : for each card that moved, struck ones and others, by the number of its slot.
        sights : what each frame showed of those cards.
        """
        alone = yield from self.steps_alone(struck, departures, sights)
        again = []
        enough_sights = 2  # sights of a card's print that tell its path from its neighbours'
        for number, known in alone.items():
            if len(known.flight.spots) >= enough_sights:
                continue
            others = tuple(
                trail.flight
                for other, trail in alone.items()
                if other != number and trail.flight.strength >= WEAK and nearby(self._field, other, number)
            )
            if others:
                again.append(self._question(number, departures[number], sights[number], others, known))
        trails = alone | (yield from self._followed(again))
        flights = [self._flight(number, trail, departures) for number, trail in trails.items()]
        return {flight.number: flight for flight in in_rows(self._field, flights, self._told)}

    def steps_alone(
        self,
        struck: Sequence[int],
        departures: Mapping[int, Departure],
        sights: Mapping[int, Sequence[Sight]],
    ) -> Generator[None, None, dict[int, Trail]]:
        """Follow each card on its own, the first half of `steps`."""
        asked = [self._question(number, departures[number], sights[number]) for number in struck]
        return (yield from self._followed(asked))

    def found_alone(self, number: int, departure: Departure, sights: Sequence[Sight]) -> Trail | None:
        """Return a card's trail on its own if that is known by now."""
        key = self._question(number, departure, sights).key
        errand = self._errands.get(key)
        if key not in self._known and errand is not None and errand.is_done:
            self._known[key] = errand.answer
        return self._known.get(key)

    def ask_ahead(
        self, departures: Mapping[int, Departure], sights: Callable[[int], Sequence[Sight]]
    ) -> None:
        """Let the helper follow each card on its own that went away, once all its pictures are there.

        What is asked for then hangs on nothing else, and is wanted of nearly all of them in the end. Pressed
        cards are seen beside their places: they do not fly.
        """
        if self._helper is None:
            return
        self._ahead &= set(departures.values())
        for number, departure in departures.items():
            if departure not in self._ahead and is_shown(departure) and not departure.moved:
                self._ahead.add(departure)
                self._ask(self._question(number, departure, sights(number)))

    def withdraw(self) -> None:
        """Want nothing any more that the helper has not begun: other cards may be wanted first."""
        if self._helper is not None:
            for key, errand in list(self._errands.items()):
                if self._helper.take_back(errand):
                    del self._errands[key]
            self._ahead.clear()

    def _flight(self, number: int, trail: Trail, departures: Mapping[int, Departure]) -> Flight:
        """Return the flight of a card with what is known of the hand that reached its row."""
        entries_ns = entries_of(self._field, number, departures)
        if (trail, entries_ns) not in self._entered:
            self._entered[trail, entries_ns] = trail.entered(entries_ns)
        return self._entered[trail, entries_ns]

    def _question(
        self,
        number: int,
        departure: Departure,
        sights: Sequence[Sight],
        others: tuple[Flight, ...] = (),
        alone: Trail | None = None,
    ) -> _Question:
        views = views_of(departure)
        still_ns, last_ns = departure.still_ns, views[-1].t_ns if views else departure.still_ns
        near = tuple(sight for sight in sights if sight.seen and still_ns <= sight.t_ns <= last_ns)
        pictures = tuple(view.t_ns for view in views), tuple(sight.t_ns for sight in near)
        key = departure, departure.bracket_ns, pictures, others
        return _Question(TrailErrand(self._field, number, departure, near, others, alone), key)

    def _followed(self, asked: Sequence[_Question]) -> Generator[None, None, dict[int, Trail]]:
        """Follow cards whose trails are not known from the same pictures; by the numbers of their slots."""
        for question in asked:
            self._ask(question)
        for question in reversed(asked):  # from the other end than the helper
            yield from self._followed_here(question)
        trails: dict[int, Trail] = {}
        for question in asked:
            yield from self._waited_for(question)
            yield from self._followed_here(question)
            trail = self._known[question.key]
            if trail is not None:
                trails[question.errand.number] = trail
        return trails

    def _waited_for(self, question: _Question) -> Generator[None, None, None]:
        """Wait until the helper has found a trail, if it is at work on it."""
        while question.key not in self._known and not self._is_ours(question):
            self._go_on_with_helper()
            if self._errands[question.key].is_done:
                self._known[question.key] = self._errands[question.key].answer
                return
            self.waits = True
            yield

    def _ask(self, question: _Question) -> None:
        """Let the helper follow a card, if that was not begun."""
        key = question.key
        is_new = not any(key in known for known in (self._known, self._begun, self._errands))
        if self._helper is not None and is_new:
            self._errands[key] = self._helper.ask(question.errand)

    def _is_ours(self, question: _Question) -> bool:
        """Tell whether nobody else follows a card; what the helper has not begun is taken back."""
        errand = self._errands.get(question.key)
        if errand is None or self._helper is None:
            return True
        return errand.is_lost or self._helper.take_back(errand)

    def _go_on_with_helper(self) -> None:
        if self._helper is not None:
            patience_s = 0.001
            self._helper.go_on(patience_s if self.hurries else 0.0)

    def _followed_here(self, question: _Question) -> Generator[None, None, None]:
        """Follow a card that nobody else follows."""
        key = question.key
        if key in self._known or not self._is_ours(question):
            return
        if key not in self._begun:
            self._begun[key] = question.errand.steps(self._bare)
        steps = self._begun[key]
        while key not in self._known:
            if self._helper is not None:
                self._helper.go_on()
            try:
                next(steps)  # with `yield from` it would be closed together with whoever asked
            except StopIteration as end:
                self._known[key] = end.value
                del self._begun[key]
            else:
                yield  # somebody else may go on with it meanwhile, and end it


@dataclass(frozen=True, slots=True, eq=False)
class _Question:
    """A trail that is wanted, and what it is known by: the pictures, and what others it is found with."""

    errand: TrailErrand
    key: Hashable


def nearby(field: FieldModel, one: int, other: int) -> bool:
    """Tell whether two cards lie so close together that the same hand may have struck both."""
    apart = field.slots[one].centre_px - field.slots[other].centre_px
    nearby_mm = 160.0
    return bool(apart @ apart < (nearby_mm * field.px_per_mm) ** 2)
