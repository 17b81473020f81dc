"""Opening a camera by its name: `phone` is one that comes by itself, every other one is there already."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from desk.machine.camera_records import PHONE, PHONE_NAME, live_options
from desk.phone.wish import PhoneWish
from vision.sources.formats import CameraWish
from vision.sources.live_source import LiveSource
from vision.sources.source import Source
from vision.sources.source_address import name_of, open_source

if TYPE_CHECKING:
    from desk.phone.station import PhoneStation


def is_phone(where: str) -> bool:
    """Tell whether a camera's name means a phone."""
    return where.strip().lower() == PHONE


class PhoneSource(LiveSource):
    """A phone that is a camera; its door closes with it.

    Attributes
    ----------
    station : its door.
    """

    def __init__(self, station: PhoneStation, **options: Any) -> None:
        self.station = station
        super().__init__(PHONE_NAME, station.connect, clock_ns=station.now_ns, **options)

    def wait(self) -> None:
        """Say on stderr where a phone comes in, and wait until one has."""
        sys.stderr.write(f"{self.station.describe()}\n")
        sys.stderr.flush()
        while self.station.stage == "waiting":
            look_s = 0.1
            time.sleep(look_s)

    def close(self) -> None:
        """Let the phone go."""
        super().close()
        self.station.close()


def open_camera(
    where: str, wish: CameraWish | None = None, phone: PhoneWish | None = None, **options: Any
) -> Source:
    """Open whatever `where` names, with what was measured of it.

    Parameters
    ----------
    where : `phone`, or as in `vision.sources.source_address.open_source`.
    wish : what a camera is asked for; a phone's page has its own choice.
    phone : the phone's door.
    options : of `LiveSource`.

    Raises
    ------
    DeskError
        Where the phone's door cannot be opened.
    SourceError
        Where there is no such source, or it cannot be opened.
    """
    return open_bare(where, wish, phone, **live_options(name_of(where)), **options)


def open_bare(
    where: str, wish: CameraWish | None = None, phone: PhoneWish | None = None, **options: Any
) -> Source:
    """Open whatever `where` names as if nothing had been measured of it; else as `open_camera`."""
    if is_phone(where):
        from desk.phone.station import PhoneStation  # a server and its certificate: few matches need them

        return PhoneSource(PhoneStation(phone), **options)
    return open_source(where, wish, **options)
