"""`--rules` and `--set`: the house rules of a game on the command line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from calibration.files.text import TextFileError, read_text
from desk.errors import DeskError
from referee.complaint import sentence_of
from referee.house_rules import Presets, RuleSetError

T = TypeVar("T")


def add_rules_arguments(parser: argparse.ArgumentParser, presets: Presets[T]) -> None:
    """Declare `--rules` and `--set`."""
    parser.add_argument(
        "--rules",
        default=presets.default,
        metavar="RULESET",
        help=f"a preset ({', '.join(presets.names)}) or a TOML file of your house; default {presets.default}",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="overrides",
        metavar="KEY=VALUE",
        help="change one house rule, such as match.rounds=6; may be given several times",
    )


def load_rules(presets: Presets[T], name: str, overrides: Sequence[str] = ()) -> T:
    """Return the ruleset of `--rules` and `--set`.

    Parameters
    ----------
    name : a preset, or the path of a TOML file.
    overrides : assignments such as `threshold.mode=ge`.

    Raises
    ------
    DeskError : there is no such ruleset, or a key or value is wrong.
    """
    path = Path(name)
    try:
        if path.suffix == ".toml":
            return presets.house(read_text(path), path.stem, overrides)
        return presets.house(f'base = "{name}"', name, overrides)
    except (RuleSetError, OSError, TextFileError) as error:
        raise DeskError("--rules {name}: {why}", name=name, why=sentence_of(error)) from error
