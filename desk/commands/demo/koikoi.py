"""`shinpan demo --game koikoi`: a simulated game, refereed from its pixels and compared with the truth."""

import argparse
import sys
from typing import Any

from desk.commands.demo.card_table import played
from desk.koikoi.card_game import KOIKOI
from desk.koikoi.desk import Game
from desk.koikoi.page.state import shown_game
from desk.koikoi.simulated_table import LIVE_PACE, opened_koikoi
from desk.tables.desk import TableDesk
from referee.cards.hanafuda import by_index
from referee.koikoi.piles import cards_of
from vision.simulator.art.hanafuda import drawn_deck
from vision.simulator.cardtable.recording import KoiKoiFilm, film_koikoi, truth_of

_HEADLESS_PACE = 0.6  # pace of hurried players, so that a headless game is over soon


def compare(desk: TableDesk[Game], koikoi: KoiKoiFilm) -> tuple[list[str], dict[str, Any]]:
    """Return the refereed rounds beside the truth as lines for people, and as JSON.

    They are `right` if captures, yaku and points agree, and nothing was flagged: all play by the rules.
    """
    truth, records = truth_of(koikoi), desk.game.match.rounds
    view = shown_game(desk.game, desk.last_seq)
    lines, rounds, totals, false_flags = list[str](), list[dict[str, Any]](), [0] * koikoi.zones.players, 0
    for number, true in enumerate(truth.get("rounds", [truth])):
        final = true["final"]
        if number >= len(records):
            lines.append(f"round {number + 1}: not seen")
            rounds.append({"round": number + 1, "right": False})
            continue
        record, row = records[number], view["rounds"][number]
        yaku = [{each["name"]: each["points"] for each in rows} for rows in row["yaku"]]
        flags = len(record.flags) + sum(flag.round == number for flag in desk.game.scribe.flags)
        right = (
            final is not None
            and row["points"] == final["points"]
            and yaku == final["yaku"]
            and [sorted(map(_kind, cards_of(pile))) for pile in record.table.piles]
            == [sorted(map(_kind, pile)) for pile in true["tables"][-1]["captures"]]
        )
        if final is not None:
            totals = [a + b for a, b in zip(totals, final["points"], strict=True)]
        false_flags += flags
        rounds.append(
            {"round": number + 1, "points": row["points"], "true_points": final and final["points"],
             "yaku": yaku, "flags": flags, "right": right}
        )  # fmt: skip
        verdict = "OK" if right and not flags else "WRONG"
        said = ", ".join(f"{name} {points}" for rows in yaku for name, points in rows.items()) or "no yaku"
        lines.append(
            f"round {number + 1:>2}  points {row['points']}  truth {final and final['points']}  "
            f"{said}; {flags} flags  {verdict}"
        )
    return lines, {
        "rounds": rounds,
        "totals": [seat["total"] for seat in view["seats"]],
        "true_totals": totals,
        "false_flags": false_flags,
        "right": not false_flags and all(each["right"] for each in rounds),
    }


def play_koikoi(arguments: argparse.Namespace) -> dict[str, Any]:
    koikoi = film_koikoi(
        drawn_deck(),
        seed=arguments.seed,
        players=arguments.players,
        rounds=arguments.rounds,
        look=arguments.look,
        size_px=arguments.size,
        fps=arguments.fps,
        pace=_HEADLESS_PACE if arguments.headless else LIVE_PACE,
    )
    opened = opened_koikoi(koikoi, 1.0 if arguments.headless else arguments.speed)
    with played(KOIKOI, opened, arguments) as desk:
        lines, report = compare(desk, koikoi)
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    totals, flags = f"totals {report['totals']}, in truth {report['true_totals']}", report["false_flags"]
    sys.stdout.write(f"{totals}; {flags} false flags\n")
    return report


def _kind(card: int) -> tuple[int, str]:
    """Return a card's kind, so that chaff of one month counts as one card."""
    face = by_index(card)
    return face.month, face.name_en
