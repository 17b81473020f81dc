"""`shinpan demo --game kendo`: a simulated bout, refereed from its pixels and compared with the truth."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field
from typing import Any, Final

from desk.commands.demo.card_table import played
from desk.kendo.card_game import KENDO
from desk.kendo.desk import Bout
from desk.kendo.simulation import FAULTS, LIVE_PACE, PlannedBout, plan_bout
from desk.tables.desk import TableDesk
from desk.tables.simulated.simulated_film import opened_film
from referee.kendo.events import Event, Play
from referee.kendo.house_rules import preset
from vision.plane.printed_table import KENDO_TABLE
from vision.simulator.art.kendo.deck import drawn_kendo_deck
from vision.simulator.cardtable.kendo.table import film_kendo

_HEADLESS_PACE: Final = 0.7  # pace of hurried players, so that a headless bout is over soon


@dataclass(slots=True)
class KendoReport:
    """A refereed bout and the truth."""

    # score, true_score: IPPON of the two seats
    score: tuple[int, int]
    true_score: tuple[int, int]
    # winner, true_winner: who won; None while the bout is not over
    winner: int | None
    true_winner: int | None
    events: list[str] = field(default_factory=list)
    true_events: list[str] = field(default_factory=list)
    # rows, true_rows: the rows that forbid the flagged plays, and those that forbid the intended illegal
    # plays
    rows: list[str] = field(default_factory=list)
    true_rows: list[str] = field(default_factory=list)
    other_flags: list[str] = field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        right = (self.events, self.score, self.winner, self.rows)
        truth = (self.true_events, self.true_score, self.true_winner, self.true_rows)
        return right == truth and not self.other_flags

    def to_json(self) -> dict[str, Any]:
        return {
            "score": list(self.score), "true_score": list(self.true_score), "winner": self.winner,
            "true_winner": self.true_winner, "events": self.events, "true_events": self.true_events,
            "rows": self.rows, "true_rows": self.true_rows, "other_flags": self.other_flags,
            "right": self.is_complete,
        }  # fmt: skip


def play_kendo(arguments: argparse.Namespace) -> KendoReport:
    planned = plan_bout(preset(), arguments.seed, faults=FAULTS)
    kendo = film_kendo(
        drawn_kendo_deck(),
        planned.moves,
        seed=arguments.seed,
        look=arguments.look,
        size_px=arguments.size,
        fps=arguments.fps,
        pace=_HEADLESS_PACE if arguments.headless else LIVE_PACE,
    )
    speed = 1.0 if arguments.headless else arguments.speed
    with played(KENDO, opened_film("kendo", kendo, KENDO_TABLE, speed=speed), arguments) as desk:
        report = compare(desk, planned)
    for event in report.events:
        sys.stdout.write(f"{event}\n")
    sys.stdout.write(
        f"score {report.score}, in truth {report.true_score}; flagged {report.rows or 'nothing'}, in truth "
        f"{report.true_rows or 'nothing'}; {len(report.other_flags)} false flags: "
        f"{'OK' if report.is_complete else 'WRONG'}\n"
    )
    return report


def compare(desk: TableDesk[Bout], planned: PlannedBout) -> KendoReport:
    scribe, truth = desk.game.scribe, planned.minutes.bout
    illegal = [flag for flag in scribe.flags if flag.id == "illegal_play"]
    return KendoReport(
        scribe.minutes.bout.ippon,
        truth.ippon,
        scribe.minutes.bout.winner,
        truth.winner,
        [_event_line(noted.event) for noted in scribe.notes if not noted.taken_back],
        [_event_line(event) for event in planned.events],
        [flag.row for flag in illegal],
        [fault.row for fault in planned.faults],
        [f"{flag.id}: {flag.text}" for flag in scribe.flags if flag not in illegal],
    )


def _event_line(event: Event) -> str:
    """Describe an event in words that do not depend on the order of the cards."""
    kind = type(event).__name__.lower()
    cards = " + ".join(sorted(map(str, event.cards))) if isinstance(event, Play) else ""
    return f"player {event.player} {kind} {cards}".rstrip()
