"""A live game of Koi-Koi: eye, desk and page."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from calibration.decks.deck import Deck
from desk.koikoi.attendant import KoiKoiAttendant
from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.events import Seen, TableSeen
from desk.koikoi.eye import KoiKoiEye
from desk.koikoi.port import LiveKoiKoiPort
from desk.panel.koikoi.app import create_koikoi_app
from desk.tables.drawn_table import DrawnTable, kept_table
from desk.tables.live_table import LiveTable, serve_table
from desk.tables.recording import Declaration, read_zones
from desk.tables.table import Table
from vision.plane.zones import TableZones
from vision.simulator.cardtable.zones import koikoi_zones


class LiveKoiKoi(LiveTable[Seen]):
    """Watches a table and reports to the desk.

    Attributes
    ----------
    port : the port of the page.
    drawn_table : the port of the page on which the table is drawn.
    attendant : submits events to the desk.

    Parameters
    ----------
    desk : the game; it runs in the loop given to `begin`.
    table : the source of the pictures.
    deck, zones : the cards and the places for them.
    words : the declarations of a film's or a simulated table's players.
    """

    def __init__(
        self, desk: KoiKoiDesk, table: Table, deck: Deck, zones: TableZones, words: Iterable[Declaration] = ()
    ) -> None:
        eye = KoiKoiEye(deck, zones, desk.game.opened.players)
        self.attendant = KoiKoiAttendant(desk, words)
        super().__init__(table, eye, self.attendant)
        self.keep_evidence(desk, _rest_ms)
        players = desk.game.opened.players
        printed = read_zones(None, koikoi_zones(players).to_toml())
        self.drawn_table = DrawnTable(eye, printed, kept_table("koikoi", players))
        self.port = LiveKoiKoiPort(desk, deck, preview=eye.preview, health=self.health)


def _rest_ms(event: Seen) -> float | None:
    return event.look.t_ms if isinstance(event, TableSeen) else None


async def serve_koikoi(live: LiveKoiKoi, wanted_port: int, players: int, *, lan: bool) -> None:
    """Watch and serve the page until Ctrl-C.

    Raises
    ------
    DeskError
        If no port is free.
    """
    await serve_table(
        live,
        partial(create_koikoi_app, live.port, drawn_table=live.drawn_table),
        "/koikoi",
        wanted_port,
        players,
        lan=lan,
    )
