"""The port between the page of a practice and the practice: plain data only."""

from __future__ import annotations

from typing import Protocol, TypedDict

from desk.panel.house.port import PhoneShown


class AttemptShown(TypedDict):
    """The outcome of a poem.

    Attributes
    ----------
    poem : 1..100.
    outcome : `taken`, `missed`, `lured`, `left` (a karafuda) or `unclear`.
    ms, unc_ms : reaction time after the end of the kimariji and its 95 % half width, None if not known.
    lure : the card that was touched instead.
    due : day of the card's next review, None if not known.
    """

    poem: int
    kimariji: str
    outcome: str
    ms: float | None
    unc_ms: float | None
    lure: int | None
    due: str | None


class PracticeNow(TypedDict):
    """The state of a practice as it may be shown; it does not reveal the next poem.

    Attributes
    ----------
    state : `looking` (at the field, before the start), `reading`, `paused` or `ended`.
    player : name of the player, None without one.
    laid : the cards that were recognised on the field.
    unread : number of cards on the field that were not recognised.
    wanted : the cards that the book proposes to lay out; empty if any will do. Other cards may stay on the
        field; their poems are not read.
    poems : number of poems to be read, None before the start.
    attempts : the outcomes, the latest last.
    slow : at the end, the cards to review, the worst first.
    median_ms : median of the known take times.
    awaits : what it waits for, a key of `desk.panel.practice.phrases.AWAITED`.
    counts : whether the book counts it; it counts nothing of the simulator.
    live : whether the pictures come from a camera and the reader is heard on this machine.
    phone : how a phone joins as the camera, None for other cameras.
    problem : why it does not go on, a message or an id; None if all is well.
    """

    state: str
    player: str | None
    laid: list[int]
    unread: int
    wanted: list[int]
    poems: int | None
    attempts: list[AttemptShown]
    slow: list[AttemptShown]
    median_ms: float | None
    awaits: str
    counts: bool
    live: bool
    phone: PhoneShown | None
    problem: str | None


class PracticePort(Protocol):
    """A practice."""

    def now(self) -> PracticeNow:
        """Return the state as it may be shown now."""

    def preview(self) -> bytes | None:
        """Return the latest picture as a small JPEG, None before the first."""

    def do(self, name: str) -> str | None:
        """Carry out `start`, `next`, `pause`, `resume` or `end`; return an id of the refusal, or None.

        Raises KeyError if there is no command of that name.
        """
