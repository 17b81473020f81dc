"""Injected faults at simulated tables of Koi-Koi, and lawful games: every flag against the truth.

    python -m benchmarks.tables.koikoi_faults --games 12
    python -m benchmarks.tables.koikoi_faults --eye rests --games 1 --look holdout --deck FOLDER ...
    python -m benchmarks.tables.koikoi_faults --families lawful --rounds 12 --games 30

What has to be flagged is what the referee says to the true moves, and what only the table shows: the fault's
own flag within its turn, and nothing else. The eyes are those of `benchmarks.tables.koikoi_games`; `script`
takes a second of CPU a fault, so that hundreds are refereed in minutes.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from operator import eq
from pathlib import Path

from benchmarks.command import read_options
from benchmarks.tables.koikoi_games import deck_of, told_of
from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.events import GameOpened
from desk.koikoi.game import Game
from desk.koikoi.simulated_table import opened_koikoi
from referee.cards.hanafuda import by_index
from referee.koikoi.events import Call, Deal, Declare, Draw, End, Event, Play
from referee.koikoi.house_rules import preset
from referee.koikoi.match import Match, concluded, step
from vision.simulator.cardtable.koikoi.faults import FAMILIES
from vision.simulator.cardtable.koikoi.game import RoundPlan
from vision.simulator.cardtable.koikoi.manners import MANNERS
from vision.simulator.cardtable.recording import KoiKoiFilm, film_koikoi

_LAWFUL = "lawful"
_SMALL_PX = (320, 180)
"""Size of pictures that nobody draws."""
_ON_THE_TABLE = {"wrong_strip": "wrong_strip", "vanished": "card_vanished", "returned": "card_returned"}
"""Faults that no event says, and their flags."""
_ASTRAY = {"vanished", "returned"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A game as it was refereed.

    Attributes
    ----------
    hit : the fault's flag was raised within its turn; True of lawful games.
    false, missing : flags that should not be, and flags that should be and are not.
    moves, right : how many moves there were, and how many were seen rightly.
    """

    hit: bool
    false: list[str]
    missing: list[str]
    moves: int
    right: int

    @property
    def is_right(self) -> bool:
        """Whether nothing is amiss."""
        return self.hit and not self.false and not self.missing and self.right == self.moves

    def __str__(self) -> str:
        return (
            f"{'flagged' if self.hit else 'MISSED'}, false {self.false}, missing {self.missing}, "
            f"{self.right} of {self.moves} moves"
        )


def refereed(koikoi: KoiKoiFilm, arguments: argparse.Namespace) -> Outcome:
    """Watch a film and compare what is flagged with the truth."""
    scribe = watched(koikoi, arguments).scribe
    flags = [(flag.id.value, flag.t_ms) for flag in scribe.flags]
    for record in scribe.match.rounds:
        for judged in record.flags:
            noted = scribe.notes[min(judged.event, len(scribe.notes) - 1)]
            flags.append((judged.id.value, noted.t_ms))
    wanted, seen = Counter(_expected(koikoi)), Counter(name for name, _ in flags)
    fault = koikoi.filmed.rounds[-1]["fault"]
    hit = fault is None
    if fault is not None:
        first, last = fault["window_ms"]
        hit = any(name in fault["flags"] and first <= t_ms <= last for name, t_ms in flags)
    played = [_move(note.event) for note in scribe.notes if isinstance(note.event, Play | Draw)]
    truth = [_move(event) for event in _events(koikoi) if isinstance(event, Play | Draw)]
    right = sum(map(eq, truth, played)) if len(truth) == len(played) else 0
    return Outcome(
        hit, sorted((seen - wanted).elements()), sorted((wanted - seen).elements()), len(truth), right
    )


def watched(koikoi: KoiKoiFilm, arguments: argparse.Namespace) -> Game:
    """Return the game that the eye sees, with what the players say."""
    players, dealer = koikoi.zones.players, koikoi.rounds[0].dealer
    game = Game(GameOpened("bench", "simulator", players, dealer, preset(), koikoi.deck.name))
    waiting = deque(opened_koikoi(koikoi).words)
    for t_s, event in told_of(koikoi, arguments):
        for each in (None if event is None else game.implied(event), event):
            if each is not None:
                game.follow(each)
        while waiting and waiting[0].t_ms <= t_s * 1000:
            game.follow(KoiKoiDesk.word(waiting.popleft()))
    for word in waiting:
        game.follow(KoiKoiDesk.word(word))
    game.close()
    return game


def _events(koikoi: KoiKoiFilm, *, only_judged: bool = False) -> Iterator[Event]:
    for plan in koikoi.rounds:
        yield Deal(None, koikoi.zones.players, plan.dealer, plan.dealt)
        yield from _moves(plan, only_judged=only_judged)
        if plan.final is not None and plan.final["end"] == "exhausted":
            yield End()


def _moves(plan: RoundPlan, *, only_judged: bool) -> Iterator[Event]:
    for turn in plan.turns:
        for move in turn.moves:
            if move.kind == "play":
                yield Play(turn.player, move.card, move.taken)
            elif move.kind == "draw":
                yield Draw(turn.player, move.card, move.taken)
        if turn.decision is not None:
            yield Declare(turn.player, Call(turn.decision))
        if turn.fault in _ASTRAY and only_judged:
            return  # how the cards lie from then on is not what the events say


def _expected(koikoi: KoiKoiFilm) -> Iterator[str]:
    """Yield what has to be flagged: what the referee says to the true moves, and what the table shows."""
    match = Match(preset())
    fault = koikoi.rounds[-1].fault
    for event in _events(koikoi, only_judged=True):
        match = step(match, event)
    for record in concluded(match).rounds:
        yield from (flag.id.value for flag in record.flags)
    if fault in _ON_THE_TABLE:
        yield _ON_THE_TABLE[fault]


def _move(event: Play | Draw) -> tuple[object, ...]:
    return type(event), event.player, _kind(event.card), sorted(map(_kind, event.taken))


def _kind(card: int) -> tuple[int, str]:
    """Chaff of one month counts as one card."""
    face = by_index(card)
    return face.month, face.name_en


def main() -> None:
    """Measure and print a table."""
    arguments = _arguments()
    decks = cycle([deck_of(folder) for folder in arguments.deck or [None]])
    totals = Counter[str]()
    started_s = time.process_time()
    for family in arguments.families:
        for number in range(arguments.games):
            seed, deck = arguments.seed + number, next(decks)
            players = arguments.players or 2 + number % 3
            koikoi = film_koikoi(
                deck,
                seed=seed,
                players=players,
                rounds=arguments.rounds,
                fault=None if family == _LAWFUL else family,
                look=arguments.look,
                size_px=_SMALL_PX if arguments.eye == "script" else (1280, 720),
                fps=arguments.fps,
                pace=arguments.pace,
                manners=arguments.manners,
            )
            outcome = refereed(koikoi, arguments)
            totals += Counter(
                games=1,
                hits=int(outcome.hit),
                clean=int(outcome.is_right),
                false=len(outcome.false),
                missing=len(outcome.missing),
                moves=outcome.moves,
                right=outcome.right,
            )
            if arguments.all or not outcome.is_right:
                print(f"{family:<15} seed {seed} {players} players {deck.name}: {outcome}", flush=True)
    print(
        f"{totals['hits']} of {totals['games']} flagged, {totals['false']} false flags, "
        f"{totals['missing']} missing, {totals['right']} of {totals['moves']} moves right; "
        f"{time.process_time() - started_s:.0f} CPU s"
    )


def _arguments() -> argparse.Namespace:
    # of `--eye script`, the last three are shares; `--all` prints what is right, too
    return read_options(
        __doc__,
        eye=("script", "film", "rests"),
        families=[*FAMILIES],
        games=12,
        rounds=1,
        players=int,
        seed=61_000,
        look="wood",
        pace=0.8,
        manners=tuple(sorted(MANNERS, key=lambda name: name != "plain")),
        fps=15.0,
        deck=[Path],
        unread=0.0,
        missed=0.0,
        slivers=0.5,
        all=False,
    )


if __name__ == "__main__":
    main()
