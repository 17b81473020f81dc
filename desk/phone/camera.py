"""Opening a camera by its name; `phone` waits for a phone to connect, all other cameras exist already."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from desk.machine.camera_records import PHONE, PHONE_NAME, live_options
from desk.phone.wish import PhoneWish
from vision.sources.live_source import LiveSource
from vision.sources.source import CameraWish, Source
from vision.sources.source_address import name_of, open_source

if TYPE_CHECKING:
    from desk.phone.station import PhoneStation
    from vision.sources.network.encoded_stream import EncodedFeed


def is_phone(where: str) -> bool:
    return where.strip().lower() == PHONE


class PhoneSource(LiveSource):
    """A phone as a camera; its station closes with it."""

    def __init__(self, station: PhoneStation, **options: Any) -> None:
        self.station = station
        self._printed: str | None = None  # the link, where no page shows it
        super().__init__(PHONE_NAME, self._line, clock_ns=station.now_ns, **options)

    def invite(self) -> None:
        """Print on stderr how a phone connects, and again with another link whenever the phone is away."""
        self._printed = self.station.links[0]
        sys.stderr.write(f"{self.station.describe()}\n")
        sys.stderr.flush()

    def wait(self) -> None:
        self.invite()
        while self.station.stage == "waiting":
            look_s = 0.1
            time.sleep(look_s)

    def _line(self) -> EncodedFeed:
        if self.station.stage == "lost" and self._printed not in {None, self.station.links[0]}:
            sys.stderr.write("the phone is away: its page connects again by itself, or read this code\n")
            self.invite()
        return self.station.connect()

    def close(self) -> None:
        super().close()
        self.station.close()


def open_camera(
    where: str, wish: CameraWish | None = None, phone: PhoneWish | None = None, **options: Any
) -> Source:
    """Open a phone, or a source as in `vision.sources.source_address`, with its measurements applied.

    Raises DeskError if the phone's station cannot be opened, SourceError if there is no such source, or it
    cannot be opened. `wish`: the wanted camera settings; a phone's page has its own. `options`: of
    `LiveSource`.
    """
    return open_bare(where, wish, phone, **live_options(name_of(where)), **options)


def open_bare(
    where: str, wish: CameraWish | None = None, phone: PhoneWish | None = None, **options: Any
) -> Source:
    """Open the source named by `where` without its measurements; otherwise as `open_camera`."""
    if is_phone(where):
        from desk.phone.station import PhoneStation  # imported late: few matches need its server

        return PhoneSource(PhoneStation(phone), **options)
    return open_source(where, wish, **options)
