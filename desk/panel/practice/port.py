"""What the page of a practice asks of it: plain data only."""

from __future__ import annotations

from typing import Protocol, TypedDict

from desk.panel.house.port import PhoneShown


class AttemptShown(TypedDict):
    """What came of a poem.

    Attributes
    ----------
    poem : 1..100.
    kimariji : the sounds that decided it.
    outcome : `taken`, `missed`, `lured`, `left` (a karafuda) or `unclear`.
    ms, unc_ms : the time after the end of the kimariji and its 95 % half width, None where it is not known.
    lure : the card that was touched instead.
    due : the day on which the card should come again, None where nobody knows.
    """

    poem: int
    kimariji: str
    outcome: str
    ms: float | None
    unc_ms: float | None
    lure: int | None
    due: str | None


class PracticeNow(TypedDict):
    """A practice as it may be shown at this moment; nothing tells which poem comes next.

    Attributes
    ----------
    state : `looking` (at the field, before the start), `reading`, `paused` or `ended`.
    player : who practises, None without a name.
    laid : the cards that were read on the field.
    unread : of the cards that lie there, how many could not be read.
    wanted : the cards that the book proposes to lay out; empty where any will do. What else lies there stays
        and is not read.
    poems : how many poems are read, None before the start.
    attempts : what came of each, the latest last.
    slow : at the end, the cards to look at again, the worst first.
    median_ms : of the takes whose time is known.
    waits : the reader waits for `next`.
    live : pictures come from a camera, and the reader is heard here.
    phone : where a phone comes in as camera, None where the camera is none.
    problem : why it does not go on, in the machine's words or an id; None where all is well.
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
    waits: bool
    live: bool
    phone: PhoneShown | None
    problem: str | None


class PracticePort(Protocol):
    """The page's door to a practice."""

    def now(self) -> PracticeNow:
        """Return the practice as it may be shown now."""

    def preview(self) -> bytes | None:
        """Return the latest picture as a small JPEG, None before the first."""

    def do(self, name: str) -> str | None:
        """Do `start`, `next`, `pause`, `resume` or `end`; return why it cannot be done, None where it was.

        Raises
        ------
        KeyError
            Where a practice knows nothing of that name.
        """
