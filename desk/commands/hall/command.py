"""`shinpan hall`: many mats, one reader and a board, over NATS JetStream."""

import argparse
import importlib
import importlib.util
import sys
from typing import cast

from desk.commands.cli import Command, CommandModule
from desk.errors import DeskError

ACTIONS = (
    Command(
        "up", "write a configuration for the servers, and a ticket for everybody", "desk.commands.hall.up"
    ),
    Command("read", "read the poems to all mats, as soon as every mat is ready", "desk.commands.hall.read"),
    Command(
        "delay", "measure with a microphone how late a mat hears the reading", "desk.commands.hall.delay"
    ),
    Command("backup", "write what a hall keeps to a folder, while it runs", "desk.commands.hall.backup"),
    Command("restore", "bring a backup back into an empty hall", "desk.commands.hall.backup"),
    Command("forget", "forget a person in what the servers keep", "desk.commands.hall.erasure"),
    Command("board", "show all mats and the tournament in the browser", "desk.commands.hall.board"),
    Command("work", "judge an archive of recordings on several machines", "desk.commands.hall.work"),
    Command("streams", "make the streams of a hall whose servers run", "desk.commands.hall.streams"),
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for action in ACTIONS:
        module = cast("CommandModule", importlib.import_module(action.module))
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
        return cast("CommandModule", sys.modules[module]).run(arguments)


def require_extra() -> None:
    if importlib.util.find_spec("nats") is None:
        raise DeskError(
            "a hall needs the extra `hall`: call uv tool install '.[hall]' in the folder of the repository"
        )
