"""A stand-in for the judge, in a module of its own: the worker processes import it."""

import os
import signal
from multiprocessing.connection import Connection

from desk.archive.results import keep_result

JUDGED = {"poems": [{"ruling": {"status": "decided"}}, {"ruling": {"status": "review"}}]}
COUNTS = {"poems": 2, "review": 1}


def serve(line: Connection) -> None:
    """Stand in for the judge; a recording called `dies` ends the process."""
    while True:
        task = line.recv()
        if task.recording.name == "dies":
            os.kill(os.getpid(), signal.SIGKILL)
        line.send(
            keep_result(
                task.result, JUDGED, name=task.recording.name, key=task.key, game="karuta", seconds=1.0
            )
        )
