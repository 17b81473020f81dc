"""`shinpan book` on real logs."""

import csv
import json
from pathlib import Path

import pytest

from benchmarks.book.club_matches import ClubMatch
from desk.book.index import FILE_NAME
from desk.commands.cli import main
from desk.commands.serve import _book
from referee.notation import parse_layout
from referee.sides import BySide, Side

FIELD = parse_layout("near 1 2|3/|/|4 far 11 12|13/|/|14")


@pytest.fixture
def club(tmp_path: Path) -> Path:
    folder = tmp_path / "matches"
    folder.mkdir()
    match = ClubMatch(folder / "m1.sqlite", BySide("=Hana", "Ken"), cards_per_side=4, layout=FIELD)
    match.read(1, (1, Side.NEAR, 200), (11, Side.FAR, 150))
    match.read(12, (12, Side.NEAR, -30))
    match.read(50)
    match.finish(Side.NEAR)
    match.write()
    begun = ClubMatch(folder / "m2.sqlite", BySide("=Hana", "Ken"), cards_per_side=4, layout=FIELD)
    begun.read(1, (1, Side.NEAR, 200))
    begun.write()
    return folder


def test_the_players_are_listed_and_damage_is_named(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (club / "notes.sqlite").write_text("no database")
    assert main(["book", "--matches", str(club)]) == 0
    told = capsys.readouterr()
    hana, ken, begun = told.out.splitlines()
    assert hana.startswith(
        "=Hana: 1 match, 1 won, 3 takes, median 85 ms of 2 taken (95 % … to …), "
        "half of the cards -30 to 200, last on 2026-01-04"
    )
    assert ken.startswith("Ken: 1 match, 0 won, 0 takes")
    assert begun == "1 match not over: no match, and counted only for how well cards are known"
    assert told.err.startswith("notes.sqlite is left out: ")


def test_players_who_look_alike_are_told(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for file, name in (("m3", "Kеn"), ("m4", "KEN")):
        match = ClubMatch(club / f"{file}.sqlite", BySide(name, "Aoi"), cards_per_side=4, layout=FIELD)
        match.read(1, (1, Side.NEAR, 200))
        match.finish(Side.NEAR)
        match.write()
    assert main(["book", "--matches", str(club)]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if "look alike" in line]
    assert told == ["look alike, counted apart: KEN, Ken, Kеn"]


def test_json_and_csv_hold_the_same_figures(club: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, table = club / "out.json", club / "out.csv"
    asked = ["book", "=Hana", "--matches", str(club), "--from", "2026-01-04", "--to", "2026-01-04"]
    assert main([*asked, "--json", str(out), "--csv", str(table)]) == 0
    assert capsys.readouterr().out == ""
    figures = json.loads(out.read_text("utf-8"))
    rows = list(csv.DictReader(table.read_text("utf-8-sig").splitlines()))
    cards = {row["of"].split()[0]: row for row in rows if row["table"] == "card"}
    assert {str(card["poem"]) for card in figures["cards"]} == set(cards) == {"1", "3", "12"}
    assert float(cards["12"]["median_ms"]) == -30.0
    assert rows[0]["of"] == "'=Hana", "a spreadsheet would run the name"
    assert main(["book", "--matches", str(club), "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [player["name"] for player in listed["players"]] == ["=Hana", "Ken"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["Mei"], "the book knows no player 'Mei'; it knows =Hana, Ken"),
        (["Ken", "--against", "Mei"], "Ken has played no match against 'Mei'"),
        (["--against", "Ken"], "name the player too"),
        (["Ken", "--from", "4 January"], "expected a day such as 2026-01-04, got '4 January'"),
        (["Ken", "--from", "2026-02-01", "--to", "2026-01-01"], "ends before it begins"),
    ],
)
def test_a_wrong_call_is_one_line(
    club: Path, capsys: pytest.CaptureFixture[str], words: list[str], told: str
) -> None:
    try:
        code = main(["book", *words, "--matches", str(club)])
    except SystemExit as left:
        code = int(left.code or 0)
    error = capsys.readouterr().err
    assert (code, error.count("\n")) == (2, 1)
    assert told in error


def test_an_empty_folder_says_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["book", "--matches", str(tmp_path)]) == 1
    assert "shinpan serve" in capsys.readouterr().out
    assert main(["book", "--matches", str(tmp_path / "nowhere")]) == 2
    assert "there is none at" in capsys.readouterr().err


def test_the_desk_opens_without_a_book_where_its_index_is_another_programs_file(
    club: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (club / FILE_NAME).write_text("my own notes")
    assert _book(club) is None
    assert "move it elsewhere" in capsys.readouterr().err
