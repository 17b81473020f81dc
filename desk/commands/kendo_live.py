"""`shinpan kendo live`: referee a court before a camera, with a page for players and spectators."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from desk.commands.live_arguments import add_live_arguments
from desk.errors import DeskError
from referee.kendo.ruleset import RuleSet

if TYPE_CHECKING:
    from desk.tables.table_opening import OpenedTable


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments on its own parser."""
    add_live_arguments(parser)


def run(arguments: argparse.Namespace, rules: RuleSet) -> int:
    """Referee until Ctrl-C; returns 0.

    Raises
    ------
    DeskError
        If source, deck, table or log cannot be used.
    """
    import asyncio
    from contextlib import suppress

    from desk.kendo.desk import KendoDesk
    from desk.kendo.events import BoutOpened
    from desk.kendo.live import LiveKendo, serve_kendo
    from desk.kendo.look import SEATS
    from desk.log.clocks import name_stamp, wall_clock
    from desk.log.event_log import EventLog
    from desk.machine.config import data_folder
    from desk.tables.player_name import check_names

    if len(arguments.names) > SEATS:
        raise DeskError(f"--name: a bout has {SEATS} players, got {len(arguments.names)}")
    check_names(arguments.names)
    names = (*arguments.names, *[None] * (SEATS - len(arguments.names)))
    opened = _open(arguments)
    table, deck = opened.open_table(), opened.deck
    stamp = name_stamp(wall_clock())
    path = arguments.log or data_folder() / "matches" / f"kendo_{stamp}.sqlite"
    with EventLog.open(path) if path.is_file() else EventLog.create(path) as log:
        bout = BoutOpened(path.stem, opened.source, rules, deck.name, deck.width_mm, names)
        live = LiveKendo(KendoDesk(log, bout), table, deck, opened.zones, opened.words)
        sys.stdout.write(f"game log: {path}\nCtrl-C ends the bout\n")
        with suppress(KeyboardInterrupt):
            asyncio.run(serve_kendo(live, arguments.port, lan=arguments.lan))
    if live.failure is not None:
        raise DeskError(f"{arguments.source}: {live.failure}")
    return 0


def _open(arguments: argparse.Namespace) -> OpenedTable:
    from desk.kendo import sources
    from desk.phone.wish import PhoneWish

    if Path(arguments.source).is_dir():
        return sources.recorded_table(Path(arguments.source))
    if arguments.deck is None:
        raise DeskError("name the box on the table: --deck NAME (see: shinpan decks list)")
    phone = PhoneWish.of(arguments)
    return sources.camera_table(arguments.source, arguments.deck, arguments.table, phone=phone)
