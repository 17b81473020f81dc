"""Reaction times of real logs, in a workbook and in the notebook."""

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks.book.club_matches import ClubMatch
from referee.notation import parse_layout
from referee.sides import BySide, Side

openpyxl = pytest.importorskip("openpyxl", reason="needs the extra `hall`")
reaction_times = importlib.import_module("reaction_times")
NOTEBOOK = Path(__file__).parents[2] / "examples" / "reaction_times.ipynb"


@pytest.fixture
def matches(tmp_path: Path) -> Path:
    folder = tmp_path / "matches"
    folder.mkdir()
    field = parse_layout("near 87 2|3/|/|4 far 11 12|13/|/|14")
    match = ClubMatch(folder / "m1.sqlite", BySide("Hana", "Ken"), cards_per_side=4, layout=field)
    match.read(87, (87, Side.NEAR, 200))
    match.read(12, (12, Side.NEAR, -30))
    match.read(11, (11, Side.FAR, 150))
    match.finish(Side.NEAR)
    match.write()
    return folder


def test_the_workbook_holds_every_card_the_slowest_first(
    matches: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "hana.xlsx"
    monkeypatch.setattr(sys, "argv", ["reaction_times.py", str(matches), "Hana", str(out)])
    assert reaction_times.main() == 0
    sheet = openpyxl.load_workbook(out).active
    head, *rows = sheet.iter_rows(values_only=True)
    assert head == ("poem", "kimariji", "median ms", "takes")
    assert [(row[0], row[2], row[3]) for row in rows] == [(87, 200, 1), (12, -30, 1)]
    assert len(sheet._charts) == 1


@pytest.mark.parametrize(
    ("folder", "player", "told"),
    [("matches", "Mei", "no take of 'Mei' was timed"), ("nowhere", "Hana", "there is none at")],
)
def test_a_wrong_call_is_one_line(
    matches: Path, monkeypatch: pytest.MonkeyPatch, folder: str, player: str, told: str
) -> None:
    words = ["reaction_times.py", str(matches.parent / folder), player, str(matches / "x.xlsx")]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit, match=told):
        reaction_times.main()
    assert not (matches / "x.xlsx").exists()


def test_the_notebook_runs_to_its_last_cell(matches: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert all(not cell["outputs"] for cell in cells if cell["cell_type"] == "code"), (
        "commit it without output"
    )
    names: dict[str, Any] = {}
    for number, cell in enumerate(code):
        exec(compile(cell, f"cell {number}", "exec"), names)
        if "MATCHES" in cell and number == 0:
            names["MATCHES"] = str(matches)
    assert capsys.readouterr().out.splitlines()[0].split()[1:] == ["200", "ms", "of", "1"]
    assert sum(len(bars) for bars in names["axes"].containers) == len(names["lengths"]) == 2
