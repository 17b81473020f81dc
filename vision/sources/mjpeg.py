"""MJPEG packets as pictures: decoded whole, or for a glance while that will do.

At rest hardly a picture needs a glance of its own. The last one of the next moment is glanced at first: where
it shows what the latest glance did, nothing came in meanwhile and left again, and those between share its
glance. Each is still decoded whole when somebody asks for it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeAlias

import av

from vision.calm import alike
from vision.frames import Glimpse, Gray
from vision.sources.jpeg import decode_gray, glimpse_of, sharing_glance

Packet: TypeAlias = "av.Packet[av.VideoStream]"


def stamp(packet: Packet) -> int | None:
    """Return when a packet's picture is shown, in ticks of its stream."""
    return packet.dts if packet.pts is None else packet.pts


def pictures(
    packets: Iterator[Packet], glances: Callable[[], bool], moment: int
) -> Iterator[tuple[Packet, bytes, Gray | Glimpse | None]]:
    """Yield each packet, its bytes and its picture; None for one that is damaged.

    Parameters
    ----------
    packets : those that hold a picture, in the order of time.
    glances : whether a glance at the next picture will most likely do.
    moment : for how long nothing can come in and leave again, in ticks of the stream.
    """
    waiting = deque[Packet]()
    latest: Gray | None = None  # glance
    ahead: Glimpse | None = None  # at the last of those that wait
    is_calm = False  # whether it shows what the latest glance did
    while waiting or (waiting := deque(islice(packets, 1))):
        if not glances():
            ahead = None
        elif latest is not None and ahead is None:
            _look_ahead(waiting, packets, moment)
            ahead = glimpse_of(bytes(waiting[-1])) if len(waiting) > 1 else None
            is_calm = ahead is not None and alike(latest, ahead.glance)
        jpeg = bytes(waiting[0])
        picture: Gray | Glimpse | None = None
        if ahead is not None and len(waiting) == 1:
            picture, ahead = ahead, None
        elif ahead is not None and is_calm:
            picture = sharing_glance(jpeg, ahead.glance)
        if picture is None:
            picture = glimpse_of(jpeg) if glances() else decode_gray(jpeg)
        latest = picture.glance if isinstance(picture, Glimpse) else None
        yield waiting.popleft(), jpeg, picture


def _look_ahead(waiting: deque[Packet], packets: Iterator[Packet], moment: int) -> None:
    """Let all packets wait that follow the first within a moment, as far as their times are known."""
    first = stamp(waiting[0])
    while first is not None and (last := stamp(waiting[-1])) is not None and last - first < moment:
        following = next(packets, None)
        if following is None:
            return
        waiting.append(following)
