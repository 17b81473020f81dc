"""A club's own rules: of karuta over a match that was played, of Koi-Koi as a file."""

import io
import json
import sys
from pathlib import Path

import house_rule
import pytest

from benchmarks.book.club_matches import ClubMatch
from desk.commands.cli import main
from referee.notation import parse_layout
from referee.sides import BySide, Side

KOIKOI = Path(house_rule.__file__).with_name("koikoi_house.toml")


def test_the_rulings_that_our_rules_would_have_changed_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    field = parse_layout("near 1 2|3/|/|4 far 11 12|13/|/|14")
    match = ClubMatch(tmp_path / "m1.sqlite", BySide("Hana", "Ken"), cards_per_side=4, layout=field)
    match.read(1, (1, Side.NEAR, 200))
    # a dead card: near faults twice and far once, which leaves one, or none where faults cancel
    match.read(50, (2, Side.NEAR, 100), (11, Side.NEAR, 120), (12, Side.FAR, 150))
    path = match.write()
    monkeypatch.setattr(sys, "argv", ["house_rule.py", str(path)])
    assert house_rule.main() == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines] == [["2", "50"], ["1", "rulings"]]
    assert "far sends 1" in lines[0].partition("now:")[0]
    assert "sends" not in lines[0].partition("now:")[2]


def test_moon_and_sake_cup_are_worth_what_the_house_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    worth = []
    for rules in ("kasu-2008", str(KOIKOI)):
        monkeypatch.setattr(sys, "stdin", io.StringIO('{"pile": [28, 32]}\n'))
        assert main(["koikoi", "score", "--rules", rules]) == 0
        worth.append(json.loads(capsys.readouterr().out)["yaku"])
    assert worth == [{"tsukimizake": 5}, {"tsukimizake": 3}]
