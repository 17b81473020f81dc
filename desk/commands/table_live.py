"""`shinpan koikoi live` and the like: referee a table before a camera, with a page for everybody."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desk.commands.live_arguments import add_live_arguments
from desk.errors import DeskError

if TYPE_CHECKING:
    from desk.tables.card_game import CardGame
    from desk.tables.table_opening import OpenedTable


def add_arguments(parser: argparse.ArgumentParser, *, players: tuple[int, ...] = ()) -> None:
    """Declare the command's arguments on its own parser; `players` are the numbers to choose from."""
    add_live_arguments(parser)
    if players:
        parser.add_argument("--players", type=int, choices=players, default=2, help="number of players")
        parser.add_argument("--dealer", type=int, default=0, metavar="SEAT", help="who deals first, from 0")
    else:
        parser.set_defaults(players=2, dealer=0)


def run(arguments: argparse.Namespace, name: str, rules: Any) -> int:
    import asyncio
    from contextlib import suppress

    from desk.card_games import CARD_GAMES
    from desk.log.clocks import name_stamp, wall_clock
    from desk.log.event_log import EventLog
    from desk.machine.config import data_folder
    from desk.tables.live_game import LiveGame, desk_again, new_desk, serve_game
    from desk.tables.person import check_names

    game = CARD_GAMES[name]
    if not 0 <= arguments.dealer < arguments.players:
        raise DeskError(
            "--dealer: seats are numbered 0..{last}, got {got}",
            last=arguments.players - 1,
            got=arguments.dealer,
        )
    check_names(arguments.names)
    opened = _open(arguments, game)
    if len(arguments.names) > opened.players:
        raise DeskError(
            "--name: this table has {players} players, got {got}",
            players=opened.players,
            got=len(arguments.names),
        )
    game.check_players(rules, opened.players)
    table = opened.open_table()
    stamp = name_stamp(wall_clock())
    path = arguments.log or data_folder() / "matches" / f"{name}_{stamp}.sqlite"
    with EventLog.open(path) if path.is_file() else EventLog.create(path) as log:
        if log.last_seq:
            desk = desk_again(game, log, opened)
        else:
            desk = new_desk(game, log, opened, rules, arguments.names)
        live = LiveGame(game, desk, table, opened)
        sys.stdout.write(f"game log: {path}\nCtrl-C ends the game\n")
        with suppress(KeyboardInterrupt):
            asyncio.run(serve_game(live, arguments.port, lan=arguments.lan))
    if live.failure is not None:
        raise DeskError("{source}: {why}", source=arguments.source, why=live.failure)
    return 0


def _open(arguments: argparse.Namespace, game: CardGame[Any]) -> OpenedTable:
    from desk.phone.wish import PhoneWish

    if Path(arguments.source).is_dir():
        return game.recorded_table(Path(arguments.source))
    if arguments.deck is None:
        raise DeskError("name the deck on the table: --deck NAME (see: shinpan decks list)")
    return game.camera_table(
        arguments.source,
        arguments.deck,
        arguments.players,
        arguments.dealer,
        arguments.table,
        phone=PhoneWish.of(arguments),
    )
