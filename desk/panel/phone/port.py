"""The port between the phone's page and the desk: plain data.

Its methods are called in the loop that serves the page, in a thread of its own; none may block.
"""

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
    def ended(self) -> str | None: ...  # `replaced` or `closed`; None while it is open

    @property
    def wants_whole(self) -> bool: ...  # a key frame, before any other picture
    def announce(self, hello: Hello) -> None: ...
    def take(self, picture: Picture) -> None: ...
    def report(self, report: Report) -> None: ...
    def answered(self, sent_ns: int, there_ms: float) -> None: ...  # on this machine's clock
    def told(self) -> ToldPhone: ...
    def end(self, why: str) -> None: ...


class PhoneDoor(Protocol):
    """Admits one phone at a time."""

    def admit(self, token: str) -> str | None: ...  # a page's secret if its link was not spent
    def knows(self, secret: str | None) -> bool:
        """Tell whether a secret is that of the latest phone, or of a page that the present link opened."""

    def now_ns(self) -> int: ...
    def open_line(self, secret: str | None) -> PhoneLine | None:
        """Open the connection of a page and spend its link; None if the secret is not known.

        The previous connection ends.
        """

    def line_of(self, secret: str | None) -> PhoneLine | None: ...  # the open one, if it is this page's
