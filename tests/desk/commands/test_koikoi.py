"""`shinpan koikoi`: JSON lines in, JSON out, and one clear line where the input is wrong."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from desk.commands import cli
from tests.desk.commands.test_kendo import written


def score(lines: str, *arguments: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    return cli.main(["koikoi", "score", *arguments])


def test_score_answers_each_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    asked = '{"pile": [8, 32]}\n\n{"pile": [0, 8, 44], "own_calls": 1, "other_calls": 1}\n{"pile": []}\n'
    assert score(asked, "--rules", "nintendo", monkeypatch=monkeypatch) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert answers == [
        {"yaku": {"hanamizake": 5}, "base": 5, "points": 5},
        {"yaku": {"sanko": 5}, "base": 5, "points": 10},
        {"yaku": {}, "base": 0, "points": 0},
    ]


@pytest.mark.parametrize(
    ("line", "arguments", "complaint"),
    [
        ('{"pile": [48]}', (), "line 0: a card is a number 0..47, got 48"),
        ('{"pile": [3, 3]}', (), "line 0: each card exists once, but 3 came twice"),
        ('{"pile": 3}', (), "'pile' must be a list of card ids, got 3"),
        ('{"pile": [true]}', (), "a card is a number 0..47, got True"),
        ('{"pile": [], "own_calls": -1}', (), "'own_calls' must be a whole number from 0 on, got -1"),
        ("[1, 2]", (), "line 0: expected an object, got [1, 2]"),
        ("{", (), "line 0: not valid JSON"),
        ("{}", ("--rules", "nintndo"), "did you mean 'nintendo'"),
        ("{}", ("--rules", "none.toml"), "there is no such file or folder"),
        ("{}", ("--set", "treshold.mode=ge"), "unknown key 'treshold' (did you mean 'threshold'?)"),
    ],
)
def test_wrong_input_is_one_clear_line(
    line: str,
    arguments: tuple[str, ...],
    complaint: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert score(line, *arguments, monkeypatch=monkeypatch) == 2
    errors = capsys.readouterr().err
    assert complaint in errors
    assert errors.count("\n") == 1


ROUND: list[dict[str, Any]] = [
    {"kind": "deal", "round": 1, "players": 2, "dealer": 0, "field": [1, 9, 45, 12, 16, 20, 24, 30]},
    {"kind": "play", "player": 0, "card": 0, "taken": [1]},
    {"kind": "draw", "player": 0, "card": 8, "taken": [9]},
    {"kind": "play", "player": 1, "card": 2, "taken": [12]},
    {"kind": "draw", "player": 1, "card": 3, "taken": [2]},
    {"kind": "play", "player": 0, "card": 44, "taken": [45]},
    {"kind": "draw", "player": 0, "card": 5},
    {"kind": "declare", "player": 0, "what": "stop"},
    {"kind": "end"},
]


def test_play_writes_the_minutes(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    assert cli.main(["koikoi", "play", "--events", written(tmp_path, ROUND), "--json", str(out)]) == 0
    minutes = json.loads(out.read_text("utf-8"))
    text = minutes["rounds"][0]["flags"][0].pop("text")
    assert "put back" in text
    assert minutes == {
        "rules": "kasu-2008",
        "rounds": [
            {
                "round": 1,
                "dealer": 0,
                "end": "stop",
                "winner": 0,
                "points": [5, 0],
                "calls": [0, 0],
                "yaku": [{"sanko": 5}, {}],
                "base": [5, 0],
                "formula": "5",
                "flags": [{"event": 3, "id": "wrong_month"}],
            }
        ],
        "totals": [5, 0],
        "next_dealer": 0,
        "ranking": [[0], [1]],
        "over": False,
    }


@pytest.mark.parametrize(
    ("event", "complaint"),
    [
        ({"kind": "shuffle"}, "line 1: 'kind' must be one of deal, play, draw, declare, end, got 'shuffle'"),
        ({"kind": "play", "player": 2, "card": 4}, "line 1: seats are numbered 0..1, got 2"),
        ({"kind": "play", "player": 0}, "line 1: a card is a number 0..47, got None"),
        (
            {"kind": "declare", "player": 0, "what": "ron"},
            "'what' must be one of koikoi, stop, teshi, kuttsuki",
        ),
        ({**ROUND[0], "hands": 3}, "'hands' must be a list of hands, got 3"),
        ({**ROUND[0], "hands": [1, 2]}, "'hands' must hold a list of card ids for each seat, got [1, 2]"),
        ({**ROUND[0], "players": 7}, "line 1: these rules are for 2, 3, 4 players, got 7"),
    ],
)
def test_an_event_that_cannot_be_names_its_line(
    event: dict[str, Any], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["koikoi", "play", "--events", written(tmp_path, [ROUND[0], event])]) == 2
    assert complaint in capsys.readouterr().err
