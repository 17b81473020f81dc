"""One game of each kind at the desk, watched from a film in fast motion."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.degradation.film import CARDS, Film, FilmedMatch, kept
from benchmarks.endurance.films import FastTable, FilmTable, Pictures
from desk.karuta.engine.engine import Engine
from desk.karuta.engine.events import MatchOpened
from desk.karuta.eye.watcher import Watch
from desk.karuta.house.live_match import LiveMatch
from desk.karuta.simulated_hall.official import SimulatedOfficial
from desk.karuta.simulated_hall.table import PoemRead, happenings
from desk.kendo.card_game import KENDO
from desk.kendo.simulation import plan_bout
from desk.koikoi.card_game import KOIKOI
from desk.log.event_log import EventLog
from desk.tables.card_game import CardGame
from desk.tables.live_game import LiveGame, new_desk
from desk.tables.simulated.simulated_film import opened_film
from desk.tables.source_kind import Source
from desk.tables.table_opening import OpenedTable
from referee.karuta.flow.state import Settings
from referee.karuta.ruleset import KYOGI
from referee.kendo.house_rules import preset as kendo_rules
from referee.koikoi.house_rules import preset as koikoi_rules
from vision.plane.printed_table import KENDO_TABLE
from vision.simulator.art.hanafuda import drawn_deck
from vision.simulator.art.kendo.deck import drawn_kendo_deck
from vision.simulator.cardtable.kendo.film import film_kendo
from vision.simulator.cardtable.recording import film_koikoi
from vision.simulator.drawing.sprites import Pixels

_LOOK_S = 0.02
_LONGEST_S = 600.0
"""So long a game of a few minutes may take on a busy machine."""
FPS = {"karuta": 120.0, "koikoi": 30.0, "kendo": 30.0}


@dataclass(frozen=True)
class Game:
    """A game that can be played again and again.

    Attributes
    ----------
    film : its pictures.
    play : plays it once, with its log in the folder, and returns what became of the pictures.
    """

    film: Film
    play: Callable[[Path], Coroutine[None, None, Pictures]]


class _Blank(FilmedMatch):
    """A match whose instants are wanted, and not its pictures."""

    def pictures(self) -> Iterator[tuple[int, Pixels]]:
        """Yield the instants with nothing to see."""
        blank = np.zeros((self.height, self.width), np.uint8)
        return ((t_ns, blank) for t_ns, _ in self.film)


def karuta(seed: int, poems: int) -> Game:
    """Draw a match under a camera at 120 pictures a second."""
    fps = FPS["karuta"]
    match = _Blank(seed, poems, fps, script=False)
    film = match.film
    cues = [item for item in happenings(match) if isinstance(item, PoemRead)]

    async def play(folder: Path) -> Pictures:
        table = FastTable(film, fps, cues)
        rules = replace(KYOGI, joka=False, practice_swings=False)
        opened = MatchOpened("day", Source.CAMERA, Settings(rules=rules, cards_per_side=CARDS))
        with EventLog.create(folder / "match.sqlite") as log:
            engine = Engine.begin(log, opened, clock=table.clock)
            watch, official = Watch(table), SimulatedOfficial(engine)
            live = LiveMatch(engine, watch, folder, attendant=official, patience_s=0.0, opens_itself=True)
            live.begin(asyncio.get_running_loop())
            watch.begin()
            await _until(lambda: watch.has_ended or table.is_over)
            shown = live.port.health()["dropped"]
            await live.end()
            if live.failure is not None:
                raise live.failure
        told = table.pictures
        told.dropped = shown if table.is_over else told.dropped
        return told

    return Game(film, play)


def koikoi(seed: int) -> Game:
    """Draw a round of Koi-Koi at 30 pictures a second."""
    filmed = film_koikoi(drawn_deck(), seed=seed, fps=FPS["koikoi"])
    opened = opened_film("koikoi", filmed, filmed.zones, filmed.rounds[0].dealer)
    return _card_game(KOIKOI, kept(f"koikoi-{seed}", filmed.film.pictures), opened, koikoi_rules())


def kendo(seed: int) -> Game:
    """Draw a bout of the Kendo cards at 30 pictures a second."""
    rules = kendo_rules()
    moves = plan_bout(rules, seed, faults=1).moves
    filmed = film_kendo(drawn_kendo_deck(), moves, seed=seed, fps=FPS["kendo"])
    opened = opened_film("kendo", filmed, KENDO_TABLE)
    return _card_game(KENDO, kept(f"kendo-{seed}", filmed.film.pictures), opened, rules)


def _card_game(game: CardGame[Any], film: Film, opened: OpenedTable, rules: Any) -> Game:
    async def play(folder: Path) -> Pictures:
        table = FilmTable(film, FPS[game.name])
        with EventLog.create(folder / "game.sqlite") as log:
            await _watched(LiveGame(game, new_desk(game, log, opened, rules), table, opened))
        return table.pictures

    return Game(film, play)


async def _watched(live: LiveGame) -> None:
    live.begin(asyncio.get_running_loop())
    await _until(lambda: not live.is_watching)
    await live.end()
    if live.failure is not None:
        raise live.failure


async def _until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(_LONGEST_S):
        while not true():
            await asyncio.sleep(_LOOK_S)
