"""`shinpan demo`: a simulated match, refereed from its pixels.

A simulator renders a match; the eye gets only the pictures and the instants at which poems begin.
`--headless` plays it as fast as possible and prints each ruling and the truth; without it the match runs in
real time, with the panel in the browser.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.files import typed_numbers as typed
from desk.commands.live_arguments import add_page_arguments
from desk.log.json_lines import write_json
from desk.machine.output_file import add_output

if TYPE_CHECKING:
    from desk.commands.demo.report import Report


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--game",
        choices=("karuta", "koikoi", "kendo"),
        default="karuta",
        help="what is played (default: karuta)",
    )
    parser.add_argument(
        "--players", type=int, choices=(2, 3, 4), default=2, help="koikoi: how many play (default: 2)"
    )
    parser.add_argument(
        "--rounds", type=_rounds, default=12, metavar="N", help="koikoi: rounds to play (default: 12)"
    )
    parser.add_argument(
        "--look",
        choices=("wood", "cloth", "tatami", "holdout"),
        default="wood",
        help="koikoi, kendo: what the table looks like (default: wood)",
    )
    parser.add_argument(
        "--headless", action="store_true", help="no panel: play as fast as possible, print each ruling"
    )
    parser.add_argument(
        "--seed",
        type=int,
        default=7,
        help="seed of the match; the same seed plays the same match (default: 7)",
    )
    parser.add_argument(
        "--cards", type=_cards, default=25, metavar="N", help="cards per side, 4..25 (default: 25)"
    )
    parser.add_argument("--fps", type=_positive, help="pictures per second (default: 60, at card tables 30)")
    parser.add_argument(
        "--size",
        type=_size,
        default=(1280, 720),
        metavar="WxH",
        help="size of the pictures (default: 1280x720)",
    )
    parser.add_argument(
        "--speed",
        type=_positive,
        default=1.0,
        help="with the panel: how many times faster than real time (default: 1)",
    )
    add_page_arguments(parser)
    add_output(parser, "--json", type=Path, metavar="OUT", help="write the report as JSON")
    parser.add_argument(
        "--log", type=Path, metavar="FILE", help="the match log to create (default: in the data folder)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Play; return 1 if a headless match has no end, or a headless game differs from the truth."""
    if arguments.fps is None:
        arguments.fps = 60.0 if arguments.game == "karuta" else 30.0
    if arguments.game == "koikoi":
        from desk.commands.demo.koikoi import play_koikoi

        report = play_koikoi(arguments)
    elif arguments.game == "kendo":
        from desk.commands.demo.kendo import play_kendo

        report = play_kendo(arguments)
    else:
        report = _play_karuta(arguments).to_json()
    write_json(arguments.json, report)
    succeeded = report["winner"] is not None if arguments.game == "karuta" else report["right"]
    return 1 if arguments.headless and not succeeded else 0


def _play_karuta(arguments: argparse.Namespace) -> Report:
    if arguments.headless:
        from desk.commands.demo.karuta import play_headless

        return play_headless(arguments)
    from desk.karuta.simulated_hall.source import SimulatorWish, live_pace, simulated_table

    wish = SimulatorWish.of(arguments)
    match = wish.match(live_pace())
    table = simulated_table(wish, match)
    table.begin()  # the first pictures are drawn while the panel is loaded, which takes as long

    from desk.commands.demo.karuta import play_with_panel

    return play_with_panel(arguments, match, table)


def _cards(text: str) -> int:
    if not text.isdecimal() or not 4 <= int(text) <= 25:
        raise argparse.ArgumentTypeError(f"expected 4..25 cards per side, got {text!r}")
    return int(text)


def _rounds(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 12:
        raise argparse.ArgumentTypeError(f"expected 1..12 rounds, got {text!r}")
    return int(text)


def _positive(text: str) -> float:
    try:
        value = typed.number(text)
    except ValueError:
        value = 0.0
    if not 0.0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"expected a number above 0, got {text!r}")
    return value


def _size(text: str) -> tuple[int, int]:
    try:
        size_px = typed.size(text)
    except ValueError:
        size_px = 0, 0
    if min(size_px) < 240:
        raise argparse.ArgumentTypeError(
            f"expected WIDTHxHEIGHT of at least 240 pixels, such as 1280x720, got {text!r}"
        )
    return size_px
