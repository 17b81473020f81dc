"""A table under a live camera: pictures come whether anybody is ready or not."""

from __future__ import annotations

from collections.abc import Iterator

from desk.errors import DeskError
from desk.log.clocks import Clock, match_clock
from desk.machine.camera_records import live_options
from desk.tables.source_kind import Source
from desk.tables.table import Cue
from referee.facts import Gap
from vision.frames.frame import Frame
from vision.sources.live_source import LiveSource
from vision.sources.source import SourceError
from vision.sources.source_address import name_of, open_source, shown_address


class CameraTable:
    """A camera over a mat; see `desk.tables.table.Table`.

    Parameters
    ----------
    where : number or device of a camera, or the address of a network stream.

    Raises
    ------
    DeskError
        If the camera cannot be opened; the text says what to try.
    """

    source = Source.CAMERA
    speed = 1.0
    can_wait = False

    def __init__(self, where: str) -> None:
        self.where = where
        self.clock: Clock = match_clock
        try:
            camera = open_source(where, **live_options(name_of(where)))
        except SourceError as error:
            raise DeskError(str(error)) from error
        if not isinstance(camera, LiveSource):
            camera.close()
            raise DeskError(
                f"{shown_address(where)} is not a camera: expected a camera's number, its device or the "
                "address of a stream"
            )
        self._camera = camera
        self.nominal_fps: float | None = camera.format.fps or None

    def happenings(self) -> Iterator[Frame | Gap | Cue]:
        """Iterate over the camera's pictures as they come."""
        return iter(self._camera)

    def show(self, frame: Frame) -> None:
        """Do nothing: a live picture is never too early."""

    def go_on(self) -> None:
        """Do nothing: a live camera did not stand still."""

    @property
    def dropped(self) -> int:
        """How many pictures were lost: missed, overrun, damaged, or the one before once more."""
        counters = self._camera.counters
        return counters.missed + counters.overflowed + counters.damaged + counters.repeated

    @property
    def late_ns(self) -> int:
        """Age of the latest picture when it was handed out."""
        return self._camera.counters.late_ns

    @property
    def exposure_s(self) -> float | None:
        """Exposure time by the driver's own account, where its unit is known."""
        return self._camera.format.exposure_s

    @property
    def problem(self) -> str | None:
        """Why no pictures come now."""
        return self._camera.problem

    def close(self) -> None:
        """Give the camera back."""
        self._camera.close()
