"""A separate process that follows the trails of cards, so that a live match need not wait for them.

Trails take most of the time between the last hand and a ruling, and a thread would share the interpreter with
the eye. While there is no trail to follow, the process looks at other pictures of cards
(`vision.poem.foresight`). It finds what this process would have found; if it is lost, this process does the
work.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
from collections import deque
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from typing import Any, Self

from vision.field.model import FieldModel
from vision.field.slots import Floats, Slot
from vision.launch.errands import Errand
from vision.launch.flight import finished
from vision.sightings.traces import Bare


@dataclass(frozen=True, slots=True, eq=False)
class _Question:
    """An errand in transit; `table` is its field, sent only if the process does not know it yet."""

    kind: type[Errand]
    luggage: Mapping[str, Any]
    table: tuple[Floats, tuple[Slot, ...]] | None


@dataclass(frozen=True, slots=True, eq=False)
class _Answer:
    """The answer to a question; `found` does not count if the process `failed`."""

    found: Any = None
    failed: bool = False


class _Worker:
    """The state of the process: the latest field and what was computed for it."""

    def __init__(self) -> None:
        self._field: FieldModel | None = None
        self._bare: dict[Hashable, Bare] = {}

    def answer(self, question: _Question) -> _Answer:
        if question.table is not None:
            self._field, self._bare = FieldModel(*question.table), {}
        if self._field is None:
            return _Answer(failed=True)
        errand = question.kind(field=self._field, **question.luggage)
        return _Answer(finished(errand.steps(self._bare)))


class TrailHelper:
    """Does errands in another process while the eye goes on looking. Only one thread may ask it."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        questions, self._questions = context.Pipe(duplex=False)
        self._answers, answers = context.Pipe(duplex=False)
        self._process = context.Process(
            target=_work, args=(questions, answers), name="shinpan-trails", daemon=True
        )
        self._process.start()
        questions.close()
        answers.close()
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        self._sender = Thread(target=self._send, name="trails", daemon=True)
        self._sender.start()
        self._field: FieldModel | None = None
        self._waiting: deque[Errand] = deque()
        self._sent: deque[Errand] = deque()
        self._is_lost = False

    @classmethod
    def where_it_pays(cls) -> TrailHelper | None:
        """Return a helper, or None if it would only share a single core or its process cannot start."""
        if (os.cpu_count() or 1) < 2:
            return None
        try:
            return cls()
        except OSError:
            return None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        self._lose()
        self._outbox.put(None)
        self._process.terminate()
        end_s = 2.0
        self._process.join(end_s)
        self._sender.join(end_s)
        for line in (self._questions, self._answers):
            line.close()

    @property
    def load(self) -> int:
        """Number of errands it has not brought back yet."""
        return len(self._waiting) + len(self._sent)

    def ask(self, errand: Errand) -> Errand:
        """Take over an errand in its present state; errands of an earlier field not begun yet are lost."""
        errand = replace(errand, departure=errand.departure.as_it_is())
        for other in [one for one in self._waiting if one.field is not errand.field]:
            self._waiting.remove(other)
            other.is_lost = True
        if self._is_lost:
            errand.is_lost = True
        else:
            self._waiting.append(errand)
            self.go_on()
        return errand

    def take_back(self, errand: Errand) -> bool:
        """Take back an errand that was not begun; return False if it was."""
        if errand not in self._waiting:
            return False
        self._waiting.remove(errand)
        errand.is_lost = True
        return True

    def go_on(self, wait_s: float = 0.0) -> None:
        """Take in answers and send on errands as there is room; wait at most `wait_s` for an answer."""
        try:
            while self._sent and self._answers.poll(wait_s):
                self._take_in(self._answers.recv())
                wait_s = 0.0
        except (EOFError, OSError):
            self._lose()
        # errands sent at a time: the next one lies ready while the process works on the first
        most_sent = 2
        while self._waiting and len(self._sent) < most_sent:
            errand = self._waiting.popleft()
            self._sent.append(errand)
            self._outbox.put(pickle.dumps(self._question(errand), pickle.HIGHEST_PROTOCOL))

    def _take_in(self, answer: _Answer) -> None:
        errand = self._sent.popleft()
        errand.is_lost = answer.failed
        if not answer.failed:
            errand.take_in(answer.found)

    def _question(self, errand: Errand) -> _Question:
        table = None
        if errand.field is not self._field:
            self._field = errand.field
            table = errand.field.picture, errand.field.slots
        return _Question(type(errand), errand.luggage(), table)

    def _lose(self) -> None:
        """Give up all errands, since the process is gone."""
        self._is_lost = True
        for errand in (*self._waiting, *self._sent):
            errand.is_lost = True
        self._waiting.clear()
        self._sent.clear()

    def _send(self) -> None:
        """Send the outbox in a thread of its own, since the process reads only between errands."""
        while (question := self._outbox.get()) is not None:
            try:
                self._questions.send_bytes(question)
            except OSError:
                return  # the missing answers will show that the process is gone


def _work(questions: Connection, answers: Connection) -> None:
    """Answer questions until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent is interrupted as well, and ends this process
    worker = _Worker()
    while True:
        try:
            question = pickle.loads(questions.recv_bytes())  # noqa: S301 (from the process that began this one)
        except (EOFError, OSError):
            return
        try:
            answer = worker.answer(question)
        except Exception:  # noqa: BLE001 (the parent repeats the work and raises the error itself)
            answer = _Answer(failed=True)
        try:
            answers.send(answer)
        except OSError:
            return
