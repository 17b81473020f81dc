"""`shinpan demo`: a simulated match, refereed from its pixels.

A simulator draws a match; the eye gets the pictures and the instants at which poems begin, and nothing else.
`--headless` plays it as fast as it can and prints each ruling beside the truth; without it the match runs in
real time, with the panel in the browser.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import cv2

from desk.clock import wall_clock
from desk.config import PANEL_PORT, data_folder
from desk.demo_report import Compared, Report
from desk.engine import Engine
from desk.errors import DeskError
from desk.event_log import EventLog
from desk.mat import Mat
from desk.match_events import MatchOpened, Source
from desk.simulated_reader import kimariji_completed
from desk.simulated_table import SimulatedOfficial, ahead, happenings
from recitation.order import Order, reading_order
from referee.karuta.ruleset import KYOGI
from referee.karuta.state import Settings
from vision.frames import Frame
from vision.match_watcher import MatchWatcher
from vision.simulator.match import Pace, SimulatedMatch

_FRAMES_AHEAD = 32


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `shinpan demo`."""
    parser.add_argument(
        "--headless", action="store_true", help="no panel: play as fast as possible, print each ruling"
    )
    parser.add_argument("--seed", type=int, default=7, help="the dice of the match (default: 7)")
    parser.add_argument(
        "--cards", type=_cards, default=25, metavar="N", help="cards per side, 4..25 (default: 25)"
    )
    parser.add_argument("--fps", type=_positive, default=60.0, help="pictures per second (default: 60)")
    parser.add_argument(
        "--size",
        type=_size,
        default=(1280, 720),
        metavar="WxH",
        help="size of the pictures (default: 1280x720)",
    )
    parser.add_argument(
        "--speed", type=_positive, default=1.0, help="with the panel: times real time (default: 1)"
    )
    parser.add_argument(
        "--port",
        type=int,
        default=PANEL_PORT,
        help=f"the panel's port; the next free one if it is in use (default: {PANEL_PORT})",
    )
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the report as JSON")
    parser.add_argument(
        "--log", type=Path, metavar="FILE", help="the match log to create (default: in the data folder)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Play the match; 0 when it was refereed to its end, 1 when it was not."""
    if arguments.json is not None and not arguments.json.parent.is_dir():
        raise DeskError(f"--json {arguments.json}: there is no folder {arguments.json.parent}")
    # small pictures: threads cost more than they bring, and there is a thread for drawing already
    cv2.setNumThreads(1)
    if arguments.headless:
        report = _headless(arguments)
    else:
        from desk.demo_panel import play_with_panel

        report = play_with_panel(arguments)
    if arguments.json is not None:
        text = json.dumps(report.to_json(), ensure_ascii=False, indent=1) + "\n"
        arguments.json.write_text(text, encoding="utf-8")
    return 0 if report.winner is not None else 1


def simulated_match(arguments: argparse.Namespace, pace: Pace | None = None) -> SimulatedMatch:
    """Return the match that the arguments ask for: its cards and as many karafuda, shuffled."""
    match = SimulatedMatch(
        arguments.seed, arguments.fps, arguments.size, cards_per_side=arguments.cards, pace=pace
    )
    match.poems = reading_order(Order.SHUFFLE, arguments.seed, match.poems)
    return match


def _headless(arguments: argparse.Namespace) -> Report:
    match = simulated_match(arguments)
    begin_s = time.perf_counter()
    report, frames, now_ns = Report(), 0, 0
    opening, log_path = opening_of(arguments)
    with EventLog.create(log_path) as log:
        # the match clock is the simulation's own: the same seed writes the same log
        engine = Engine.begin(log, opening, clock=lambda: now_ns)
        eye, mat, official = MatchWatcher(), Mat(engine), SimulatedOfficial(engine)
        for item in ahead(happenings(match), _FRAMES_AHEAD):
            if isinstance(item, Frame):
                now_ns = item.t_ns
                frames += 1
                mat.tell(eye.feed(item))
            else:
                report.read.append(item)
                official.learn(item)
                mat.tell(eye.poem_started(item.start))
                if not mat.open_match(item.start.t_ns):
                    raise DeskError(f"the field could not be read before the first poem: {eye.problem}")
                official.attend()
                official.before_poem()
                mat.hear(item.start, kimariji_completed(item.start, engine.state.unread | {item.start.poem}))
            official.attend()
            _print(report.follow(engine.state))
            if mat.is_over:
                break
        mat.tell(eye.close())
        official.attend()
        _print(report.follow(engine.state))
        seconds = time.perf_counter() - begin_s
        report.true_winner = match.winner
        report.fields_accepted = official.fields_accepted
        sys.stdout.write(
            f"{report.summary()}\n{frames} pictures in {seconds:.1f} s ({frames / seconds:.0f} per second)\n"
            f"match log: {log.path}\n"
        )
    return report


def _print(rulings: Iterable[Compared]) -> None:
    for compared in rulings:
        sys.stdout.write(compared.line() + "\n")
        sys.stdout.flush()


def opening_of(arguments: argparse.Namespace) -> tuple[MatchOpened, Path]:
    """Return the opening of the match, which goes straight to the first poem, and the file of its log."""
    stamp = wall_clock()[:23].translate(str.maketrans("", "", "-:.")).replace("T", "_")
    name = f"demo_{stamp}_seed_{arguments.seed}"
    rules = replace(KYOGI, joka=False, practice_swings=False)
    settings = Settings(rules=rules, cards_per_side=arguments.cards)
    opening = MatchOpened(name, Source.SIMULATOR, settings, seed=arguments.seed)
    return opening, arguments.log or data_folder() / "matches" / f"{name}.sqlite"


def _cards(text: str) -> int:
    if not text.isdecimal() or not 4 <= int(text) <= 25:
        raise argparse.ArgumentTypeError(f"expected 4..25 cards per side, got {text!r}")
    return int(text)


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"expected a number above 0, got {text!r}")
    return value


def _size(text: str) -> tuple[int, int]:
    width, cross, height = text.lower().partition("x")
    if not (cross and width.isdecimal() and height.isdecimal()) or min(int(width), int(height)) < 240:
        raise argparse.ArgumentTypeError(
            f"expected WIDTHxHEIGHT of at least 240 pixels, such as 1280x720, got {text!r}"
        )
    return int(width), int(height)
