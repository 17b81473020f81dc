"""`shinpan practise`: one player alone against the clock; the camera times every take."""

from __future__ import annotations

import argparse
import sys
import time
from contextlib import nullcontext
from typing import TYPE_CHECKING

from desk.commands.live_arguments import add_witness_arguments
from desk.commands.reading.book_set import add_set_arguments, cards_of_set, logs_folder
from desk.errors import DeskError
from desk.machine.config import PANEL_PORT

if TYPE_CHECKING:
    from queue import SimpleQueue

    from desk.panel.practice.view import AttemptShown
    from desk.practice.practice import Practice

HELP = "Enter start, then next · p pause · g go on · x end the practice · q quit"
_KEYS = {"p": "pause", "g": "resume", "x": "end"}
_POLL_S = 0.05


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help="a camera's number, device or address, phone, a recording's folder, or simulator "
        '(also "simulator seed=3 cards=10 speed=2")',
    )
    add_set_arguments(parser)
    parser.add_argument(
        "--karafuda", type=int, default=0, metavar="N", help="read N poems whose cards do not lie there"
    )
    parser.add_argument("--seed", type=int, help="dice of the order")
    parser.add_argument("--voice", default="high", help="high, low, silent or the name of an imported voice")
    parser.add_argument("--rhythm", default="4-3-1-5", help="4-3-1-5 or 5-3-1-6")
    parser.add_argument(
        "--patience",
        type=float,
        default=3.0,
        metavar="S",
        help="wait so long for a hand after a first half before reading on (default: 3)",
    )
    parser.add_argument("--by-hand", action="store_true", help="wait for Enter before every poem")
    parser.add_argument(
        "--at-once", action="store_true", help="start as soon as cards are read, without waiting for Enter"
    )
    parser.add_argument("--lan", action="store_true", help="let phones on the local network open the page")
    parser.add_argument("--port", type=int, default=PANEL_PORT, help="port of the page")
    parser.add_argument("--no-page", action="store_true", help="do without the page")
    add_witness_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Practise until all poems are read or the player stops; return 1 if nothing was timed."""
    from desk.machine.typed_lines import typed_lines, waiting
    from desk.reciter.page import practice_page

    practice = _opened(arguments)
    page = None if arguments.no_page else practice_page(practice, arguments.port, lan=arguments.lan)
    lines, is_over = typed_lines(), False
    practice.begin()
    try:
        with page or nullcontext():
            is_over = follow(practice, lines, at_once=arguments.at_once)
            if page is not None and is_over:
                _say_slow(practice)
                _say("the page stays: Ctrl-C or q ends")
                while "q" not in waiting(lines):
                    time.sleep(_POLL_S)
    except KeyboardInterrupt:
        pass
    finally:
        practice.close()
    if page is None or not is_over:
        _say_slow(practice)
    now = practice.now()
    if practice.failure is not None:
        raise DeskError("{source}: {why}", source=arguments.source, why=practice.failure)
    return 0 if now["attempts"] else 1


def _opened(arguments: argparse.Namespace) -> Practice:
    from desk.karuta.eye.equipment import Wanted
    from desk.practice.plan import Plan
    from desk.practice.sources import Voice, open_practice

    if not 0 <= arguments.karafuda <= 99:
        raise DeskError("--karafuda is 0..99, got {got}", got=arguments.karafuda)
    if not 0.5 <= arguments.patience <= 60:
        raise DeskError("--patience is 0.5 to 60 seconds, got {got:g}", got=arguments.patience)
    plan = Plan(
        cards_of_set(arguments) or (),
        arguments.karafuda,
        arguments.seed,
        arguments.by_hand,
        arguments.patience,
    )
    if arguments.player is None:
        sys.stderr.write("no --player is named: the attempts are kept, but count for nobody in the book\n")
    return open_practice(
        arguments.source,
        arguments.player,
        plan,
        wanted=Wanted.of(arguments),
        voice=Voice(arguments.voice, arguments.rhythm),
        folder=logs_folder(arguments),
        due_days=lambda: _due_days(arguments),
    )


def _due_days(arguments: argparse.Namespace) -> dict[int, str]:
    if arguments.player is None:
        return {}
    from desk.book.book import Book

    book = Book(logs_folder(arguments), day_begins_h=arguments.day_begins)
    try:
        return book.due_days(arguments.player)
    finally:
        book.close()


def follow(practice: Practice, lines: SimpleQueue[str], *, at_once: bool) -> bool:
    """Show what happens and pass on typed commands; return whether the practice is over, not given up."""
    from desk.machine.typed_lines import waiting

    told = 0
    laid: list[int] = []
    problem: str | None = None
    _say(HELP)
    while True:
        now = practice.now()
        if now["state"] == "looking" and now["laid"] != laid:
            laid = now["laid"]
            _say(f"{'1 card is' if len(laid) == 1 else f'{len(laid)} cards are'} read on the field")
            if at_once and laid:  # if it is refused, other cards have to be laid first
                _obey(practice, "start")
        for attempt in now["attempts"][told:]:
            _say(attempt_line(attempt))
        told = len(now["attempts"])
        if now["problem"] != problem:
            problem = now["problem"]
            if problem is not None:
                sys.stderr.write(f"shinpan practise: {problem.replace('_', ' ')}\n")
        if now["state"] == "ended":
            return True
        for line in waiting(lines):
            if line == "q":
                return False
            _obey(practice, _KEYS.get(line, "start" if now["state"] == "looking" else "next"))
        time.sleep(_POLL_S)


def _obey(practice: Practice, name: str) -> None:
    from desk.panel.practice.view import WHEN

    refusal = practice.do(name)
    if refusal is not None:
        _say(
            {
                "no_field": "no card is read yet: lay cards on your territory and take your hands away",
                "nothing_wanted": "none of the cards of --set lies here",
            }.get(refusal)
            or WHEN[name]
        )


def attempt_line(attempt: AttemptShown) -> str:
    from referee.cards.poems import POEMS

    name = f"{attempt['kimariji']} ({attempt['poem']})"
    ms, lure = attempt["ms"], attempt["lure"]
    if ms is not None:
        return f"{ms / 1000:6.2f} s  {name}"
    if lure is not None:
        return f"      –   {name}: {POEMS[lure].kimariji} ({lure}) touched instead"
    how = {"taken": "taken, the time is not known", "missed": "not taken", "left": "rightly left"}
    return f"      –   {name}: {how.get(attempt['outcome'], 'unclear, does not count')}"


def closing_lines(slow: list[AttemptShown]) -> list[str]:
    if not slow:
        return []
    lines = ["cards to look at again:"]
    for attempt in slow:
        again = "" if attempt["due"] is None else f", comes again on {attempt['due']}"
        lines.append(f"{attempt_line(attempt)}{again}")
    return lines


def _say_slow(practice: Practice) -> None:
    for line in closing_lines(practice.now()["slow"]):
        _say(line)


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()
