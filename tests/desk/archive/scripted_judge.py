"""A stand-in for the judge, in a module of its own: the worker processes import it."""

import os
import signal

from desk.archive.results import Summary, keep_result
from desk.archive.workers import Task

JUDGED = {"poems": [{"ruling": {"status": "decided"}}, {"ruling": {"status": "review"}}]}
COUNTS = {"poems": 2, "review": 1}


def judge(task: Task) -> Summary:
    """Stand in for the judge; a recording called `dies` ends the process."""
    if task.recording.name == "dies":
        os.kill(os.getpid(), signal.SIGKILL)
    name = task.recording.name
    return keep_result(task.result, JUDGED, name=name, key=task.key, game="karuta", seconds=1.0)
