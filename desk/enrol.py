"""`shinpan enrol`: makes a deck of pictures of one's own cards, so that the eye knows them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from desk.errors import DeskError

EXIT_NOT_ENROLLED = 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments on its own parser."""
    parser.add_argument(
        "--game", choices=("hanafuda", "kendo"), default="hanafuda", help="what kind of cards they are"
    )
    parser.add_argument("--name", required=True, metavar="NAME", help="what to call the deck")
    parser.add_argument(
        "--folder",
        type=Path,
        required=True,
        metavar="FOLDER",
        help="folder with one picture per card and index.csv, which has the columns file,card_id",
    )
    parser.add_argument(
        "--notes", default="", metavar="TEXT", help="where the pictures come from, their licence"
    )
    parser.add_argument("--replace", action="store_true", help="replace an enrolled deck of the same name")


def run(options: argparse.Namespace) -> int:
    """Enrol the deck, or print everything that is wrong with its pictures.

    Returns
    -------
    exit code: 0, or 1 where the pictures make no deck; then nothing is kept.

    Raises
    ------
    DeskError
        Where the name is no deck's or is taken, or the deck cannot be kept.
    """
    from calibration.deck import DeckError
    from calibration.deck_enrolment import FailedEnrolment, enrol_folder
    from desk.decks import keep_deck

    try:
        deck = enrol_folder(options.folder, options.game, options.name, options.notes)
    except DeckError as error:
        raise DeskError(str(error)) from error
    if isinstance(deck, FailedEnrolment):
        for problem in deck.problems:
            sys.stderr.write(f"{problem}\n")
        sys.stderr.write(f"not enrolled: {len(deck.problems)} problem(s), mend them and try again\n")
        return EXIT_NOT_ENROLLED
    path = keep_deck(deck, replace=options.replace)
    sys.stdout.write(f"enrolled {len(deck.pictures)} cards: {path}\n")
    return 0
