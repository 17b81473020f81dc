"""The port between the phone's page and the desk: plain data.

Its methods are called in the loop that serves the page, in a thread of its own; none may block.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypedDict

from desk.panel.house.port import FindingShown
from desk.panel.phone.messages import Hello, Picture, Report


class ToldPhone(TypedDict):
    """The desk's report to the phone's page."""

    # the desk's findings in its pictures; None before the first check
    findings: Sequence[FindingShown] | None
    fps: float | None  # pictures per second that arrive, None before the first
    clock_ms: float | None  # as in `desk.panel.house.port.PhoneShown`
    desk_dropped: int  # pictures that the desk dropped for lack of time


class PhoneLine(Protocol):
    """The connection of one page."""

    @property
    def ended(self) -> str | None:
        """Why the connection ended: `replaced` or `closed`; None while it is open."""

    @property
    def wants_whole(self) -> bool:
        """Whether a key frame is needed before any other picture can be decoded."""

    def announce(self, hello: Hello) -> None:
        """Receive the format of the pictures to come."""

    def take(self, picture: Picture) -> None:
        """Receive a picture."""

    def report(self, report: Report) -> None:
        """Receive the state of the phone."""

    def answered(self, sent_ns: int, there_ms: float) -> None:
        """Receive the time `there_ms` of the page's clock, asked for at `sent_ns` on this machine's clock."""

    def told(self) -> ToldPhone:
        """Return the report that the page shows."""

    def end(self, why: str) -> None:
        """End the connection: the page has left."""


class PhoneDoor(Protocol):
    """Admits one phone at a time."""

    def admit(self, token: str) -> str | None:
        """Return a secret for a page if the token's link was not spent yet; None for any other text."""

    def knows(self, secret: str | None) -> bool:
        """Tell whether a secret is that of the latest phone, or of a page that the present link opened."""

    def now_ns(self) -> int:
        """Return this machine's monotonic clock."""

    def open_line(self, secret: str | None) -> PhoneLine | None:
        """Open the connection of a page and spend its link; None if the secret is not known.

        The previous connection ends.
        """

    def line_of(self, secret: str | None) -> PhoneLine | None:
        """Return the open connection if it is that of the page with this secret."""
