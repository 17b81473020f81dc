"""The simulator's truth: who touched what when, and what follows, checked against the laws of the game."""

from typing import Any

import numpy as np
import pytest

from referee.facts import Contact, Hand, PoemStarted, Touch
from referee.karuta.house_rules import PRESETS
from referee.karuta.judge import judge_poem
from referee.sides import Side
from vision.simulator import SCENARIOS, SimulatedMatch, single_poem
from vision.simulator.play.episode import Episode

SMALL = (320, 180)
NEAR, FAR = Side.NEAR, Side.FAR


def small_match(seed: int, cards_per_side: int = 5, **options: Any) -> SimulatedMatch:
    return SimulatedMatch(seed, 30, SMALL, cards_per_side=cards_per_side, **options)


@pytest.fixture(scope="module")
def matches() -> list[SimulatedMatch]:
    return [small_match(seed, cards) for seed, cards in ((1, 4), (2, 5), (3, 8))]


@pytest.fixture(scope="module")
def episodes(matches: list[SimulatedMatch]) -> list[Episode]:
    return [episode for match in matches for episode in match.episodes()]


@pytest.fixture(scope="module")
def clips() -> dict[str, Episode]:
    return {name: next(single_poem(name, 11, 30, SMALL).episodes()) for name in SCENARIOS}


def facts_of(told: dict[str, Any]) -> list[PoemStarted | Touch]:
    facts: list[PoemStarted | Touch] = [PoemStarted(told["poem"], round(told["t_ms"] * 1e6), 1)]
    for touch in told["touches"]:
        t_ns, hand = round(touch["t_ms"] * 1e6), Hand(touch["hand"])
        facts.append(Touch(touch["card"], Side(touch["player"]), t_ns, 1, hand=hand))
    for push in told["pushed_out"]:
        t_ns = round(push["t_ms"] * 1e6)
        facts.append(Touch(push["card"], Side(push["player"]), t_ns, 1, Contact.PUSHED_OUT))
    return facts


def test_every_match_ends_with_a_winner(matches: list[SimulatedMatch]) -> None:
    for match in matches:
        last = [*match.episodes()][-1]
        assert match.winner is not None
        assert match.winner in {side for side in Side if not last.after.of(side)}
        assert match.truth["meta"]["winner"] == match.winner


def test_no_card_moves_before_it_is_touched_or_pushed(clips: dict[str, Episode]) -> None:
    for episode in clips.values():
        first = {touch["card"]: touch["t_ms"] / 1000 for touch in reversed(episode.truth["touches"])}
        earliest = min(first.values(), default=np.inf)
        for card, track in episode.tracks.items():
            begins = track.t_s[np.flatnonzero((np.diff(track.pose, axis=0) != 0).any(axis=1))[0]]
            assert begins >= earliest - 1e-6
            if card in first and len(first) == 1:
                assert begins >= first[card] - 1e-6


def test_the_referee_room_judges_the_same(episodes: list[Episode], clips: dict[str, Episode]) -> None:
    for episode in [*episodes, *clips.values()]:
        ruling = judge_poem(episode.poem, episode.before, facts_of(episode.truth), PRESETS["kyogi"])
        assert ruling.taken_by == episode.outcome.taken_by
        assert ruling.faults == episode.outcome.faults
        assert ruling.sends == episode.outcome.sends


@pytest.mark.parametrize("name", [*SCENARIOS])
def test_scenarios_come_out_as_they_are_called(name: str, clips: dict[str, Episode]) -> None:
    told = clips[name].truth
    ruling, touches = told["ruling"], told["touches"]
    faults = ruling["faults"]["near"] + ruling["faults"]["far"]
    takers = {
        "own": told["target_side"],
        "dead_none": None,
        "dead_touch": None,
        "dead_both": None,
        "hover": None,
    }
    if name in takers:
        assert ruling["taken_by"] == takers[name]
    if name == "opp":
        assert ruling["taken_by"] not in {None, told["target_side"]}
    if name.startswith("dead"):
        assert told["target_side"] is None
    if name == "press":
        assert all(0.2 < touch["moved_mm"] < 8 for touch in touches)
    if name == "pushout":
        assert told["poem"] in {push["card"] for push in told["pushed_out"]}
        assert all(touch["card"] != told["poem"] for touch in touches)
    assert faults == {"dead_touch": 1, "dead_both": 2, "otetsuki": 1, "otetsuki_take": 1, "torison": 1}.get(
        name, 2 if name == "both_fault" else 0
    )


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"style": "sumo"}, "no style 'sumo'"),
        ({"cards_per_side": 3}, r"4\.\.25, got 3"),
        ({"fps": 0}, "fps must be positive, got 0"),
        ({"size": (64, 64)}, "at least 120 pixels"),
        ({"poems": [0]}, r"1\.\.100, got \[0\]"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        SimulatedMatch(1, **options)
