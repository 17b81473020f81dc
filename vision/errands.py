"""Trails that somebody else is asked to follow, and what is expected of whoever does."""

from __future__ import annotations

from collections.abc import Generator, Hashable, MutableMapping
from dataclasses import dataclass
from typing import Protocol

from vision.card_traces import Bare
from vision.departure import Departure
from vision.field_model import FieldModel
from vision.motion import Flight, Trail, trail_steps
from vision.slots import Sight


@dataclass(slots=True, eq=False)
class Errand:
    """A trail that is wanted.

    Attributes
    ----------
    field, number, departure, sights, others, alone : what it is found in, see `vision.motion.trail_steps`.
    trail : what was found, once the errand `is_done`; None where there is nothing to judge by.
    is_lost : nobody works on it any more: who wants it must find it.
    """

    field: FieldModel
    number: int
    departure: Departure
    sights: tuple[Sight, ...]
    others: tuple[Flight, ...]
    alone: Trail | None = None
    trail: Trail | None = None
    is_done: bool = False
    is_lost: bool = False

    def steps(self, bare: MutableMapping[Hashable, Bare]) -> Generator[None, None, Trail | None]:
        """Find the trail in steps of a few milliseconds; for `bare` see `vision.motion.trail_steps`."""
        return trail_steps(
            self.field,
            self.number,
            self.departure,
            sights=self.sights,
            others=self.others,
            alone=self.alone,
            bare=bare,
        )


class Helper(Protocol):
    """Follows trails while the eye goes on looking, and finds what the eye would."""

    def ask(self, errand: Errand) -> Errand:
        """Take over an errand, as things are now; those of an earlier field that were not begun are lost."""

    def take_back(self, errand: Errand) -> bool:
        """Take back an errand that was not begun; False where it was."""

    def go_on(self, wait_s: float = 0.0) -> None:
        """Take in what was found, and go on to the next errands; wait so long for an answer at most."""
