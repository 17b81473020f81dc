"""The link of one user to the hall. It connects in the background, and again after every loss."""

import asyncio
import logging
import re
import secrets
import ssl
import sys
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from enum import StrEnum
from typing import Final

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import AuthorizationError, Error, NoServersError
from nats.js import JetStreamContext
from nats.js.api import PubAck

from desk.errors import DeskError
from desk.hall.signature import QUESTION, ForeignMessageError, Signer, Verifier
from desk.hall.subjects import inbox_of
from desk.hall.ticket import Ticket
from referee.complaint import sentence_of
from referee.sentence import Sentence

OLDEST: Final = (2, 14, 3)
"""The version on which the attacks of `tests/desk/hall/test_attacks.py` fail. Earlier ones have published
holes (advisories.nats.io, notes up to 2026-28 of 2026-06-29); before 2.11 they hand out no messages in
batches."""
_AGAIN_S = 1  # time between two attempts: after a power failure, all mats are back within seconds
_ASKED_EVERY_S = 5
_UNANSWERED = 2  # unanswered pings in a row that end a connection: a pulled cable is noticed after 10 to 15 s
_ANSWERS_WITHIN_S = 3
_CLOSES_WITHIN_S = 0.3
_MOST_TOLD = 100  # number of foreign messages that are told: more say nothing new


def check_version(told: str) -> None:
    """Raise DeskError if a server of this version is too old to carry a hall.

    `told`: what the server says of itself, such as `2.14.3` or `nats-server: v2.14.3`.
    """
    found = re.search(r"(\d+)\.(\d+)\.(\d+)(-)?", told)
    version = (0, 0, 0) if found is None else tuple(int(part) for part in found.groups()[:3])
    # a pre-release comes before its release
    if version < OLDEST or (version == OLDEST and found is not None and found[4]):
        oldest = ".".join(map(str, OLDEST))
        raise DeskError(
            "expected nats-server {oldest} or newer, got {got}: older ones have published holes; "
            "docs/hall.md says how to get a current one",
            oldest=oldest,
            got=told.strip()[:40] or "no version",
        )


async def end(tasks: Collection[asyncio.Future[None]]) -> None:
    """Cancel tasks that use a link, again until all of them have ended in any way.

    One cancellation may not be enough: the client's `asyncio.wait_for` may swallow it (Python 3.11).
    """
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=0.2)
    await asyncio.gather(*tasks, return_exceptions=True)


def _is_news(record: logging.LogRecord) -> bool:
    """Filter out asyncio's message at each end of nats-py's encrypted connection."""
    return "eof_received" not in record.getMessage()


class LinkState(StrEnum):
    """The state of a link."""

    SEEKS = "seeks"  # no server answers, before or after a connection
    JOINED = "joined"
    REFUSED = "refused"
    """A server answers, but does not know this user, cannot prove its identity, or is too old."""


Heard = Callable[[Msg], Awaitable[None]]
"""Receives a message. Its exceptions are not reported, so it must report problems itself."""


class Link:
    """A user's connection to a hall. `open` returns at once.

    `problem`: what the server says. `joins`: number of connections so far. `client`: nats-py's client, a new
    one for each connection.
    """

    def __init__(self, ticket: Ticket) -> None:
        self.ticket, self.client = ticket, Client()
        self.state, self.joins = LinkState.SEEKS, 0
        self.problem: str | None = None
        self._tls = ticket.tls()
        self._signer = Signer(ticket.role, ticket.user, ticket.key, ticket.vouch)
        self._verifier = Verifier(ticket.hall)
        self._told: set[str] = set()
        self._on_joined: list[Callable[[], None]] = []
        self._heard: list[tuple[str, Heard]] = []
        self._task: asyncio.Task[None] | None = None
        self._is_open, self._closed, self._is_leaving = asyncio.Event(), asyncio.Event(), asyncio.Event()

    def open(self) -> None:
        logging.getLogger("asyncio").addFilter(_is_news)
        self._task = asyncio.get_running_loop().create_task(self._keep())

    async def joined(self) -> None:
        await self._is_open.wait()

    def when_joined(self, called: Callable[[], None]) -> None:
        self._on_joined.append(called)

    @property
    def is_joined(self) -> bool:
        return self.client.is_connected

    def stream(self, timeout_s: float = 2.0) -> JetStreamContext:
        return self.client.jetstream(timeout=timeout_s)

    async def listen(self, subject: str, heard: Heard, *, is_signed: bool = True) -> None:
        """Subscribe to a subject, on this connection and all later ones.

        `is_signed`: whether to pass only messages of users who may say them, and to tell of others.
        """

        async def pass_on(message: Msg) -> None:
            if self.foreign(message.subject, message.data, message.headers) is None:
                await heard(message)

        taken = pass_on if is_signed else heard
        self._heard.append((subject, taken))
        if self.is_joined:
            await self.client.subscribe(subject, cb=taken)

    async def say(self, subject: str, data: bytes) -> bool:
        """Publish a message that is useless later; False if there is no connection now."""
        if not self.is_joined:
            return False
        try:
            await self.client.publish(subject, data, headers=self._signer.header(subject, data))
        except Error:
            return False
        return True

    async def keep(
        self, subject: str, data: bytes, headers: Mapping[str, str] | None = None, timeout_s: float = 2.0
    ) -> PubAck:
        """Publish a message that a stream keeps, and return its answer; raises what nats-py raises."""
        headers = {**(headers or {}), **self._signer.header(subject, data)}
        return await self.stream(timeout_s).publish(subject, data, headers=headers)

    async def ask(self, subject: str, data: bytes, timeout_s: float) -> Msg:
        """Return another user's answer to a question.

        Raises ForeignMessageError if nobody answered who may, or it is the answer to another question. Raises
        nats.errors.Error if there is no answer.
        """
        question = secrets.token_hex(16)
        headers = {QUESTION: question, **self._signer.header(subject, data)}
        answer = await self.client.request(subject, data, timeout=timeout_s, headers=headers)
        foreign = self.foreign(subject, answer.data, answer.headers, question)
        if foreign is not None:
            raise foreign
        return answer

    async def answer(self, asked: Msg, data: bytes) -> None:
        question = (asked.headers or {}).get(QUESTION, "")
        with suppress(Error):
            await self.client.publish(
                asked.reply, data, headers=self._signer.header(asked.subject, data, question)
            )

    def foreign(
        self, subject: str, data: bytes, headers: Mapping[str, str] | None, question: str | None = None
    ) -> ForeignMessageError | None:
        """Return why nobody said this who may say it, once on standard error, too; None if somebody did.

        `subject`, `data`, `headers`, `question`: as in `Verifier.check`.
        """
        try:
            self._verifier.check(subject, data, headers, question)
        except ForeignMessageError as error:
            if str(error) not in self._told and len(self._told) < _MOST_TOLD:
                self._told.add(str(error))
                sys.stderr.write(f"shinpan: hall: {error}\n")
            return error
        return None

    async def close(self) -> None:
        """End the connection; pending messages are sent first if possible."""
        self._is_leaving.set()
        self._closed.set()
        if self._task is not None:
            # not cancelled: a connection attempt in progress would leave an open connection
            await asyncio.gather(self._task, return_exceptions=True)
        await self._leave()

    async def _leave(self) -> None:
        with suppress(Error, OSError, TimeoutError):
            if self.client.is_connected:
                await self.client.flush(timeout=1)
        with suppress(Error, OSError, TimeoutError):
            # after a failed TLS handshake, asyncio waits for an end that has already happened
            await asyncio.wait_for(self.client.close(), _CLOSES_WITHIN_S)

    async def _keep(self) -> None:
        while not self._is_leaving.is_set():
            self._closed.clear()
            try:
                await self._connect()
                if not self._is_leaving.is_set():
                    await self._closed.wait()
            except (TimeoutError, Error, OSError, DeskError) as error:
                await self._tell(error)
            await self._leave()
            self._is_open.clear()
            if self.state is LinkState.JOINED:
                self.state = LinkState.SEEKS
            with suppress(TimeoutError):
                await asyncio.wait_for(self._is_leaving.wait(), _AGAIN_S)

    async def _connect(self) -> None:
        """Connect once to any server that answers; nats-py's own retries cannot be ended cleanly."""
        self.client = Client()
        await self.client.connect(
            list(self.ticket.servers),
            user=self.ticket.user,
            password=self.ticket.password,
            tls=self._tls,
            name=self.ticket.user,
            inbox_prefix=inbox_of(self.ticket.user),
            connect_timeout=_ANSWERS_WITHIN_S,
            allow_reconnect=False,
            max_reconnect_attempts=1,
            reconnect_time_wait=0,
            ping_interval=_ASKED_EVERY_S,
            max_outstanding_pings=_UNANSWERED,
            error_cb=self._tell,
            closed_cb=self._ended,
        )
        version = self.client.connected_server_version
        check_version(f"{version.major}.{version.minor}.{version.patch}{'-' * bool(version.prerelease)}")
        for subject, heard in self._heard:
            await self.client.subscribe(subject, cb=heard)
        await self.client.flush(_ANSWERS_WITHIN_S)
        self.state, self.problem = LinkState.JOINED, None
        self.joins += 1
        self._is_open.set()
        for called in self._on_joined:
            called()

    async def _ended(self) -> None:
        self._closed.set()

    async def _tell(self, error: Exception) -> None:
        if isinstance(error, NoServersError) and self.problem is not None:
            return  # the reason of each server was reported before
        self.problem = sentence_of(error) or Sentence(type(error).__name__)
        text = self.problem.splitlines()[0]
        is_too_old = isinstance(error, DeskError)
        if is_too_old or not self.client.is_connected:
            refused = is_too_old or isinstance(error, AuthorizationError | ssl.SSLError)
            refused = refused or "authorization" in text.lower()
            if refused and self.state is not LinkState.REFUSED:
                sys.stderr.write(f"shinpan: the hall and {self.ticket.user} refuse each other: {text}\n")
            self.state = LinkState.REFUSED if refused else LinkState.SEEKS
