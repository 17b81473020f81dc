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


_ANSWER = 2  # parts of an answer: what was returned, and what was raised


class Helper:
    """A process that does one piece of work after the other; it begins with the first.

    `nice`: see `give_way`. `tells`: whether each piece is called with a function `tell`, whose three
    arguments reach whoever waits for the answer.
    """

    line: Connection

    def __init__(self, name: str, nice: int = 15, *, tells: bool = False) -> None:
        self._name, self._how = name, (nice, tells)
        self._process: BaseProcess | None = None
        self._ending = Lock()

    @property
    def is_running(self) -> bool:
        return self._process is not None

    def ask(self, piece: bytes) -> None:
        """Send a piece of work (`piece_of`); OSError if no process can begin."""
        if self._process is not None and not self._process.is_alive():
            self.end()
        if self._process is None:
            context = multiprocessing.get_context("spawn")
            self.line, far_end = context.Pipe()
            self._process = context.Process(
                target=_work, args=(far_end, *self._how), name=self._name, daemon=True
            )
            self._process.start()
            far_end.close()
        with suppress(OSError):  # if it dies meanwhile, `answer` finds the line closed
            self.line.send_bytes(piece)

    def answer(self, told: Callable[..., object] = lambda *_: None) -> Any:
        """Wait for what a piece of work returns.

        Raises DeskError and OSError of the work; DeskError also if the process ended, or was ended.
        """
        try:
            while len(heard := self.line.recv()) != _ANSWER:
                told(*heard)
        except (EOFError, OSError):
            self.end()
            raise DeskError("the process that did it has ended: was it too much for the memory?") from None
        answer, problem = heard
        if problem is not None:
            raise problem
        return answer

    def end(self) -> None:
        """End the process, whatever it does; any thread may."""
        with self._ending:
            if self._process is not None:
                self._process.kill()
                self._process.join()
                self.line.close()
                self._process = None


def piece_of(work: Callable[..., object], /, *arguments: object, **named: object) -> bytes:
    """Return the call of a function of a module as a piece of work."""
    return pickle.dumps((work, arguments, named))


def _work(line: Connection, nice: int, tells: bool) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the desk ends it
    give_way(nice)

    def tell(*told: object) -> None:
        try:
            line.send(told)
        except OSError as error:  # the desk has gone: what was begun is of no use to anybody
            raise SystemExit from error

    with suppress(EOFError, OSError):  # the desk has gone
        while True:
            work, arguments, named = pickle.loads(line.recv_bytes())  # noqa: S301 (the desk's own)
            try:
                answer, problem = work(*arguments, **named, **({"tell": tell} if tells else {})), None
            except (DeskError, OSError) as error:
                answer, problem = None, error
            line.send((answer, problem))


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
        wish = piece_of(work, *arguments, **named)
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
        helper = Helper("shinpan-pictures")
        while True:
            try:
                wish, shared = self._queue.get(timeout=self._keep_s if helper.is_running else None)
            except Empty:
                helper.end()
                continue
            answer: Any = None
            problem: Exception | None = None
            try:
                helper.ask(wish)
                if helper.line.poll(self._patience_s):
                    answer = helper.answer()
                else:
                    helper.end()
                    problem = DeskError("it took too long, and was given up")
            except (DeskError, OSError) as error:
                problem = error
            with self._lock:
                del self._asked[wish]
            if problem is None:
                shared.set_result(answer)
            else:
                shared.set_exception(problem)


SIDE_PROCESS = SideProcess()  # the one of this program: also of several games at the same time
