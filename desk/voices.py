"""`shinpan voices`: list the voices, and import recordings of one's own."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from desk.config import data_folder


def voice_folders() -> tuple[Path, ...]:
    """Return where voice packs lie: this user's own first, then those that came with the program."""
    from recitation.voices import PACKS

    return own_voices_folder(), PACKS


def own_voices_folder() -> Path:
    """Return the folder of this user's imported voices. It need not exist yet."""
    return data_folder() / "voices"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="name the voices that are installed")


def run(arguments: argparse.Namespace) -> int:
    """List the voices, or import one."""
    return _list()


def _list() -> int:
    from recitation.voices import voice_names

    sys.stdout.writelines(f"{name}\n" for name in voice_names(voice_folders()))
    return 0
