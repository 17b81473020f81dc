"""Simulated rounds of Koi-Koi from pixels: captures, yaku and points against the truth, and injected faults.

    python -m benchmarks.tables.koikoi_games --games 20 --look holdout
    python -m benchmarks.tables.koikoi_games --faults --look holdout --deck
    ../shared/data/hanafuda_decks/mantia

Every game has its own dice, number of players and camera. A fault counts as flagged where one of the flags
that fit it was raised in the faulty turn or before the next one was over.

`--eye` says how the table is watched, for drawing and watching every picture of a game of twelve rounds takes
ten CPU minutes:

film
    every picture is drawn and watched, as a camera delivers them.
rests
    when the table rests and when a card lies still beside working hands is taken from the script; only the
    pictures of these instants are drawn and read, by the eye's own reader of cards. What arms, shadows and
    noise do to the watching of movement is left out.
script
    no pictures: what lies open is known, what is hidden is not; `--unread`, `--slivers` and `--missed` say
    which share of a deal's cards stays unread, which of the new cards of which little is seen, and which of
    all new cards is not glimpsed.
    It tests what is made of looks, and takes a second a round.

`--logs FOLDER` keeps what was seen and said of every game; `--again` reads such logs instead of watching.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from benchmarks.command import read_options
from calibration.decks.deck import Deck
from calibration.decks.enrolment import FailedEnrolment, enrol_folder
from desk.commands.demo.card_table import show_film
from desk.commands.demo.koikoi import KoiKoiReport, compare
from desk.koikoi.card_game import KOIKOI
from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.events import GameOpened, Seen
from desk.koikoi.eye import seen_by
from desk.koikoi.simulated_table import opened_koikoi
from desk.log.event_log import EventLog
from desk.tables.desk import Attendant
from desk.tables.simulated.simulated_film import frames_of
from referee.cards.hanafuda import by_index
from referee.koikoi.events import Deal, Draw, Play
from referee.koikoi.house_rules import preset
from vision.hanafuda.gallery import CardGallery
from vision.simulator.art.hanafuda import drawn_deck
from vision.simulator.cardtable.card_readers import CardReader, PictureReader, ScriptReader
from vision.simulator.cardtable.koikoi.faults import FAMILIES
from vision.simulator.cardtable.recording import KoiKoiFilm, film_koikoi
from vision.simulator.cardtable.sightings import Sightings

_SMALL_PX = (320, 180)
"""Size of pictures that nobody draws."""


def main() -> None:
    """Measure and print a table."""
    arguments = _arguments()
    decks = [deck_of(folder) for folder in arguments.deck or [None]]
    wanted: list[tuple[int, str | None]] = [(seed, None) for seed in range(arguments.games)]
    if arguments.faults:
        wanted = [(seed, fault) for fault in FAMILIES for seed in range(arguments.games)]
    total = _Count()
    flagged = 0
    cpu_s = film_s = 0.0
    for seed, fault in wanted:
        players = arguments.players or 2 + seed % 3
        koikoi = film_koikoi(
            decks[seed % len(decks)],
            seed=arguments.seed + seed,
            players=players,
            rounds=arguments.rounds,
            fault=fault,
            look=arguments.look,
            size_px=_SMALL_PX if arguments.eye == "script" else (1280, 720),
            fps=arguments.fps,
            pace=arguments.pace,
        )
        started_s = time.process_time()
        with tempfile.TemporaryDirectory() as folder:
            path = (arguments.logs or Path(folder)) / f"{koikoi.deck.name}_{arguments.seed + seed}.sqlite"
            desk, report = _played(koikoi, path, arguments)
        cpu_s += time.process_time() - started_s
        film_s += koikoi.filmed.script.length_s
        if fault is None:
            moves = _moves(desk, koikoi)
            total.add(report, moves)
            print(f"{arguments.seed + seed:>4}  {koikoi.deck.name}  {players} players", flush=True)
            for line, (right, number) in zip(report.lines, moves, strict=True):
                print(f"      {line}  {right} of {number} moves", flush=True)
            print(f"      {_flags(desk)}", flush=True)
        else:
            raised = _raised(desk)
            hit = bool(raised & set(FAMILIES[fault].flags))
            flagged += hit
            total.flags += len(raised - set(FAMILIES[fault].flags))
            print(
                f"{fault:<15} {players} players  {'flagged' if hit else 'MISSED'}  {sorted(raised)}",
                flush=True,
            )
    if arguments.faults:
        print(f"{flagged} of {len(wanted)} faults flagged, {total.flags} other flags")
    else:
        print(total)
    print(f"{cpu_s:.0f} CPU seconds, {cpu_s / film_s:.2f} a second of film, drawing included")


@dataclass
class _Count:
    """What was right in some games."""

    games: int = 0
    games_right: int = 0
    rounds: int = 0
    rounds_right: int = 0
    moves: int = 0
    moves_right: int = 0
    flags: int = 0

    def add(self, report: KoiKoiReport, moves: list[tuple[int, int]]) -> None:
        """Count one more game."""
        self.games += 1
        self.games_right += report.is_complete
        self.rounds += len(report.rounds)
        self.rounds_right += sum(each["right"] for each in report.rounds)
        self.moves_right += sum(right for right, _ in moves)
        self.moves += sum(number for _, number in moves)
        self.flags += report.flags

    def __str__(self) -> str:
        return (
            f"{self.games_right} of {self.games} games right and without a flag, {self.rounds_right} of "
            f"{self.rounds} rounds right, {self.moves_right} of {self.moves} moves, {self.flags} false flags"
        )


def _played(koikoi: KoiKoiFilm, path: Path, arguments: argparse.Namespace) -> tuple[KoiKoiDesk, KoiKoiReport]:
    """Watch a game, or read again what was seen of it."""
    players = koikoi.zones.players
    if arguments.again:
        with EventLog.open(path) as log:
            desk = KoiKoiDesk(log)
            desk.game.close()
            return desk, compare(desk, koikoi)
    path.unlink(missing_ok=True)
    with EventLog.create(path) as log:
        opened = GameOpened(
            "bench", "simulator", players, koikoi.rounds[0].dealer, preset(), koikoi.deck.name
        )
        desk = KoiKoiDesk(log, opened)
        if arguments.eye == "film":
            show_film(KOIKOI, desk, opened_koikoi(koikoi))
        else:
            _play_sightings(desk, koikoi, arguments)
        desk.game.close()
        return desk, compare(desk, koikoi)


def _play_sightings(desk: KoiKoiDesk, koikoi: KoiKoiFilm, arguments: argparse.Namespace) -> None:
    attendant = Attendant(desk, opened_koikoi(koikoi).words)
    for t_s, event in told_of(koikoi, arguments):
        if event is not None:
            attendant.seen(event)
        attendant.at(t_s * 1000)


def told_of(koikoi: KoiKoiFilm, arguments: argparse.Namespace) -> Iterator[tuple[float, Seen | None]]:
    """Yield every instant in seconds with each thing that the eye tells of then, or with None."""
    zones, film = koikoi.zones.zones, koikoi.film
    if arguments.eye == "film":
        eye = KOIKOI.eye(opened_koikoi(koikoi))
        for frame in frames_of(film):
            for event in eye.feed(frame):
                yield frame.t_ns / 1e9, event
            yield frame.t_ns / 1e9, None
        return
    reader: CardReader
    if arguments.eye == "rests":
        reader = PictureReader(film, CardGallery.of(koikoi.deck), zones)
    else:
        dice = koikoi.rounds[0].dealt[0]
        reader = ScriptReader(
            film,
            zones.size_mm,
            unread=arguments.unread,
            missed=arguments.missed,
            slivers=arguments.slivers,
            seed=dice,
        )
    for t_s, fact in Sightings(film, koikoi.zones, zones, reader, arguments.fps).seen():
        yield t_s, None if fact is None else seen_by(fact, zones, koikoi.zones.players)


def _moves(desk: KoiKoiDesk, koikoi: KoiKoiFilm) -> list[tuple[int, int]]:
    """Return for each round how many moves are right, in their order, and how many there are."""
    noted: list[list[tuple[object, ...]]] = []
    for note in desk.game.scribe.notes:
        event = note.event
        if isinstance(event, Deal):
            noted.append([])
        elif isinstance(event, Play | Draw) and noted:
            kind = "play" if isinstance(event, Play) else "draw"
            noted[-1].append((kind, event.player, _kind(event.card), sorted(map(_kind, event.taken))))
    counts = []
    for number, true in enumerate(koikoi.filmed.rounds):
        wanted = [
            (event["kind"], event["player"], _kind(event["card"]), sorted(map(_kind, event["taken"])))
            for event in true["events"]
            if event["kind"] != "deal"
        ]
        seen = noted[number] if number < len(noted) else []
        same = SequenceMatcher(None, list(map(str, wanted)), list(map(str, seen)), autojunk=False)
        counts.append((sum(block.size for block in same.get_matching_blocks()), len(wanted)))
    return counts


def _kind(card: int) -> tuple[int, str]:
    """Chaff of one month counts as one card."""
    face = by_index(card)
    return face.month, face.name_en


def _flags(desk: KoiKoiDesk) -> str:
    judged = [flag for record in desk.game.match.rounds for flag in record.flags]
    told = [f"{flag.id.value} at event {flag.event}: {flag.text}" for flag in judged]
    told += [f"{flag.id.value} at {flag.t_ms:.0f} ms: {flag.text}" for flag in desk.game.scribe.flags]
    return "\n      ".join(told) or "no flags"


def _raised(desk: KoiKoiDesk) -> set[str]:
    scribe = desk.game.scribe
    return {flag.id.value for flag in scribe.match.flags} | {flag.id.value for flag in scribe.flags}


def deck_of(folder: Path | None) -> Deck:
    """Return the deck of a folder of pictures, the drawn one without a folder."""
    if folder is None:
        return drawn_deck()
    deck = enrol_folder(folder, "hanafuda", folder.name)
    if isinstance(deck, FailedEnrolment):
        raise SystemExit("\n".join(deck.problems))
    return deck


def _arguments() -> argparse.Namespace:
    return read_options(
        __doc__,
        games=20,
        rounds=1,
        seed=100,
        look="holdout",
        pace=0.6,
        players=int,
        fps=12.0,
        deck=[Path],
        eye=("film", "rests", "script"),
        unread=0.0,
        missed=0.0,
        slivers=0.5,
        logs=Path,
        again=False,
        faults=False,
    )


if __name__ == "__main__":
    main()
