"""Sends a mat's events to the hall: each match in order, without gaps, and again after any failure.

Each batch carries the stream's sequence number of the previous one, without which JetStream refuses it. After
any loss (an answer, a mark, a server), one query restores the state: what is the hall's last batch of this
match? So an id that JetStream has seen before, even a forged one, can neither hide nor duplicate an event.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Final

from nats.errors import Error
from nats.js.api import PubAck
from nats.js.errors import APIError

from desk.errors import DeskError
from desk.hall.link import Link
from desk.hall.mat.outbox import MANY, Mark, Outbox
from desk.hall.messages import (
    EXPECTED_HEADER,
    ID_HEADER,
    OUT_OF_ORDER,
    EventBatch,
    MessageError,
    pack,
    unpack,
)
from desk.hall.store import latest
from desk.hall.subjects import events_of
from referee.complaint import sentence_of
from referee.sentence import Sentence

STREAM: Final = "EVENTS"
_ANSWER_S: Final = 2.0
_AGAIN_S: Final = 0.25
_LATER_S: Final = 2.0
_PACE_S: Final = 0.03
"""Time between full batches: an hour of play (2,500 entries) takes 3 s, which leaves room for others."""
_LATEST: Final = 8
"""Number of latest matches to compare, about a day's: servers write to their disks within minutes, so older
ones are safe."""


class AnotherLogError(DeskError):
    """The hall's events of this match differ from its log."""


class Sender:
    """Sends the entries of an outbox while `run` is running.

    `outbox`: used only in the loop of `run`.

    `problem`: why nothing is sent although there is a link; None if all is well. `sent`: number of batches
    that the hall accepted.
    """

    def __init__(self, link: Link, outbox: Outbox) -> None:
        self.problem: str | None = None
        self.sent = 0
        self._link = link
        self._outbox = outbox
        self._mat = link.ticket.user
        self._awake = asyncio.Event()
        self._given_up: set[str] = set()
        self._salt = 0
        self._compared = 0
        link.when_joined(self.wake)

    def wake(self) -> None:
        """Check at once whether there is something to send."""
        self._awake.set()

    @property
    def unsent(self) -> int:
        """Number of entries of all matches that the hall has not confirmed."""
        return sum(self._outbox.unsent(match) for match in self._outbox.unrested())

    async def run(self) -> None:
        """Send until cancelled."""
        while True:
            await self._link.joined()
            self._awake.clear()
            try:
                await self._compare()
                for match in self._outbox.unrested():
                    await self._send_all(match)
                if not self._given_up:
                    self.problem = None
            except (Error, OSError, TimeoutError) as error:
                if isinstance(error, APIError):  # the link reports all other errors
                    self._tell(sentence_of(error))
                await asyncio.sleep(_AGAIN_S)
                continue
            except DeskError as error:
                self._tell(sentence_of(error))
                await asyncio.sleep(_LATER_S)
                continue
            await self._awake.wait()

    async def _compare(self) -> None:
        """Compare with the hall after each new connection: it may have lost batches in a power failure."""
        joins = self._link.joins
        if joins != self._compared:
            for match in self._outbox.matches()[-_LATEST:]:
                await self._ask(match)
            self._compared = joins

    async def _send_all(self, match: str) -> None:
        while match not in self._given_up and (entries := self._outbox.batch(match)):
            batch = EventBatch(self._mat, match, entries)
            mark = self._outbox.mark(match)
            try:
                answer = await self._publish(batch, mark)
            except APIError as error:
                if error.err_code != OUT_OF_ORDER:
                    raise
                await self._ask(match)
                continue
            if answer.duplicate:
                # the id is known already: from our own batch whose answer was lost, or from a forged one
                await self._ask(match)
                self._salt += self._outbox.mark(match).seq < entries[-1].seq
                continue
            self.sent += 1
            self._outbox.confirm(match, Mark(entries[-1].seq, answer.seq))
            if len(entries) >= MANY:
                await asyncio.sleep(_PACE_S)
        if match not in self._given_up:
            self._outbox.rest(match)

    async def _publish(self, batch: EventBatch, mark: Mark) -> PubAck:
        headers = {
            ID_HEADER: batch.message_id + (f"/{self._salt}" if self._salt else ""),
            EXPECTED_HEADER: str(mark.sequence),
        }
        return await self._link.keep(events_of(batch.mat, batch.match), pack(batch), headers, _ANSWER_S)

    async def _ask(self, match: str) -> None:
        """Set the mark to the hall's last batch."""
        found = await latest(self._link, STREAM, events_of(self._mat, match))
        if found is None:
            self._outbox.confirm(match, Mark())
            return
        if found.problem is not None:
            # somebody else's message: it is skipped, here as at the board, and what it may hide is sent again
            self._outbox.confirm(match, Mark(self._outbox.mark(match).seq, found.seq))
            return
        try:
            self._outbox.confirm(match, Mark(self._last_seq(match, found.data), found.seq))
        except (AnotherLogError, MessageError) as error:
            self._given_up.add(match)
            why = sentence_of(error)
            self._tell(Sentence("match {match}: {why}; it is no longer sent", match=match, why=why))
        # the answer may have come from a server that lags behind the others: give it time
        await asyncio.sleep(_AGAIN_S / 10)

    def _last_seq(self, match: str, data: bytes) -> int:
        """Return the number of the last entry in the hall's last batch, which must match the log."""
        batch = unpack(data)
        if not isinstance(batch, EventBatch) or (batch.mat, batch.match) != (self._mat, match):
            raise AnotherLogError("the hall stores something else under its name")
        last = batch.entries[-1]
        if self._outbox.entry(match, last.seq) != last:
            raise AnotherLogError(
                "the hall stores another entry {number}; does another machine use this ticket?",
                number=last.seq,
            )
        return last.seq

    def _tell(self, problem: str) -> None:
        if problem != self.problem:
            sys.stderr.write(f"shinpan: hall: {problem}\n")
        self.problem = problem
