"""Watching a court of Kendo cards, filmed or live, and writing the bout down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from desk.kendo.desk import read_bout
from desk.kendo.events import BoutOpened, CourtSeen, CourtUnseen, Said
from desk.kendo.eye import KendoEye
from desk.kendo.look import SEATS, CourtLook
from desk.kendo.scribe import WORDS, Scribe
from desk.tables.film import FilmStats, TableFilm
from desk.tables.log_follower import Following
from desk.tables.recording import TableRecording, declarations_in, load_table
from referee.kendo.ruleset import RuleSet


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
    eye = KendoEye(court.deck, court.zones)
    opened = BoutOpened("recording", "video", rules, court.deck.name, court.deck.width_mm)
    following = Following(read_bout, [(0, opened)])
    looks: list[CourtLook] = []
    for frame, declared in film:
        seen = eye.feed(frame)
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
    for word in film.end(table_was_seen=eye.sees_table, markers=eye.markers):
        following.tell(Said(word.t_ms, word.player, word.what))
    failures = (*eye.failures, *following.failures)
    return WatchedBout(following.game.scribe, tuple(looks), film.stats, failures)
