"""Questions about a card that a helper answers, and what is expected of a helper."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Generator, Hashable, MutableMapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from vision.departures.departure import Departure, View
from vision.field.model import FieldModel
from vision.field.slots import Sight
from vision.launch.flight import Flight, Trail, trail_steps
from vision.sightings.traces import Bare


@dataclass(slots=True, eq=False)
class Errand(ABC):
    """A question about a card.

    Attributes
    ----------
    field, number, departure : the resting field, the number of the card's slot, and its pictures.
    answer : the result, once the errand `is_done`.
    is_lost : nobody works on it any more, so whoever needs the answer must find it.
    """

    field: FieldModel
    number: int
    departure: Departure
    answer: Any = dataclasses.field(default=None, init=False)
    is_done: bool = dataclasses.field(default=False, init=False)
    is_lost: bool = dataclasses.field(default=False, init=False)

    @abstractmethod
    def steps(self, bare: MutableMapping[Hashable, Bare]) -> Generator[None, None, Any]:
        """Find the answer in steps of a few milliseconds; for `bare` see `flight.trail_steps`."""

    def take_in(self, answer: Any) -> None:
        """Take in the answer that a helper found."""
        self.answer, self.is_done = answer, True

    def luggage(self) -> dict[str, Any]:
        """Return all fields but the resting field, with the pictures reduced to what is needed."""
        departure = self.departure.as_it_is([_light(view) for view in self.departure.views])
        names = (part.name for part in dataclasses.fields(self) if part.init)
        return {name: getattr(self, name) for name in names if name != "field"} | {"departure": departure}


@dataclass(slots=True, eq=False)
class TrailErrand(Errand):
    """Asks for a trail: a `vision.launch.flight.Trail`, or None if there is nothing to judge by.

    Attributes
    ----------
    sights, others, alone : the input of `vision.launch.flight.trail_steps`.
    """

    sights: tuple[Sight, ...]
    others: tuple[Flight, ...]
    alone: Trail | None = None

    def steps(self, bare: MutableMapping[Hashable, Bare]) -> Generator[None, None, Trail | None]:
        """Find the trail; see `Errand`."""
        return trail_steps(
            self.field,
            self.number,
            self.departure,
            sights=self.sights,
            others=self.others,
            alone=self.alone,
            bare=bare,
        )

    def take_in(self, answer: Trail | None) -> None:
        """Take in a trail, perhaps from another process, and give it this field's slot."""
        if answer is not None:
            flight = replace(answer.flight, slot=self.field.slots[self.number])
            answer = replace(answer, flight=flight)
        self.answer, self.is_done = answer, True


def _light(view: View) -> View:
    none = np.zeros((0, 0), np.int64)
    return replace(view, over=replace(view.over, met_ns=none, mask=none.astype(np.uint8)))


class Helper(Protocol):
    """Does errands while the eye goes on looking, with the same results as the eye's."""

    @property
    def load(self) -> int:
        """Number of errands it has not brought back yet."""

    def ask(self, errand: Errand) -> Errand:
        """Take over an errand in its present state; errands of an earlier field not begun yet are lost."""

    def take_back(self, errand: Errand) -> bool:
        """Take back an errand that was not begun; return False if it was."""

    def go_on(self, wait_s: float = 0.0) -> None:
        """Take in answers and go on to the next errands; wait at most `wait_s` for an answer."""
