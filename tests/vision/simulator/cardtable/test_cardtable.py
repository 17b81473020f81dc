"""The simulated card table: what it says happened is lawful by the referee, and its pictures show it."""

import csv
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.decks.enrolment import enrol_folder
from referee.koikoi.events import Call, Deal, Declare, Draw, Event, Play
from referee.koikoi.house_rules import preset
from referee.koikoi.match import play
from tests.vision.painted_hanafuda import painted_deck
from vision.plane.printed_table import koikoi_table
from vision.simulator.art.hanafuda import drawn_deck
from vision.simulator.cardtable.koikoi.game import FAMILIES, RoundPlan, plan_round
from vision.simulator.cardtable.koikoi.table import film_rounds
from vision.simulator.cardtable.looks import LOOKS
from vision.simulator.cardtable.recording import (
    film_koikoi,
    truth_of,
    write_deck_folder,
    write_koikoi_recording,
)

RULES = preset("kasu-2008")


def told(plan: RoundPlan, players: int) -> list[Event]:
    """Return a plan as the events that the referee judges."""
    events: list[Event] = [Deal(None, players, plan.dealer, plan.dealt)]
    for turn in plan.turns:
        for move in turn.moves:
            if move.kind in {"play", "draw"}:
                kind = Play if move.kind == "play" else Draw
                events.append(kind(turn.player, move.card, move.taken))
        if turn.decision:
            events.append(Declare(turn.player, Call(turn.decision)))
    return events


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_referee_finds_simulated_rounds_lawful_and_agrees_on_yaku_and_points(players: int) -> None:
    for seed in range(40):
        plan = plan_round(seed, players, seed % players)
        (record,) = play(RULES, told(plan, players)).rounds
        assert record.flags == ()
        assert plan.final is not None
        assert list(record.points) == plan.final["points"]
        assert [{row.name: row.points for row in score.yaku} for score in record.scores] == plan.final["yaku"]
        assert record.result is not None
        assert record.result.ending.value == plan.final["end"]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("family", sorted(set(FAMILIES) - {"wrong_strip", "vanished", "returned"}))
def test_the_referee_flags_every_injected_fault_that_events_can_tell(family: str, players: int) -> None:
    for seed in range(2):
        plan = plan_round(seed, players, 0, family)
        (record,) = play(RULES, told(plan, players)).rounds
        assert {flag.id.value for flag in record.flags} & set(FAMILIES[family].flags), record.flags


def test_the_picture_shows_markers_and_cards_where_the_truth_has_them() -> None:
    deck = painted_deck()
    koikoi = film_koikoi(deck, seed=2, longest=2, look="cloth")
    picture = koikoi.film.draw(0.0)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    _, ids, _ = detector.detectMarkers(picture)
    assert sorted(ids.ravel().tolist()) == [0, 1, 2, 3]
    for seen in truth_of(koikoi)["visible"][0]["cards"]:
        if seen["visible"] < 1:
            continue
        corners = np.array(seen["corners_px"], np.float32)
        size = np.array([[0, 0], [66, 0], [66, 108], [0, 108]], np.float32) - 0.5
        card = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(corners, size), (66, 108))
        wanted = cv2.resize(list(deck.pictures.values())[seen["card"]], (66, 108))
        assert np.corrcoef(card[8:-8, 8:-8].ravel(), wanted[8:-8, 8:-8].ravel())[0, 1] > 0.8


@pytest.mark.slow
def test_a_recording_can_be_written_and_its_truth_is_of_the_practice_shape(tmp_path: Path) -> None:
    koikoi = film_koikoi(painted_deck(), seed=4, players=3, longest=1, size_px=(960, 540), fps=10, pace=0.5)
    folder = write_koikoi_recording(koikoi, tmp_path / "film")
    assert {path.name for path in folder.iterdir()} == {
        "deck", "declarations.jsonl", "recording.toml", "truth.json", "video.mkv"
    }  # fmt: skip
    head = (folder / "recording.toml").read_text()
    assert "players = 3" in head
    assert head.count("[") - head.count("]") == 0
    assert len((folder / "deck" / "index.csv").read_text().splitlines()) == 49


def test_the_drawn_deck_passes_its_own_enrolment(tmp_path: Path) -> None:
    # the enrolment refuses blur, wrong shapes and cards of different classes that look alike
    write_deck_folder(drawn_deck(), tmp_path)
    with (tmp_path / "index.csv").open(encoding="utf-8") as stream:
        assert len(list(csv.DictReader(stream))) == 48
    assert enrol_folder(tmp_path, "hanafuda", "again")


def test_rounds_follow_each_other_on_one_film_with_every_card_swept_up_in_between() -> None:
    plans = [plan_round(7, 2, 0), plan_round(8, 2, 1)]
    filmed = film_rounds(plans, koikoi_table(2), LOOKS["wood"], seed=1)
    first, second = filmed.rounds
    swept_s = filmed.script.past[0][0]
    assert first["events"][-1]["t_ms"] < swept_s * 1000 < second["events"][0]["t_ms"]
    early, late = filmed.script.cards_at(swept_s - 0.01), filmed.script.cards_at(swept_s + 10)
    assert not any(track.is_there(swept_s - 0.01) for track in early.values())
    assert early is not late
    dealt = second["events"][0]["t_ms"] / 1000
    assert sorted(card for card, track in late.items() if track.is_there(dealt)) == second["deal_field"]
    assert [line["what"] for line in filmed.declarations].count("next_round") == 2
