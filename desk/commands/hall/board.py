"""`shinpan hall board`: all mats on a projector, every match in detail, and the tournament."""

from __future__ import annotations

import argparse
import asyncio
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from desk.commands.live_arguments import add_page_arguments
from desk.errors import DeskError
from desk.log.clocks import wall_clock
from desk.machine.config import PANEL_PORT, data_folder

if TYPE_CHECKING:
    from desk.hall.ticket import Ticket
    from desk.panel.server import PanelAddress
    from desk.tournament.desk import TournamentDesk

_SYSTEMS = ("elimination", "swiss")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--hall",
        metavar="TICKET",
        help="the board's ticket; without one the board draws the tournament, and people enter the results",
    )
    add_page_arguments(parser)
    parser.add_argument(
        "--folder",
        type=Path,
        metavar="FOLDER",
        help="copies of the matches, and the tournament (default: the data folder)",
    )
    tournament = parser.add_argument_group("the tournament", "a new one; one that is in the folder goes on")
    tournament.add_argument("--name", default="", help="what it is called")
    tournament.add_argument(
        "--seed",
        help="any text, told beforehand, by which everybody can draw the lots again (default: the day)",
    )
    tournament.add_argument(
        "--entrants",
        type=Path,
        metavar="FILE",
        help="a list of entrants, CSV or .xlsx, for classes that are not drawn; who is in it already stays",
    )
    tournament.add_argument(
        "--system", choices=_SYSTEMS, default="elimination", help="of the classes that the list opens"
    )
    tournament.add_argument("--rounds", type=int, help="of a Swiss")


def run(arguments: argparse.Namespace) -> int:
    from desk.hall.ticket import ticket_of
    from desk.panel.server import PanelAddress

    ticket = None if arguments.hall is None else ticket_of(arguments.hall)
    folder = arguments.folder or data_folder() / "board"
    desk = _tournament(arguments, folder)
    address = PanelAddress.choose(PANEL_PORT if arguments.port is None else arguments.port, lan=arguments.lan)
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(ticket, folder, desk, address))
    return 0


def _tournament(arguments: argparse.Namespace, folder: Path) -> TournamentDesk:
    """Continue the folder's tournament, or open a new one, and enter the players of the list."""
    from desk.tournament.desk import TournamentDesk
    from referee.tournament.events import TournamentOpened

    seed = arguments.seed or wall_clock()[:10]
    with DeskError.wrapping("{folder} cannot hold the tournament: {why}", OSError, folder=folder):
        desk = TournamentDesk.at(folder / "tournament.sqlite", TournamentOpened(arguments.name, seed))
    try:
        _fill(desk, arguments, folder)
    except BaseException:
        desk.close()
        raise
    return desk


def _fill(desk: TournamentDesk, arguments: argparse.Namespace, folder: Path) -> None:
    from desk.tournament.entries import events_of, read_entries
    from referee.tournament.division import System
    from referee.tournament.events import EntrantEntered

    if arguments.seed not in {None, desk.state.seed}:
        raise DeskError(
            "{folder} holds a tournament whose lots are drawn by {seed!r}: name another --folder",
            folder=folder,
            seed=desk.state.seed,
        )
    if arguments.entrants is None:
        return
    # the line that started a tournament is also the line that goes on with it after a crash
    goes_on = any(course.entrants for course in desk.state.courses.values())
    try:
        entries = read_entries(arguments.entrants)
        system = System(arguments.system)
        events = events_of(entries, desk.state, system, arguments.rounds, again=goes_on)
        desk.tell(*events)
    except (DeskError, OSError) as error:
        if not goes_on:
            raise
        sys.stderr.write(f"the tournament in {folder} goes on without {arguments.entrants}: {error}\n")
        return
    entered = sum(isinstance(event, EntrantEntered) for event in events)
    already = f"; the tournament in {folder} goes on with those who are in it" if goes_on else ""
    sys.stdout.write(f"{entered} entered{already}\n")


async def _serve(ticket: Ticket | None, folder: Path, desk: TournamentDesk, address: PanelAddress) -> None:
    from desk.hall.board.floor import Floor
    from desk.hall.board.schedule import Schedule
    from desk.hall.link import end
    from desk.hall.page.app import create_hall_app
    from desk.panel.app import LOCAL_HOSTS

    floor = Floor(ticket, folder / "matches")
    schedule = Schedule(desk, floor)
    floor.open()
    saying = asyncio.get_running_loop().create_task(schedule.run())
    app = create_hall_app(
        floor, schedule, roles=address.roles, allowed_hosts=(*LOCAL_HOSTS, *address.addresses)
    )
    try:
        await address.serve(app, "Ctrl-C ends the board; the mats play on")
    finally:
        await end([saying])
        await floor.close()
        desk.close()
