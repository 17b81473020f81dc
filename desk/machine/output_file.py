"""Files that a command writes where a person says: none takes another's place unless `--replace` says so."""

import argparse
import os
from pathlib import Path
from typing import Any

from desk.errors import DeskError
from desk.log.json_lines import STDOUT

_OUTPUTS = "outputs"


def add_output(
    parser: argparse.ArgumentParser, *names: str, holds: tuple[str, ...] = (), **settings: Any
) -> None:
    """Declare a file that the command writes, and once for all of them `--replace`.

    `names`, `settings`: as of `ArgumentParser.add_argument`. `holds`: the files that are written into it, if
    it is a folder.
    """
    known = parser.get_default(_OUTPUTS) or ()
    if not known:
        parser.add_argument("--replace", action="store_true", help="replace files that exist already")
    made = parser.add_argument(*names, **settings)
    parser.set_defaults(**{_OUTPUTS: (*known, (made.dest, holds))})


def add_json_output(parser: argparse.ArgumentParser) -> None:
    """Declare `--json`, which writes the result to a file, or prints it if no file is named."""
    add_output(
        parser,
        "--json",
        type=Path,
        nargs="?",
        const=Path(STDOUT),
        metavar="OUT",
        help="write the result as JSON instead (default: print)",
    )


def check_outputs(arguments: argparse.Namespace) -> None:
    """Refuse to begin work whose result could not be written, or would take a file's place.

    Raises DeskError if a file exists that the command would write, without `--replace`, or none can be
    written there. A device or a pipe is written to.
    """
    for name, holds in getattr(arguments, _OUTPUTS, ()):
        told = getattr(arguments, name)
        if told is None or str(told) == STDOUT:
            continue
        for file in [Path(told) / each for each in holds] or [Path(told)]:
            if file.is_file() and not arguments.replace:
                raise DeskError("{file} exists already: choose another file, or add --replace", file=file)
            if not holds:
                _check_writable(file)


def _check_writable(file: Path) -> None:
    if file.is_dir():
        raise DeskError("{file} is a folder: name the file to write in it", file=file)
    if not file.parent.is_dir():
        raise DeskError(
            "{file} cannot be written: there is no folder {folder}, create it first",
            file=file,
            folder=file.parent,
        )
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise DeskError("{file} cannot be written: choose a folder that you may write to", file=file)
