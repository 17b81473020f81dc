"""The streams of a hall, and how long their messages are kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, DiscardPolicy, RetentionPolicy, StorageType, StreamConfig
from nats.js.errors import NotFoundError

from desk.hall import subjects

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
