"""What the streams of a hall keep: the latest message of a subject, and all messages in order.

Messages are asked for by their numbers, which leaves nothing at the servers: no consumer, whose messages
somebody could have delivered elsewhere.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final

from nats.aio.client import NO_RESPONDERS_STATUS
from nats.aio.msg import Msg
from nats.errors import Error, NoRespondersError
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, DiscardPolicy, RetentionPolicy, StorageType, StreamConfig
from nats.js.errors import NotFoundError

from desk.hall import subjects
from desk.hall.link import Link
from desk.hall.signature import HEADER, ForeignMessageError
from desk.hall.subjects import DIRECT
from referee.sentence import Sentence

_DAY_S: Final = 86_400.0
_EVENT_DAYS: Final = 90.0  # default retention of events: until a season's protests are over
ACK_S: Final = 30.0  # silence after which a worker counts as dead, and another one gets its recording
_DUPLICATES_S: Final = 120.0
"""JetStream's default time for detecting duplicate ids; later the expected sequence rejects a duplicate."""

FORGETTING: Final = "shinpan_forgetting"
"""Mark in the metadata of the events' stream while a name is deleted and the copies are made anew."""


def hall_streams(replicas: int = 1, event_days: float = _EVENT_DAYS) -> list[StreamConfig]:
    """Return the streams of a hall.

    If the disk is full, new events are refused rather than old ones deleted: the mats keep them.

    `replicas`: number of servers that store each message, 1 or 3.
    """
    kept = StreamConfig(
        storage=StorageType.FILE,
        num_replicas=replicas,
        discard=DiscardPolicy.NEW,
        duplicate_window=_DUPLICATES_S,
        max_age=event_days * _DAY_S,
        allow_direct=True,
    )
    latest = replace(kept, discard=DiscardPolicy.OLD, max_msgs_per_subject=1)
    work = replace(latest, retention=RetentionPolicy.WORK_QUEUE, max_msgs_per_subject=-1, max_age=0)
    return [
        replace(kept, name="EVENTS", subjects=[subjects.EVERY_EVENT]),
        replace(kept, name="READING", subjects=[subjects.READING_CUE]),
        replace(latest, name="STATES", subjects=[subjects.EVERY_STATE, subjects.READING_STATE]),
        replace(latest, name="PAIRINGS", subjects=[subjects.EVERY_PAIRING]),
        replace(work, name="WORK", subjects=[subjects.WORK]),
        replace(kept, name="RESULTS", subjects=[subjects.RESULTS]),
    ]


async def lay_out(stream: JetStreamContext, replicas: int = 1, event_days: float = _EVENT_DAYS) -> None:
    """Create the hall's missing streams and update the others; stored messages are not lost.

    `stream`: JetStream of a user who may change it (`subjects.Role.OPERATOR`). `replicas`, `event_days`: as
    in `hall_streams`.
    """
    for config in hall_streams(replicas, event_days):
        assert config.name is not None, "every stream of a hall has a name"
        try:
            present = (await stream.stream_info(config.name)).config.metadata or {}
        except NotFoundError:
            await stream.add_stream(config)
        else:
            marks = {name: text for name, text in present.items() if name == FORGETTING}
            await stream.update_stream(replace(config, metadata=marks))
    judges = ConsumerConfig(
        durable_name=subjects.JUDGES, ack_policy=AckPolicy.EXPLICIT, ack_wait=ACK_S, max_ack_pending=1000
    )
    await stream.add_consumer("WORK", judges)


_AT_ONCE: Final = 256
_AT_ONCE_BYTES: Final = 8 << 20
_ASKED_S: Final = 2.0
_AGAIN_S: Final = 0.2
_LATER_S: Final = 2.0
"""Time between attempts while messages cannot be stored, since each attempt requests `_AT_ONCE` again."""
_LOOKS_S: Final = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
"""Times between looks after a message was heard: it may not be stored yet, or not at that server."""
_LOOKS_EVERY_S: Final = 2.0  # time between looks while nothing is heard
_OVER: Final = {"204", "404"}  # status of the end of a batch, and of a batch without messages


@dataclass(frozen=True, slots=True)
class Kept:
    """A message of a stream."""

    subject: str
    data: bytes
    seq: int  # its number in the stream, from 1 on
    wall: str  # when the server took it in, ISO 8601
    signature: str = ""  # who said it (`desk.hall.signature`), empty if nobody signed it
    # why it is none of this hall's users' words; None if all is well
    problem: ForeignMessageError | None = field(default=None, compare=False)

    @property
    def age_s(self) -> float:
        """Seconds since it was taken in, by this machine's clock."""
        came = datetime.fromisoformat(f"{self.wall[:19]}+00:00")
        return max(0.0, (datetime.now(UTC) - came).total_seconds())


async def latest(link: Link, stream: str, subject: str) -> Kept | None:
    """Return the latest message of a subject, None if there is none; raises what nats-py raises."""
    try:
        found = await link.stream().get_last_msg(stream, subject, direct=True)
    except NotFoundError:
        return None
    data, headers = found.data or b"", found.headers
    problem = link.foreign(subject, data, headers)
    return Kept(subject, data, found.seq or 0, "", (headers or {}).get(HEADER, ""), problem)


async def count(link: Link, stream: str, subject: str) -> int:
    """Return the number of messages of a stream; raises what nats-py raises."""
    asked = json.dumps({"seq": 1, "batch": 1, "next_by_subj": subject}).encode()
    headers = (await link.client.request(DIRECT.format(stream), asked, timeout=_ASKED_S)).headers or {}
    if (status := headers.get("Status")) is None:
        return 1 + int(headers.get("Nats-Num-Pending", "0"))
    if status not in _OVER:
        raise _refusal(stream, headers)
    return 0


async def everything(link: Link, stream: str, subject: str, after: int = 0) -> AsyncGenerator[Kept, None]:
    """Iterate over the messages of a stream after number `after`, in order; raises what nats-py raises.

    `link`: link of a user who may read the whole stream. `stream`, `subject`: the stream, and the filter of
    its subjects.
    """
    inbox, pieces = link.client.new_inbox(), asyncio.Queue[Msg]()
    listening = await link.client.subscribe(inbox, cb=pieces.put)
    try:
        is_over = False
        while not is_over:
            asked = {
                "seq": after + 1,
                "batch": _AT_ONCE,
                "max_bytes": _AT_ONCE_BYTES,
                "next_by_subj": subject,
            }
            await link.client.publish(DIRECT.format(stream), json.dumps(asked).encode(), reply=inbox)
            before = 0  # each message names the one before it in its batch, so that none is missed
            while True:
                message = await asyncio.wait_for(pieces.get(), _ASKED_S)
                headers = message.headers or {}
                if status := headers.get("Status"):
                    if status not in _OVER:
                        raise _refusal(stream, headers)
                    is_over = headers.get("Nats-Num-Pending", "0") == "0"
                    break
                if headers.get("Nats-Last-Sequence", "0") != str(before):
                    raise Error(
                        Sentence(
                            "stream {stream}: expected the message after {before}",
                            stream=stream,
                            before=before,
                        )
                    )
                before = after = int(headers["Nats-Sequence"])
                yield _kept(link, message)
    finally:
        with suppress(Error):
            await listening.unsubscribe()


async def follow(link: Link, stream: str, subject: str, took: Callable[[Kept], None]) -> None:
    """Pass every message of a stream to `took`, in order and once each, until cancelled.

    After an interruption it goes on, or begins anew where the hall has lost or forgotten what came last.

    `link`: link of a user who may read the stream, and hears its subject. `took`: receives a message, and
    again later if it raises OSError (the disk is full).
    """
    heard, owed = asyncio.Event(), 0

    async def hear(_: Msg) -> None:
        nonlocal owed
        owed += 1
        heard.set()

    await link.listen(subject, hear, is_signed=False)  # what is stored is looked at more closely
    last: Kept | None = None
    joins = looks = 0
    while True:
        await link.joined()
        try:
            if joins != link.joins:
                if last is not None:  # a power cut may have taken the message that came last
                    asked = json.dumps({"seq": last.seq}).encode()
                    found = await link.client.request(DIRECT.format(stream), asked, timeout=_ASKED_S)
                    is_there = found.headers is not None and _kept(link, found, last.subject) == last
                    last = last if is_there else None
                joins = link.joins
            if heard.is_set():
                heard.clear()
                looks = 0
            async with aclosing(everything(link, stream, subject, last.seq if last else 0)) as messages:
                async for kept in messages:
                    if kept.problem is None:
                        took(kept)
                    last, owed = kept, max(0, owed - 1)
            if looks == len(_LOOKS_S):
                owed = 0  # it was not stored: the stream refused it
            with suppress(TimeoutError):
                await asyncio.wait_for(heard.wait(), _LOOKS_S[looks] if owed else _LOOKS_EVERY_S)
            looks += bool(owed)
        except (Error, TimeoutError):
            await asyncio.sleep(_AGAIN_S)
        except OSError:
            await asyncio.sleep(_LATER_S)


def _refusal(stream: str, headers: Mapping[str, str]) -> Error:
    if headers["Status"] == NO_RESPONDERS_STATUS:
        return NoRespondersError()
    why = headers.get("Description", headers["Status"])
    return Error(Sentence("stream {stream}: {why}", stream=stream, why=why))


def _kept(link: Link, message: Msg, subject: str = "") -> Kept:
    headers = message.headers or {}
    subject = headers.get("Nats-Subject", subject)
    return Kept(
        subject,
        message.data,
        int(headers.get("Nats-Sequence", "0")),
        headers.get("Nats-Time-Stamp", ""),
        headers.get(HEADER, ""),
        link.foreign(subject, message.data, headers),
    )
