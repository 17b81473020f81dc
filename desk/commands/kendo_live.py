"""`shinpan kendo live`: referee a court before a camera, with a page for players and spectators."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from desk.commands.live_arguments import add_live_arguments
from desk.errors import DeskError
from referee.kendo.ruleset import RuleSet

if TYPE_CHECKING:
    from calibration.decks.deck import Deck
    from desk.tables.recording import Declaration
    from desk.tables.table import Table
    from vision.plane.zones import TableZones


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments on its own parser."""
    add_live_arguments(parser)


def run(arguments: argparse.Namespace, rules: RuleSet) -> int:
    """Referee until Ctrl-C; 0 when done.

    Raises
    ------
    DeskError
        Where source, deck, table or log cannot be used.
    """
    import asyncio
    from contextlib import suppress

    from desk.kendo.desk import KendoDesk
    from desk.kendo.events import BoutOpened
    from desk.kendo.film import SEATS
    from desk.kendo.live import LiveKendo, serve_kendo
    from desk.log.clocks import wall_clock
    from desk.log.event_log import EventLog
    from desk.machine.config import data_folder

    if len(arguments.names) > SEATS:
        raise DeskError(f"--name: a bout has {SEATS} players, got {len(arguments.names)}")
    names = (*arguments.names, *[None] * (SEATS - len(arguments.names)))
    table, deck, zones, words, source = _open(arguments)
    stamp = wall_clock()[:19].translate(str.maketrans("", "", "-:")).replace("T", "_")
    path = arguments.log or data_folder() / "matches" / f"kendo_{stamp}.sqlite"
    with EventLog.open(path) if path.is_file() else EventLog.create(path) as log:
        opened = BoutOpened(path.stem, source, rules, deck.name, deck.width_mm, names)
        live = LiveKendo(KendoDesk(log, opened), table, deck, zones, words)
        sys.stdout.write(f"game log: {path}\nCtrl-C ends the bout\n")
        with suppress(KeyboardInterrupt):
            asyncio.run(serve_kendo(live, arguments.port, lan=arguments.lan))
    if live.failure is not None:
        raise DeskError(f"{arguments.source}: {live.failure}")
    return 0


_Opened = tuple["Table", "Deck", "TableZones", "tuple[Declaration, ...]", Literal["camera", "video"]]


def _open(arguments: argparse.Namespace) -> _Opened:
    from desk.tables.recording import declarations_in, read_zones

    if Path(arguments.source).is_dir():
        from desk.kendo.film import SEATS, load_court
        from desk.kendo.scribe import WORDS
        from desk.tables.scripted_table import ScriptedTable
        from desk.tables.source_kind import Source
        from vision.sources.video_file import VideoError, VideoSource

        folder = Path(arguments.source)
        court = load_court(folder)
        try:
            video = VideoSource(court.video, court.filmed_fps)
        except VideoError as error:
            raise DeskError(str(error)) from error
        words = declarations_in(folder, SEATS, WORDS)
        fps = video.nominal_fps * video.slow_motion or 30.0
        table = ScriptedTable(lambda: iter(video), Source.VIDEO, str(court.video), fps)
        return table, court.deck, court.zones, words, "video"
    from desk.machine.decks import open_deck
    from desk.tables.camera_table import CameraTable
    from vision.simulator.cardtable.kendo.table import KENDO_TABLE

    if arguments.deck is None:
        raise DeskError("name the box on the table: --deck NAME (see: shinpan decks list)")
    deck, zones = open_deck(arguments.deck), read_zones(arguments.table, KENDO_TABLE.to_toml())
    return CameraTable(arguments.source), deck, zones, (), "camera"
