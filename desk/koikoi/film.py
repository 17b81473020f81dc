"""Watching the recording of a Koi-Koi table and judging what is played there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from calibration.decks.deck import Deck
from desk.errors import DeskError
from desk.koikoi.attendant import NEXT_ROUND, said
from desk.koikoi.events import GameOpened, LoggedEvent, NextRound, TableSeen
from desk.koikoi.eye import KoiKoiEye
from desk.koikoi.game import Game
from desk.tables.film import FilmStats, TableFilm
from desk.tables.log_follower import Following
from desk.tables.recording import Declaration, declarations_in, load_table
from referee.koikoi.events import Call, Play
from referee.koikoi.ruleset import RuleSet
from vision.plane.zones import TableZones


@dataclass(frozen=True, slots=True, eq=False)
class KoiKoiRecording:
    """A recording of a Koi-Koi table.

    Attributes
    ----------
    video : the film.
    rules : the name of its ruleset, or the path of a TOML file.
    players : number of players.
    dealer : the first dealer, None if nobody has said.
    deck : the cards.
    zones : the table.
    declarations : the declarations in order of time.
    filmed_fps : pictures per second at which slow motion was filmed, None if the film's times are true.
    """

    video: Path
    rules: str
    players: int
    dealer: int | None
    deck: Deck
    zones: TableZones
    declarations: tuple[Declaration, ...]
    filmed_fps: float | None = None


def load_koikoi(folder: Path) -> KoiKoiRecording:
    """Read and check a recording's folder.

    Raises
    ------
    DeskError
        If something is missing or wrong.
    """
    table = load_table(folder, rules="kasu-2008")
    players = table.number("players")
    dealer = table.number("dealer") if "dealer" in table.head else None
    table.need_zones("capture", players)
    if dealer is not None and dealer >= players:
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
    game : the game, with its lost rounds.
    stats : statistics of watching.
    failures : the errors at what was left out, for people.
    """

    game: Game
    stats: FilmStats
    failures: tuple[str, ...] = ()


def watch(
    recording: KoiKoiRecording, rules: RuleSet, watched: Callable[[int], None] | None = None
) -> Watched:
    """Watch a whole recording; `watched` is called with the instant of every picture, in nanoseconds.

    The dealer plays first. If nobody has said who deals, the seat that plays the first card is the dealer.

    Raises
    ------
    DeskError
        If the video cannot be read or its table is never seen.
    """
    film = TableFilm(recording.video, recording.filmed_fps, recording.declarations, watched)
    eye = KoiKoiEye(recording.deck, recording.zones, recording.players)
    events: list[LoggedEvent] = []
    for frame, declared in film:
        events += [*eye.feed(frame), *map(said, declared)]
    events += map(said, film.end(table_was_seen=eye.sees_table, markers=eye.markers))
    following = _followed(recording, rules, recording.dealer or 0, events)
    first = _first_player(following.game)
    if recording.dealer is None and first:
        following = _followed(recording, rules, first, events)
    return Watched(following.game, film.stats, (*eye.failures, *following.failures))


def _followed(
    recording: KoiKoiRecording, rules: RuleSet, dealer: int, events: Sequence[LoggedEvent]
) -> Following[Game]:
    """Return the game after all events and its end."""
    opened = GameOpened("recording", "video", recording.players, dealer, rules, recording.deck.name)
    following = Following(Game.read, [(0, opened)])
    for event in events:
        if isinstance(event, TableSeen) and following.game.is_new_deal(event.look):
            following.tell(NextRound(event.look.t_ms))
        following.tell(event)
    following.finish(Game.close)
    return following


def _first_player(game: Game) -> int | None:
    """Return the seat that plays the first card, None if no card is played."""
    plays = (noted.event for noted in game.scribe.notes if isinstance(noted.event, Play))
    return next((play.player for play in plays), None)
