"""`--json [OUT]` of commands that otherwise print text for people."""

from __future__ import annotations

import argparse
from pathlib import Path

from desk.log.json_lines import STDOUT


def add_json_option(parser: argparse.ArgumentParser, what: str) -> None:
    """Declare `--json`, which writes `what` to a file, or prints it if no file is named."""
    parser.add_argument(
        "--json",
        type=Path,
        nargs="?",
        const=Path(STDOUT),
        metavar="OUT",
        help=f"write {what} as JSON instead (default: print)",
    )
