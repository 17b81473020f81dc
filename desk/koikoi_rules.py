"""Find the Koi-Koi ruleset that a command line names."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from desk.errors import DeskError
from referee.koikoi.house_rules import DEFAULT, PRESET_NAMES, RuleSetError, house_rules
from referee.koikoi.ruleset import RuleSet


def add_rules_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare `--rules` and `--set`."""
    parser.add_argument(
        "--rules",
        default=DEFAULT,
        metavar="RULESET",
        help=f"a preset ({', '.join(PRESET_NAMES)}) or a TOML file of your house; default {DEFAULT}",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="overrides",
        metavar="KEY=VALUE",
        help="change one house rule, such as threshold.mode=ge; may be given several times",
    )


def load_rules(name: str, overrides: Sequence[str] = ()) -> RuleSet:
    """Return the ruleset of `--rules` and `--set`.

    Parameters
    ----------
    name : a preset, or the path of a TOML file.
    overrides : assignments such as `threshold.mode=ge`.

    Raises
    ------
    DeskError : there is no such ruleset, or a key or value is not a documented one.
    """
    path = Path(name)
    try:
        if path.suffix == ".toml":
            return house_rules(path.read_text("utf-8"), path.stem, overrides)
        return house_rules(f'base = "{name}"', name, overrides)
    except (RuleSetError, OSError, UnicodeDecodeError) as error:
        raise DeskError(f"--rules {name}: {error}") from error
