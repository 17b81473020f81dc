"""One machine's part in judging an archive: takes recordings from the queue and stores their results."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Final

from nats.aio.msg import Msg
from nats.errors import Error

from calibration.files.folders import within
from calibration.files.text import TextFileError, read_text
from desk.archive.recordings import Recording, key_of, program_digest
from desk.archive.results import result_path
from desk.archive.workers import Task, Worker
from desk.errors import DeskError
from desk.hall.archive.queue import Order, Outcome, Queue
from desk.hall.link import end
from desk.hall.streams import ACK_S

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
        crew = [Worker() for _ in range(jobs)]
        places = [asyncio.ensure_future(self._one_by_one(worker, until_empty=until_empty)) for worker in crew]
        try:
            await asyncio.gather(*places)
        finally:
            for worker in crew:
                worker.close()
            await end(places)

    async def _one_by_one(self, worker: Worker, *, until_empty: bool) -> None:
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

    async def _judge(self, worker: Worker, order: Order, message: Msg) -> None:
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

    async def _outcome(self, worker: Worker, order: Order, tries: int) -> Outcome:
        if tries > _MOST_TRIES:
            return Outcome(
                order, problem=f"{_MOST_TRIES} workers ended while they judged it: look at it alone"
            )
        try:
            folder = within(self._archive, str(PurePosixPath(order.name)))
            key = await asyncio.to_thread(key_of, folder, order.house)
        except (ValueError, OSError) as error:
            return Outcome(order, problem=f"this worker cannot read it: {error}")
        if key != order.key:
            return Outcome(
                order, problem="this worker sees other files than those in the queue: copy them anew"
            )
        path = result_path(self._scratch, order.name, order.key)
        task = Task(Recording(folder, order.name, 0), order.key, order.house, path)
        summary = await asyncio.to_thread(worker.judge, task)
        if summary.problem:
            return Outcome(order, problem=summary.problem)
        try:
            text = await asyncio.to_thread(read_text, path)
            path.unlink()
        except (OSError, TextFileError) as error:
            return Outcome(order, problem=f"its result is gone: {error}")
        return Outcome(order, text)


async def _live(message: Msg) -> None:
    """Keep telling the hall that the recording is being judged."""
    while True:
        await asyncio.sleep(_LIFE_S)
        with suppress(Error, OSError):
            await message.in_progress()
