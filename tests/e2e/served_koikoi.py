"""A game of Koi-Koi with its page on a free port of this machine."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "desk"))  # the scripts of the desk's own tests

from koikoi_script import Table, drawn, opened_desk, played
from served_table import ServedTable

from desk.koikoi_desk import KoiKoiDesk
from desk.koikoi_port import LiveKoiKoiPort
from desk.panel.drawn_table_port import DrawnTablePort
from desk.panel.koikoi_app import create_koikoi_app
from desk.panel.seat_links import SeatLinks
from vision.simulator.hanafuda_art import drawn_deck

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
    ) -> None:
        desk = opened_desk(folder, players, dealer)
        port = LiveKoiKoiPort(desk, drawn_deck(), preview=preview)
        super().__init__(desk, create_koikoi_app(port, links=links, drawn_table=drawn_table))
