"""What the Kendo page asks of the desk: its only door to a running bout. Everything that passes is JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol, TypedDict

from desk.panel.table.replay_port import ReplayPort

WordName = Literal["cede", "new_deal", "neutralise", "pass", "accept"]


class StandingShown(TypedDict):
    """What stands against the seat to act: its kind, and the technique where there is one."""

    kind: str
    technique: str | None
    red: bool


class KendoFlagShown(TypedDict):
    """Something illegal: `row` forbids it; `lies` while it waits to be taken back or accepted."""

    event: int
    id: str
    row: str
    text: str
    t_ms: float
    lies: bool


class NoteShown(TypedDict):
    """One event of the bout; `evidence` is the log's event that names its pictures, None without any."""

    kind: str
    player: int
    cards: list[str]
    what: str | None
    t_ms: float
    taken_back: bool
    evidence: int | None


class MayShown(TypedDict):
    """Who may say what now: a seat, or None."""

    cede: int | None
    new_deal: int | None
    passes: int | None
    accept: bool


class BoutShown(TypedDict):
    """A bout as it stands; on the court an empty name stands for a card that cannot be told."""

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


class KendoPort(Protocol):
    """A running bout; `replays` are the pictures of its steps."""

    @property
    def replays(self) -> ReplayPort: ...  # noqa: D102

    def state(self) -> BoutShown:
        """Return the bout as it stands."""

    def say(self, player: int, what: WordName) -> str | None:
        """Take a word; return the id of a refusal, or None."""

    def undo(self) -> str | None:
        """Take the latest word or correction back; return the id of a refusal, or None."""

    def correct(self, player: int, wrong: str, right: str) -> str | None:
        """Name a card that was read wrongly; return the id of a refusal, or None."""

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` after every change until the returned function is called."""

    def face_picture(self, face: str) -> bytes | None:
        """Return a face as JPEG, None where the deck has none of that name."""

    def faces(self) -> list[str]:
        """Return the faces of the deck's cards."""

    def preview(self) -> bytes | None:
        """Return the latest picture of the table as JPEG, None where there is none."""

    def health(self) -> dict[str, object]:
        """Return `fps` (None while no pictures come) and `warnings` (texts)."""
