"""`shinpan demo --game koikoi`: a simulated game, refereed from its pixels and compared with the truth."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field
from typing import Any

from desk.commands.demo.card_table import played
from desk.koikoi.card_game import KOIKOI
from desk.koikoi.desk import Game
from desk.koikoi.page.state import shown_game
from desk.koikoi.simulated_table import LIVE_PACE, opened_koikoi
from desk.tables.desk import TableDesk
from vision.simulator.art.hanafuda import drawn_deck
from vision.simulator.cardtable.recording import KoiKoiFilm, film_koikoi, truth_of

_HEADLESS_PACE = 0.6  # pace of hurried players, so that a headless game is over soon


@dataclass(slots=True)
class KoiKoiReport:
    """A refereed game and the truth."""

    lines: list[str] = field(default_factory=list)  # one line for people per round
    # for each round the refereed result, the true result, and whether they agree
    rounds: list[dict[str, Any]] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)
    true_totals: list[int] = field(default_factory=list)
    flags: int = 0  # false flags; the simulated players play by the rules

    @property
    def is_complete(self) -> bool:
        return not self.flags and all(each["right"] for each in self.rounds)

    def to_json(self) -> dict[str, Any]:
        return {
            "rounds": self.rounds,
            "totals": self.totals,
            "true_totals": self.true_totals,
            "false_flags": self.flags,
            "right": self.is_complete,
        }


def compare(desk: TableDesk[Game], koikoi: KoiKoiFilm) -> KoiKoiReport:
    truth = truth_of(koikoi)
    report = KoiKoiReport()
    records = desk.game.match.rounds
    view = shown_game(desk.game, desk.last_seq)
    players = koikoi.zones.players
    report.totals = [seat["total"] for seat in view["seats"]]
    report.true_totals = [0] * players
    for number, true in enumerate(truth.get("rounds", [truth])):
        final = true["final"]
        if number >= len(records):
            report.lines.append(f"round {number + 1}: not seen")
            report.rounds.append({"round": number + 1, "right": False})
            continue
        record, row = records[number], view["rounds"][number]
        piles = [sorted(_cards(pile)) for pile in record.table.piles]
        yaku = [{each["name"]: each["points"] for each in rows} for rows in row["yaku"]]
        flags = len(record.flags) + sum(flag.round == number for flag in desk.game.scribe.flags)
        right = (
            final is not None
            and row["points"] == final["points"]
            and yaku == final["yaku"]
            and [sorted(map(_kind, pile)) for pile in piles]
            == [sorted(map(_kind, pile)) for pile in true["tables"][-1]["captures"]]
        )
        if final is not None:
            report.true_totals = [a + b for a, b in zip(report.true_totals, final["points"], strict=True)]
        report.flags += flags
        report.rounds.append(
            {"round": number + 1, "points": row["points"], "true_points": final and final["points"],
             "yaku": yaku, "flags": flags, "right": right}
        )  # fmt: skip
        verdict = "OK" if right and not flags else "WRONG"
        said = ", ".join(f"{name} {points}" for rows in yaku for name, points in rows.items()) or "no yaku"
        report.lines.append(
            f"round {number + 1:>2}  points {row['points']}  truth {final and final['points']}  "
            f"{said}; {flags} flags  {verdict}"
        )
    return report


def play_koikoi(arguments: argparse.Namespace) -> KoiKoiReport:
    pace = _HEADLESS_PACE if arguments.headless else LIVE_PACE
    koikoi = film_koikoi(
        drawn_deck(),
        seed=arguments.seed,
        players=arguments.players,
        rounds=arguments.rounds,
        look=arguments.look,
        size_px=arguments.size,
        fps=arguments.fps,
        pace=pace,
    )
    with played(
        KOIKOI, opened_koikoi(koikoi, 1.0 if arguments.headless else arguments.speed), arguments
    ) as desk:
        report = compare(desk, koikoi)
    sys.stdout.write("".join(f"{line}\n" for line in report.lines))
    sys.stdout.write(f"totals {report.totals}, in truth {report.true_totals}; {report.flags} false flags\n")
    return report


def _cards(pile: int) -> list[int]:
    return [card for card in range(48) if pile >> card & 1]


def _kind(card: int) -> tuple[int, str]:
    """Return a card's kind, so that chaff of one month counts as one card."""
    from referee.cards.hanafuda import by_index

    face = by_index(card)
    return face.month, face.name_en
