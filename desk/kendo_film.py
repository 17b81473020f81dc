"""Watches a court of Kendo cards, filmed or live, and writes the bout down."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from calibration.deck import Deck
from desk.errors import DeskError
from desk.kendo_look import CourtLook, look_of
from desk.kendo_scribe import WORDS, Scribe
from desk.table_recording import TableRecording, declarations_in, load_table
from referee.cards.kendo import Card, face_name
from referee.kendo.deck import plausible_deck
from referee.kendo.ruleset import RuleSet
from vision.card_gallery import CardGallery
from vision.frames import Frame
from vision.sources.video import VideoError, VideoSource
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
    frames, video_s, cpu_s : how much film, and what watching it cost.
    """

    scribe: Scribe
    looks: tuple[CourtLook, ...]
    frames: int
    video_s: float
    cpu_s: float


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
    started_ns = time.process_time_ns()
    court = load_court(folder)
    watcher, scribe = CourtWatcher(court.deck, court.zones), Scribe(rules, court.deck.width_mm)
    waiting = list(declarations_in(folder, SEATS, WORDS))
    looks: list[CourtLook] = []
    frames, first_ns, last_ns = 0, None, 0
    try:
        for frame in VideoSource(court.video, court.filmed_fps):
            while waiting and waiting[0].t_ms * 1e6 <= frame.t_ns:
                said = waiting.pop(0)
                scribe.say(said.t_ms, said.player, said.what)
            for look in watcher.feed(frame):
                scribe.look(look)
                looks.append(look)
            first_ns = frame.t_ns if first_ns is None else first_ns
            frames, last_ns = frames + 1, frame.t_ns
    except VideoError as error:
        raise DeskError(str(error)) from error
    if not watcher.has_seen_the_table:
        raise DeskError(
            f"{court.video}: the table was never seen: its four markers (4x4 ArUco, numbers 0 to 3 clockwise "
            "from the upper left) must be in view while nothing moves"
        )
    for said in waiting:
        scribe.say(said.t_ms, said.player, said.what)
    cpu_s = (time.process_time_ns() - started_ns) / 1e9
    return WatchedBout(scribe, tuple(looks), frames, (last_ns - (first_ns or 0)) / 1e9, cpu_s)


def _copies(deck: Deck) -> dict[str, int]:
    """Return how many cards of a box can lie on the court with each face."""
    box = plausible_deck()
    numbered = Counter(face_name(card, number) for card, number in box.brown)
    cards: tuple[Card, ...] = (*box.red, *box.green)
    others = Counter(face_name(card) for card in cards)
    marks = {"hajime": SEATS, "ippon": SEATS, "hansoku": 2 * SEATS}
    counts = {**numbered, **others, **marks}
    return {name: max(counts.get(name, 1), 1) for name in deck.pictures}
