"""`shinpan demo`: a simulated match, refereed from its pixels.

A simulator draws a match; the eye gets the pictures and the instants at which poems begin, and nothing else.
`--headless` plays it as fast as it can and prints each ruling beside the truth; without it the match runs in
real time, with the panel in the browser.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from desk.config import PANEL_PORT
from desk.errors import DeskError


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
        help=f"the panel's port; the next free one if it is in use (default: {PANEL_PORT})",
    )
    parser.add_argument(
        "--lan", action="store_true", help="show the panel to other machines too: they read, a token commands"
    )
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the report as JSON")
    parser.add_argument(
        "--log", type=Path, metavar="FILE", help="the match log to create (default: in the data folder)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Play the match; 1 where a headless match was not refereed to its end, otherwise 0."""
    if arguments.json is not None and not arguments.json.parent.is_dir():
        raise DeskError(f"--json {arguments.json}: there is no folder {arguments.json.parent}")
    if arguments.headless:
        from desk.demo_headless import play_headless as play
    else:
        from desk.demo_panel import play_with_panel as play
    import cv2

    # small pictures: threads cost more than they bring, and there is a thread for drawing already
    cv2.setNumThreads(1)
    report = play(arguments)
    if arguments.json is not None:
        text = json.dumps(report.to_json(), ensure_ascii=False, indent=1) + "\n"
        arguments.json.write_text(text, encoding="utf-8")
    return 1 if arguments.headless and report.winner is None else 0


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
