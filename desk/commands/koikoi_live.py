"""`shinpan koikoi live`: referee a table before a camera, with a page for players and spectators."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from desk.commands.live_arguments import add_live_arguments
from desk.errors import DeskError
from referee.koikoi.ruleset import RuleSet

if TYPE_CHECKING:
    from desk.tables.table_opening import OpenedTable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments on its own parser."""
    add_live_arguments(parser)
    parser.add_argument("--players", type=int, choices=(2, 3, 4), default=2, help="number of players")
    parser.add_argument("--dealer", type=int, default=0, metavar="SEAT", help="who deals first, from 0")


def run(arguments: argparse.Namespace, rules: RuleSet) -> int:
    """Referee until Ctrl-C; returns 0.

    Raises
    ------
    DeskError
        If source, deck, table or log cannot be used.
    """
    import asyncio
    from contextlib import suppress

    from desk.koikoi.agreement import check_players
    from desk.koikoi.desk import KoiKoiDesk
    from desk.koikoi.events import GameOpened
    from desk.koikoi.live import LiveKoiKoi, serve_koikoi
    from desk.log.clocks import name_stamp, wall_clock
    from desk.log.event_log import EventLog
    from desk.machine.config import data_folder
    from desk.tables.player_name import check_names

    if not 0 <= arguments.dealer < arguments.players:
        raise DeskError(f"--dealer: seats are numbered 0..{arguments.players - 1}, got {arguments.dealer}")
    check_names(arguments.names)
    opened = _open(arguments)
    check_players(rules, opened.players)
    table = opened.open_table()
    stamp = name_stamp(wall_clock())
    path = arguments.log or data_folder() / "matches" / f"koikoi_{stamp}.sqlite"
    with EventLog.open(path) if path.is_file() else EventLog.create(path) as log:
        deck, names = opened.deck, tuple(arguments.names)
        game = GameOpened(path.stem, opened.source, opened.players, opened.dealer, rules, deck.name, names)
        live = LiveKoiKoi(KoiKoiDesk(log, game), table, deck, opened.zones, opened.words)
        sys.stdout.write(f"game log: {path}\nCtrl-C ends the game\n")
        with suppress(KeyboardInterrupt):
            asyncio.run(serve_koikoi(live, arguments.port, opened.players, lan=arguments.lan))
    if live.failure is not None:
        raise DeskError(f"{arguments.source}: {live.failure}")
    return 0


def _open(arguments: argparse.Namespace) -> OpenedTable:
    from desk.koikoi import sources
    from desk.phone.wish import PhoneWish

    if Path(arguments.source).is_dir():
        return sources.recorded_table(Path(arguments.source))
    if arguments.deck is None:
        raise DeskError("name the deck on the table: --deck NAME (see: shinpan decks list)")
    return sources.camera_table(
        arguments.source,
        arguments.deck,
        arguments.players,
        arguments.dealer,
        arguments.table,
        phone=PhoneWish.of(arguments),
    )
