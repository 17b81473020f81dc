"""Short work on pictures and films, in a process of its own that has little to lose.

Whoever looks at replays has no part in a match, and films come from strangers: what takes long,
takes all memory or crashes must not happen in the process of a match.
"""

import ctypes
import gc
import multiprocessing
import os
import pickle
import signal
import sys
from asyncio import shield, wrap_future
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from queue import Empty, Queue
from threading import Lock, Thread
from typing import Any, ParamSpec, TypeVar

from desk.errors import DeskError


def return_memory() -> None:
    """Return what earlier games no longer use to the operating system.

    Each game runs in threads of its own, and glibc keeps what a thread freed for later threads. Without
    this, a desk that plays all day holds more with every game. Where there is no glibc, only Python's own
    garbage is collected.
    """
    gc.collect()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # musl has none
        if trim is not None:
            trim(0)


_Arguments = ParamSpec("_Arguments")
_Answer = TypeVar("_Answer")
MOST_WAITING = 16
"""Pieces of work that wait at most: people look at one replay at a time, and each is made once."""
MOST_BYTES = 8 << 30  # memory for one such process; two hours of film with two sound tracks take 4 GB


class BusyError(Exception):
    """Too much work is waiting already; the same request will do later."""


def give_way(nice: int = 15) -> None:
    """Let everything else on this machine go before this process, and be the first to be ended.

    It may hold three quarters of the memory, at most `MOST_BYTES`; where memory runs out, the system ends it
    before any other process. Windows has none of this.

    `nice`: niceness, 0..19.
    """
    if sys.platform == "win32":
        return
    import resource

    with suppress(OSError, AttributeError):  # not every system knows niceness
        os.nice(nice)
    with suppress(OSError):  # Linux alone
        Path("/proc/self/oom_score_adj").write_text("1000", "ascii")
    with suppress(OSError, ValueError):  # macOS refuses it
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        most = min(MOST_BYTES, 3 * memory // 4)
        # not `RLIMIT_AS`: threads reserve much that they never use
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


class SideProcess:
    """One process that does one piece of work after the other, and the same piece once for all who wait.

    It begins with the first piece, and ends when nothing was asked for a while.

    `patience_s`: what takes longer is given up, and the process is ended; a clip takes seconds, the archive
    of a large film minutes.
    """

    def __init__(self, patience_s: float = 600.0, keep_s: float = 60.0) -> None:
        self._patience_s, self._keep_s = patience_s, keep_s
        self._queue: Queue[tuple[bytes, Future[Any]]] = Queue()
        self._asked: dict[bytes, Future[Any]] = {}
        self._lock = Lock()
        self._thread: Thread | None = None

    async def do(
        self, work: Callable[_Arguments, _Answer], /, *arguments: _Arguments.args, **named: _Arguments.kwargs
    ) -> _Answer:
        """Call a function of a module in the process, and return what it returns.

        Raises DeskError and OSError of the function; DeskError also if the process ended or took too long.
        Raises BusyError if too much is waiting already.
        """
        wish = pickle.dumps((work, arguments, named))
        with self._lock:
            shared = self._asked.get(wish)
            if shared is None:
                if len(self._asked) >= MOST_WAITING:
                    raise BusyError
                shared = self._asked[wish] = Future()
                shared.set_running_or_notify_cancel()  # who leaves ends it for nobody
                self._queue.put((wish, shared))
            if self._thread is None:
                self._thread = Thread(target=self._serve, name="side-process", daemon=True)
                self._thread.start()
        answer: _Answer = await shield(wrap_future(shared))  # others may wait for it, too
        return answer

    def _serve(self) -> None:
        running: tuple[BaseProcess, Connection] | None = None
        while True:
            try:
                wish, shared = self._queue.get(timeout=self._keep_s if running else None)
            except Empty:
                wish, shared = b"", None
            if running is not None and (shared is None or not running[0].is_alive()):
                _end(*running)
                running = None
            if shared is None:
                continue
            answer: Any = None
            problem: Exception | None = DeskError("it took too long, and was given up")
            is_over = False
            try:
                running = running or _begin()
                _, line = running
                line.send_bytes(wish)
                is_over = not line.poll(self._patience_s)
                if not is_over:
                    answer, problem = line.recv()
            except (EOFError, OSError):
                problem = DeskError("the process that did it has ended: was it too much for the memory?")
                is_over = True
            if running is not None and is_over:
                _end(*running)
                running = None
            with self._lock:
                del self._asked[wish]
            if problem is None:
                shared.set_result(answer)
            else:
                shared.set_exception(problem)


def _begin() -> tuple[BaseProcess, Connection]:
    context = multiprocessing.get_context("spawn")
    line, far_end = context.Pipe()
    process = context.Process(target=_work, args=(far_end,), name="shinpan-pictures", daemon=True)
    process.start()
    far_end.close()
    return process, line


def _end(process: BaseProcess, line: Connection) -> None:
    line.close()
    process.kill()
    process.join()


def _work(line: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the desk ends it
    give_way()
    with suppress(EOFError, OSError):  # the desk has gone
        while True:
            work, arguments, named = pickle.loads(line.recv_bytes())  # noqa: S301 (the desk's own)
            try:
                answer, problem = work(*arguments, **named), None
            except (DeskError, OSError) as error:
                answer, problem = None, error
            line.send((answer, problem))


SIDE_PROCESS = SideProcess()  # the one of this program: also of several games at the same time
