"""`shinpan koikoi live`: referee a table before a camera, with a page for players and spectators."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from desk.commands.live_arguments import add_live_arguments
from desk.errors import DeskError
from referee.koikoi.ruleset import RuleSet

if TYPE_CHECKING:
    from calibration.decks.deck import Deck
    from desk.tables.recording import Declaration
    from desk.tables.table import Table
    from vision.plane.zones import TableZones


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments on its own parser."""
    add_live_arguments(parser)
    parser.add_argument("--players", type=int, choices=(2, 3, 4), default=2, help="number of players")
    parser.add_argument("--dealer", type=int, default=0, metavar="SEAT", help="who deals first, from 0")


def run(arguments: argparse.Namespace, rules: RuleSet) -> int:
    """Referee until Ctrl-C; 0 when done.

    Raises
    ------
    DeskError
        Where source, deck, table or log cannot be used.
    """
    import asyncio
    from contextlib import suppress

    from desk.koikoi.desk import KoiKoiDesk
    from desk.koikoi.events import GameOpened
    from desk.koikoi.live import LiveKoiKoi, serve_koikoi
    from desk.log.clocks import wall_clock
    from desk.log.event_log import EventLog
    from desk.machine.config import data_folder

    if not 0 <= arguments.dealer < arguments.players:
        raise DeskError(f"--dealer: seats are numbered 0..{arguments.players - 1}, got {arguments.dealer}")
    table, deck, zones, words, source = _open(arguments)
    stamp = wall_clock()[:19].translate(str.maketrans("", "", "-:")).replace("T", "_")
    path = arguments.log or data_folder() / "matches" / f"koikoi_{stamp}.sqlite"
    with EventLog.open(path) if path.is_file() else EventLog.create(path) as log:
        opened = GameOpened(
            path.stem, source, arguments.players, arguments.dealer, rules, deck.name, tuple(arguments.names)
        )
        live = LiveKoiKoi(KoiKoiDesk(log, opened), table, deck, zones, words)
        sys.stdout.write(f"game log: {path}\nCtrl-C ends the game\n")
        with suppress(KeyboardInterrupt):
            asyncio.run(serve_koikoi(live, arguments.port, arguments.players, lan=arguments.lan))
    if live.failure is not None:
        raise DeskError(f"{arguments.source}: {live.failure}")
    return 0


_Opened = tuple["Table", "Deck", "TableZones", "tuple[Declaration, ...]", Literal["camera", "video"]]


def _open(arguments: argparse.Namespace) -> _Opened:
    if Path(arguments.source).is_dir():
        return _recording(arguments)
    from desk.machine.decks import open_deck
    from desk.tables.camera_table import CameraTable

    if arguments.deck is None:
        raise DeskError("name the deck on the table: --deck NAME (see: shinpan decks list)")
    deck, zones = open_deck(arguments.deck), _zones(arguments.table, arguments.players)
    return CameraTable(arguments.source), deck, zones, (), "camera"


def _recording(arguments: argparse.Namespace) -> _Opened:
    """Open a recording, which knows players, dealer, deck and table by itself."""
    from desk.koikoi.film import load_koikoi
    from desk.tables.scripted_table import ScriptedTable
    from desk.tables.source_kind import Source
    from vision.sources.video_file import VideoError, VideoSource

    recording = load_koikoi(Path(arguments.source))
    try:
        video = VideoSource(recording.video, recording.filmed_fps)
    except VideoError as error:
        raise DeskError(str(error)) from error
    arguments.players, arguments.dealer = recording.players, recording.dealer
    fps = video.nominal_fps * video.slow_motion or 30.0
    table = ScriptedTable(lambda: iter(video), Source.VIDEO, str(recording.video), fps)
    return table, recording.deck, recording.zones, recording.declarations, "video"


def _zones(path: Path | None, players: int) -> TableZones:
    from desk.tables.drawn_table import kept_table
    from desk.tables.recording import read_zones
    from vision.simulator.cardtable.zones import koikoi_zones

    kept = kept_table("koikoi", players)
    zones = read_zones(kept if path is None and kept.is_file() else path, koikoi_zones(players).to_toml())
    strips = sum(zone.name == "capture" for zone in zones.zones)
    if strips < players:
        raise DeskError(f"{path}: capture needs a rectangle for each of {players} players, got {strips}")
    return zones
