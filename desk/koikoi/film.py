"""Watches the recording of a Koi-Koi table and judges what is played there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from calibration.decks.deck import Deck
from desk.errors import DeskError
from desk.koikoi.attendant import NEXT_ROUND, said
from desk.koikoi.events import GameOpened, NextRound, TableSeen
from desk.koikoi.eye import KoiKoiEye
from desk.koikoi.game import Game
from desk.koikoi.scribe.scribe import Scribe
from desk.koikoi.scribe.unread_deal import LostRound
from desk.tables.film import FilmStats, TableFilm
from desk.tables.log_follower import Following
from desk.tables.recording import Declaration, declarations_in, load_table
from referee.koikoi.events import Call
from referee.koikoi.ruleset import RuleSet
from vision.plane.zones import TableZones


@dataclass(frozen=True, slots=True, eq=False)
class KoiKoiRecording:
    """A recording of a Koi-Koi table.

    Attributes
    ----------
    video : the film.
    rules : the name of its ruleset, or the path of a TOML file.
    players, dealer : how many play, and who deals first.
    deck : the cards.
    zones : the table.
    declarations : what was declared, in the order of time.
    filmed_fps : how many pictures a second were filmed in slow motion, None where the film's times are true.
    """

    video: Path
    rules: str
    players: int
    dealer: int
    deck: Deck
    zones: TableZones
    declarations: tuple[Declaration, ...]
    filmed_fps: float | None = None


def load_koikoi(folder: Path) -> KoiKoiRecording:
    """Read and check a recording's folder.

    Raises
    ------
    DeskError
        Where something is missing or cannot be understood.
    """
    table = load_table(folder, rules="kasu-2008")
    players, dealer = table.number("players"), table.number("dealer")
    table.need_zones("capture", players)
    if dealer >= players:
        raise DeskError(f"{table.path}: dealer is a seat 0..{players - 1}, got {dealer}")
    words = (*(call.value for call in Call), NEXT_ROUND)
    declared = declarations_in(folder, players, words)
    return KoiKoiRecording(
        table.video, table.rules, players, dealer, table.deck, table.zones, declared, table.filmed_fps
    )


@dataclass(frozen=True, slots=True)
class Watched:
    """A recording that was watched to its end.

    Attributes
    ----------
    scribe : what was written down.
    stats : how much film, and what watching it cost.
    failures : what went wrong at what was left out, for people.
    lost_rounds : rounds that were played and of which no deal was understood.
    """

    scribe: Scribe
    stats: FilmStats
    failures: tuple[str, ...] = ()
    lost_rounds: tuple[LostRound, ...] = ()


def watch(
    recording: KoiKoiRecording, rules: RuleSet, watched: Callable[[int], None] | None = None
) -> Watched:
    """Watch a recording from its beginning to its end; `watched` is told the instant of every picture.

    Raises
    ------
    DeskError
        Where the video cannot be read or its table is never seen.
    """
    film = TableFilm(recording.video, recording.filmed_fps, recording.declarations, watched)
    eye = KoiKoiEye(recording.deck, recording.zones, recording.players)
    players, dealer = recording.players, recording.dealer
    opened = GameOpened("recording", "video", players, dealer, rules, recording.deck.name)
    following = Following(Game.read, [(0, opened)])
    for frame, declared in film:
        for event in eye.feed(frame):
            if isinstance(event, TableSeen) and following.game.is_new_deal(event.look):
                following.tell(NextRound(event.look.t_ms))
            following.tell(event)
        for word in declared:
            following.tell(said(word))
    for word in film.end(table_was_seen=eye.sees_table, markers=eye.markers):
        following.tell(said(word))
    following.finish(Game.close)
    game = following.game
    failures = (*eye.failures, *following.failures)
    return Watched(game.scribe, film.stats, failures, game.lost_rounds)
