"""A live bout of the Kendo cards: eye, desk and page."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from calibration.decks.deck import Deck
from desk.kendo.desk import KendoDesk, Refused
from desk.kendo.events import CourtSeen, CourtUnseen
from desk.kendo.eye import KendoEye
from desk.kendo.port import LiveKendoPort
from desk.panel.kendo.app import create_kendo_app
from desk.tables.live_table import LiveTable, serve_table
from desk.tables.recording import Declaration
from desk.tables.table import Table
from vision.plane.zones import TableZones

PATIENCE_MS: Final = 6000.0
"""How long a word that comes before the court is at rest waits for its turn to be seen."""


class KendoAttendant:
    """Submits to the desk what is seen, and what the players of a film say, at the right time.

    A word that does not fit what was seen within `PATIENCE_MS` is left out.
    """

    def __init__(self, desk: KendoDesk, words: Iterable[Declaration] = ()) -> None:
        self._desk, self._words = desk, deque(words)

    @property
    def failures(self) -> Sequence[str]:
        """The errors of the desk's scribe, for people."""
        return self._desk.failures

    def seen(self, event: CourtSeen | CourtUnseen) -> None:
        """Submit what the eye has seen."""
        self._desk.tell(event)

    def at(self, t_ms: float) -> None:
        """Submit the words that are due at `t_ms` on the table's clock."""
        while self._words and self._words[0].t_ms <= t_ms:
            word = self._words[0]
            is_refused = isinstance(self._desk.say(word.player, word.what, t_ms=word.t_ms), Refused)
            if is_refused and t_ms - word.t_ms <= PATIENCE_MS:
                return
            self._words.popleft()


class LiveKendo(LiveTable[CourtSeen | CourtUnseen]):
    """Watches a court and reports to the desk.

    Attributes
    ----------
    port : the port of the page.
    attendant : submits events to the desk.

    Parameters
    ----------
    desk : the bout; it runs in the loop given to `begin`.
    table : the source of the pictures.
    deck, zones : the cards and the places for them.
    words : the declarations of a film's or a simulated table's players.
    """

    def __init__(
        self,
        desk: KendoDesk,
        table: Table,
        deck: Deck,
        zones: TableZones,
        words: Iterable[Declaration] = (),
    ) -> None:
        eye = KendoEye(deck, zones)
        self.attendant = KendoAttendant(desk, words)
        super().__init__(table, eye, self.attendant)
        self.keep_evidence(desk, _rest_ms)
        self.port = LiveKendoPort(desk, deck, preview=eye.preview, health=self.health)


def _rest_ms(event: CourtSeen | CourtUnseen) -> float | None:
    return event.look.t_ms if isinstance(event, CourtSeen) else None


async def serve_kendo(live: LiveKendo, wanted_port: int, *, lan: bool) -> None:
    """Watch and serve the page until Ctrl-C.

    Raises
    ------
    DeskError
        If no port is free.
    """
    await serve_table(live, partial(create_kendo_app, live.port), "/kendo", wanted_port, 2, lan=lan)
