"""A stand-in for judging in a process; it imports nothing slow."""

import os
from multiprocessing.connection import Connection

from referee.sentence import Sentence


def die(line: Connection, nice: int) -> None:
    line.recv()
    os._exit(3)


def answer(line: Connection, nice: int) -> None:
    """Say which process works, or complain about the job `bad`."""
    while True:
        try:
            _, _, job = line.recv()
        except EOFError:
            return
        line.send(("judging", 0.5, None))
        line.send(("problem", Sentence("no good" if job == "bad" else str(os.getpid()))))
