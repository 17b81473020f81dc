"""Watching a court of Kendo cards, filmed or live, and writing the bout down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from calibration.decks.deck import Deck
from desk.kendo.desk import read_bout
from desk.kendo.events import BoutOpened, CourtSeen, CourtUnseen, Said
from desk.kendo.look import CourtLook, look_of
from desk.kendo.scribe import WORDS, Scribe
from desk.tables.film import FilmStats, TableFilm
from desk.tables.log_follower import Following
from desk.tables.recording import TableRecording, declarations_in, load_table
from referee.cards.kendo import Card, face_name
from referee.kendo.deck import plausible_deck
from referee.kendo.ruleset import RuleSet
from vision.frames.frame import Frame
from vision.hanafuda.gallery import CardGallery
from vision.match.patience import LookByLook
from vision.plane.zones import TableZones
from vision.table.watcher import TableSettled, TableUnseen, TableWatcher

SEATS = 2


@dataclass(frozen=True, slots=True)
class WatchedBout:
    """A recording that was watched to its end.

    Attributes
    ----------
    scribe : the scribe that wrote the bout down.
    looks : the court at each rest.
    stats : statistics of watching.
    failures : the errors at what was left out, for people.
    """

    scribe: Scribe
    looks: tuple[CourtLook, ...]
    stats: FilmStats
    failures: tuple[str, ...] = ()


class CourtWatcher:
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

    def feed(self, frame: Frame) -> list[CourtSeen | CourtUnseen]:
        """Take in one more frame, and return what has just been seen, often nothing."""
        return self._looks.tried(lambda: self._look(frame), frame.t_ns)

    @property
    def failures(self) -> Sequence[str]:
        """The error of each picture that was left out, for people."""
        return self._looks.failures

    def _look(self, frame: Frame) -> list[CourtSeen | CourtUnseen]:
        seen: list[CourtSeen | CourtUnseen] = []
        for fact in self._table.feed(frame):
            if isinstance(fact, TableSettled):
                seen.append(CourtSeen(look_of(fact, self._zones)))
            elif isinstance(fact, TableUnseen):
                seen.append(CourtUnseen(fact.t_from_ns / 1e6, fact.t_to_ns / 1e6))
        return seen

    @property
    def has_seen_the_table(self) -> bool:
        """Whether the four markers have been seen."""
        return self._table.plane is not None

    @property
    def markers(self) -> frozenset[int]:
        """The numbers of the largest set of markers that were seen together."""
        return self._table.markers

    @property
    def blank_looks(self) -> int:
        """How often the court came to rest while no card has ever been named."""
        return self._table.blank_looks


def load_court(folder: Path) -> TableRecording:
    """Read the folder of a filmed court.

    Raises
    ------
    DeskError
        If something is missing or wrong.
    """
    table = load_table(folder, rules="seed-003")
    table.need_zones("court", SEATS)
    return table


def watch(folder: Path, rules: RuleSet, watched: Callable[[int], None] | None = None) -> WatchedBout:
    """Watch a whole recording; `watched` is called with the instant of every picture, in nanoseconds.

    Raises
    ------
    DeskError
        If the recording cannot be read or its table is never seen.
    """
    court = load_court(folder)
    film = TableFilm(court.video, court.filmed_fps, declarations_in(folder, SEATS, WORDS), watched)
    watcher = CourtWatcher(court.deck, court.zones)
    opened = BoutOpened("recording", "video", rules, court.deck.name, court.deck.width_mm)
    following = Following(read_bout, [(0, opened)])
    looks: list[CourtLook] = []
    for frame, declared in film:
        seen = watcher.feed(frame)
        # declarations made in an unseen stretch count after it
        for event in seen:
            if isinstance(event, CourtUnseen):
                following.tell(event)
        for word in declared:
            following.tell(Said(word.t_ms, word.player, word.what))
        for event in seen:
            if isinstance(event, CourtSeen):
                following.tell(event)
                looks.append(event.look)
    for word in film.end(table_was_seen=watcher.has_seen_the_table, markers=watcher.markers):
        following.tell(Said(word.t_ms, word.player, word.what))
    failures = (*watcher.failures, *following.failures)
    return WatchedBout(following.game.scribe, tuple(looks), film.stats, failures)


def _copies(deck: Deck) -> dict[str, int]:
    """Return for each face the number of cards of a box that can lie on the court."""
    box = plausible_deck()
    numbered = Counter(face_name(card, number) for card, number in box.brown)
    cards: tuple[Card, ...] = (*box.red, *box.green)
    others = Counter(face_name(card) for card in cards)
    marks = {"hajime": SEATS, "ippon": SEATS, "hansoku": 2 * SEATS}
    counts = {**numbered, **others, **marks}
    return {name: max(counts.get(name, 1), 1) for name in deck.pictures}
