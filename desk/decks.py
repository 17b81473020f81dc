"""`shinpan decks`: lists, shows, exports and imports the enrolled decks, and draws a deck on one sheet."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from desk.config import data_folder
from desk.errors import DeskError
from files.folders import listed
from files.keeping import keep_bytes

if TYPE_CHECKING:
    from calibration.deck import Deck


BUILT_IN: Final = "shinpan"
"""Name of the deck of hanafuda that needs no enrolment: to try things with, and for the simulator."""


def decks_folder() -> Path:
    """Return the folder of this user's decks. It need not exist yet."""
    return data_folder() / "decks"


def deck_path(name: str) -> Path:
    """Return where the deck of this name is kept; DeskError where no deck can have the name."""
    from calibration.deck import DeckError, check_name
    from calibration.deck_file import SUFFIX

    try:
        check_name(name)
    except DeckError as error:
        raise DeskError(str(error)) from error
    return decks_folder() / f"{name}{SUFFIX}"


def open_deck(name: str, *, tells: bool = True) -> Deck:
    """Return an enrolled deck by its name, or any deck by the path of its file or folder.

    A name that an enrolled deck has means that deck, whatever else lies in the folder where one works: only a
    folder that holds a deck itself goes before it. Where a name means two things, `tells` says which one is
    taken. `shinpan` is the deck that this program draws itself.

    Raises
    ------
    DeskError
        Where there is none or it is damaged.
    """
    from calibration.deck_file import MANIFEST

    as_path = Path(name)
    enrolled = is_name(name) and deck_path(name).is_file()
    holds_deck = (as_path / MANIFEST).is_file()
    if as_path.is_dir() and (holds_deck or not (enrolled or name == BUILT_IN)):
        if enrolled and tells:
            tell_choice(f"deck {name}: the deck in the folder {as_path} is taken, not the enrolled one")
        return _load(as_path)
    if not enrolled and as_path.suffix == ".zip":
        return _load(as_path)
    if enrolled and as_path.exists() and tells:
        tell_choice(f"deck {name}: the enrolled deck is taken, not what is called so in this folder")
    path = deck_path(name)
    if name == BUILT_IN and not path.is_file():
        from vision.simulator.hanafuda_art import drawn_deck

        return drawn_deck()
    if not path.is_file():
        known = ", ".join(_names()) or "none yet"
        raise DeskError(f"there is no deck {name!r}; enrolled decks: {known}. Make one: shinpan enrol")
    return _load(path)


def is_name(name: str) -> bool:
    """Tell whether an enrolled deck can be called so: no path is a name."""
    try:
        deck_path(name)
    except DeskError:
        return False
    return True


def tell_choice(text: str) -> None:
    """Say to the person at the terminal, which of two things that a name means was taken."""
    sys.stderr.write(f"{text}\n")


def decks_of(game: str) -> list[str]:
    """Return the names of this user's decks of a game, those left out that cannot be read."""
    found = []
    for name in _names():
        with suppress(DeskError):
            if _load(deck_path(name)).game == game:
                found.append(name)
    return found


def keep_deck(deck: Deck, *, replace: bool) -> Path:
    """Put a deck among this user's decks and return its file.

    Raises
    ------
    DeskError
        Where another deck has the name and `replace` is False.
    """
    path = deck_path(deck.name)
    if path.exists() and not replace:
        raise DeskError(f"there is a deck {deck.name!r} already: choose another name or add --replace")
    from calibration.deck_file import save_deck

    path.parent.mkdir(parents=True, exist_ok=True)
    save_deck(deck, path)
    return path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments on its own parser."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="list|show|export|import|sheet")
    actions.add_parser("list", help="the enrolled decks")
    show = actions.add_parser("show", help="what a deck says about itself")
    export = actions.add_parser("export", help="copy a deck to a file for others")
    bring = actions.add_parser("import", help="take over a deck that someone else exported")
    sheet = actions.add_parser("sheet", help="draw all cards of a deck on one picture")
    for parser_of_one in (show, export, sheet):
        parser_of_one.add_argument(
            "name", metavar="NAME", help="an enrolled deck, or the path of a deck's file"
        )
    export.add_argument("file", type=Path, metavar="FILE", help="file to write, such as club.deck.zip")
    sheet.add_argument("file", type=Path, metavar="FILE", help="picture to write, such as club.png")
    bring.add_argument("file", type=Path, metavar="FILE", help="a deck's file or folder")
    bring.add_argument("--replace", action="store_true", help="replace an enrolled deck of the same name")


def run(options: argparse.Namespace) -> int:
    """Do what was asked and return the exit code.

    Raises
    ------
    DeskError
        Where a deck is missing, damaged or has a name that is taken.
    """
    if options.action == "list":
        lines = _list()
    elif options.action == "show":
        lines = _describe(open_deck(options.name))
    elif options.action == "export":
        lines = _export(options.name, options.file)
    elif options.action == "sheet":
        lines = _sheet(open_deck(options.name), options.file)
    else:
        deck = _load(options.file)
        path = keep_deck(deck, replace=options.replace)
        lines = [f"imported {deck.name} ({deck.game}, {len(deck.pictures)} cards) to {path}"]
    for line in lines:
        sys.stdout.write(f"{line}\n")
    return 0


def _names() -> list[str]:
    from calibration.deck_file import SUFFIX

    return sorted(path.name.removesuffix(SUFFIX) for path in listed(decks_folder(), f"*{SUFFIX}"))


def _list() -> list[str]:
    lines = []
    for name in _names():
        try:
            deck = _load(deck_path(name))
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
    from calibration.deck_file import save_deck

    if file.exists():
        raise DeskError(f"{file} exists already: choose another file")
    save_deck(open_deck(name), file)
    return [f"exported to {file}"]


def _sheet(deck: Deck, file: Path) -> list[str]:
    import cv2

    from calibration.deck_sheet import contact_sheet

    try:
        done, data = cv2.imencode(file.suffix or ".png", contact_sheet(deck))
    except cv2.error:
        done = False
    if not done:
        raise DeskError(f"{file}: expected the name of a picture, such as sheet.png or sheet.jpg")
    keep_bytes(file, data.tobytes())
    return [f"drawn on {file}"]


def _load(path: Path) -> Deck:
    from calibration.deck import DeckError
    from calibration.deck_file import load_deck

    try:
        return load_deck(path)
    except DeckError as error:
        raise DeskError(str(error)) from error
    except OSError as error:
        raise DeskError(f"{path} cannot be read: {error.strerror}") from error
