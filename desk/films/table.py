"""What a film of a card table does not show: its zones, and who sits where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from calibration.files.text import read_text
from desk.films.film import Seats
from desk.machine.decks import deck_path, is_name
from desk.tables.card_game import CardGame
from desk.tables.drawn_table import kept_table
from desk.tables.recording import read_zones


def is_path(named: str) -> bool:
    """Tell whether a deck or ruleset is given by its path, not by the name of an enrolled deck or preset."""
    return Path(named).exists() and not (is_name(named) and deck_path(named).is_file())


def head_of(game: CardGame[Any], seats: Seats, rules: str | None) -> str:
    """Return the lines of `recording.toml` for the game, the players and the rules."""
    played = f"players = {seats.players or 2}\n" if len(game.players) > 1 else ""
    if game.has_dealer and seats.dealer is not None:
        played += f"dealer = {seats.dealer}\n"
    return played if rules is None else f"{played}rules = {_inside(rules)}\n"


def sections_of(game: CardGame[Any], deck: str, seats: Seats) -> str:
    """Return the sections of `recording.toml` for the deck and the table.

    The table is the printed one, or the one that a person drew on the panel. Raises DeskError if the drawn
    table cannot be read.
    """
    players = seats.players or 2
    zones = game.printed(players).to_toml()
    kept = kept_table(game.name, players)
    if kept.is_file():
        read_zones(kept)
        zones = read_text(kept)
    return f"\n[deck]\nenrol = {_inside(deck)}\n\n{zones}"


def _inside(named: str) -> str:
    """Return the name of a deck or ruleset in a recording: its file name in the folder, or its own name."""
    return json.dumps(Path(named).name if is_path(named) else named, ensure_ascii=False)
