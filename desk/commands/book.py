"""`shinpan book`: the figures of this club's players over all their matches."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desk.commands.progress_line import Counted
from desk.errors import DeskError
from desk.machine.config import data_folder
from desk.machine.letters import alike
from desk.machine.output_file import add_json_output, add_output
from referee.sentence import Sentence

if TYPE_CHECKING:
    from desk.book.book import Book
    from desk.panel.book.port import (
        NotCounted,
        PlayerFigures,
        PlayerListed,
        PracticeFigures,
        Rating,
        RatingDifference,
        Share,
        Takes,
        Timing,
    )

_CARDS_SHOWN = 10


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "player", nargs="?", metavar="PLAYER", help="a player's name (default: list them all)"
    )
    parser.add_argument("--against", metavar="NAME", help="only the matches against this player")
    parser.add_argument("--from", dest="since", type=_day, metavar="DAY", help="from this day on: 2026-01-04")
    parser.add_argument("--to", dest="until", type=_day, metavar="DAY", help="up to and with this day")
    parser.add_argument(
        "--matches", type=Path, metavar="FOLDER", help="where the match logs lie (default: the data folder)"
    )
    add_json_output(parser)
    add_output(
        parser, "--csv", type=Path, metavar="OUT", help="write the figures as a table for spreadsheets"
    )
    parser.add_argument("--rebuild", action="store_true", help="read all logs again")


def run(arguments: argparse.Namespace) -> int:
    """Print the players, or one player's figures; return 1 if no match has been stored yet."""
    from desk.book.book import Book
    from desk.book.index import forget

    if arguments.against is not None and arguments.player is None:
        raise DeskError("--against names the opponent of a player: name the player too")
    if arguments.since is not None and arguments.until is not None and arguments.until < arguments.since:
        raise DeskError(
            "--from {since} --to {until} ends before it begins: exchange the days",
            since=arguments.since,
            until=arguments.until,
        )
    folder: Path = arguments.matches or data_folder() / "matches"
    if arguments.matches is not None and not folder.is_dir():
        raise DeskError("expected a folder of match logs, but there is none at {folder}", folder=folder)
    if arguments.rebuild:
        forget(folder)
    book = Book(folder)
    try:
        return _answer(book, arguments)
    finally:
        book.close()


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a day such as 2026-01-04, got {text!r}") from None


def _answer(book: Book, arguments: argparse.Namespace) -> int:
    from desk.log.json_lines import write_json
    from desk.panel.book.spreadsheet import figures_csv, players_csv

    found = book.refresh(logs_read())
    for file, problem in book.problems().items():
        sys.stderr.write(f"{file} is left out: {problem}\n")
    answer: Any
    if arguments.player is None:
        players = book.players(arguments.since, arguments.until)
        nowhere = book.not_counted()
        answer = {"players": players, "left_out": found.left_out, "not_counted": nowhere}
        table = players_csv(players)
        lines = list(_player_lines(players, nowhere))
    else:
        figures = book.figures(arguments.player, arguments.against, arguments.since, arguments.until)
        if figures is None:
            raise DeskError(_unknown(book, arguments))
        answer, table, lines = figures, figures_csv(figures), list(_figure_lines(figures))
    if arguments.csv is not None:
        _write_table(arguments.csv, table)
    write_json(arguments.json, answer)
    if arguments.csv is None and arguments.json is None:
        sys.stdout.write("\n".join(lines) + "\n")
    return 0 if found.logs else 1


def logs_read() -> Counted:
    """Return the progress of reading many logs; a few are read too fast to show."""
    return Counted("logs read", least=50)


def _write_table(path: Path, table: str) -> None:
    from calibration.files.storage import keep_text
    from desk.log.json_lines import STDOUT, print_for_programs

    if str(path) == STDOUT:
        print_for_programs(table)
    else:
        keep_text(path, table)


def _unknown(book: Book, arguments: argparse.Namespace) -> Sentence:
    player, against, known = arguments.player, arguments.against, ", ".join(book.names())
    if against is not None and book.figures(player) is not None:
        return Sentence("{player} has played no match against {against!r}", player=player, against=against)
    nobody = Sentence("nobody yet: give the players' names when a match is set up")
    return Sentence(
        "the book knows no player {player!r}; it knows {known}", player=player, known=known or nobody
    )


def _player_lines(players: list[PlayerListed], nowhere: NotCounted) -> Iterator[str]:
    if not players:
        yield "The book is empty. Play a match with the players' names: shinpan serve"
    for player in players:
        reaction = f", {_timing(player['reaction'])}" if player["reaction"]["n"] else ""
        yield (
            f"{player['name']}: {_matches(player['matches'])}, {player['matches_won']} won, "
            f"{player['takes']} takes{reaction}{_practices(player['practices'])}, "
            f"last on {player['last_day']}{_rating(player['rating'])}"
        )
    for names in alike(player["name"] for player in players):
        yield f"look alike, counted apart: {', '.join(names)}"
    if nowhere["unnamed"]:
        yield f"{_matches(nowhere['unnamed'])} without names, or with one name for both players, left out"
    if nowhere["unfinished"]:
        unfinished = _matches(nowhere["unfinished"])
        yield f"{unfinished} not over: no match, and counted only for how well cards are known"
    if nowhere["simulated"]:
        yield f"simulated, counted nowhere: {nowhere['simulated']}"


def _figure_lines(figures: PlayerFigures) -> Iterator[str]:
    from referee.cards.poems import POEMS

    against = "" if figures["against"] is None else f" against {figures['against']}"
    days = " to ".join(day or "…" for day in (figures["since"], figures["until"]))
    yield f"{figures['player']}{against}{'' if days == '… to …' else f', {days}'}"
    yield (
        f"matches: {figures['matches']}, {figures['matches_won']} won, {figures['matches_lost']} lost, "
        f"{figures['unfinished']} not over; rulings in doubt that do not count: {figures['in_doubt']}"
    )
    if figures["rating"] is not None:
        yield f"rating{_rating(figures['rating']).removeprefix(', rating')}"
    yield f"takes: {_takes(figures)}"
    yield f"before the end of the kimariji: {_share(figures['before_kimariji'])}"
    yield f"cards sent: {figures['cards_sent']}, received: {figures['cards_received']}"
    faults = figures["faults"]
    kinds = ", ".join(f"{kind.replace('_', ' ')} {n}" for kind, n in faults["kinds"].items())
    yield f"otetsuki: {faults['n']}{f' ({kinds})' if kinds else ''}"
    for lure in faults["lures"][:_CARDS_SHOWN]:
        read = " ".join(POEMS[poem].kimariji for poem in lure["read"])
        yield f"  lured by {POEMS[lure['card']].kimariji}: {lure['n']} (read: {read})"
    for opponent in figures["opponents"] if figures["against"] is None else []:
        won, lost = opponent["matches_won"], opponent["matches_lost"]
        apart = _stronger(opponent["stronger"])
        yield f"against {opponent['name']}: {won} to {lost} matches{apart}; takes {_takes(opponent)}"
    for stage in figures["stages"]:
        yield f"poems {stage['first']} to {stage['last']}: {_takes(stage)}"
    for place in figures["places"]:
        row = f"row {place['row'] + 1}"  # row 1 is next to the middle line
        yield f"{place['territory']} territory, {row}, {place['half']}: {_takes(place)}"
    for week in figures["weeks"]:
        yield f"week of {week['monday']}: {_matches(week['matches'])}; {_takes(week)}"
    practice = figures["practice"]
    if practice is not None and practice["sessions"]:
        yield f"practice alone: {practice['sessions']} times; {_takes(practice)}"
    timed = [(card["typical_ms"], card) for card in figures["cards"] if card["typical_ms"] is not None]
    if timed:
        shown = min(len(timed), _CARDS_SHOWN)
        yield f"slowest cards, shrunk towards the mean of all ({shown} of {len(timed)}):"
    for ms, card in timed[:_CARDS_SHOWN]:
        yield f"  {POEMS[card['poem']].kimariji} ({card['poem']}): {ms:.0f} ms; {_takes(card)}"


def _rating(rating: Rating | None) -> str:
    if rating is None:
        return ""
    low, high = rating["interval"]
    group = f", group {rating['group']} of {rating['groups']} that never met" if rating["groups"] > 1 else ""
    return f", rating {rating['points']} (95 % {low} to {high}, of {_matches(rating['matches'])}{group})"


def _stronger(difference: RatingDifference | None) -> str:
    if difference is None:
        return ""
    low, high = difference["interval"]
    return f", {difference['points']:+} rating points (95 % {low:+} to {high:+})"


def _practices(n: int) -> str:
    return "" if not n else f", {n} practice{'' if n == 1 else 's'} alone"


def _matches(n: int) -> str:
    return f"{n} match" if n == 1 else f"{n} matches"


def _takes(figures: Takes | PracticeFigures) -> str:
    return f"{_share(figures['takes'])}; {_timing(figures['reaction'])}"


def _share(share: Share) -> str:
    if share["share"] is None:
        return "none"
    interval = share["interval"]
    between = "" if interval is None else f", 95 % {interval[0]:.0%} to {interval[1]:.0%}"
    return f"{share['won']} of {share['n']} ({share['share']:.0%}{between})"


def _timing(timing: Timing) -> str:
    if not timing["n"]:
        return "no time known"
    low, high = ("…" if end is None else f"{end:.0f}" for end in timing["interval_ms"])
    middle = "not known" if timing["median_ms"] is None else f"{timing['median_ms']:.0f} ms"
    lost = f" and {timing['lost']} lost" if timing["lost"] else ""
    first, second = timing["quartiles_ms"] or (None, None)
    half = "" if first is None or second is None else f", half of the cards {first:.0f} to {second:.0f}"
    return f"median {middle} of {timing['n']} taken{lost} (95 % {low} to {high}){half}"
