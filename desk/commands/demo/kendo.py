"""`shinpan demo --game kendo`: a simulated bout, refereed from its pixels and compared with the truth."""

import argparse
import sys
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


def play_kendo(arguments: argparse.Namespace) -> dict[str, Any]:
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
    for event in report["events"]:
        sys.stdout.write(f"{event}\n")
    sys.stdout.write(
        f"score {report['score']}, in truth {report['true_score']}; flagged {report['rows'] or 'nothing'}, "
        f"in truth {report['true_rows'] or 'nothing'}; {len(report['other_flags'])} false flags: "
        f"{'OK' if report['right'] else 'WRONG'}\n"
    )
    return report


def compare(desk: TableDesk[Bout], planned: PlannedBout) -> dict[str, Any]:
    """Return the refereed bout beside the truth, as JSON; it is `right` if all agrees without false flags."""
    scribe, truth = desk.game.scribe, planned.minutes.bout
    illegal = [flag for flag in scribe.flags if flag.id == "illegal_play"]
    report: dict[str, Any] = {
        "score": scribe.minutes.bout.ippon,
        "true_score": truth.ippon,
        "winner": scribe.minutes.bout.winner,
        "true_winner": truth.winner,
        "events": [_event_line(noted.event) for noted in scribe.notes if not noted.taken_back],
        "true_events": [_event_line(event) for event in planned.events],
        "rows": [flag.row for flag in illegal],
        "true_rows": [fault.row for fault in planned.faults],
        "other_flags": [f"{flag.id}: {flag.text}" for flag in scribe.flags if flag not in illegal],
    }
    right = all(report[what] == report[f"true_{what}"] for what in ("score", "winner", "events", "rows"))
    return {**report, "right": right and not report["other_flags"]}


def _event_line(event: Event) -> str:
    """Describe an event in words that do not depend on the order of the cards."""
    kind = type(event).__name__.lower()
    cards = " + ".join(sorted(map(str, event.cards))) if isinstance(event, Play) else ""
    return f"player {event.player} {kind} {cards}".rstrip()
