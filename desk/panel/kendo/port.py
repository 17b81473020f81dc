"""The port between the Kendo page and a running bout: plain JSON data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol, TypedDict

from desk.panel.table.replay_port import ReplayedPort

WordName = Literal["cede", "new_deal", "neutralise", "no_card", "pass", "accept"]


class StandingShown(TypedDict):
    """What stands against the seat to act: its kind, and the technique, if there is one."""

    kind: str
    technique: str | None
    red: bool


class KendoFlagShown(TypedDict):
    """An illegal card: `row` of the rules forbids it; `lies` while it waits to be taken back or accepted."""

    event: int
    id: str
    row: str
    text: str
    t_ms: float
    lies: bool


class NoteShown(TypedDict):
    """One event of the bout; `evidence` is the log's event that names its pictures, None without pictures."""

    kind: str
    player: int
    cards: list[str]
    what: str | None
    t_ms: float
    taken_back: bool
    evidence: int | None


class MayShown(TypedDict):
    """The seat that may make each declaration now, or None."""

    cede: int | None
    new_deal: int | None
    no_card: int | None
    passes: int | None
    accept: bool


class BoutShown(TypedDict):
    """The state of a bout; on the court, an empty name stands for a card that was not recognised."""

    id: str
    source: str
    rules: str
    deck: str
    seq: int
    names: list[str | None]
    ippon: list[int]
    hansoku: list[int]
    winner: int | None
    to_act: int | None
    standing: StandingShown
    ippon_shobu: bool
    court: list[list[str]]
    flags: list[KendoFlagShown]
    notes: list[NoteShown]
    may: MayShown


class KendoPort(ReplayedPort, Protocol):
    """A running bout."""

    def state(self) -> BoutShown:
        """Return the state of the bout."""

    def say(self, player: int, what: WordName) -> str | None:
        """Log a declaration; return the id of a refusal, or None."""

    def undo(self) -> str | None:
        """Undo the latest declaration or correction; return the id of a refusal, or None."""

    def correct(self, player: int, wrong: str, right: str) -> str | None:
        """Correct a card that was misread; return the id of a refusal, or None."""

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` after every change until the returned function is called."""

    def face_picture(self, face: str) -> bytes | None:
        """Return a face as JPEG, None if the deck has none of that name."""

    def faces(self) -> list[str]:
        """Return the names of the faces of the deck."""

    def preview(self) -> bytes | None:
        """Return the latest picture of the table as JPEG, None if there is none."""

    def health(self) -> dict[str, object]:
        """Return `fps` (None while no pictures come), `warnings` (texts), and maybe a `hindrance`."""
