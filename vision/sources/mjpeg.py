"""MJPEG packets as pictures: decoded whole, or to a glance while that is enough.

At rest hardly any picture needs a glance of its own. First the last picture within a moment of the latest
glance is examined: if it shows the same, nothing came in and left in between, and the pictures between share
its glance. Each of them is still decoded whole on demand.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeAlias

import av

from vision.frames.frame import Glimpse, Gray
from vision.sources.glance import alike
from vision.sources.jpeg import decode_gray, glimpse_of, sharing_glance

Packet: TypeAlias = "av.Packet[av.VideoStream]"


def stamp(packet: Packet) -> int | None:
    """Return when a packet's picture is shown, in ticks of its stream."""
    return packet.dts if packet.pts is None else packet.pts


def pictures(
    packets: Iterator[Packet], glances: Callable[[], bool], moment: int
) -> Iterator[tuple[Packet, bytes, Gray | Glimpse | None]]:
    """Yield each packet, its bytes and its picture; None for a damaged picture.

    `packets`: those that hold a picture, in the order of time. `glances`: whether a glance at the next
    picture will most likely be enough. `moment`: time in which nothing can come in and leave again, in ticks
    of the stream.
    """
    waiting = deque[Packet]()
    latest: tuple[Gray, int] | None = None  # the latest glance, and its time
    ahead: Glimpse | None = None  # glance at the last picture within a moment of it
    left, is_calm = 0, False  # pictures up to that one, and whether it shows what the latest glance did
    while waiting or (waiting := deque(islice(packets, 1))):
        if not glances():
            ahead = None
        elif latest is not None and ahead is None:
            glance, at = latest
            left = _waiting_until(at + moment, waiting, packets)
            ahead = glimpse_of(bytes(waiting[left - 1])) if left > 1 else None
            is_calm = ahead is not None and alike(glance, ahead.glance)
        packet = waiting.popleft()
        jpeg, shown_at = bytes(packet), stamp(packet)
        picture: Gray | Glimpse | None = None
        if ahead is not None:
            left -= 1
            if left == 0:
                picture, ahead = ahead, None
            elif is_calm:
                picture = sharing_glance(jpeg, ahead.glance)
        if picture is None:
            picture = glimpse_of(jpeg) if glances() else decode_gray(jpeg)
        latest = None
        if isinstance(picture, Glimpse) and shown_at is not None:
            latest = picture.glance, shown_at
        yield packet, jpeg, picture


def _waiting_until(end: int, waiting: deque[Packet], packets: Iterator[Packet]) -> int:
    """Queue the packets shown up to an instant, perhaps one more, and return how many they are."""
    while (last := stamp(waiting[-1])) is not None and last <= end:
        following = next(packets, None)
        if following is None:
            return len(waiting)
        waiting.append(following)
    return len(waiting) - 1
