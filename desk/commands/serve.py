"""`shinpan serve`: the officials' desk in the browser, from the set-up of a match to its record."""

from __future__ import annotations

import argparse
import asyncio
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from desk.commands.live_arguments import add_page_arguments, add_witness_arguments
from desk.commands.reading.book_set import add_day_begins
from desk.errors import DeskError
from desk.machine.config import data_folder

if TYPE_CHECKING:
    from desk.book.book import Book
    from desk.hall.mat.station import Station
    from desk.karuta.house.house import House


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source",
        nargs="?",
        metavar="SOURCE",
        help="open this right away: a camera's number, device or address, phone, or a recording's folder",
    )
    add_page_arguments(parser)
    parser.add_argument(
        "--resume", metavar="MATCH", help="resume an interrupted match; with SOURCE, watch it there"
    )
    parser.add_argument(
        "--matches", type=Path, metavar="FOLDER", help="where the match logs lie (default: the data folder)"
    )
    parser.add_argument(
        "--hall", metavar="TICKET", help="play in a hall, where one reader reads: this mat's ticket"
    )
    heard = parser.add_mutually_exclusive_group()
    heard.add_argument(
        "--distance",
        type=float,
        metavar="METRES",
        help="in a hall: from the mat to the nearest loudspeaker (default: 0)",
    )
    heard.add_argument(
        "--reading-delay",
        metavar="MS[,MS]",
        help="in a hall: how much later the reading is heard here, and the 95 %% half width of that, as "
        "shinpan hall delay measures them (default half width: 20)",
    )
    add_day_begins(parser)
    add_witness_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    from desk.home.home import Home
    from desk.karuta.eye.equipment import Wanted
    from desk.karuta.eye.prior_knowledge import faces_of
    from desk.karuta.house.house import House
    from desk.karuta.house.settings import load_house_settings
    from desk.panel.server import PanelAddress
    from desk.shelf.shelf import Shelf

    settings = load_house_settings()
    if arguments.deck is not None:
        faces_of(arguments.deck)  # so that a wrong deck fails now, not when the first match begins
    port = settings.port if arguments.port is None else arguments.port
    address = PanelAddress.choose(port, lan=arguments.lan)
    wanted = Wanted.of(arguments)
    folder = arguments.matches or data_folder() / "matches"
    book = _book(folder, arguments.day_begins)
    station = _station(arguments, folder)
    house = House(folder, settings.agreement, wanted=wanted, hall=station)
    due_days_of = None if book is None else book.due_days
    home = Home(folder, address.roles, address.urls, wanted, due_days_of=due_days_of)
    films = Shelf(data_folder() / "films", folder)

    async def serve() -> None:
        try:
            if station is not None:
                station.open()
            await _prepare(house, arguments)
            app = address.app(house=house, book=book, home=home, films=films)
            await address.serve(app, "Ctrl-C ends the desk; what was logged stays")
        finally:
            await films.close()
            await home.close()
            await house.close()
            if station is not None:
                await station.close()
            if book is not None:
                book.close()

    with suppress(KeyboardInterrupt):
        asyncio.run(serve())
    return 0


def _station(arguments: argparse.Namespace, folder: Path) -> Station | None:
    """Return this mat's station in a hall; None without a hall."""
    if arguments.hall is None:
        if arguments.distance is not None or arguments.reading_delay is not None:
            raise DeskError("--distance and --reading-delay belong to a hall: add --hall TICKET")
        return None
    from desk.commands.hall.command import require_extra

    require_extra()
    from desk.hall.mat.delay import delay_of, told_delay
    from desk.hall.mat.station import Station
    from desk.hall.ticket import ticket_of

    told = arguments.reading_delay
    delay = delay_of(arguments.distance or 0.0) if told is None else told_delay(told)
    return Station(ticket_of(arguments.hall), folder, delay)


def _book(folder: Path, day_begins_h: int = 0) -> Book | None:
    """Return the club's book, whose new logs are read now; if it cannot be read, only warn."""
    from desk.book.book import Book
    from desk.commands.book import logs_read

    try:
        book = Book(folder, day_begins_h=day_begins_h)
        book.refresh(logs_read())
    except DeskError as error:
        sys.stderr.write(f"there is no book today: {error}\n")
        return None
    return book


async def _prepare(house: House, arguments: argparse.Namespace) -> None:
    source = arguments.source
    if source is not None:
        await house.set_up.choose("video" if Path(source).is_dir() else "camera", source)
    if arguments.resume is not None:
        house.resume(Path(arguments.resume).stem, house.set_up.take_watch())
