"""The page of a card game that brings no page of its own: whose turn it is, and what was played."""

from collections.abc import Sequence
from typing import Any, Final, Protocol, TypedDict

from desk.panel.pages import Pages
from desk.panel.phrases import Awaited
from desk.panel.table.names import seat_name
from desk.panel.table.port import TablePort
from desk.panel.table.routes import TableRoutes
from desk.panel.table.seat_links import SeatLinks
from desk.panel.words import N_, Words

_NEXT: Final = Awaited(
    N_("The next move is awaited: it is read as soon as no hand and no head is over the table.")
)


class PlainGame(TypedDict):
    """The state of a game: plain texts, each a message of the catalogue or in the game's own language.

    `notes` are in the order of time; `names` has None for a seat without a name.
    """

    id: str
    seq: int
    title: str
    names: Sequence[str | None]
    sentence: str
    over: bool
    notes: Sequence[str]


class PlainPort(TablePort, Protocol):
    """A running game."""

    def state(self) -> PlainGame: ...


class PlainRoutes(TableRoutes):
    """The routes under `/GAME`; see `TableRoutes`."""

    template = "plain"

    def __init__(
        self, game: str, port: PlainPort, pages: Pages, links: SeatLinks, addresses: Sequence[str]
    ) -> None:
        super().__init__(game, port, pages, links, addresses)
        self._port = port

    def _shown(self, said: Words) -> dict[str, Any]:
        state = self._port.state()
        notes = [said.complaint(note) for note in reversed(state["notes"])]
        return {**state, "sentence": said.complaint(state["sentence"]), "notes": notes}

    def _names(self, said: Words) -> list[str]:
        return [seat_name(seat, name, said) for seat, name in enumerate(self._port.state()["names"])]

    def _awaited(self, said: Words) -> tuple[Awaited, str]:  # noqa: ARG002 (its sentence names nobody)
        return Awaited("", is_seen=False) if self._port.state()["over"] else _NEXT, ""

    def _more(self, said: Words) -> dict[str, object]:
        title = self._port.state()["title"]
        return {"title": said.plain(title)}
