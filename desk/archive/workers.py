"""Processes that judge recordings in parallel. If one dies, only its recording is lost."""

import os
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from pathlib import Path
from typing import Final

from desk.archive.judgement import judged_recording
from desk.archive.recordings import HouseRules, Recording
from desk.archive.results import Summary, keep_result
from desk.errors import DeskError
from desk.machine.side_process import Helper, piece_of
from referee.complaint import of_file

_LOOK_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class Task:
    """One recording to be judged: its key, the rules, and the file of its result."""

    recording: Recording
    key: str
    house: HouseRules
    result: Path


@dataclass(slots=True)
class Work:
    """The progress of all tasks.

    Attributes
    ----------
    total, done : bytes of all recordings, and of the finished ones.
    jobs : number of recordings that are judged at a time.
    begun_s : for the recordings being judged, the time of their beginning and their bytes.
    judged, judged_s : bytes that gave a result, and the seconds that they took; the pace of one process.
    """

    total: int
    jobs: int
    done: int = 0
    finished: int = 0
    begun_s: dict[str, tuple[float, int]] = field(default_factory=dict)
    judged: int = 0
    judged_s: float = 0.0

    def finish(self, task: Task, now_s: float, *, gave_result: bool) -> None:
        """Count a finished recording; one that could not be judged does not count for the pace."""
        began_s, size = self.begun_s.pop(task.key)
        self.done += size
        self.finished += 1
        if gave_result:
            self.judged += size
            self.judged_s += now_s - began_s

    def share(self, now_s: float) -> float:
        """Return the part that is done, 0..1, with an estimate for the recordings being judged."""
        return min((self.done + self._under_way(now_s)) / max(self.total, 1), 1.0)

    def left_s(self, now_s: float) -> float | None:
        """Return the remaining seconds at this pace, None if unknown."""
        if not self._rate:
            return None
        at_once = max(1, min(self.jobs, len(self.begun_s)))
        return max(self.total - self.done - self._under_way(now_s), 0.0) / (self._rate * at_once)

    def _under_way(self, now_s: float) -> float:
        most = 0.95  # because it may take longer than the others
        return sum(
            min(self._rate * (now_s - begun_s), most * size) for begun_s, size in self.begun_s.values()
        )

    @property
    def _rate(self) -> float:
        """Bytes per second that one process judges, 0 if unknown."""
        return self.judged / self.judged_s if self.judged_s else 0.0


def usable_cores() -> int:
    """Return the number of cores that this process may use; if the system does not tell, all cores."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def jobs_of(asked: int | None) -> int:
    """Return how many recordings to judge at a time: as many as `--jobs` asks for, or one per core."""
    jobs = usable_cores() if asked is None else asked
    if jobs < 1:
        raise DeskError("--jobs: expected at least 1 recording at a time, got {jobs}", jobs=jobs)
    return jobs


def judge_task(task: Task) -> Summary:
    """Judge one recording and store its result; an error becomes the `problem` of the summary, one line."""
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
        problem = str(of_file(error))
    except Exception as error:  # noqa: BLE001 (one recording must not stop the others)
        problem = f"the judge failed ({type(error).__name__}: {error}); please report it"
    return Summary(task.recording.name, problem=" ".join(problem.split()))


def judge_all(
    tasks: Iterable[Task], jobs: int, told: Callable[[Work, Summary | None], None]
) -> list[Summary]:
    """Judge recordings in parallel, and return their summaries in the order of `tasks`.

    `told`: called every half second with the progress, and with each new summary.
    """
    queue = deque(enumerate(tasks))
    work = Work(sum(task.recording.size for _, task in queue), jobs)
    answers: dict[int, Summary] = {}
    crew = [worker() for _ in range(min(jobs, len(queue)))]
    idle, busy = [*crew], dict[Helper, tuple[int, Task]]()
    try:
        while queue or busy:
            while queue and idle:
                one, (number, task) = idle.pop(), queue.popleft()
                one.ask(piece_of(judge_task, task))
                busy[one] = number, task
                work.begun_s[task.key] = (time.monotonic(), task.recording.size)
            ready = wait([one.line for one in busy], _LOOK_S)
            for one in [one for one in busy if one.line in ready]:
                number, task = busy.pop(one)
                answers[number] = summary = _answer(one, task)
                idle.append(one)
                work.finish(task, time.monotonic(), gave_result=not summary.problem)
                told(work, summary)
            told(work, None)
    finally:
        for one in crew:
            one.end()
    return [answers[number] for number in sorted(answers)]


def worker() -> Helper:
    """Return a judging process that may use the whole machine, but not all its memory."""
    return Helper("shinpan-judge", nice=0)


def judge_by(one: Helper, task: Task) -> Summary:
    one.ask(piece_of(judge_task, task))
    return _answer(one, task)


def _answer(one: Helper, task: Task) -> Summary:
    try:
        summary: Summary = one.answer()
    except DeskError as error:
        return Summary(task.recording.name, problem=str(error))
    return summary
