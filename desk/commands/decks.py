"""`shinpan decks`: list, show, export and import enrolled decks, and draw a deck on one sheet."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.files.storage import keep_bytes
from desk.errors import DeskError
from desk.machine.decks import deck_at, deck_names, deck_path, keep_deck, open_deck
from desk.machine.output_file import add_output

if TYPE_CHECKING:
    from calibration.decks.deck import Deck


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True, metavar="list|show|export|import|sheet")
    actions.add_parser("list", help="list the enrolled decks")
    show = actions.add_parser("show", help="show what a deck says about itself")
    export = actions.add_parser("export", help="copy a deck to a file, to share it")
    bring = actions.add_parser("import", help="import a deck that somebody else exported")
    sheet = actions.add_parser("sheet", help="draw all cards of a deck on one picture")
    for parser_of_one in (show, export, sheet):
        parser_of_one.add_argument(
            "name", metavar="NAME", help="an enrolled deck, or the path of a deck's file"
        )
    add_output(export, "file", type=Path, metavar="FILE", help="file to write, such as club.deck.zip")
    add_output(sheet, "file", type=Path, metavar="FILE", help="picture to write, such as club.png")
    bring.add_argument("file", type=Path, metavar="FILE", help="a deck's file or folder")
    bring.add_argument("--name", metavar="NAME", help="call it so here (default: as it calls itself)")
    bring.add_argument("--replace", action="store_true", help="replace an enrolled deck of the same name")


def run(options: argparse.Namespace) -> int:
    if options.action == "list":
        lines = _list()
    elif options.action == "show":
        lines = _describe(open_deck(options.name))
    elif options.action == "export":
        lines = _export(options.name, options.file)
    elif options.action == "sheet":
        lines = _sheet(open_deck(options.name), options.file)
    else:
        deck = deck_at(options.file)
        if options.name is not None:
            deck_path(options.name)  # refuses what no deck can be called
            deck = replace(deck, name=options.name)
        path = keep_deck(deck, replace=options.replace)
        lines = [f"imported {deck.name} ({deck.game}, {len(deck.pictures)} cards) to {path}"]
    for line in lines:
        sys.stdout.write(f"{line}\n")
    return 0


def _list() -> list[str]:
    lines = []
    for name in deck_names():
        try:
            deck = deck_at(deck_path(name))
            lines.append(f"{name}  {deck.game}, {len(deck.pictures)} cards")
        except DeskError as error:
            lines.append(f"{name}  cannot be used: {error}")
    return lines or ["no deck yet: shinpan enrol --game hanafuda --name NAME FOLDER"]


def _describe(deck: Deck) -> list[str]:
    return [
        f"name   {deck.name}",
        f"game   {deck.game}",
        f"cards  {len(deck.pictures)}: {', '.join(deck.pictures)}",
        f"size   {deck.width_mm:g} x {deck.height_mm:g} mm",
        f"notes  {deck.notes or 'none'}",
    ]


def _export(name: str, file: Path) -> list[str]:
    from calibration.decks.deck_file import save_deck

    save_deck(open_deck(name), file)
    return [f"exported to {file}"]


def _sheet(deck: Deck, file: Path) -> list[str]:
    import cv2

    from calibration.decks.deck_file import contact_sheet

    try:
        done, data = cv2.imencode(file.suffix or ".png", contact_sheet(deck))
    except cv2.error:
        done = False
    if not done:
        raise DeskError("{file}: expected the name of a picture, such as sheet.png or sheet.jpg", file=file)
    keep_bytes(file, data.tobytes())
    return [f"drawn on {file}"]
