"""A table under a live camera, whose pictures do not wait."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from desk.errors import DeskError
from desk.log.clocks import Clock, match_clock
from desk.phone.camera import PhoneSource, open_camera
from desk.phone.wish import PhoneWish
from desk.tables.source_kind import Source
from desk.tables.table import Cue
from referee.facts import Gap
from vision.frames.frame import Frame
from vision.sources.live_source import LiveSource
from vision.sources.source import CameraWish, SourceError
from vision.sources.source_address import shown_address

if TYPE_CHECKING:
    from desk.phone.station import PhoneStation


class CameraTable:
    """A camera, stream or `phone` over a mat; DeskError says what to try if it does not open."""

    source = Source.CAMERA
    speed = 1.0
    can_wait = False

    def __init__(self, where: str, phone: PhoneWish | None = None) -> None:
        self.where = where
        self.clock: Clock = match_clock
        with DeskError.wrapping("", SourceError):
            camera = open_camera(where, CameraWish(holds=True), phone)
        if not isinstance(camera, LiveSource):
            camera.close()
            raise DeskError(
                "{where} is not a camera: expected a camera's number, its device, the address of a "
                "stream, or phone",
                where=shown_address(where),
            )
        self._camera = camera
        if isinstance(camera, PhoneSource):  # for commands without a page that shows the code
            camera.invite()

    @property
    def station(self) -> PhoneStation | None:
        """The station that the phone connects to, None if the camera is no phone."""
        return self._camera.station if isinstance(self._camera, PhoneSource) else None

    @property
    def nominal_fps(self) -> float | None:
        return self._camera.format.fps or None

    def happenings(self) -> Iterator[Frame | Gap | Cue]:
        return iter(self._camera)

    def show(self, frame: Frame) -> None:
        """Do nothing: a live picture is always due."""

    def go_on(self) -> None:
        """Do nothing: a live camera does not stop."""

    @property
    def dropped(self) -> int:
        """Number of lost pictures: missed, overrun, damaged, or repeated."""
        counters = self._camera.counters
        return counters.missed + counters.overflowed + counters.damaged + counters.repeated

    @property
    def late_ns(self) -> int:
        return self._camera.counters.late_ns

    @property
    def exposure_s(self) -> float | None:
        return self._camera.format.exposure_s

    @property
    def automatic(self) -> tuple[str, ...] | None:
        return self._camera.format.automatic

    @property
    def problem(self) -> str | None:
        return self._camera.problem

    def close(self) -> None:
        self._camera.close()
