"""The eye over a Koi-Koi table for the desk: pictures in, events for the log out."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.decks.deck import Deck
from desk.koikoi.events import CardSeenBriefly, DrawnCardSeen, Seen, StripSeenBriefly, TableSeen, TableUnseen
from desk.koikoi.scribe.look import look_of, numbered_print, seats_at
from desk.tables.preview_picture import preview_of
from referee.cards.hanafuda import HANAFUDA
from vision.frames.frame import Frame
from vision.hanafuda.gallery import CardGallery
from vision.match.patience import LookByLook
from vision.plane.table_plane import corners_of
from vision.plane.zones import TableZones
from vision.table import watcher as table_watcher
from vision.table.watcher import CardGlimpsed, StripGlimpsed, TableFact, TableSettled, TableWatcher

_MS = 1_000_000


def _reach_ms(fact: CardGlimpsed) -> float | None:
    """Return how long an arm was over the table until a card lay in the middle, in ms; None if unknown."""
    if not _has_been_laid(fact) or (fact.zone is not None and fact.zone.name == "capture"):
        return None
    return (fact.rested_ns - (fact.reached_ns or 0)) / _MS


def _has_been_laid(fact: CardGlimpsed) -> bool:
    """Tell whether the card was laid while the latest arm was over the table."""
    return fact.reached_ns is not None and fact.rested_ns >= fact.reached_ns


def seen_by(fact: TableFact, zones: TableZones, players: int) -> Seen | None:
    """Return a fact of the eye as an event of the log; None for strips outside the piles."""
    if isinstance(fact, TableSettled):
        return TableSeen(look_of(fact, zones, players))
    if isinstance(fact, table_watcher.TableUnseen):
        return TableUnseen(fact.t_from_ns / _MS, fact.t_to_ns / _MS)
    if isinstance(fact, StripGlimpsed):
        seat = fact.zone.number if fact.zone is not None and fact.zone.name == "capture" else None
        return None if seat is None else StripSeenBriefly(fact.t_ns / _MS, seat, numbered_print(fact.alike))
    index = HANAFUDA[fact.card_id].index
    seats = seats_at(fact.arms, zones) if _has_been_laid(fact) else frozenset()
    if fact.zone is not None and fact.zone.name == "turn":
        return DrawnCardSeen(fact.rested_ns / _MS, index, seats)
    # a card in a pile lies on others without taking them
    is_captured = fact.zone is not None and fact.zone.name == "capture"
    over = None if fact.over is None or is_captured else HANAFUDA[fact.over].index
    at_stock = "stock" in fact.visited
    t_ms, reach_ms = fact.rested_ns / _MS, _reach_ms(fact)
    return CardSeenBriefly(t_ms, index, at_stock, over, reach_ms, is_captured, seats)


class KoiKoiEye:
    """Watches a table frame by frame.

    Attributes
    ----------
    latest : the latest picture, None before the first.
    zones : the table.

    Parameters
    ----------
    deck : the cards.
    zones : the table.
    players : number of players.
    """

    def __init__(self, deck: Deck, zones: TableZones, players: int) -> None:
        self.latest: Frame | None = None
        self.zones, self._players = zones, players
        self._gallery = CardGallery.of(deck)
        self._watcher = self._begun()
        self._looks = LookByLook()

    @property
    def failures(self) -> Sequence[str]:
        """The error of each picture that was left out, for people."""
        return self._looks.failures

    @property
    def sees_table(self) -> bool:
        """Whether the table's markers have been found."""
        return self._watcher.plane is not None

    @property
    def markers(self) -> frozenset[int]:
        """The numbers of the largest set of markers that were seen together."""
        return self._watcher.markers

    @property
    def blank_looks(self) -> int:
        """How often the table came to rest while no card has ever been named."""
        return self._watcher.blank_looks

    @property
    def shows_small_cards(self) -> bool:
        """Whether cards are so small in the picture that nothing is read."""
        return self._watcher.shows_small_cards

    @property
    def corners(self) -> list[tuple[float, float]] | None:
        """The table's corners in the picture, (x, y) as parts of its size; None while unknown."""
        plane, frame = self._watcher.plane, self.latest
        if plane is None or frame is None:
            return None
        return corners_of(plane, (frame.gray.shape[1], frame.gray.shape[0]))

    def lay(self, zones: TableZones) -> None:
        """Use another table from the next picture on; may be called from any thread."""
        self.zones = zones

    def feed(self, frame: Frame) -> list[Seen]:
        """Take in one more frame, and return what has just been seen, often nothing."""
        self.latest = frame
        if self._watcher.zones is not self.zones:
            self._watcher = self._begun()
        return self._looks.tried(lambda: self._look(frame), frame.t_ns)

    def _look(self, frame: Frame) -> list[Seen]:
        zones = self._watcher.zones
        seen = (seen_by(fact, zones, self._players) for fact in self._watcher.feed(frame))
        return [event for event in seen if event is not None]

    def _begun(self) -> TableWatcher:
        return TableWatcher(self._gallery, self.zones, glimpse_at=("turn", "field", "capture"))

    def preview(self) -> bytes | None:
        """Return the latest picture as a small JPEG."""
        return preview_of(self.latest)
