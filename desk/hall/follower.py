"""Follows a stream of the hall from its first message, across interruptions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from nats.aio.msg import Msg
from nats.errors import Error
from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy

from desk.hall.link import Link

_AT_ONCE: Final = 256
_ASKED_S: Final = 5.0
_FORGOTTEN_S: Final = 60.0
"""Time without requests after which the server deletes the consumer."""
_AGAIN_S: Final = 0.2
_LATER_S: Final = 2.0
"""Time between attempts while messages cannot be stored, since each attempt requests `_AT_ONCE` again."""


async def follow(link: Link, stream: str, subject: str, took: Callable[[Msg], None]) -> None:
    """Pass every message of a stream to `took`, in order and once each, until cancelled.

    Parameters
    ----------
    link : link of a user who may read the stream.
    stream, subject : the stream, and the filter of its subjects.
    took : receives a message, and again later if it raises OSError (the disk is full).
    """
    after = 0
    while True:
        await link.joined()
        try:
            place = 0
            config = ConsumerConfig(
                deliver_policy=DeliverPolicy.BY_START_SEQUENCE,
                opt_start_seq=after + 1,
                ack_policy=AckPolicy.NONE,
                inactive_threshold=_FORGOTTEN_S,
            )
            asked = await link.stream(_ASKED_S).pull_subscribe(subject, stream=stream, config=config)
            while link.is_joined:
                try:
                    messages = await asked.fetch(_AT_ONCE, timeout=_ASKED_S)
                except TimeoutError:
                    await asked.consumer_info()  # fails if the server was restarted without the consumer
                    continue
                for message in messages:
                    place += 1
                    sequence = message.metadata.sequence
                    _check_whole(sequence.consumer, place)
                    if sequence.stream > after:
                        took(message)
                        after = sequence.stream
        except (Error, TimeoutError):
            await asyncio.sleep(_AGAIN_S)
        except OSError:
            await asyncio.sleep(_LATER_S)


def _check_whole(number: int, expected: int) -> None:
    """Raise if messages were lost in an interruption, so that they are requested again."""
    if number != expected:
        raise Error(f"expected message {expected} of this reader, got {number}")
