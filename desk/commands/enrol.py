"""`shinpan enrol`: makes a deck from pictures of one's own cards, so that the eye can read them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from desk.commands.progress_line import Counted
from desk.machine.config import PANEL_HOST, PANEL_PORT

if TYPE_CHECKING:
    from calibration.decks.deck import Deck
    from calibration.decks.enrolment import FailedEnrolment

EXIT_NOT_ENROLLED = 1
GAMES = ("hanafuda", "karuta", "kendo")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", choices=GAMES, default="hanafuda", help="what kind of cards they are")
    parser.add_argument("--name", required=True, metavar="NAME", help="what to call the deck")
    sources = parser.add_mutually_exclusive_group(required=True)
    sources.add_argument(
        "folder",
        type=Path,
        nargs="?",
        metavar="FOLDER",
        help="folder with one picture per card and index.csv, which has the columns file,card_id",
    )
    sources.add_argument(
        "--folder", type=Path, dest="named_folder", metavar="FOLDER", help="the same as FOLDER above"
    )
    sources.add_argument(
        "--photos",
        type=Path,
        nargs="+",
        metavar="PHOTO",
        help="photos of the cards, apart and upright in the deck's order: one of all cards, or one per pile",
    )
    sources.add_argument(
        "--camera",
        metavar="WHERE",
        help="a camera's number or a stream's address; a page then asks for the cards month by month",
    )
    parser.add_argument(
        "--notes", default="", metavar="TEXT", help="where the pictures come from, and under which licence"
    )
    parser.add_argument("--replace", action="store_true", help="replace an enrolled deck of the same name")
    parser.add_argument("--port", type=int, default=PANEL_PORT, help="the page's port (with --camera)")


def run(options: argparse.Namespace) -> int:
    """Enrol the deck; return 1 and store nothing if anything is wrong with its pictures."""
    from calibration.decks.enrolment import FailedEnrolment
    from desk.machine.decks import keep_deck

    if options.camera is not None:
        return _before_camera(options)
    deck = _enrolled(options)
    if isinstance(deck, FailedEnrolment):
        for problem in deck.problems:
            sys.stderr.write(f"{problem}\n")
        if len(deck.problems) > 1:
            sys.stderr.write(f"not enrolled: {len(deck.problems)} problems; correct them and try again\n")
        return EXIT_NOT_ENROLLED
    path = keep_deck(deck, replace=options.replace)
    sys.stdout.write(f"enrolled {len(deck.pictures)} cards: {path}\n")
    return 0


def _enrolled(options: argparse.Namespace) -> Deck | FailedEnrolment:
    if options.photos is not None:
        from desk.enrolment.photos import enrol_photos

        return enrol_photos(
            options.photos, options.game, options.name, options.notes, Counted("photos looked at")
        )
    from calibration.decks.enrolment import enrol_folder

    folder = options.folder or options.named_folder
    return enrol_folder(folder, options.game, options.name, options.notes, Counted("pictures read"))


def _before_camera(options: argparse.Namespace) -> int:
    """Serve the page that asks for the cards until Ctrl-C; return 0 if the deck was stored."""
    import asyncio
    from contextlib import suppress

    from desk.enrolment.port import CameraEnrolment
    from desk.enrolment.session import EnrolSession
    from desk.machine.config import first_free
    from desk.panel.enrolment.routes import create_enrol_app
    from desk.panel.sockets import page_server
    from desk.tables.camera_table import CameraTable

    session = EnrolSession(options.game, options.name, options.notes)
    enrolment = CameraEnrolment(session, CameraTable(options.camera), replace=options.replace)
    port = first_free(PANEL_HOST, options.port)
    told = f"enrol the deck at http://{PANEL_HOST}:{port}/enrol; Ctrl-C ends\n"
    server = page_server(create_enrol_app(enrolment), PANEL_HOST, port, told=told)
    enrolment.begin()
    try:
        with suppress(KeyboardInterrupt):
            asyncio.run(server.serve())
    finally:
        enrolment.end()
    return 0 if enrolment.kept is not None else EXIT_NOT_ENROLLED
