"""`--rules` and `--set`: the house rules of a game on the command line."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from calibration.files.text import TextFileError, read_text
from desk.errors import DeskError
from referee.complaint import sentence_of
from referee.house_rules import Presets, RuleSetError
from referee.sentence import Sentence

T = TypeVar("T")


def add_rules_arguments(parser: argparse.ArgumentParser, presets: Presets[T]) -> None:
    parser.add_argument(
        "--rules",
        default=presets.default,
        metavar="RULESET",
        help=Sentence(
            "a preset ({presets}) or a TOML file of your house; default {default}",
            presets=", ".join(presets.names),
            default=presets.default,
        ),
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
    """Return the ruleset of `--rules` and `--set`; DeskError if a name, key or value is wrong."""
    path = Path(name)
    with DeskError.wrapping("--rules {name}: {why}", RuleSetError, OSError, TextFileError, name=name):
        is_file = path.suffix == ".toml"
        text, called = (read_text(path), path.stem) if is_file else (f'base = "{name}"', name)
        rules = presets.house(text, called)
    if not overrides:
        return rules
    try:
        return presets.house(text, called, overrides)
    except RuleSetError as error:
        wrong, why = _wrong_override(presets, text, overrides) or (" ".join(overrides), error)
        raise DeskError("--set {override}: {why}", override=wrong, why=sentence_of(why)) from error


def _wrong_override(
    presets: Presets[T], text: str, overrides: Sequence[str]
) -> tuple[str, RuleSetError] | None:
    """Return the first assignment that is wrong by itself, None if they only do not fit one another."""
    for override in overrides:
        try:
            presets.house(text, overrides=[override])
        except RuleSetError as error:
            return override, error
    return None
