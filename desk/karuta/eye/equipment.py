"""What a live match has beside its camera: second camera, microphone, prior knowledge."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from desk.karuta.eye.microphone import HitEar, open_ear
from desk.karuta.eye.prior_knowledge import known_of
from desk.machine.camera_records import latency_unc_ns
from desk.phone.wish import PhoneWish
from recitation.sound.recent_sound import TimedSound
from vision.poem.events import PoemSeen
from vision.torifuda.prior_knowledge import NOTHING_KNOWN, PriorKnowledge

if TYPE_CHECKING:
    from desk.karuta.eye.second_camera import SecondEye
    from vision.witnesses.second_camera import SecondWitness

Event = TypeVar("Event")


@dataclass(frozen=True, slots=True)
class Wanted:
    """The wishes of the command line: a second camera, a microphone ("" for the default one), a deck.

    `phone` says how a phone connects if a camera is named `phone`.
    """

    second_camera: str | None = None
    microphone: str | None = None
    deck: str | None = None
    phone: PhoneWish = field(default_factory=PhoneWish)

    @property
    def is_live(self) -> bool:
        return self.second_camera is not None or self.microphone is not None

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> Wanted:
        phone = PhoneWish.of(arguments)
        return cls(arguments.second_camera, arguments.microphone, arguments.deck, phone)

    def open(self, first: str) -> Equipment:
        """Open the equipment beside a first camera; DeskError if something cannot be opened."""
        from vision.sources.source_address import name_of  # with every kind of source

        known = known_of(self.deck, name_of(first))
        second: SecondEye | None = None
        if self.second_camera is not None:
            from desk.karuta.eye.second_camera import open_second_eye  # most matches have one camera

            second = open_second_eye(self.second_camera, first, self.phone)
        try:
            ear = (
                None if self.microphone is None else open_ear(self.microphone, latency_unc_ns(name_of(first)))
            )
        except BaseException:
            Equipment(second).close()
            raise
        return Equipment(second, ear, known)


@dataclass(frozen=True, slots=True)
class Equipment:
    """The equipment of a match beside its camera."""

    # second, ear: the second camera and the microphone, None if there is none
    second: SecondEye | None = None
    ear: HitEar | None = None
    known: PriorKnowledge = NOTHING_KNOWN
    # returns a part of a recording's own sound, None where no recording is played
    recorded: Callable[[int, int], TimedSound | None] | None = None

    @property
    def witness(self) -> SecondWitness | None:
        return None if self.second is None else self.second.witness

    @property
    def problem(self) -> str | None:
        """Why the second camera does not help now; None if it does or there is none."""
        return None if self.second is None else self.second.problem or self.second.witness.problem

    @property
    def ear_problem(self) -> str | None:
        """Why the microphone hears nothing now; None if it works or there is none."""
        return None if self.ear is None else self.ear.problem

    def go_on_to(self, t_ns: int) -> None:
        """Process pictures and sound up to the instant of a picture of the first camera."""
        if self.second is not None:
            self.second.show_until(t_ns)
        if self.ear is not None:
            self.ear.listen()

    def heard(self, events: Iterable[Event]) -> Sequence[Event | PoemSeen]:
        """Return the events; touches of finished poems get the instants of the hits that were heard."""
        ear = self.ear
        if ear is None:
            return list(events)
        return [
            replace(event, facts=ear.narrowed(event.facts, event.start.t_ns, event.t_closed_ns))
            if isinstance(event, PoemSeen)
            else event
            for event in events
        ]

    def sound(self, from_ns: int, to_ns: int) -> TimedSound | None:
        """Return what the microphone heard in an interval, or what was recorded; None without either."""
        heard = self.recorded if self.ear is None else self.ear.sound
        return None if heard is None else heard(from_ns, to_ns)

    def told(self) -> dict[str, Any]:
        told: dict[str, Any] = {}
        if self.second is not None:
            told["second_camera"] = self.second.told()
        if self.ear is not None:
            offset = self.ear.offset
            told["microphone"] = {
                "counts": self.ear.is_sure,
                "picture_late_ms": round(offset.mean_ns / 1e6, 2),
                "picture_late_unc_ms": round(offset.unc_ns / 1e6, 2),
            }
        return told

    def close(self) -> None:
        if self.second is not None:
            self.second.close()
        if self.ear is not None:
            self.ear.close()
