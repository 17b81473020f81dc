"""The hall's queue of recordings to be judged, and their results.

The recording and its result are both stored under the result's key (`desk.archive.recordings.key_of`). A
result is stored once: its publisher states the expected last sequence, and a second one is refused.
"""

from __future__ import annotations

import gzip
import json
import zlib
from dataclasses import asdict, dataclass
from typing import Annotated, Final

from nats.aio.msg import Msg
from nats.errors import Error
from nats.js import JetStreamContext
from nats.js.errors import APIError
from pydantic import StringConstraints, TypeAdapter, ValidationError

from desk.archive.recordings import HouseRules
from desk.errors import DeskError, misfits
from desk.hall.link import Link
from desk.hall.messages import EXPECTED_HEADER, ID_HEADER, OUT_OF_ORDER
from desk.hall.store import count, latest
from desk.hall.subjects import JUDGES
from referee.complaint import sentence_of

WORK, RESULTS = "WORK", "RESULTS"
_ASKED_S: Final = 5.0
_MOST_BYTES: Final = 64 << 20
"""Size limit of an outcome: a message of the hall has at most 1 MiB, and JSON packs to about a tenth."""


@dataclass(frozen=True, slots=True)
class Order:
    """A recording to be judged."""

    name: str  # its path below the archive's folder
    key: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    program: str  # digest of the program that made the key; another program could give another result
    # rules, deck: as in `desk.archive.recordings.HouseRules`
    rules: str | None = None
    deck: str | None = None

    @property
    def house(self) -> HouseRules:
        return HouseRules(self.rules, self.deck)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of an order: the result as `shinpan judge` writes it, or a problem in one line."""

    order: Order
    result: str = ""
    problem: str = ""


_ORDERS, _OUTCOMES = TypeAdapter(Order), TypeAdapter(Outcome)


class Queue:
    """The queue of a hall."""

    def __init__(self, link: Link) -> None:
        self._link = link

    async def add(self, orders: list[Order]) -> int:
        """Add recordings to the queue, and return how many; those with a result are skipped.

        Raises DeskError if the hall refuses them.
        """
        added = 0
        for order in orders:
            known = await self.outcome(order.key)
            if known is not None and not known[0].problem:
                continue
            with DeskError.wrapping(
                "the hall does not take {name}: {why}", Error, OSError, TimeoutError, name=order.name
            ):
                await self._link.keep(
                    f"hall.work.{order.key}",
                    json.dumps(asdict(order)).encode(),
                    {ID_HEADER: f"{order.key}/{0 if known is None else known[1]}"},
                    _ASKED_S,
                )
            added += 1
        return added

    async def take(self, wait_s: float) -> tuple[Order, Msg] | None:
        """Take the next recording, None if none comes in time; it comes again unless it is acknowledged."""
        asked = await self._stream().pull_subscribe_bind(JUDGES, WORK)
        try:
            (message,) = await asked.fetch(1, wait_s)
        except TimeoutError:
            return None
        finally:
            await asked.unsubscribe()
        foreign = self._link.foreign(message.subject, message.data, message.headers)
        if foreign is not None:
            await message.term()
            return None
        try:
            return _ORDERS.validate_json(message.data), message
        except ValueError:
            await message.term()
            raise DeskError("{subject}: expected an order of an archive", subject=message.subject) from None

    async def waiting(self) -> int:
        """Return the number of recordings without a result, including those being judged."""
        return await count(self._link, WORK, "hall.work.>")

    async def outcome(self, key: str) -> tuple[Outcome, int] | None:
        """Return the outcome of an order and its number in the stream, None before it has one."""
        found = await latest(self._link, RESULTS, f"hall.result.{key}")
        if found is None:
            return None
        if found.problem is not None:  # as if it had failed: a result may take its place
            return Outcome(Order("", key, ""), problem=str(found.problem)), found.seq
        return unpacked(found.data), found.seq

    async def keep(self, outcome: Outcome) -> bool:
        """Store an outcome; False if there is a result already, which stays."""
        known = await self.outcome(outcome.order.key)
        if known is not None and not known[0].problem:
            return False
        data = gzip.compress(json.dumps(asdict(outcome)).encode(), mtime=0)
        last = 0 if known is None else known[1]
        try:
            await self._link.keep(
                f"hall.result.{outcome.order.key}", data, {EXPECTED_HEADER: str(last)}, _ASKED_S
            )
        except APIError as error:
            if error.err_code == OUT_OF_ORDER:
                return False  # another worker was first
            raise
        return True

    def _stream(self) -> JetStreamContext:
        return self._link.stream(_ASKED_S)


def unpacked(data: bytes) -> Outcome:
    """Return the outcome in a message of the stream of results; DeskError if there is none."""
    try:
        return _OUTCOMES.validate_json(_unzipped(data))
    except ValidationError as error:
        raise DeskError("a result of the hall cannot be read: {why}", why=misfits(error.errors())) from error
    except (OSError, EOFError, zlib.error) as error:
        raise DeskError("a result of the hall cannot be read: {why}", why=sentence_of(error)) from error


def _unzipped(data: bytes) -> bytes:
    """Return gzip's content, in no more memory than an outcome needs."""
    unpacking = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    text = unpacking.decompress(data, _MOST_BYTES)
    if not unpacking.eof:
        raise EOFError(f"expected at most {_MOST_BYTES >> 20} MiB and a whole file")
    return text
