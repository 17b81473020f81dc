"""The flights of all cards that were struck in a poem, fitted piece by piece, each only once.

Cards that are struck together fly side by side and look alike from afar, so each is followed once on its own
and, unless its print was seen on its way, once more with the others' paths known; at last cards of a row tell
one another when they set off (`vision.row_times`). A fit depends only on the pictures around its card, and
the second one on its neighbours' first; its result is kept, and what was begun is gone on with.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable, Mapping, Sequence

from vision.departure import Departure
from vision.field_model import FieldModel
from vision.hand_entry import entries_of
from vision.motion import Flight, Studies, Trail, finished, trail_steps, views_of
from vision.onset import WEAK
from vision.row_times import in_rows
from vision.slots import Sight

_NEARBY_MM = 160.0
_SEEN = 2  # sights of a card's print that tell its path from its neighbours'


class Flights:
    """Follows cards that left their places, and remembers what it has found.

    Parameters
    ----------
    field : the resting field.
    """

    def __init__(self, field: FieldModel) -> None:
        self._field = field
        self._known: dict[Hashable, Trail | None] = {}
        self._studies = Studies()
        self._begun: dict[Hashable, Generator[None, None, Trail | None]] = {}
        self._entered: dict[tuple[Trail, tuple[float, ...]], Flight] = {}
        self._told: dict[tuple[Flight, Flight], Flight] = {}

    def of(
        self,
        struck: Sequence[int],
        departures: Mapping[int, Departure],
        sights: Mapping[int, Sequence[Sight]],
    ) -> dict[int, Flight]:
        """Return the flights of the cards that could be followed, by the number of their slots.

        Parameters
        ----------
        struck : numbers of the slots whose cards flew off, in the order to follow them.
        departures : for each card that moved, struck ones and others, by the number of its slot.
        sights : what each frame showed of those cards.
        """
        return finished(self.steps(struck, departures, sights))

    def steps(
        self,
        struck: Sequence[int],
        departures: Mapping[int, Departure],
        sights: Mapping[int, Sequence[Sight]],
    ) -> Generator[None, None, dict[int, Flight]]:
        """Do what `of` does in steps of a few milliseconds; see there for the parameters."""
        alone = yield from self.steps_alone(struck, departures, sights)
        trails = dict(alone)
        for number, known in alone.items():
            if len(known.flight.spots) >= _SEEN:
                continue
            others = tuple(
                trail.flight
                for other, trail in alone.items()
                if other != number and trail.flight.strength >= WEAK and nearby(self._field, other, number)
            )
            if others:
                again = yield from self._followed(number, departures[number], sights[number], others)
                if again is not None:
                    trails[number] = again
        flights = [self._flight(number, trail, departures) for number, trail in trails.items()]
        return {flight.number: flight for flight in in_rows(self._field, flights, self._told)}

    def steps_alone(
        self,
        struck: Sequence[int],
        departures: Mapping[int, Departure],
        sights: Mapping[int, Sequence[Sight]],
    ) -> Generator[None, None, dict[int, Trail]]:
        """Follow each card on its own, the first half of `steps`."""
        trails: dict[int, Trail] = {}
        for number in struck:
            trail = yield from self._followed(number, departures[number], sights[number], ())
            if trail is not None:
                trails[number] = trail
        return trails

    def _flight(self, number: int, trail: Trail, departures: Mapping[int, Departure]) -> Flight:
        """Return the flight of a card with what is known of the hand that reached its row."""
        entries_ns = entries_of(self._field, number, departures)
        if (trail, entries_ns) not in self._entered:
            self._entered[trail, entries_ns] = trail.entered(entries_ns)
        return self._entered[trail, entries_ns]

    def _followed(
        self, number: int, departure: Departure, sights: Sequence[Sight], others: tuple[Flight, ...]
    ) -> Generator[None, None, Trail | None]:
        """Follow a card unless its trail is known from the very same pictures."""
        views = views_of(departure)
        still_ns, last_ns = departure.still_ns, views[-1].t_ns if views else departure.still_ns
        near = [sight for sight in sights if sight.seen and still_ns <= sight.t_ns <= last_ns]
        key = (
            departure,
            departure.bracket_ns,
            tuple(view.t_ns for view in views),
            tuple(sight.t_ns for sight in near),
            others,
        )
        if key not in self._known:
            if key not in self._begun:
                self._begun[key] = trail_steps(
                    self._field, number, departure, sights=near, others=others, studies=self._studies
                )
            steps = self._begun[key]
            while key not in self._known:
                try:
                    next(steps)  # with `yield from` it would be closed together with whoever asked
                except StopIteration as end:
                    self._known[key] = end.value
                    del self._begun[key]
                else:
                    yield  # somebody else may go on with it meanwhile, and end it
        return self._known[key]


def nearby(field: FieldModel, one: int, other: int) -> bool:
    """Tell whether two cards lie so close together that the same hand may have struck both."""
    apart = field.slots[one].centre_px - field.slots[other].centre_px
    return bool(apart @ apart < (_NEARBY_MM * field.px_per_mm) ** 2)
