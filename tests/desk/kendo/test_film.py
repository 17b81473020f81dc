"""A bout is refereed from its pixels."""

import argparse
import json
from pathlib import Path

import pytest

from desk.commands.demo.kendo import play_kendo
from desk.kendo.card_game import KENDO
from desk.kendo.simulation import plan_bout
from referee.kendo.house_rules import preset
from referee.kendo.minutes import play
from vision.simulator.art.kendo.deck import drawn_kendo_deck
from vision.simulator.cardtable.kendo.table import film_kendo, write_kendo_recording

RULES = preset()


@pytest.mark.parametrize("seed", range(30))
def test_simulated_players_keep_to_the_rules_but_where_they_should_not(seed: int) -> None:
    planned = plan_bout(RULES, seed, faults=2)
    assert planned.minutes.flags == ()
    assert play(RULES, planned.events).bout == planned.minutes.bout
    assert planned.minutes.bout.winner is not None
    kinds = [move.kind for move in planned.moves]
    assert all(kinds[fault.move : fault.move + 2] == ["lay", "take_back"] for fault in planned.faults)


def test_a_recorded_bout_is_judged_and_its_illegal_play_flagged(tmp_path: Path) -> None:
    planned = plan_bout(RULES, 11, faults=1, longest=2)
    film = film_kendo(drawn_kendo_deck(), planned.moves, seed=11, fps=10, pace=0.5)
    folder = write_kendo_recording(film, tmp_path / "bout", "mjpeg")
    judged = KENDO.judge(folder)
    assert judged["score"]["ippon"] == list(planned.minutes.bout.ippon)
    assert judged["winner"] == planned.minutes.bout.winner
    assert [flag["row"] for flag in judged["flags"]] == [fault.row for fault in planned.faults]
    truth = json.loads((folder / "truth.json").read_text("utf-8"))
    laid = [move for move in truth["moves"] if move["kind"] == "lay"]
    assert len(laid) == sum(event["kind"] == "play" for event in judged["events"])
    assert KENDO.lines(judged)[0].startswith("{}-{} (HANSOKU".format(*judged["score"]["ippon"]))


@pytest.mark.slow
def test_the_demonstration_plays_a_bout_headless(tmp_path: Path) -> None:
    arguments = argparse.Namespace(
        seed=11, look="cloth", size=(1280, 720), fps=10.0, headless=True, log=tmp_path / "bout.sqlite"
    )
    report = play_kendo(arguments)
    assert report["right"], report
