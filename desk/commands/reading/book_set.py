"""The arguments with which commands take a set of cards from the club's book."""

import argparse
import sys
from pathlib import Path
from typing import get_args

from desk.errors import DeskError
from desk.machine.config import data_folder
from desk.panel.book.port import CardSet
from referee.sentence import Sentence

USUAL_CARDS = 20


def add_set_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--player", metavar="NAME", help="who practises: the book knows this player's cards")
    parser.add_argument(
        "--set",
        dest="card_set",
        choices=get_args(CardSet),
        help="with --player: cards whose day has come in the schedule, the slowest, those lost in the latest "
        "thirty days, or the families that were confused",
    )
    add_day_begins(parser)
    parser.add_argument(
        "--most",
        type=int,
        metavar="N",
        help=Sentence("most cards of --set (default: {usual})", usual=USUAL_CARDS),
    )
    parser.add_argument(
        "--matches", type=Path, metavar="FOLDER", help="where the logs lie (default: the data folder)"
    )


def add_day_begins(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--day-begins",
        type=int,
        choices=range(24),
        default=0,
        metavar="HOUR",
        help="hour at which a day of the schedule of cards begins, 0 to 23 (default: 0, midnight)",
    )


def logs_folder(arguments: argparse.Namespace) -> Path:
    folder: Path = arguments.matches or data_folder() / "matches"
    return folder


def cards_of_set(arguments: argparse.Namespace) -> tuple[int, ...] | None:
    """Return the cards of the set that was asked for, None if none was; DeskError if the book has none."""
    which: CardSet | None = arguments.card_set
    if which is None:
        if arguments.most is not None:
            raise DeskError("--most limits --set: name the set, too")
        return None
    if arguments.player is None:
        raise DeskError("--set takes cards from a player's book: name the player with --player")
    most = USUAL_CARDS if arguments.most is None else arguments.most
    if not 1 <= most <= 100:
        raise DeskError("--most is 1..100, got {most}", most=most)
    from desk.book.book import Book
    from desk.commands.book import logs_read

    book = Book(logs_folder(arguments), day_begins_h=arguments.day_begins)
    try:
        book.refresh(logs_read())
        chosen = book.card_set(arguments.player, which, most)
        known = book.names()
    finally:
        book.close()
    if chosen is None:
        raise DeskError(
            "the book knows no player {player!r}; it knows {known}",
            player=arguments.player,
            known=", ".join(known) or "nobody yet",
        )
    if not chosen:
        raise DeskError(
            "the book has no cards of {player} for --set {which} now; {why}",
            player=arguments.player,
            which=which,
            why=EMPTY[which],
        )
    if len(chosen) < most:
        sys.stderr.write(f"--set {which}: the book has {len(chosen)} such cards\n")
    return tuple(card["poem"] for card in chosen)


EMPTY: dict[CardSet, str] = {
    "due": "the day of none has come: choose slowest, or practise without --set",
    "slowest": "no take was timed in the latest three months: practise without --set",
    "lost": "none was lost in the latest thirty days: choose slowest or due",
    "confused": "no card was touched for another that begins alike: choose slowest or due",
}
