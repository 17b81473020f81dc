"""Simulated rounds of Koi-Koi from pixels: captures, yaku and points against the truth, and injected faults.

    python -m benchmarks.koikoi_games --games 20 --look holdout
    python -m benchmarks.koikoi_games --faults --look holdout --deck ../shared/data/hanafuda_decks/mantia

Every game has its own dice, number of players and camera. A fault counts as flagged where one of the flags
that fit it was raised in the faulty turn or before the next one was over.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

import cv2

from calibration.deck import Deck
from calibration.deck_enrolment import FailedEnrolment, enrol_folder
from desk.event_log import EventLog
from desk.koikoi_demo import KoiKoiReport, play_film
from desk.koikoi_desk import KoiKoiDesk
from desk.koikoi_events import GameOpened
from referee.koikoi.house_rules import preset
from vision.simulator.cardtable.koikoi_faults import FAMILIES
from vision.simulator.cardtable.recording import KoiKoiFilm, film_koikoi
from vision.simulator.hanafuda_art import drawn_deck


def main() -> None:
    """Measure and print a table."""
    arguments = _arguments()
    cv2.setNumThreads(1)
    deck = _deck(arguments.deck)
    wanted: list[tuple[int, str | None]] = [(seed, None) for seed in range(arguments.games)]
    if arguments.faults:
        wanted = [(seed, fault) for fault in FAMILIES for seed in range(arguments.games)]
    right = flags = flagged = 0
    cpu_s = film_s = 0.0
    for seed, fault in wanted:
        players = 2 + seed % 3
        koikoi = film_koikoi(
            deck,
            seed=arguments.seed + seed,
            players=players,
            rounds=arguments.rounds,
            fault=fault,
            look=arguments.look,
            pace=arguments.pace,
        )
        started_s = time.process_time()
        desk, report = _played(koikoi, players)
        cpu_s += time.process_time() - started_s
        film_s += koikoi.filmed.script.length_s
        if fault is None:
            right += all(each["right"] for each in report.rounds)
            flags += report.flags
            print(f"{arguments.seed + seed:>4}  {players} players  " + " | ".join(report.lines), flush=True)
        else:
            raised = _raised(desk)
            hit = bool(raised & set(FAMILIES[fault].flags))
            flagged += hit
            flags += len(raised - set(FAMILIES[fault].flags))
            print(
                f"{fault:<15} {players} players  {'flagged' if hit else 'MISSED'}  {sorted(raised)}",
                flush=True,
            )
    if arguments.faults:
        print(f"{flagged} of {len(wanted)} faults flagged, {flags} other flags")
    else:
        print(f"{right} of {len(wanted)} games right, {flags} false flags")
    print(f"{cpu_s / film_s:.2f} CPU seconds a second of film, drawing included")


def _played(koikoi: KoiKoiFilm, players: int) -> tuple[KoiKoiDesk, KoiKoiReport]:
    with tempfile.TemporaryDirectory() as folder, EventLog.create(Path(folder) / "game.sqlite") as log:
        opened = GameOpened(
            "bench", "simulator", players, koikoi.rounds[0].dealer, preset(), koikoi.deck.name
        )
        desk = KoiKoiDesk(log, opened)
        report = play_film(desk, koikoi)
        desk.game.scribe.close()
        return desk, report


def _raised(desk: KoiKoiDesk) -> set[str]:
    scribe = desk.game.scribe
    return {flag.id.value for flag in scribe.match.flags} | {flag.id.value for flag in scribe.flags}


def _deck(folder: Path | None) -> Deck:
    if folder is None:
        return drawn_deck()
    deck = enrol_folder(folder, "hanafuda", folder.name)
    if isinstance(deck, FailedEnrolment):
        raise SystemExit("\n".join(deck.problems))
    return deck


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=20, help="how many, or how many of each fault")
    parser.add_argument("--rounds", type=int, default=1, help="rounds of each game")
    parser.add_argument("--seed", type=int, default=100, help="the first game's dice")
    parser.add_argument("--look", default="holdout", help="wood, cloth, tatami or holdout")
    parser.add_argument("--pace", type=float, default=0.6, help="1: unhurried players")
    parser.add_argument("--deck", type=Path, help="folder with index.csv; default: the drawn deck")
    parser.add_argument("--faults", action="store_true", help="inject every family of faults")
    return parser.parse_args()


if __name__ == "__main__":
    main()
