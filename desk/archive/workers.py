"""Processes that judge recordings side by side. One that dies takes nobody with it, only its recording."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Final

from desk.archive.judgement import judged_recording
from desk.archive.recordings import HouseRules, Recording
from desk.archive.results import Summary, keep_result
from desk.errors import DeskError

_LOOK_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class Task:
    """One recording to be judged: its key, how, and where its result goes."""

    recording: Recording
    key: str
    house: HouseRules
    result: Path


@dataclass(slots=True)
class Work:
    """How far all tasks have come.

    Attributes
    ----------
    total, done : bytes of all recordings, and of those that are finished.
    jobs : how many are judged at a time.
    finished : how many are.
    begun_s : when the recordings that are being judged were begun, with their bytes.
    judged, judged_s : bytes that gave a result, and the seconds that they took: the pace of one process.
    """

    total: int
    jobs: int
    done: int = 0
    finished: int = 0
    begun_s: dict[str, tuple[float, int]] = field(default_factory=dict)
    judged: int = 0
    judged_s: float = 0.0

    def finish(self, task: Task, now_s: float, *, gave_result: bool) -> None:
        """Count a recording that is finished; what could not be judged tells nothing about the pace."""
        began_s, size = self.begun_s.pop(task.key)
        self.done += size
        self.finished += 1
        if gave_result:
            self.judged += size
            self.judged_s += now_s - began_s

    def share(self, now_s: float) -> float:
        """Return how much is done, 0..1; what is being judged counts as far as its pace tells."""
        return min((self.done + self._under_way(now_s)) / max(self.total, 1), 1.0)

    def left_s(self, now_s: float) -> float | None:
        """Return how long the rest takes at this pace, None where nobody knows yet."""
        if not self._rate:
            return None
        at_once = max(1, min(self.jobs, len(self.begun_s)))
        return max(self.total - self.done - self._under_way(now_s), 0.0) / (self._rate * at_once)

    def _under_way(self, now_s: float) -> float:
        most = 0.95  # it may take longer than others did
        return sum(
            min(self._rate * (now_s - begun_s), most * size) for begun_s, size in self.begun_s.values()
        )

    @property
    def _rate(self) -> float:
        """Bytes that one process judges in a second, 0 where nobody knows yet."""
        return self.judged / self.judged_s if self.judged_s else 0.0


def usable_cores() -> int:
    """Return how many cores this process may use; all of the machine's where the system does not tell."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def judge_task(task: Task) -> Summary:
    """Judge one recording and keep its result; what is wrong with it is its summary's problem, one line."""
    began_s = time.monotonic()
    try:
        game, judged = judged_recording(task.recording.folder, task.house)
        seconds = time.monotonic() - began_s
        return keep_result(
            task.result, judged, name=task.recording.name, key=task.key, game=game, seconds=seconds
        )
    except DeskError as error:
        problem = str(error)
    except OSError as error:
        problem = f"{error.filename or task.recording.folder}: {error.strerror or error}"
    except Exception as error:  # noqa: BLE001 (one recording must not stop the others)
        problem = f"the judge failed ({type(error).__name__}: {error}); please report it"
    return Summary(task.recording.name, problem=" ".join(problem.split()))


def judge_all(
    tasks: Iterable[Task], jobs: int, told: Callable[[Work, Summary | None], None]
) -> list[Summary]:
    """Judge recordings, so many at a time, and return what came of each, in the order of `tasks`.

    Parameters
    ----------
    tasks : what is to be judged.
    jobs : how many processes judge.
    told : is told every half second how far the work is, and each summary when it is there.
    """
    queue = deque(enumerate(tasks))
    work = Work(sum(task.recording.size for _, task in queue), jobs)
    answers: dict[int, Summary] = {}
    crew = [Worker() for _ in range(min(jobs, len(queue)))]
    try:
        while queue or any(worker.task for worker in crew):
            for worker in crew:
                if worker.task is None and queue:
                    number, task = queue.popleft()
                    worker.begin(number, task)
                    work.begun_s[task.key] = (time.monotonic(), task.recording.size)
            busy = {worker.line: worker for worker in crew if worker.task is not None}
            for line in wait(list(busy), _LOOK_S):
                assert isinstance(line, Connection)
                number, task, summary = busy[line].end()
                work.finish(task, time.monotonic(), gave_result=not summary.problem)
                answers[number] = summary
                told(work, summary)
            told(work, None)
    finally:
        for worker in crew:
            worker.close()
    return [answers[number] for number in sorted(answers)]


class Worker:
    """One process that judges, begun when it is needed and anew where it died."""

    def __init__(self) -> None:
        self.task: tuple[int, Task] | None = None
        self._process: BaseProcess | None = None
        self.line: Connection

    def begin(self, number: int, task: Task) -> None:
        """Let it judge a recording."""
        if self._process is None:
            context = multiprocessing.get_context("spawn")
            self.line, far_end = context.Pipe()
            self._process = context.Process(target=_serve, args=(far_end,), name="shinpan-judge", daemon=True)
            self._process.start()
            far_end.close()
        self.task = number, task
        with suppress(OSError):  # it died before: `end` finds the line closed
            self.line.send(task)

    def judge(self, task: Task) -> Summary:
        """Judge one recording, and return when that is done."""
        self.begin(0, task)
        return self.end()[2]

    def end(self) -> tuple[int, Task, Summary]:
        """Take what came of its recording."""
        assert self.task is not None, "somebody asked a worker that has nothing to do"
        (number, task), self.task = self.task, None
        try:
            summary = self.line.recv()
        except (EOFError, OSError):
            self.close()
            problem = "the process that judged it has ended: was it too much for the memory?"
            summary = Summary(task.recording.name, problem=problem)
        return number, task, summary

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.terminate()
            self._process.join(5.0)
            self.line.close()
            self._process = None


def _serve(line: Connection) -> None:
    """Judge what comes over the line until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's, who ends this process
    with suppress(EOFError, OSError):
        while True:
            line.send(judge_task(line.recv()))
