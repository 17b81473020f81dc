"""The port between the page of a practice and the practice: plain data only."""

from typing import Protocol, TypedDict

from desk.panel.house.port import PhoneShown


class AttemptShown(TypedDict):
    """The outcome of a poem."""

    poem: int  # 1..100
    kimariji: str
    outcome: str  # `taken`, `missed`, `lured`, `left` (a karafuda) or `unclear`
    # ms, unc_ms: reaction time after the end of the kimariji and its 95 % half width, None if not known
    ms: float | None
    unc_ms: float | None
    lure: int | None  # the card that was touched instead
    due: str | None  # day of the card's next review, None if not known


class PracticeNow(TypedDict):
    """The state of a practice as it may be shown; it does not reveal the next poem."""

    state: str  # `looking` (at the field, before the start), `reading`, `paused` or `ended`
    player: str | None  # name of the player, None without one
    laid: list[int]  # the cards that were recognised on the field
    unread: int  # number of cards on the field that were not recognised
    # the cards that the book proposes to lay out; empty if any will do. Other cards may stay on the field;
    # their poems are not read.
    wanted: list[int]
    poems: int | None  # number of poems to be read, None before the start
    karafuda: int  # number of those whose cards do not lie there
    attempts: list[AttemptShown]  # the outcomes, the latest last
    slow: list[AttemptShown]  # at the end, the cards to review, the worst first
    median_ms: float | None  # median of the known take times
    awaits: str  # what it waits for, a key of `desk.panel.practice.view.AWAITED`
    counts: bool  # whether the book counts it; it counts nothing of the simulator
    live: bool  # whether the pictures come from a camera and the reader is heard on this machine
    phone: PhoneShown | None  # how a phone joins as the camera, None for other cameras
    problem: str | None  # why it does not go on, a message or an id; None if all is well


class PracticePort(Protocol):
    """A practice."""

    def now(self) -> PracticeNow: ...
    def preview(self) -> bytes | None: ...  # small JPEG; None before the first

    def do(self, name: str) -> str | None:
        """Carry out `start`, `next`, `pause`, `resume` or `end`; return an id of the refusal, or None.

        Raises KeyError if there is no command of that name.
        """
