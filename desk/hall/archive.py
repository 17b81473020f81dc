"""An archive judged by several machines that share a work queue on JetStream.

In: folders of recordings that every machine can read. Out: results by key, each once, even if workers crash.
The recording and its result are both stored under the result's key (`desk.archive.recordings.key_of`). A
result is stored once: its publisher states the expected last sequence, and a second one is refused.
"""

import asyncio
import gzip
import json
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Annotated, Final

from nats.aio.msg import Msg
from nats.errors import Error
from nats.js.errors import APIError
from pydantic import StringConstraints, TypeAdapter, ValidationError

from calibration.files.folders import within
from calibration.files.text import TextFileError, read_text
from desk.archive.recordings import HouseRules, Recording, key_of, program_digest
from desk.archive.results import result_path
from desk.archive.workers import Task, judge_by, worker
from desk.errors import DeskError, misfits
from desk.hall.link import Link, end
from desk.hall.messages import EXPECTED_HEADER, ID_HEADER, OUT_OF_ORDER
from desk.hall.store import ACK_S, count, latest
from desk.hall.subjects import JUDGES
from desk.machine.side_process import Helper

WORK, RESULTS = "WORK", "RESULTS"
_ASKED_S: Final = 5.0
_MOST_BYTES: Final = 64 << 20
"""Size limit of an outcome: a message of the hall has at most 1 MiB, and JSON packs to about a tenth."""


@dataclass(frozen=True, slots=True)
class Order:
    """A recording to be judged."""

    name: str  # its path below the archive's folder
    key: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    program: str  # digest of the program that made the key; another program could give another result
    # rules, deck: as in `desk.archive.recordings.HouseRules`
    rules: str | None = None
    deck: str | None = None

    @property
    def house(self) -> HouseRules:
        return HouseRules(self.rules, self.deck)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of an order: the result as `shinpan judge` writes it, or a problem in one line."""

    order: Order
    result: str = ""
    problem: str = ""


_ORDERS, _OUTCOMES = TypeAdapter(Order), TypeAdapter(Outcome)


class Queue:
    """The queue of a hall."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def add(self, orders: list[Order]) -> int:
        """Add recordings to the queue, and return how many; those with a result are skipped.

        Raises DeskError if the hall refuses them.
        """
        added = 0
        for order in orders:
            known = await self.outcome(order.key)
            if known is not None and not known[0].problem:
                continue
            with DeskError.wrapping(
                "the hall does not take {name}: {why}", Error, OSError, TimeoutError, name=order.name
            ):
                await self._link.keep(
                    f"hall.work.{order.key}",
                    json.dumps(asdict(order)).encode(),
                    {ID_HEADER: f"{order.key}/{0 if known is None else known[1]}"},
                    _ASKED_S,
                )
            added += 1
        return added

    async def take(self, wait_s: float) -> tuple[Order, Msg] | None:
        """Take the next recording, None if none comes in time; it comes again unless it is acknowledged."""
        asked = await self._link.stream(_ASKED_S).pull_subscribe_bind(JUDGES, WORK)
        try:
            (message,) = await asked.fetch(1, wait_s)
        except TimeoutError:
            return None
        finally:
            await asked.unsubscribe()
        foreign = self._link.foreign(message.subject, message.data, message.headers)
        if foreign is not None:
            await message.term()
            return None
        try:
            return _ORDERS.validate_json(message.data), message
        except ValueError:
            await message.term()
            raise DeskError("{subject}: expected an order of an archive", subject=message.subject) from None

    async def waiting(self) -> int:
        """Return the number of recordings without a result, including those being judged."""
        return await count(self._link, WORK, "hall.work.>")

    async def outcome(self, key: str) -> tuple[Outcome, int] | None:
        """Return the outcome of an order and its number in the stream, None before it has one."""
        found = await latest(self._link, RESULTS, f"hall.result.{key}")
        if found is None:
            return None
        if found.problem is not None:  # as if it had failed: a result may take its place
            return Outcome(Order("", key, ""), problem=str(found.problem)), found.seq
        return unpacked(found.data), found.seq

    async def keep(self, outcome: Outcome) -> bool:
        """Store an outcome; False if there is a result already, which stays."""
        known = await self.outcome(outcome.order.key)
        if known is not None and not known[0].problem:
            return False
        data = gzip.compress(json.dumps(asdict(outcome)).encode(), mtime=0)
        last = 0 if known is None else known[1]
        try:
            await self._link.keep(
                f"hall.result.{outcome.order.key}", data, {EXPECTED_HEADER: str(last)}, _ASKED_S
            )
        except APIError as error:
            if error.err_code == OUT_OF_ORDER:
                return False  # another worker was first
            raise
        return True


def unpacked(data: bytes) -> Outcome:
    """Return the outcome in a message of the stream of results; DeskError if there is none.

    It is unpacked in no more memory than an outcome needs.
    """
    unpacking = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    with DeskError.wrapping("a result of the hall cannot be read: {why}", EOFError, zlib.error):
        text = unpacking.decompress(data, _MOST_BYTES)
        if not unpacking.eof:
            raise EOFError(f"expected at most {_MOST_BYTES >> 20} MiB and a whole file")
    try:
        return _OUTCOMES.validate_json(text)
    except ValidationError as error:
        raise DeskError("a result of the hall cannot be read: {why}", why=misfits(error.errors())) from error


_MOST_TRIES: Final = 3  # number of crashed workers after which a recording is left to a person
_LOOK_S: Final = 2.0
_LAST_LOOK_S: Final = 0.3
"""With `until_empty`: how soon a worker without an order sees that the others are done."""
_AGAIN_S: Final = 1.0
_LIFE_S: Final = ACK_S / 3

Told = Callable[[Outcome, float], None]  # called with the outcome of a recording and the seconds it took


class Judge:
    """Judges the recordings of the queue.

    `archive`: the folder of the recordings on this machine; their names are relative to it. `scratch`: a
    folder for temporary results.
    """

    def __init__(self, queue: Queue, archive: Path, scratch: Path, told: Told) -> None:
        self._queue, self._archive, self._scratch, self._told = queue, archive, scratch, told

    async def run(self, jobs: int, *, until_empty: bool) -> None:
        """Judge recordings until cancelled.

        Raises DeskError if the queue was filled by another version of this program.

        `until_empty`: whether to return once the queue is empty and no worker has a recording left.
        """
        crew = [worker() for _ in range(jobs)]
        places = [asyncio.ensure_future(self._one_by_one(one, until_empty=until_empty)) for one in crew]
        try:
            await asyncio.gather(*places)
        finally:
            for one in crew:
                one.end()
            await end(places)

    async def _one_by_one(self, worker: Helper, *, until_empty: bool) -> None:
        look_s = _LAST_LOOK_S if until_empty else _LOOK_S
        while True:
            try:
                if until_empty and not await self._queue.waiting():
                    return
                taken = await self._queue.take(look_s)
                if taken is not None:
                    await self._judge(worker, *taken)
            except (Error, OSError, TimeoutError):
                await asyncio.sleep(_AGAIN_S)  # no connection to the hall; the recording comes again

    async def _judge(self, worker: Helper, order: Order, message: Msg) -> None:
        if order.program != program_digest():
            await message.nak()
            raise DeskError(
                "the queue was filled by another version of shinpan, whose rulings may differ: "
                "update this one, or fill the queue anew"
            )
        began_s = asyncio.get_running_loop().time()
        known = await self._queue.outcome(order.key)
        if known is None or known[0].problem:
            living = asyncio.ensure_future(_live(message))
            try:
                outcome = await self._outcome(worker, order, message.metadata.num_delivered)
            except asyncio.CancelledError:
                with suppress(Error, OSError):
                    await message.nak()  # another worker may take it at once
                raise
            finally:
                living.cancel()
            await self._queue.keep(outcome)
            self._told(outcome, asyncio.get_running_loop().time() - began_s)
        await message.ack_sync()

    async def _outcome(self, worker: Helper, order: Order, tries: int) -> Outcome:
        if tries > _MOST_TRIES:
            problem = f"{_MOST_TRIES} workers ended while they judged it: look at it alone"
            return Outcome(order, problem=problem)
        try:
            folder = within(self._archive, str(PurePosixPath(order.name)))
            key = await asyncio.to_thread(key_of, folder, order.house)
        except (ValueError, OSError) as error:
            return Outcome(order, problem=f"this worker cannot read it: {error}")
        if key != order.key:
            problem = "this worker sees other files than those in the queue: copy them anew"
            return Outcome(order, problem=problem)
        path = result_path(self._scratch, order.name, order.key)
        task = Task(Recording(folder, order.name, 0), order.key, order.house, path)
        summary = await asyncio.to_thread(judge_by, worker, task)
        if summary.problem:
            return Outcome(order, problem=summary.problem)
        try:
            text = await asyncio.to_thread(read_text, path)
            path.unlink()
            return Outcome(order, text)
        except (OSError, TextFileError) as error:
            return Outcome(order, problem=f"its result is gone: {error}")


async def _live(message: Msg) -> None:
    while True:
        await asyncio.sleep(_LIFE_S)
        with suppress(Error, OSError):
            await message.in_progress()
