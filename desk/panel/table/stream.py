"""The stream of a card table's page: its data whenever they change, and a sign of life every second."""

import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, Final

from sse_starlette import ServerSentEvent

from desk.panel.phrases import Awaited
from desk.panel.stream import told_views
from desk.panel.table.port import TablePort
from desk.panel.words import N_, Words, texts

HINDRANCES: Final[Mapping[str, Awaited]] = {
    name: Awaited(*each) for name, each in texts("desk.panel.table")["hindrances"].items()
}
"""By the id of `LiveTable.health`: why what lies on the table cannot be read now."""


NO_TABLE: Final = N_(
    "The table's four markers are not seen: put them into its corners and keep hands away for a moment."
)
NO_MARKER: Final = (
    N_("Marker 0, top left, is not seen."),
    N_("Marker 1, top right, is not seen."),
    N_("Marker 2, bottom right, is not seen."),
    N_("Marker 3, bottom left, is not seen."),
)
NOT_KEPT: Final = N_("The disk is full or cannot be written: the table is not followed until there is room")
NO_EVIDENCE: Final = N_("The disk has no room for the replays: the game goes on without pictures.")
LEFT_OUT: Final = N_(
    "The eye failed for a moment and left it out: compare the page with the table, and correct it if need be."
)
MISSED: Final = N_(
    "The table was not seen for a moment: what was played meanwhile is not judged. "
    "Compare the page with the table."
)
NO_CARD: Final = N_(
    "No card has been recognised yet: check that the cards on the table are those of the chosen deck."
)
SMALL_CARDS: Final = N_(
    "The cards are too small in the picture to be told apart, and nothing is judged: "
    "bring the camera nearer or choose larger pictures."
)
LACKING: Final[Mapping[str, str]] = texts("desk.panel.table")["lacking"]
"""Warnings that the page says in the viewer's language; what drivers say is passed on as it is."""


def table_messages(
    game: TablePort,
    text: Callable[[], str],
    waits: Callable[[str | None, Words], Mapping[str, str | None]],
    said: Words,
) -> AsyncIterator[ServerSentEvent]:
    """Yield `view` with the page's data whenever they have changed, and `tick` with the source's health.

    `text`: returns the page's data as JSON in the viewer's language. `waits`: returns what is awaited; the
    first argument tells why the table cannot be read, if it cannot.
    """

    def tick() -> str:
        health: dict[str, Any] = dict(game.health())
        hindrance = health.pop("hindrance", None)
        if "warnings" in health:
            health["warnings"] = [said.complaint(warning) for warning in health["warnings"]]
        return json.dumps({**health, **waits(hindrance, said)}, ensure_ascii=False)

    return told_views(game.listen, text, tick)
