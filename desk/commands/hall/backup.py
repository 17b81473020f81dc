"""`shinpan hall backup` and `restore`: a hall's streams as files."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from desk.commands.hall.streams import joined_link

if TYPE_CHECKING:
    from desk.hall.link import Link
    from desk.hall.operation.backup import Kept


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of both commands."""
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="of the backup")
    parser.add_argument("--hall", required=True, metavar="TICKET", help="the operator's ticket")


def run(arguments: argparse.Namespace) -> int:
    """Write or restore the backup, and print the names of the streams."""
    from desk.hall.operation.backup import back_up, restore

    work = back_up if arguments.action == "backup" else restore
    for kept in asyncio.run(_work(work, arguments.hall, arguments.folder)):
        sys.stdout.write(f"{kept.name}: {kept.messages} messages, {kept.size} bytes\n")
    return 0


async def _work(work: Callable[[Link, Path], Awaitable[list[Kept]]], ticket: str, folder: Path) -> list[Kept]:
    link = await joined_link(ticket)
    try:
        return await work(link, folder)
    finally:
        await link.close()
