"""`shinpan hall backup` and `restore`: a hall as files."""

import argparse
import asyncio
import sys
from pathlib import Path

from desk.commands.hall.streams import operator_link
from desk.errors import DeskError
from desk.machine.config import data_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="of the backup")
    parser.add_argument("--hall", required=True, metavar="TICKET", help="the operator's ticket")
    parser.add_argument(
        "--board", type=Path, metavar="FOLDER", help="the board's folder (default: in the data folder)"
    )
    parser.add_argument(
        "--without-board", action="store_true", help="the board is on another machine, or there is none"
    )
    parser.add_argument(
        "--replace", action="store_true", help="replace the backup that the folder holds (backup)"
    )


def run(arguments: argparse.Namespace) -> int:
    board = None if arguments.without_board else arguments.board or data_folder() / "board"
    if board and arguments.action == "backup" and not (board / "tournament.sqlite").is_file():
        raise DeskError(
            "{board} holds no board, so that its tournament would be missing: name its folder "
            "with --board, or say --without-board",
            board=board,
        )
    for name, count in asyncio.run(_work(arguments, board)).items():
        sys.stdout.write(f"{name}: {count} {'files' if name in _FOLDERS else 'messages'}\n")
    return 0


_FOLDERS = {"board", "keys"}


async def _work(arguments: argparse.Namespace, board: Path | None) -> dict[str, int]:
    from desk.hall.operation.backup import back_up, restore

    async with operator_link(arguments.hall) as link:
        if arguments.action == "restore":
            replicas = len(link.ticket.servers)
            return await restore(link, arguments.folder, board=board, replicas=replicas)
        keys: Path | None = Path(arguments.hall).resolve().parent.parent
        if keys is not None and not (keys / "hall.key").is_file():
            sys.stderr.write(
                "shinpan hall: this ticket is not in the hall's folder: its key and tickets are left out\n"
            )
            keys = None
        return await back_up(link, arguments.folder, keys=keys, board=board, replace=arguments.replace)
