"""`shinpan hall up`: write the files with which a hall runs."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from desk.commands.hall.streams import DAYS, check_number, make_streams
from desk.errors import DeskError
from desk.machine.config import data_folder

if TYPE_CHECKING:
    from desk.hall.operation.plan import HallPlan

_LOOPBACK = "127.0.0.1"
_APART = 2000
"""Distance from the clients' port to the port between servers: 4222 and 6222 by NATS's convention."""
_HIGHEST = 65_533  # highest port, since three servers on one machine take three consecutive ports


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--nodes", type=int, choices=(1, 3), default=1, help="how many servers (default: 1)")
    parser.add_argument(
        "--hosts",
        metavar="A[,B,C]",
        help="address of each server in the hall's network (default: this machine)",
    )
    parser.add_argument("--mats", type=int, default=16, help="how many mats get a ticket (default: 16)")
    parser.add_argument(
        "--speakers", default="", metavar="MAT,...", help="mats with a loudspeaker of their own"
    )
    parser.add_argument(
        "--workers", type=int, default=2, help="how many judges of an archive get a ticket (default: 2)"
    )
    parser.add_argument(
        "--folder", type=Path, metavar="FOLDER", help="where the hall is written (default: the data folder)"
    )
    parser.add_argument(
        "--certificate", type=Path, metavar="PEM", help="your own certificate for all servers"
    )
    parser.add_argument("--key", type=Path, metavar="PEM", help="its key")
    parser.add_argument("--no-tls", action="store_true", help="connections in the clear: to try it out only")
    parser.add_argument("--days", type=float, default=90.0, help="how long events are kept (default: 90)")
    parser.add_argument("--disk", type=float, default=8.0, metavar="GIB", help="for each server (default: 8)")
    parser.add_argument("--port", type=int, help="the first server's port (default: 4222)")
    parser.add_argument(
        "--start",
        action="store_true",
        help="run all servers on this machine, until Ctrl-C, and make the streams",
    )


def run(arguments: argparse.Namespace) -> int:
    from desk.hall.operation.plan import tickets, write
    from desk.hall.operation.server_process import program

    plan = _plan(arguments)
    if arguments.start:
        program()  # who lacks it hears so before anything is written
    files = write(plan)
    for peer, file in zip(plan.peers(), files, strict=True):
        sys.stdout.write(f"on {peer.host}: nats-server -c {file}\n")
    folder = tickets(plan.folder)
    sys.stdout.write(f"the tickets lie in {folder}: pass each on by hand\n")
    if arguments.start:
        _run(plan, files, arguments.days)
        return 0
    then = f"shinpan hall streams --hall {folder / 'operator.toml'} --days {arguments.days:g}"
    sys.stdout.write(f"once the servers run: {then}\n")
    return 0


def _plan(arguments: argparse.Namespace) -> HallPlan:
    from desk.hall.operation.plan import CLIENT_PORT, HallPlan

    hosts = tuple(arguments.hosts.split(",")) if arguments.hosts else (_LOOPBACK,) * arguments.nodes
    if len(hosts) != arguments.nodes or not all(hosts):
        raise DeskError(
            "--hosts: expected {nodes} addresses separated by commas, got {got!r}",
            nodes=arguments.nodes,
            got=arguments.hosts,
        )
    if (arguments.certificate is None) != (arguments.key is None):
        raise DeskError("--certificate and --key belong together: give both, or none")
    port = CLIENT_PORT if arguments.port is None else arguments.port
    check_number("--mats", arguments.mats, 1, 9999)
    check_number("--workers", arguments.workers, 0, 999)
    check_number("--days", arguments.days, *DAYS)
    check_number("--disk", arguments.disk, 0.1, 10_000)
    check_number("--port", port, 1, _HIGHEST)
    return HallPlan(
        arguments.folder or data_folder() / "hall",
        hosts,
        arguments.mats,
        frozenset(filter(None, arguments.speakers.split(","))),
        arguments.workers,
        tls=not arguments.no_tls,
        certificate=arguments.certificate,
        key=arguments.key,
        disk_gib=arguments.disk,
        client_port=port,
        cluster_port=port + _APART if port + _APART <= _HIGHEST else port - _APART,
    )


def _run(plan: HallPlan, files: list[Path], days: float) -> None:
    from desk.hall.operation.plan import tickets
    from desk.hall.operation.server_process import ServerProcess, start_together

    if any(host not in {_LOOPBACK, "localhost", "::1"} for host in plan.hosts) and len(plan.hosts) > 1:
        raise DeskError(
            "--start runs all servers on this machine: leave --hosts out, or start each by its line"
        )
    servers = [
        ServerProcess(file, peer.client_port, peer.host)
        for peer, file in zip(plan.peers(), files, strict=True)
    ]
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that no server is left running
    try:
        start_together(servers)
        asyncio.run(make_streams(str(tickets(plan.folder) / "operator.toml"), days, len(servers)))
        sys.stdout.write("the hall is open; Ctrl-C closes it\n")
        sys.stdout.flush()
        with suppress(KeyboardInterrupt):
            for server in servers:
                server.wait()
    finally:
        for server in servers:
            server.stop()
