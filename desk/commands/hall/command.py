"""`shinpan hall`: many mats, one reader and a board, over NATS JetStream."""

import argparse
import importlib
import importlib.util
import sys
from typing import cast

from desk.commands.cli import Command, CommandModule
from desk.errors import DeskError

ACTIONS = (
    Command("up", "write a configuration for the servers, and a ticket for everybody", "up"),
    Command("read", "read the poems to all mats, as soon as every mat is ready", "read"),
    Command("delay", "measure with a microphone how late a mat hears the reading", "delay"),
    Command("backup", "write what a hall keeps to a folder, while it runs", "backup"),
    Command("restore", "bring a backup back into an empty hall", "backup"),
    Command("forget", "forget a person in what the servers keep", "erasure"),
    Command("board", "show all mats and the tournament in the browser", "board"),
    Command("work", "judge an archive of recordings on several machines", "work"),
    Command("streams", "make the streams of a hall whose servers run", "streams"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for action in ACTIONS:
        module = cast("CommandModule", importlib.import_module(f"desk.commands.hall.{action.module}"))
        module.add_arguments(actions.add_parser(action.name, help=action.help))


def run(arguments: argparse.Namespace) -> int:
    require_extra()
    from nats.errors import Error

    module = next(action.module for action in ACTIONS if action.name == arguments.action)
    with DeskError.wrapping(
        "the hall does not do what was asked: {why}; are its servers up, and its streams made (shinpan hall "
        "streams)?",
        Error,
    ):
        return cast("CommandModule", sys.modules[f"desk.commands.hall.{module}"]).run(arguments)


def require_extra() -> None:
    if importlib.util.find_spec("nats") is None:
        raise DeskError(
            "a hall needs the extra `hall`: call uv tool install '.[hall]' in the folder of the repository"
        )
