"""A game of Koi-Koi with its page on a free port of this machine."""

from collections.abc import Callable
from pathlib import Path

from desk.koikoi.card_game import KOIKOI
from desk.koikoi.desk import KoiKoiDesk
from desk.panel.table.port import DrawnTablePort
from desk.panel.table.seat_links import SeatLinks
from desk.tables.live_game import game_app, page_of
from referee.koikoi.ruleset import RuleSet
from tests.desk.koikoi.koikoi_script import Table, drawn, opened_desk, played
from tests.e2e.served_table import ServedTable
from vision.simulator.art.hanafuda import drawn_deck

__all__ = ["KoiKoiTable", "Table", "drawn", "played"]


class KoiKoiTable(ServedTable[KoiKoiDesk]):
    """A game whose page is served."""

    def __init__(
        self,
        folder: Path,
        players: int = 2,
        dealer: int = 0,
        *,
        links: SeatLinks | None = None,
        drawn_table: DrawnTablePort | None = None,
        preview: Callable[[], bytes | None] = lambda: None,
        health: Callable[[], dict[str, object]] = lambda: {"fps": None, "warnings": []},
        rules: RuleSet | None = None,
    ) -> None:
        desk = opened_desk(folder, players, dealer, rules)
        port = page_of(KOIKOI, desk, drawn_deck(), preview=preview, health=health)
        super().__init__(desk, game_app(KOIKOI, port, links=links, drawn_table=drawn_table))
