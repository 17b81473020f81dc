"""The process that judges films, one after another; if a film crashes it, the crash is reported."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from desk.panel.films.port import Working
from desk.shelf.job import Job, work
from referee.complaint import sentence_of
from referee.sentence import Sentence

_LOOK_S = 0.1


@dataclass(frozen=True, slots=True)
class _Waiting:
    film_id: str
    folder: Path
    film: Path
    job: Job
    over: Callable[[Sentence], None]


class FilmProcess:
    """Runs jobs in a process of its own. All methods run in the desk's asyncio loop.

    `nice`: niceness of the process, 0..19, so that a running match has priority.
    """

    def __init__(self, nice: int = 15) -> None:
        self._nice = nice
        self._queue: deque[_Waiting] = deque()
        self._now: _Waiting | None = None
        self._working: Working | None = None
        self._process: tuple[BaseProcess, Connection] | None = None
        self._idle: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    def add(self, film_id: str, folder: Path, film: Path, job: Job, over: Callable[[Sentence], None]) -> None:
        """Queue a job; at its end `over` is called with what went wrong, or an empty text."""
        self._queue.append(_Waiting(film_id, folder, film, job, over))
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    def is_waiting(self, film_id: str) -> bool:
        """Tell whether a job of a film is queued."""
        return any(each.film_id == film_id for each in self._queue)

    def working(self, film_id: str) -> Working | None:
        """Return the progress of a film's running job, None if none is running."""
        return self._working if self._now is not None and self._now.film_id == film_id else None

    async def drop(self, film_id: str) -> None:
        """Drop the jobs of a film, and end a running one."""
        for each in [each for each in self._queue if each.film_id == film_id]:
            self._queue.remove(each)
        if self._now is not None and self._now.film_id == film_id:
            await self._end_process()
            while self.working(film_id) is not None:
                await asyncio.sleep(_LOOK_S)

    async def close(self) -> None:
        """End all jobs and the process."""
        self._queue.clear()
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
        await self._end_process()

    async def _run(self) -> None:
        while self._queue:
            now = self._now = self._queue.popleft()
            self._working = {"stage": "starting", "share": 0.0, "left_s": None}
            problem = Sentence("judging was stopped")
            try:
                problem = await self._work(now)
            finally:
                self._now = self._working = None
                now.over(problem)

    async def _work(self, waiting: _Waiting) -> Sentence:
        """Run a job in the process; return what went wrong, or an empty text."""
        if self._idle is not None:
            self._idle.cancel()
        try:
            process, line = self._process or await self._begin()
            line.send((waiting.folder, waiting.film, waiting.job))
        except OSError as error:
            await self._end_process()
            return Sentence("no process could begin: {why}", why=sentence_of(error))
        problem = await self._follow(line, process)
        if problem is None:
            await self._end_process()
            return Sentence("the process that judged it has ended: was it too much for the memory?")
        keep_s = 60.0  # a person often corrects several poems, and a new process takes seconds to start
        self._idle = asyncio.get_running_loop().call_later(keep_s, self._let_go)
        return problem

    async def _begin(self) -> tuple[BaseProcess, Connection]:
        context = multiprocessing.get_context("spawn")
        line, far_end = context.Pipe()
        process = context.Process(target=work, args=(far_end, self._nice), name="shinpan-films", daemon=True)
        await asyncio.to_thread(process.start)
        far_end.close()
        self._process = process, line
        return self._process

    async def _follow(self, line: Connection, process: BaseProcess) -> Sentence | None:
        """Take what the process tells; return what went wrong, an empty text, or None if it died."""
        with suppress(EOFError, OSError):
            while process.is_alive() or line.poll():
                while line.poll():
                    match line.recv():
                        case ("done",):
                            return Sentence()
                        case ("problem", Sentence() as problem):
                            return problem
                        case (str(stage), float(share), left_s):
                            self._working = {"stage": stage, "share": share, "left_s": left_s}
                await asyncio.sleep(_LOOK_S)
        return None

    def _let_go(self) -> None:
        """Close the line to an idle process, so that it ends by itself."""
        if self._process is not None and self._now is None:
            _, line = self._process
            self._process = None
            line.close()

    async def _end_process(self) -> None:
        if self._process is not None:
            (process, line), self._process = self._process, None
            process.terminate()
            await asyncio.to_thread(process.join, 5.0)
            line.close()
