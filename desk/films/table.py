"""What a film of a card table does not tell: its printed zones, and who sits where."""

from __future__ import annotations

import json
from dataclasses import dataclass

from calibration.files.text import read_text
from desk.films.game import Game
from desk.tables.drawn_table import kept_table
from desk.tables.recording import read_zones
from vision.simulator.cardtable.kendo.table import KENDO_TABLE
from vision.simulator.cardtable.zones import koikoi_zones


@dataclass(frozen=True, slots=True)
class Seats:
    """How many play Koi-Koi, and which seat deals first, from 0."""

    players: int = 2
    dealer: int = 0


def head_of(game: Game, seats: Seats) -> str:
    """Return the lines of `recording.toml` that say who plays."""
    return f"players = {seats.players}\ndealer = {seats.dealer}\n" if game == "koikoi" else ""


def sections_of(game: Game, deck: str, seats: Seats) -> str:
    """Return the sections of `recording.toml` that say what lies on the table and where.

    The table is the printed one, or that of Koi-Koi which a person drew on the panel.

    Raises
    ------
    DeskError
        Where the drawn table cannot be read.
    """
    zones = KENDO_TABLE.to_toml() if game == "kendo" else koikoi_zones(seats.players).to_toml()
    kept = kept_table("koikoi", seats.players)
    if game == "koikoi" and kept.is_file():
        read_zones(kept, zones)
        zones = read_text(kept)
    return f"\n[deck]\nenrol = {json.dumps(deck, ensure_ascii=False)}\n\n{zones}"
