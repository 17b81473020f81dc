"""MJPEG packets as pictures: decoded whole, or for a glance while that will do.

At rest hardly a picture needs a glance of its own. The last one within a moment of the latest glance is
looked at first: where it shows the same, nothing came in meanwhile and left again, and those between share
its glance. Each is still decoded whole when somebody asks for it.
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
    """Yield each packet, its bytes and its picture; None for one that is damaged.

    Parameters
    ----------
    packets : those that hold a picture, in the order of time.
    glances : whether a glance at the next picture will most likely do.
    moment : for how long nothing can come in and leave again, in ticks of the stream.
    """
    waiting = deque[Packet]()
    latest: tuple[Gray, int] | None = None  # glance, and when
    ahead: Glimpse | None = None  # at the last of those that follow it within a moment
    left, is_calm = 0, False  # how many do, and whether that one shows what the latest glance did
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
    """Let the packets wait that are shown until an instant, and return how many; a later one may, too."""
    while (last := stamp(waiting[-1])) is not None and last <= end:
        following = next(packets, None)
        if following is None:
            return len(waiting)
        waiting.append(following)
    return len(waiting) - 1
