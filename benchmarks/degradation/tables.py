"""Watch a card table where something is lacking: what is seen wrongly, and what the page says.

`uv run python -m benchmarks.degradation.tables [--game kendo] [--scenes NAME ...] [--seconds 45]`

So much of a simulated bout of the Kendo cards, or round of Koi-Koi, is drawn once, kept in
`benchmarks/cache`, and watched in each scene, as fast as the eye looks. Each event that the desk notes is
right or wrong by the film's truth; a move that it does not note is missed. Told are also the flags that
nobody earned, and after how many seconds of the film the page says each of its warnings.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from difflib import SequenceMatcher
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.command import read_options, write_json
from benchmarks.degradation.film import Film, Pictures, kept
from benchmarks.degradation.scenes import every, small, spoilt
from calibration.decks.deck import Deck
from desk.commands.demo.kendo import compare as compare_bout
from desk.kendo.card_game import KENDO
from desk.kendo.simulation import plan_bout
from desk.koikoi.card_game import KOIKOI
from desk.log.event_log import EventLog
from desk.tables.live_game import LiveGame, new_desk
from desk.tables.live_table import LiveTable
from desk.tables.simulated.scripted_table import ScriptedTable
from desk.tables.simulated.simulated_film import opened_film
from desk.tables.source_kind import Source
from referee.cards.hanafuda import by_index
from referee.kendo.house_rules import preset as kendo_rules
from referee.koikoi.events import Draw, Play
from referee.koikoi.house_rules import preset as koikoi_rules
from vision.frames.frame import Frame
from vision.plane.printed_table import KENDO_TABLE
from vision.simulator.art.hanafuda import drawn_deck
from vision.simulator.art.kendo.deck import drawn_kendo_deck
from vision.simulator.cardtable.film import Film as DrawnFilm
from vision.simulator.cardtable.kendo.film import film_kendo
from vision.simulator.cardtable.recording import film_koikoi
from vision.simulator.drawing.disturbances import (
    Bystander,
    Dusk,
    Hunting,
    Knock,
    Ripple,
)
from vision.simulator.drawing.sprites import Pixels

FPS, FAST = 30.0, 1e6
BEGINS_S = 8.0
"""From then on something lacks: the table has been found, and the deal lies there."""
_DOUBTS = frozenset({"unsure"})
"""Flags that say what was not seen, and accuse nobody."""
Spoil = Callable[[Pictures], Pictures]


SCENES: dict[str, Spoil] = {
    "nothing lacks": lambda pictures: pictures,
    "10 pictures a second": partial(every, 3),
    "640 x 360": small,
    "480 x 270": partial(small, width_px=480),
    "320 x 180": partial(small, width_px=320),
    "dim light": spoilt(Dusk(BEGINS_S, 0.25, 6.0)),
    "flicker of 50 Hz mains": spoilt(Ripple(BEGINS_S, 100.0, 0.3)),
    "flicker of 60 Hz mains": spoilt(Ripple(BEGINS_S, 120.0, 0.3)),
    "hunting autofocus": spoilt(Hunting(BEGINS_S, 2.5, 4.0)),
    "bumped camera": spoilt(Knock(BEGINS_S, (0.012, -0.008), 0.8)),
    "blocked view": spoilt(Bystander(BEGINS_S, 60.0, 0.45)),
    "wrong deck": lambda pictures: pictures,
}


@dataclass
class Outcome:
    """What came of a scene.

    Attributes
    ----------
    right, wrong, missed : events that were noted as they happened, that were noted and did not happen so, and
        that were not noted.
    flags : flags that nobody earned.
    warned_s : when each warning was on the page first.
    """

    right: int = 0
    wrong: int = 0
    missed: int = 0
    flags: int = 0
    warned_s: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Noted:
    """What a desk noted, what really happened, and the flags that nobody earned and that claim no doubt."""

    events: list[str]
    truth: list[str]
    flags: int


Opening = Callable[
    [EventLog, ScriptedTable, Callable[[Deck], Deck]], tuple[LiveTable[Any], Callable[[], Noted]]
]


def kendo(seed: int, seconds: float) -> tuple[Film, Opening]:
    """Draw so much of a bout; return its film, and how it is opened at a table with an enrolled box."""
    rules, planned = kendo_rules(), plan_bout(kendo_rules(), seed, faults=1)
    film = film_kendo(drawn_kendo_deck(), planned.moves, seed=seed, fps=FPS)

    def begun(log: EventLog, table: ScriptedTable, other: Callable[[Deck], Deck]) -> Any:
        deck = other(film.deck)
        opened = replace(opened_film("kendo", film, KENDO_TABLE), deck=deck)
        desk = new_desk(KENDO, log, opened, rules)
        live = LiveGame(KENDO, desk, table, opened)

        def noted() -> Noted:
            report = compare_bout(desk, planned)
            accused = [flag for flag in report.other_flags if not flag.startswith("unsure")]
            extra = max(0, len(report.rows) - len(report.true_rows))
            return Noted(report.events, report.true_events, len(accused) + extra)

        return live, noted

    return kept(f"kendo-{seed}-{seconds:g}s", partial(_begun, film.film, seconds)), begun


def koikoi(seed: int, seconds: float) -> tuple[Film, Opening]:
    """Draw so much of a round; see `kendo`."""
    film = film_koikoi(drawn_deck(), seed=seed, fps=FPS)

    def begun(log: EventLog, table: ScriptedTable, other: Callable[[Deck], Deck]) -> Any:
        deck = other(film.deck)
        opened = replace(opened_film("koikoi", film, film.zones, film.rounds[0].dealer), deck=deck)
        desk = new_desk(KOIKOI, log, opened, koikoi_rules())
        live = LiveGame(KOIKOI, desk, table, opened)

        def noted() -> Noted:
            match, scribe = desk.game.match, desk.game.scribe
            flags = [flag.id.value for record in match.rounds for flag in record.flags]
            flags += [flag.id.value for flag in scribe.flags]
            events = [
                _said(type(note.event).__name__.lower(), note.event.player, note.event.card, note.event.taken)
                for note in scribe.notes
                if isinstance(note.event, Play | Draw)
            ]
            truth = [
                _said(event["kind"], event["player"], event["card"], event["taken"])
                for event in film.filmed.rounds[0]["events"]
                if event["kind"] != "deal"
            ]
            return Noted(events, truth, sum(flag not in _DOUBTS for flag in flags))

        return live, noted

    return kept(f"koikoi-{seed}-{seconds:g}s", partial(_begun, film.film, seconds)), begun


def _begun(film: DrawnFilm, seconds: float) -> Pictures:
    return takewhile(lambda picture: picture[0] <= seconds * 1e9, film.pictures())


def _said(kind: str, player: int, card: int, taken: Iterable[int]) -> str:
    return f"{kind} {player} {_kind(card)} {sorted(map(_kind, taken))}"


def _kind(card: int) -> tuple[int, str]:
    """Chaff of one month counts as one card."""
    face = by_index(card)
    return face.month, face.name_en


def _scribbled(deck: Deck) -> Deck:
    """Return a box with the same ids whose faces are nothing like those on the table."""
    dice = np.random.default_rng(1)

    def face(picture: Pixels) -> Pixels:
        spots = dice.integers(0, 256, (6, 4, 3)).astype(np.uint8)
        return np.asarray(cv2.resize(spots, picture.shape[1::-1], interpolation=cv2.INTER_CUBIC), np.uint8)

    return replace(deck, pictures={name: face(picture) for name, picture in deck.pictures.items()})


def _frames(film: Film, spoil: Spoil) -> Iterator[Frame]:
    pictures = ((t_ns, np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_COLOR), np.uint8)) for t_ns, jpeg in film)
    for index, (t_ns, picture) in enumerate(spoil(pictures)):
        gray = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
        yield Frame(gray, t_ns, 500_000, index, render_colour=partial(_same, picture))


def _same(picture: Pixels) -> Pixels:
    return picture


async def _watched(film: Film, play: Opening, scene: str) -> tuple[Noted, dict[str, float]]:
    fps = FPS / 3 if scene.startswith("10 ") else FPS
    table = ScriptedTable(lambda: _frames(film, SCENES[scene]), Source.SIMULATOR, "a scene", fps, FAST)
    warned_s = dict[str, float]()
    other: Callable[[Deck], Deck] = _scribbled if scene == "wrong deck" else lambda deck: deck
    with tempfile.TemporaryDirectory() as folder, EventLog.create(Path(folder) / "scene.sqlite") as log:
        live, noted = play(log, table, other)
        live.begin(asyncio.get_running_loop())
        while live.is_watching:
            await asyncio.sleep(0.02)
            warnings = live.health()["warnings"]
            assert isinstance(warnings, list)
            for warning in warnings:
                warned_s.setdefault(str(warning), round(table.clock() / 1e9 - BEGINS_S, 1))
        await live.end()
        if live.failure is not None:
            raise live.failure
        return noted(), warned_s


def outcome_of(noted: Noted, usual: Noted, warned_s: dict[str, float]) -> Outcome:
    """Count a scene; `usual` is what was noted where nothing lacks."""
    same = SequenceMatcher(None, noted.truth, noted.events, autojunk=False)
    right = sum(block.size for block in same.get_matching_blocks())
    missed = max(0, len(usual.events) - right)
    return Outcome(right, len(noted.events) - right, missed, noted.flags, warned_s)


def main() -> int:
    """Watch the scenes and print a table; 1 where an event was wrong or a flag unearned."""
    options = read_options(
        __doc__, game=("kendo", "koikoi"), scenes=dict.fromkeys(SCENES), seconds=45.0, seed=3
    )
    film, play = (kendo if options.game == "kendo" else koikoi)(options.seed, options.seconds)
    usual, _ = asyncio.run(_watched(film, play, "nothing lacks"))
    rows, bad = {}, 0
    print(f"{'scene':24} {'right':>5} {'wrong':>5} {'missed':>6} {'flags':>5}  page warns after")
    for scene in options.scenes:
        noted, warned_s = asyncio.run(_watched(film, play, scene))
        row = outcome_of(noted, usual, warned_s)
        rows[scene] = asdict(row)
        bad += bool(row.wrong or row.flags)
        print(f"{scene:24} {row.right:5} {row.wrong:5} {row.missed:6} {row.flags:5}  ", end="")
        print("; ".join(f"{text[:40]} {at_s:.1f} s" for text, at_s in warned_s.items()) or "-", flush=True)
    write_json(options.json, rows)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
