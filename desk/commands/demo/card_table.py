"""A demonstration of a card game: a simulated table, refereed from its pixels with or without a page."""

import argparse
import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from desk.log.clocks import name_stamp, wall_clock
from desk.log.event_log import EventLog
from desk.machine.config import PANEL_PORT, data_folder
from desk.tables.card_game import CardGame
from desk.tables.desk import Attendant, TableDesk
from desk.tables.live_game import LiveGame, new_desk, serve_game
from desk.tables.table_opening import OpenedTable
from vision.frames.frame import Frame


@contextmanager
def played(
    game: CardGame[Any], opened: OpenedTable, arguments: argparse.Namespace
) -> Iterator[TableDesk[Any]]:
    """Yield the desk of a simulated game that was played to its end, or was left."""
    stamp = name_stamp(wall_clock())
    name = f"{game.name}_{stamp}_seed_{arguments.seed}.sqlite"
    path = arguments.log or data_folder() / "matches" / name
    with EventLog.create(path) as log:
        desk = new_desk(game, log, opened, game.presets[game.presets.default])
        if arguments.headless:
            show_film(game, desk, opened)
        else:
            live = LiveGame(game, desk, opened.open_table(), opened)
            port = PANEL_PORT if arguments.port is None else arguments.port
            sys.stdout.write(f"game log: {path}\nCtrl-C ends the demonstration\n")
            with suppress(KeyboardInterrupt):
                asyncio.run(serve_game(live, port, lan=arguments.lan))
        yield desk


def show_film(game: CardGame[Any], desk: TableDesk[Any], opened: OpenedTable) -> None:
    """Show a film to the eye as fast as possible."""
    eye, attendant = game.eye(opened), Attendant(desk, opened.words)
    for frame in opened.open_table().happenings():
        if isinstance(frame, Frame):
            for event in eye.feed(frame):
                attendant.seen(event)
            attendant.at(frame.t_ns / 1e6)
