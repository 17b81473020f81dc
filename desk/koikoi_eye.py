"""The eye over a Koi-Koi table, for the desk: pictures in, what is worth logging out."""

from __future__ import annotations

import cv2

from calibration.deck import Deck
from desk.koikoi_events import DrawnCardSeen, TableSeen
from desk.koikoi_look import look_of
from referee.cards.hanafuda import HANAFUDA
from vision.card_gallery import CardGallery
from vision.frames import Frame
from vision.table_watcher import TableSettled, TableWatcher
from vision.table_zones import TableZones

_PREVIEW_WIDTH_PX = 960
_PREVIEW_QUALITY = 80
_MS = 1_000_000


class KoiKoiEye:
    """Watches a table frame by frame.

    Attributes
    ----------
    latest : the latest picture, None before the first.

    Parameters
    ----------
    deck : the cards that are played with.
    zones : the table.
    players : how many play.
    """

    def __init__(self, deck: Deck, zones: TableZones, players: int) -> None:
        self.latest: Frame | None = None
        self._zones, self._players = zones, players
        self._watcher = TableWatcher(CardGallery.of(deck), zones, glimpse_at=("turn",))

    @property
    def sees_table(self) -> bool:
        """Whether the table's markers have been found."""
        return self._watcher.plane is not None

    def feed(self, frame: Frame) -> list[TableSeen | DrawnCardSeen]:
        """Look at one more frame; returns what has just been seen, which is mostly nothing."""
        self.latest = frame
        seen: list[TableSeen | DrawnCardSeen] = []
        for fact in self._watcher.feed(frame):
            if isinstance(fact, TableSettled):
                seen.append(TableSeen(look_of(fact, self._zones, self._players)))
            else:
                seen.append(DrawnCardSeen(fact.t_ns / _MS, HANAFUDA[fact.card_id].index))
        return seen

    def preview(self) -> bytes | None:
        """Return the latest picture as a small JPEG."""
        if self.latest is None:
            return None
        picture = self.latest.colour()
        height_px = round(picture.shape[0] * _PREVIEW_WIDTH_PX / picture.shape[1])
        small = cv2.resize(picture, (_PREVIEW_WIDTH_PX, height_px), interpolation=cv2.INTER_AREA)
        done, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, _PREVIEW_QUALITY])
        return jpeg.tobytes() if done else None
