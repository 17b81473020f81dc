"""Fit the flights of all cards that were struck in a poem, piece by piece, each only once.

Cards that are struck together fly side by side and look alike from afar. So each is followed once on its own
and, unless its print was seen on its way, once more with the others' paths known. Last, cards of a row tell
each other when they set off (`vision.launch.row_times`). A fit depends only on the pictures around its card,
and the second one also on its neighbours' first fits. Results are kept, and a fit that was begun is
continued.
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
    helper : another process that follows cards, if there is one.

    Attributes
    ----------
    waits : whether the latest step only waited for the helper.
    hurries : whether all results are wanted at once.
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
        """Return the flights of the cards that could be followed, by slot number.

        The work is done in steps of a few milliseconds.

        Parameters
        ----------
        struck : slot numbers of the cards that flew off, in the order to follow them.
        departures : of every card that moved, struck or not, by slot number.
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
        """Return the trail of a card on its own, None if it is not known yet."""
        key = self._question(number, departure, sights).key
        errand = self._errands.get(key)
        if key not in self._known and errand is not None and errand.is_done:
            self._known[key] = errand.answer
        return self._known.get(key)

    def ask_ahead(
        self, departures: Mapping[int, Departure], sights: Callable[[int], Sequence[Sight]]
    ) -> None:
        """Have the helper follow each card that left, on its own, once all its pictures are there.

        This depends on nothing else, and is needed for nearly every such card in the end. Cards seen beside
        their places were pressed; they do not fly.
        """
        if self._helper is None:
            return
        self._ahead &= set(departures.values())
        for number, departure in departures.items():
            if departure not in self._ahead and is_shown(departure) and not departure.moved:
                self._ahead.add(departure)
                self._ask(self._question(number, departure, sights(number)))

    def withdraw(self) -> None:
        """Withdraw what the helper has not begun, since other cards may be wanted first."""
        if self._helper is not None:
            for key, errand in list(self._errands.items()):
                if self._helper.take_back(errand):
                    del self._errands[key]
            self._ahead.clear()

    def _flight(self, number: int, trail: Trail, departures: Mapping[int, Departure]) -> Flight:
        """Return the flight of a card, given when a hand reached its row."""
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
        """Follow the cards whose trails are not known from the same pictures; return them by slot number."""
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
        """Wait for the helper to find a trail, if it is working on it."""
        while question.key not in self._known and not self._is_ours(question):
            self._go_on_with_helper()
            if self._errands[question.key].is_done:
                self._known[question.key] = self._errands[question.key].answer
                return
            self.waits = True
            yield

    def _ask(self, question: _Question) -> None:
        """Ask the helper to follow a card, if nobody has begun."""
        key = question.key
        is_new = not any(key in known for known in (self._known, self._begun, self._errands))
        if self._helper is not None and is_new:
            self._errands[key] = self._helper.ask(question.errand)

    def _is_ours(self, question: _Question) -> bool:
        """Tell whether this process must follow a card; what the helper has not begun is taken back."""
        errand = self._errands.get(question.key)
        if errand is None or self._helper is None:
            return True
        return errand.is_lost or self._helper.take_back(errand)

    def _go_on_with_helper(self) -> None:
        if self._helper is not None:
            patience_s = 0.001
            self._helper.go_on(patience_s if self.hurries else 0.0)

    def _followed_here(self, question: _Question) -> Generator[None, None, None]:
        """Follow a card that the helper does not follow."""
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
                next(steps)  # `yield from` would close it together with the caller
            except StopIteration as end:
                self._known[key] = end.value
                del self._begun[key]
            else:
                yield  # another caller may continue it meanwhile, and finish it


@dataclass(frozen=True, slots=True, eq=False)
class _Question:
    """A trail that is wanted, and its key: the pictures, and the other cards it is found with."""

    errand: TrailErrand
    key: Hashable


def nearby(field: FieldModel, one: int, other: int) -> bool:
    """Tell whether two cards lie so close together that one hand may have struck both."""
    apart = field.slots[one].centre_px - field.slots[other].centre_px
    nearby_mm = 160.0
    return bool(apart @ apart < (nearby_mm * field.px_per_mm) ** 2)
