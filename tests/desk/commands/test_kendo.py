"""`shinpan kendo play`: JSON lines in, the bout's minutes out."""

import json
from pathlib import Path
from typing import Any

import pytest

from desk.commands import cli

BOUT: list[dict[str, Any]] = [
    {"kind": "open", "player": 0},
    {"kind": "play", "player": 0, "cards": ["men_uchi"]},
    {"kind": "exchange", "player": 0},
    {"kind": "draw", "player": 0, "deck": "red"},
    {"kind": "play", "player": 1, "cards": ["kote>do"]},
    {"kind": "play", "player": 1, "cards": ["men>kote"]},
    {"kind": "pass", "player": 0},
    {"kind": "declare", "player": 0, "what": "cede"},
]


def written(folder: Path, events: list[dict[str, Any]]) -> str:
    path = folder / "events.jsonl"
    path.write_text("\n".join(map(json.dumps, events)), "utf-8")
    return str(path)


def test_the_minutes_of_a_bout(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    assert cli.main(["kendo", "play", "--events", written(tmp_path, BOUT), "--json", str(out)]) == 0
    minutes = json.loads(out.read_text("utf-8"))
    assert len(minutes.pop("log")) == len(BOUT)
    assert [flag.pop("text") for flag in minutes["flags"]] == [
        "kote>do: kote>do receives kote, and brown attack men stands",
        "player 0 has no opening to cede",
    ]
    assert minutes == {
        "rules": "seed-003",
        "score": {"ippon": [0, 1], "hansoku": [0, 0]},
        "winner": None,
        "opens_next": 0,
        "to_act": 0,
        "standing": "nothing stands",
        "flags": [
            {"event": 4, "id": "illegal_play", "row": "red"},
            {"event": 7, "id": "illegal_declaration", "row": "TSUBAZERIAI"},
        ],
    }


@pytest.mark.parametrize(
    ("event", "complaint"),
    [
        (
            {"kind": "fly", "player": 0},
            "line 1: 'kind' must be one of open, pass, exchange, play, accept, draw, declare",
        ),
        ({"kind": "play", "player": 0, "cards": ["kick"]}, "line 1: there is no card 'kick'"),
        ({"kind": "play", "player": 0, "cards": "seme"}, "'cards' must be a list of card names, got 'seme'"),
        ({"kind": "play", "player": 0}, "line 1: a play has at least one card"),
        (
            {"kind": "draw", "player": 0, "deck": "blue"},
            "'deck' must be one of brown, red, green, got 'blue'",
        ),
        ({"kind": "pass", "player": 2}, "line 1: the seats are 0 and 1, got 2"),
    ],
)
def test_an_event_that_cannot_be_names_its_line(
    event: dict[str, Any], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["kendo", "play", "--events", written(tmp_path, [BOUT[0], event])]) == 2
    assert complaint in capsys.readouterr().err


def test_lots_for_a_tournament(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["kendo", "bracket", "--seed", "12 May", "Aoi", "Ben", "Chie"]) == 0
    rounds = json.loads(capsys.readouterr().out)["rounds"]
    first = [pairing["players"] for pairing in rounds[0]]
    assert sorted(str(name) for players in first for name in players) == ["Aoi", "Ben", "Chie", "None"]
    # who drew the bye already stands in the final
    assert rounds[1] == [{"players": [first[0][0], None]}]
    assert cli.main(["kendo", "bracket", "--seed", "12 May", "Aoi"]) == 2


@pytest.mark.parametrize("game", ["koikoi", "kendo"])
def test_one_name_for_two_players_is_refused_at_once(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    names = ("--name", "父", "--name", " 父")
    assert cli.main([game, "live", "--deck", "none", *names]) == 2
    assert "two players are called 父" in capsys.readouterr().err
