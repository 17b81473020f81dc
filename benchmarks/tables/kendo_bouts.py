"""Simulated bouts of the Kendo cards from pixels: plays, score and winner against the truth, illegal plays.

    python -m benchmarks.tables.kendo_bouts --bouts 20 --look holdout

Every bout has its own dice, camera and light. In each, illegal plays are laid and taken back; one counts as
flagged where the row that forbids it is named.
"""

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.command import read_options
from desk.commands.demo.card_table import show_film
from desk.commands.demo.kendo import compare
from desk.kendo.card_game import KENDO
from desk.kendo.simulation import PlannedBout, plan_bout
from desk.log.event_log import EventLog
from desk.tables.live_game import new_desk
from desk.tables.simulated.simulated_film import opened_film
from referee.kendo.house_rules import preset
from vision.plane.printed_table import KENDO_TABLE
from vision.simulator.art.kendo.deck import drawn_kendo_deck
from vision.simulator.cardtable.kendo.table import KendoFilm, film_kendo


def main() -> None:
    """Measure and print a table."""
    arguments = _arguments()
    right = flagged = laid = false_flags = 0
    cpu_s = film_s = 0.0
    for seed in range(arguments.seed, arguments.seed + arguments.bouts):
        planned = plan_bout(preset(), seed, faults=arguments.faults)
        kendo = film_kendo(
            drawn_kendo_deck(), planned.moves, seed=seed, look=arguments.look, pace=arguments.pace
        )
        started_s = time.process_time()
        report = _played(kendo, planned)
        cpu_s += time.process_time() - started_s
        film_s += kendo.filmed.script.length_s
        rows, true_rows = report["rows"], report["true_rows"]
        right += report["right"]
        laid += len(true_rows)
        flagged += sum(seen == true for seen, true in zip(rows, true_rows, strict=False))
        false_flags += len(report["other_flags"]) + max(len(rows) - len(true_rows), 0)
        print(
            f"{seed:>4}  {'right' if report['right'] else 'WRONG'}  {len(report['true_events'])} events, "
            f"score {report['score']}, in truth {report['true_score']}; flagged {rows}, in truth "
            f"{true_rows} {report['other_flags'] or ''}",
            flush=True,
        )
    print(
        f"{right} of {arguments.bouts} bouts right; {flagged} of {laid} illegal plays flagged with their row;"
    )
    print(f"{false_flags} other flags; {cpu_s / film_s:.2f} CPU seconds a second of film, drawing included")


def _played(kendo: KendoFilm, planned: PlannedBout) -> dict[str, Any]:
    opened = opened_film("kendo", kendo, KENDO_TABLE)
    with tempfile.TemporaryDirectory() as folder, EventLog.create(Path(folder) / "bout.sqlite") as log:
        desk = new_desk(KENDO, log, opened, preset())
        show_film(KENDO, desk, opened)
        return compare(desk, planned)


def _arguments() -> argparse.Namespace:
    return read_options(__doc__, bouts=20, faults=2, seed=100, look="holdout", pace=0.7)


if __name__ == "__main__":
    main()
