"""No command writes over a file unless it is told to, and each says so before it begins."""

import argparse
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from desk.commands.cli import COMMANDS
from desk.machine.output_file import check_outputs

WRITES = re.compile(r"(?<![-\w])(writes?|written|draw(?:ing)?|creates?|copy what|keep a|where the results)\b")
OTHERWISE = {
    ("demo", "log"): "a match log is never overwritten",
    ("koikoi live", "log"): "a log that exists is continued",
    ("kendo live", "log"): "a log that exists is continued",
    ("log check", "repair"): "a match log is never overwritten",
    ("log import", "log"): "a match log is never overwritten",
    ("trials pack", "folder"): "a folder that is not empty is refused",
    ("judge", "save"): "a folder that is not empty is refused",
    ("judge", "results"): "an archive is judged on: its results belong to its recordings",
    ("hall work", "results"): "an archive is judged on: its results belong to its recordings",
    ("hall up", "folder"): "a hall is written on: keys and passwords that exist stay",
}
"""What is written in another way, with the reason why nothing is lost."""


def parsers(parser: argparse.ArgumentParser, name: str) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Iterate over a command and all its actions."""
    yield name, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, inner in action.choices.items():
                yield from parsers(inner, f"{name} {word}")


def every_parser() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for command in COMMANDS:
        parser = argparse.ArgumentParser(prog=command.name)
        importlib.import_module(command.module).add_arguments(parser)
        yield from parsers(parser, command.name)


def outputs() -> Iterator[tuple[str, argparse.ArgumentParser, argparse.Action]]:
    """Iterate over the arguments that name what a command writes."""
    for name, parser in every_parser():
        for action in parser._actions:
            takes_a_value = action.nargs != 0 and not isinstance(action, argparse._SubParsersAction)
            names_a_place = isinstance(action.metavar, str) and action.choices is None
            if takes_a_value and names_a_place and WRITES.search(action.help or ""):
                yield name, parser, action


WRITTEN = [
    pytest.param(parser, action, id=f"{name} {action.dest}")
    for name, parser, action in outputs()
    if (name, action.dest) not in OTHERWISE
]


def test_the_outputs_are_found() -> None:
    assert len(WRITTEN) > 15
    found = {(name, action.dest) for name, _, action in outputs()}
    assert set(OTHERWISE) <= found, "an exception without an argument"


@pytest.mark.parametrize(("parser", "action"), WRITTEN)
def test_an_output_that_exists_is_refused_without_replace(
    parser: argparse.ArgumentParser, action: argparse.Action, tmp_path: Path
) -> None:
    holds = dict(parser.get_default("outputs"))[action.dest]
    there = [tmp_path / name for name in holds] or [tmp_path / "there"]
    for file in there:
        file.write_text("mine", "utf-8")
    told: dict[str, Path | None] = {name: None for name, _ in parser.get_default("outputs")}
    told[action.dest] = tmp_path if holds else there[0]
    arguments = argparse.Namespace(**told, outputs=parser.get_default("outputs"), replace=False)
    with pytest.raises(Exception, match=r"exists already: choose another file, or add --replace"):
        check_outputs(arguments)
    arguments.replace = True
    check_outputs(arguments)
    assert "--replace" in parser.format_help()
