"""Watches a court of Kendo cards, filmed or live, and writes the bout down."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from calibration.deck import Deck
from desk.kendo_look import CourtLook, look_of
from desk.kendo_scribe import WORDS, Scribe
from desk.table_film import FilmStats, TableFilm
from desk.table_recording import TableRecording, declarations_in, load_table
from referee.cards.kendo import Card, face_name
from referee.kendo.deck import plausible_deck
from referee.kendo.ruleset import RuleSet
from vision.card_gallery import CardGallery
from vision.frames import Frame
from vision.table_watcher import TableSettled, TableWatcher
from vision.table_zones import TableZones

SEATS = 2


@dataclass(frozen=True, slots=True)
class WatchedBout:
    """A recording that was watched to its end.

    Attributes
    ----------
    scribe : what was written down.
    looks : the court each time it had come to rest.
    stats : how much film, and what watching it cost.
    """

    scribe: Scribe
    looks: tuple[CourtLook, ...]
    stats: FilmStats


class CourtWatcher:
    """Feed it every frame; it answers with the court when that has come to rest.

    Parameters
    ----------
    deck : the faces.
    zones : the table.
    """

    def __init__(self, deck: Deck, zones: TableZones) -> None:
        self._zones = zones
        self._table = TableWatcher(CardGallery.of(deck, _copies(deck)), zones)

    def feed(self, frame: Frame) -> list[CourtLook]:
        """Look at one more frame; returns the court when it has just been read, else nothing."""
        facts = self._table.feed(frame)
        return [look_of(fact, self._zones) for fact in facts if isinstance(fact, TableSettled)]

    @property
    def has_seen_the_table(self) -> bool:
        """Whether the four markers have been seen."""
        return self._table.plane is not None


def load_court(folder: Path) -> TableRecording:
    """Read the folder of a filmed court.

    Raises
    ------
    DeskError
        Where something is missing or cannot be understood.
    """
    table = load_table(folder, rules="seed-003")
    table.need_zones("court", SEATS)
    return table


def watch(folder: Path, rules: RuleSet) -> WatchedBout:
    """Watch a recording from its beginning to its end.

    Raises
    ------
    DeskError
        Where the recording cannot be read or its table is never seen.
    """
    court = load_court(folder)
    film = TableFilm(court.video, court.filmed_fps, declarations_in(folder, SEATS, WORDS))
    watcher, scribe = CourtWatcher(court.deck, court.zones), Scribe(rules, court.deck.width_mm)
    looks: list[CourtLook] = []
    for frame, declared in film:
        for word in declared:
            scribe.say(word.t_ms, word.player, word.what)
        for look in watcher.feed(frame):
            scribe.look(look)
            looks.append(look)
    for word in film.end(table_was_seen=watcher.has_seen_the_table):
        scribe.say(word.t_ms, word.player, word.what)
    return WatchedBout(scribe, tuple(looks), film.stats)


def _copies(deck: Deck) -> dict[str, int]:
    """Return how many cards of a box can lie on the court with each face."""
    box = plausible_deck()
    numbered = Counter(face_name(card, number) for card, number in box.brown)
    cards: tuple[Card, ...] = (*box.red, *box.green)
    others = Counter(face_name(card) for card in cards)
    marks = {"hajime": SEATS, "ippon": SEATS, "hansoku": 2 * SEATS}
    counts = {**numbered, **others, **marks}
    return {name: max(counts.get(name, 1), 1) for name in deck.pictures}
