"""`shinpan hall work`: judge an archive on several machines, from one queue of the hall."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from contextlib import aclosing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from desk.commands.hall.streams import joined_link
from desk.errors import DeskError

if TYPE_CHECKING:
    from desk.hall.archive import Order, Outcome


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        choices=("add", "run", "collect"),
        help="add: put the archive's recordings into the queue; run: judge what is in it; collect: write the "
        "results to a folder",
    )
    parser.add_argument(
        "--hall", required=True, metavar="TICKET", help="a worker's ticket, or the operator's"
    )
    parser.add_argument(
        "--archive", type=Path, metavar="FOLDER", help="the recordings; each machine names where it sees them"
    )
    parser.add_argument("--rules", metavar="RULESET", help="house rules, as in shinpan judge (add)")
    parser.add_argument("--deck", metavar="NAME", help="the deck in play, as in shinpan judge (add)")
    parser.add_argument(
        "--jobs",
        type=int,
        metavar="N",
        help="recordings judged at the same time (run; default: one per core)",
    )
    parser.add_argument(
        "--until-empty", action="store_true", help="end when nothing is left to be judged (run)"
    )
    parser.add_argument("--results", type=Path, metavar="FOLDER", help="where the results go (collect)")


def run(arguments: argparse.Namespace) -> int:
    """Run the action; return 1 if a recording could not be judged."""
    needed = {"add": "archive", "run": "archive", "collect": "results"}[arguments.what]
    if getattr(arguments, needed) is None:
        raise DeskError("hall work {what} needs --{needed} FOLDER", what=arguments.what, needed=needed)
    work = {"add": _add, "run": _run, "collect": _collect}[arguments.what]
    with suppress(KeyboardInterrupt):
        return asyncio.run(work(arguments))
    return 130


async def _add(arguments: argparse.Namespace) -> int:
    from desk.hall.archive import Queue

    orders = _orders(arguments)
    async with joined_link(arguments.hall) as link:
        added = await Queue(link).add(orders)
    sys.stdout.write(f"{added} of {len(orders)} recordings added, the others have a result\n")
    return 0


def _orders(arguments: argparse.Namespace) -> list[Order]:
    from desk.archive.recordings import HouseRules, key_of, program_digest, recordings_in
    from desk.hall.archive import Order
    from vision.recordings.recording import HEAD

    if (arguments.archive / HEAD).is_file():
        raise DeskError(
            "{folder} is one recording: name the folder that it lies in", folder=arguments.archive
        )
    house = HouseRules(arguments.rules, arguments.deck)
    program = program_digest()
    return [
        Order(recording.name, key_of(recording.folder, house), program, house.rules, house.deck)
        for recording in recordings_in([arguments.archive])
    ]


async def _run(arguments: argparse.Namespace) -> int:
    from desk.archive.workers import jobs_of
    from desk.hall.archive import Judge, Queue

    jobs = jobs_of(arguments.jobs)
    if not arguments.archive.is_dir():
        raise DeskError("{folder}: expected the archive's folder, found none", folder=arguments.archive)
    failed = 0

    def told(outcome: Outcome, seconds: float) -> None:
        nonlocal failed
        failed += bool(outcome.problem)
        line = outcome.problem or f"judged in {seconds:.1f} s"
        sys.stdout.write(f"{outcome.order.name}: {line}\n")
        sys.stdout.flush()

    async with joined_link(arguments.hall) as link:
        with tempfile.TemporaryDirectory(prefix="shinpan-work-") as scratch:
            judge = Judge(Queue(link), arguments.archive, Path(scratch), told)
            await judge.run(jobs, until_empty=arguments.until_empty)
    return 1 if failed else 0


async def _collect(arguments: argparse.Namespace) -> int:
    from calibration.files.storage import keep_text
    from desk.archive.results import Summary, keep_summary, known_result, open_folder, result_path
    from desk.hall.archive import RESULTS, Queue, unpacked
    from desk.hall.store import everything

    folder = open_folder(arguments.results)
    outcomes: dict[str, Outcome] = {}
    async with joined_link(arguments.hall) as link:
        try:
            async with aclosing(everything(link, RESULTS, "hall.result.>")) as results:
                async for kept in results:
                    try:
                        outcome = unpacked(kept.data)
                    except DeskError as error:
                        sys.stderr.write(f"shinpan hall: {kept.subject}: {error}\n")
                    else:
                        if kept.problem is None:
                            outcomes[outcome.order.key] = outcome
            waiting = await Queue(link).waiting()
        except TimeoutError:
            raise DeskError("the hall hands out no more results: collect them again") from None
    rows = []
    for outcome in sorted(outcomes.values(), key=lambda each: each.order.name):
        path = result_path(folder, outcome.order.name, outcome.order.key)
        if outcome.result:
            keep_text(path, outcome.result)
        known = known_result(path, outcome.order.key) if outcome.result else None
        rows.append(known or Summary(outcome.order.name, problem=outcome.problem or "the result is damaged"))
    keep_summary(folder, rows)
    failed = sum(bool(row.problem) for row in rows)
    sys.stdout.write(
        f"{len(rows) - failed} results, {failed} failed, {waiting} still in the queue: {folder}\n"
    )
    return 1 if failed else 0
