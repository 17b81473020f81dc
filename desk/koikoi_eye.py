"""The eye over a Koi-Koi table, for the desk: pictures in, what is worth logging out."""

from __future__ import annotations

from calibration.deck import Deck
from desk.koikoi_events import CardSeenBriefly, DrawnCardSeen, Seen, TableSeen
from desk.koikoi_look import look_of
from desk.preview_picture import preview_of
from referee.cards.hanafuda import HANAFUDA
from vision.card_gallery import CardGallery
from vision.frames import Frame
from vision.table_watcher import TableSettled, TableWatcher
from vision.table_zones import TableZones

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
        self._watcher = TableWatcher(CardGallery.of(deck), zones, glimpse_at=("turn", "field", "capture"))

    @property
    def sees_table(self) -> bool:
        """Whether the table's markers have been found."""
        return self._watcher.plane is not None

    def feed(self, frame: Frame) -> list[Seen]:
        """Look at one more frame; returns what has just been seen, which is mostly nothing."""
        self.latest = frame
        seen: list[Seen] = []
        for fact in self._watcher.feed(frame):
            if isinstance(fact, TableSettled):
                seen.append(TableSeen(look_of(fact, self._zones, self._players)))
            elif fact.zone is not None and fact.zone.name == "turn":
                seen.append(DrawnCardSeen(fact.rested_ns / _MS, HANAFUDA[fact.card_id].index))
            else:
                card, at_stock = HANAFUDA[fact.card_id].index, "stock" in fact.visited
                seen.append(CardSeenBriefly(fact.rested_ns / _MS, card, at_stock))
        return seen

    def preview(self) -> bytes | None:
        """Return the latest picture as a small JPEG."""
        return preview_of(self.latest)
