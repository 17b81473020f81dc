"""What the phone's page asks of the desk. Plain data.

The door and the line are called on the loop that serves the page, in a thread of its own: nothing may wait.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypedDict

from desk.panel.house.port import FindingShown
from desk.panel.phone.messages import Hello, Picture, Report


class ToldPhone(TypedDict):
    """What the phone's page is told.

    Attributes
    ----------
    findings : what the desk found in its pictures; None where nobody looked yet.
    fps : pictures a second that arrive, None before some did.
    clock_ms : as in `desk.panel.house.port.PhoneShown`.
    desk_dropped : pictures that this desk had no time for.
    """

    findings: Sequence[FindingShown] | None
    fps: float | None
    clock_ms: float | None
    desk_dropped: int


class PhoneLine(Protocol):
    """The connection of one page."""

    @property
    def ended(self) -> str | None:
        """Why nothing is wanted from this page any more: `replaced` or `closed`; None while it is."""

    @property
    def wants_whole(self) -> bool:
        """Whether a whole picture is needed before any other can be used."""

    def announce(self, hello: Hello) -> None:
        """Learn what will come."""

    def take(self, picture: Picture) -> None:
        """Take a picture."""

    def report(self, report: Report) -> None:
        """Learn how the phone is."""

    def answered(self, sent_ns: int, there_ms: float) -> None:
        """Learn what the phone's clock showed after a question that was sent at `sent_ns`."""

    def told(self) -> ToldPhone:
        """Return what the page shows of the desk."""

    def end(self, why: str) -> None:
        """Learn that the page has gone."""


class PhoneDoor(Protocol):
    """Lets one phone in."""

    def admit(self, token: str) -> str | None:
        """Return the secret for a token that was not used yet; None for any other word."""

    def knows(self, secret: str | None) -> bool:
        """Tell whether a secret is the one that was handed out last."""

    def now_ns(self) -> int:
        """Return this machine's monotonic clock."""

    def open_line(self) -> PhoneLine:
        """Return the line of a page that has come; the one before ends."""

    def line(self) -> PhoneLine | None:
        """Return the line that is open."""
