"""The eye over a card table: pictures in, events for the log of its game out."""

from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

import cv2

from vision.frames.frame import Frame
from vision.hanafuda.gallery import CardGallery
from vision.match.endurance import SkippedLooks
from vision.plane.table_plane import corners_of
from vision.plane.zones import TableZones
from vision.table.watcher import TableFact, TableWatcher

Seen = TypeVar("Seen")
_WIDTH_PX: Final = 960
_QUALITY: Final = 80


class CardTableEye(Generic[Seen]):
    """Watches a table frame by frame; at the zones `glimpse_at` cards count although it is not at rest."""

    def __init__(
        self,
        gallery: CardGallery,
        zones: TableZones,
        event_of: Callable[[TableFact, TableZones], Seen | None],
        glimpse_at: tuple[str, ...] = (),
    ) -> None:
        self.latest: Frame | None = None
        self.zones, self._event_of = zones, event_of
        self._gallery, self._glimpse_at = gallery, glimpse_at
        self.watcher = self._begun()
        self._looks = SkippedLooks()

    @property
    def failures(self) -> Sequence[str]:
        """The error of each picture that was left out, for people."""
        return self._looks.failures

    @property
    def corners(self) -> list[tuple[float, float]] | None:
        """The table's corners in the picture, (x, y) as parts of its size; None while unknown."""
        plane, frame = self.watcher.plane, self.latest
        if plane is None or frame is None:
            return None
        return corners_of(plane, (frame.gray.shape[1], frame.gray.shape[0]))

    def lay(self, zones: TableZones) -> None:
        """Use another table from the next picture on; may be called from any thread."""
        self.zones = zones

    def feed(self, frame: Frame) -> list[Seen]:
        """Take in one more frame, and return what has just been seen, often nothing."""
        self.latest = frame
        if self.watcher.zones is not self.zones:
            self.watcher = self._begun()
        return self._looks.tried(lambda: self._look(frame), frame.t_ns)

    def preview(self) -> bytes | None:
        return preview_of(self.latest)

    def _look(self, frame: Frame) -> list[Seen]:
        zones = self.watcher.zones
        seen = (self._event_of(fact, zones) for fact in self.watcher.feed(frame))
        return [event for event in seen if event is not None]

    def _begun(self) -> TableWatcher:
        return TableWatcher(self._gallery, self.zones, glimpse_at=self._glimpse_at)


def preview_of(frame: Frame | None) -> bytes | None:
    """Return a frame as a small JPEG in colour, None without a frame."""
    if frame is None:
        return None
    picture = frame.colour()
    height_px = round(picture.shape[0] * _WIDTH_PX / picture.shape[1])
    small = cv2.resize(picture, (_WIDTH_PX, height_px), interpolation=cv2.INTER_AREA)
    done, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return jpeg.tobytes() if done else None
