"""The eye over a court of Kendo cards: pictures in, events for the log out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from calibration.decks.deck import Deck
from desk.kendo.events import CourtSeen, CourtUnseen
from desk.kendo.look import SEATS, look_of
from desk.tables.preview_picture import preview_of
from referee.cards.kendo import Card, face_name
from referee.kendo.deck import plausible_deck
from vision.frames.frame import Frame
from vision.hanafuda.gallery import CardGallery
from vision.match.patience import LookByLook
from vision.plane.zones import TableZones
from vision.table.watcher import TableSettled, TableUnseen, TableWatcher


class KendoEye:
    """Takes every frame, and returns the court when it has come to rest or was not seen.

    Parameters
    ----------
    deck : the faces.
    zones : the table.
    """

    def __init__(self, deck: Deck, zones: TableZones) -> None:
        self._zones = zones
        self._table = TableWatcher(CardGallery.of(deck, _copies(deck)), zones)
        self._looks = LookByLook()
        self._latest: Frame | None = None

    @property
    def failures(self) -> Sequence[str]:
        """The error of each picture that was left out, for people."""
        return self._looks.failures

    @property
    def sees_table(self) -> bool:
        """Whether the table's markers have been found."""
        return self._table.plane is not None

    @property
    def markers(self) -> frozenset[int]:
        """The numbers of the largest set of markers that were seen together."""
        return self._table.markers

    @property
    def blank_looks(self) -> int:
        """How often the court came to rest while no card has ever been named."""
        return self._table.blank_looks

    @property
    def shows_small_cards(self) -> bool:
        """Whether cards are so small in the picture that nothing is read."""
        return self._table.shows_small_cards

    def feed(self, frame: Frame) -> list[CourtSeen | CourtUnseen]:
        """Take in one more frame, and return what has just been seen, often nothing."""
        self._latest = frame
        return self._looks.tried(lambda: self._look(frame), frame.t_ns)

    def _look(self, frame: Frame) -> list[CourtSeen | CourtUnseen]:
        seen: list[CourtSeen | CourtUnseen] = []
        for fact in self._table.feed(frame):
            if isinstance(fact, TableSettled):
                seen.append(CourtSeen(look_of(fact, self._zones)))
            elif isinstance(fact, TableUnseen):
                seen.append(CourtUnseen(fact.t_from_ns / 1e6, fact.t_to_ns / 1e6))
        return seen

    def preview(self) -> bytes | None:
        """Return the latest picture as a small JPEG."""
        return preview_of(self._latest)


def _copies(deck: Deck) -> dict[str, int]:
    """Return for each face the number of cards of a box that can lie on the court."""
    box = plausible_deck()
    numbered = Counter(face_name(card, number) for card, number in box.brown)
    cards: tuple[Card, ...] = (*box.red, *box.green)
    others = Counter(face_name(card) for card in cards)
    marks = {"hajime": SEATS, "ippon": SEATS, "hansoku": 2 * SEATS}
    counts = {**numbered, **others, **marks}
    return {name: max(counts.get(name, 1), 1) for name in deck.pictures}
