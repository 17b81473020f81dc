"""A tournament in a file, its entrants from lists as clubs keep them, and its tables for spreadsheets."""

import csv
import io
import tracemalloc
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from desk.errors import DeskError
from desk.log.event_log import EventLog, LogEntry
from desk.tournament.desk import TournamentDesk
from desk.tournament.entries import Entry, entries_of, events_of, read_entries
from desk.tournament.spreadsheet import results_csv, standings_csv
from referee.tournament.division import Division, Entrant, System
from referee.tournament.events import (
    DivisionOpened,
    EntrantEntered,
    EntrantWithdrawn,
    MatPlaced,
    ResultEntered,
    RoundDrawn,
    TournamentOpened,
)
from referee.tournament.pairing import Result
from referee.tournament.state import Tournament
from referee.tournament.tournament import apply, begin

OPENED = TournamentOpened("spring", "12 May")


def rows(text: str) -> list[dict[str, str]]:
    assert text.startswith("\ufeff"), "spreadsheets need the mark to know that it is UTF-8"
    return list(csv.DictReader(io.StringIO(text[1:])))


@pytest.fixture
def desk(tmp_path: Path) -> TournamentDesk:
    desk = TournamentDesk.at(tmp_path / "new" / "spring.sqlite", OPENED)
    names = ("=Aoi", "Ben", "千恵")
    entrants = [EntrantEntered("A", Entrant(n, name, "East")) for n, name in enumerate(names, 1)]
    desk.tell(DivisionOpened(Division("A")), *entrants)
    desk.tell(
        RoundDrawn("A", ((1, 2),), (3,)), MatPlaced("A-1-1", "mat-07"), ResultEntered("A-1-1", Result(0, 8))
    )
    return desk


def test_who_opens_the_file_again_finds_the_same(desk: TournamentDesk, tmp_path: Path) -> None:
    desk.close()
    again = TournamentDesk.at(tmp_path / "new" / "spring.sqlite", TournamentOpened("other", "x"))
    assert (again.state, again.seq) == (desk.state, 8)
    assert again.state.name == "spring"
    again.close()


def test_the_log_of_something_else_is_left_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[Path] = []
    close = EventLog.close

    def noted(log: EventLog) -> None:
        close(log)
        closed.append(log.path)

    monkeypatch.setattr(EventLog, "close", noted)
    for kind, payload, told in (
        ("poem_read", {}, "poem_read"),
        ("draw_cancelled", {"division": "A"}, r"not the log of a tournament: .*begins with its opening"),
    ):
        path = tmp_path / f"{kind}.sqlite"
        with closing(EventLog.create(path)) as log:
            log.append([LogEntry(1, 0, "2026-01-01", "operator", kind, 1, payload)])
        closed.clear()
        with pytest.raises(DeskError, match=told):
            TournamentDesk.at(path, OPENED)
        assert closed == [path]


def test_what_is_refused_changes_nothing_and_wakes_nobody(desk: TournamentDesk) -> None:
    before, woken = desk.state, []
    leave = desk.listen(lambda: woken.append(desk.seq))
    with pytest.raises(DeskError, match="withdrawn already"):
        desk.tell(EntrantWithdrawn(2), EntrantWithdrawn(2))
    assert (desk.state, desk.seq, woken) == (before, 8, [])
    desk.tell(EntrantWithdrawn(2))
    leave()
    desk.tell(EntrantWithdrawn(3))
    assert woken == [9]
    desk.close()


def test_tables_for_spreadsheets(desk: TournamentDesk) -> None:
    results = rows(results_csv(desk.state))
    assert [
        (row["match"], row["mat"], row["first"], row["winner"], row["cards"], row["ended"]) for row in results
    ] == [("A-1-1", "mat-07", "'=Aoi", "'=Aoi", "8", "played"), ("", "", "千恵", "千恵", "", "bye")]
    desk.tell(EntrantWithdrawn(1))
    table = rows(standings_csv(desk.state))
    assert [(row["rank"], row["name"], row["points"], row["state"]) for row in table] == [
        ("1", "千恵", "1", "champion"), ("2", "'=Aoi", "1", "withdrawn"), ("3", "Ben", "0", "out")
    ]  # fmt: skip
    desk.close()


def test_a_class_of_an_earlier_version_is_ranked_as_it_was(tmp_path: Path) -> None:
    """Version 1 of the opening says nothing of virtual opponents."""
    path = tmp_path / "old.sqlite"
    division = {"name": "C", "system": "swiss", "rounds": 1, "boards": 1, "clubs_apart": 2}
    with EventLog.create(path) as log:
        wall = "2026-01-01"
        log.append(
            [
                LogEntry(1, 1, wall, "operator", "tournament_opened", 1, {"name": "x", "seed": "y"}),
                LogEntry(2, 1, wall, "operator", "division_opened", 1, {"division": division}),
            ]
        )
    with closing(TournamentDesk.at(path, OPENED)) as desk:
        desk.tell(DivisionOpened(Division("D", System.SWISS, 1)))
    with closing(TournamentDesk.at(path, OPENED)) as desk:
        assert [course.division.virtual_opponents for course in desk.state.courses.values()] == [False, True]


ENGLISH = "class,name,club,number\nA,Aoi,East,7\nD2,Ben,,\n"
JAPANESE = "番号\t級\t氏名\t所属\r\n７\tＡ級\t青井\u3000葵\t東かるた会\r\n\r\n\tＤ２級\t勉\t\r\n"
TEAMS = """class;team;name;club
T;East 1;a;East
T;East 1;b;East
T;West;x;West
T;East 1;c;East
T;West;y;
T;West;z;
"""


def entered(text: str, **options: object) -> Tournament:
    state = begin(TournamentOpened("spring", "s"))
    for event in events_of(entries_of(text.encode(), "list.csv"), state, **options):  # type: ignore[arg-type]
        state = apply(state, event)
    return state


def workbook(*rows: tuple[object, ...]) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    for row in rows:
        sheet.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        (ENGLISH, [Entry("A", "Aoi", "East", 7), Entry("D2", "Ben")]),
        ('"class";"name";"club"\r\n"A";"Hana, the 2nd";"X"\r\n', [Entry("A", "Hana, the 2nd", "X")]),
        ('class,name,club\r\nA,"花子\nはなこ",X\r\n', [Entry("A", "花子 はなこ", "X")]),
        ("class,name,number\nA,a,1.0\nA,b,007\n", [Entry("A", "a", number=1), Entry("A", "b", number=7)]),
        ("春の大会 2026\n\n級,氏名\nA,花子\n", [Entry("A", "花子")]),
    ],
    ids=["English", "semicolons", "two lines", "numbers", "a title"],
)
def test_a_list_is_read_as_it_was_meant(text: str, entries: list[Entry]) -> None:
    for encoding in ("utf-8", "cp932"):
        assert entries_of(text.encode(encoding), "x.csv") == entries


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp932"])
def test_japanese_columns_in_every_code_page(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_bytes(JAPANESE.encode(encoding))
    assert read_entries(tmp_path / "list.txt") == [Entry("A", "青井 葵", "東かるた会", 7), Entry("D2", "勉")]


def test_a_workbook() -> None:
    head = ("級", "氏名", "番号", None)
    data = workbook(("春の大会",), head, ("A級", "葵", 7.0, None), (None,), ("B", "勉", None, "late"))
    assert entries_of(data, "list.xlsx") == [Entry("A", "葵", number=7), Entry("B", "勉")]
    with pytest.raises(DeskError, match="got 'who,where'"):
        entries_of(workbook(("who", "where"), ("x", "y")), "list.xlsx")


def test_numbers_that_the_list_does_not_give_are_free_ones() -> None:
    state = entered("class,name,number\nA,a,2\nA,b,\nB,c,\nB,d,1\n")
    assert [*state.course("A").entrants] == [2, 3]
    assert [*state.course("B").entrants] == [4, 1]


def test_teams_are_gathered_in_the_order_of_their_boards() -> None:
    state = entered(TEAMS, system=System.SWISS, rounds=3)
    assert state.course("T").division == Division("T", System.SWISS, 3, boards=5)
    assert list(state.course("T").entrants.values()) == [
        Entrant(1, "East 1", "East", ("a", "b", "c")),
        Entrant(2, "West", "West", ("x", "y", "z")),
    ]


def test_a_class_that_is_open_stays_as_it_is() -> None:
    state = apply(begin(TournamentOpened("spring", "s")), DivisionOpened(Division("A", System.SWISS, 5)))
    events = events_of(entries_of(ENGLISH.encode(), "x.csv"), state)
    assert events[:2] == [EntrantEntered("A", Entrant(7, "Aoi", "East")), DivisionOpened(Division("D2"))]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "expected the columns class,name .* in one of the first lines, got ''"),
        (b"name,club\nAoi,East\n", "got 'name,club'"),
        (b"class,name\n", "a row for every entrant"),
        (b"class,name\nA,Aoi\n\nA,Aoi\n", "row 4: Aoi is in class A twice"),
        ("class,name\nA,ガ\nA,カ\u3099\n".encode(), "row 3: ガ is in class A twice"),
        ("class,name\nA,Ｈａｎａ\nA,Hana\n".encode(), "row 3: Hana is in class A twice"),
        (b"class,name\n--,Aoi\n", "row 2: expected a class of up to 20 letters, .* got '--'"),
        (b"Spring\n\nclass,name\nA,\n", "row 4: expected a name"),
        ("級,姓,名\nA,青井,葵\nA,,\n".encode(), "row 3: expected a name"),
        (b"class,name,number\nA,x,seven\n", "row 2: expected a number from 1 on, or none, got 'seven'"),
        (b"class,name,number\nA,x,0\n", "got '0'"),
        (b"class,name,number\nA,x,1.5\n", "got '1.5'"),
        (b"\xff\xfe\x00\xd8", "not UTF-8 text"),
        (b"PK\x03\x04 no workbook", "cannot be read as a workbook"),
        (b'class,name\nA,"x"y\n', "line 2: its quotation marks do not match"),
    ],
)
def test_a_list_that_cannot_be_read_is_told_in_one_line(data: bytes, message: str) -> None:
    with pytest.raises(DeskError, match=message) as told:
        entries_of(data, "list.csv")
    assert "\n" not in str(told.value)
    assert str(told.value).startswith("list.csv")


def remade(replaced: bytes, by: str) -> bytes:
    """Return a workbook of one entrant with a part of its sheet changed, as no spreadsheet writes it."""
    made = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(workbook(("class", "name"), ("A", "Aoi")))) as book,
        zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as other,
    ):
        for part in book.namelist():
            other.writestr(part, book.read(part).replace(replaced, by.encode()))
    return made.getvalue()


def test_a_list_that_is_too_large_is_refused_before_it_is_whole_in_memory() -> None:
    """Rows beyond the limit were left out without a word."""
    row = '<row r="{0}"><c r="A{0}" t="inlineStr"><is><t>A</t></is></c></row>'
    rows = "".join(row.format(number) for number in range(3, 20_003))
    for data, message in (
        (b"class,name\n" + b"A,n\n" * 20_001, "x: expected at most 20000 rows"),
        (remade(b"</sheetData>", f"{rows}</sheetData>"), "x: expected at most 20000 rows"),
        (remade(b'<row r="2"', f'<row r="{10**12}"'), "x: expected at most 20000 rows"),
        (remade(b">Aoi<", f">{'x' * (17 << 20)}<"), "x is too large a workbook: 17 MiB unpacked"),
        (remade(b">Aoi<", f">{'x' * 1001}<"), "x, row 2: expected at most 1000 letters in a cell, got 1001"),
        (b"class,name,note\nA,Aoi," + b"x" * 1001, "x, row 2: expected at most 1000 letters"),
        (b"class,name\n" + b" " * (8 << 20), "x is too large for a list of entrants: expected 8 MiB"),
    ):
        with pytest.raises(DeskError, match=message):
            entries_of(data, "x")


@pytest.mark.parametrize("kind", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_workbook_that_unpacks_to_more_than_it_announces_is_refused(kind: int) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", kind) as archive:
        archive.writestr("[Content_Types].xml", bytes(64 << 20))
    data = bytearray(packed.getvalue())
    at = data.index(b"PK\x01\x02") + 24
    data[at : at + 4] = (10).to_bytes(4, "little")
    tracemalloc.start()
    try:
        with pytest.raises(DeskError, match="cannot be read as a workbook"):
            entries_of(bytes(data), "list.xlsx")
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


def test_a_table_with_too_many_columns_is_refused_and_does_not_fill_the_memory() -> None:
    head = ["class", "name", *["note"] * 100_000]
    tracemalloc.start()
    try:
        with pytest.raises(DeskError, match="expected at most 100 columns"):
            entries_of("\n".join([",".join(head), *["A,Aoi"] * 5000]).encode(), "list.csv")
        assert tracemalloc.get_traced_memory()[1] < 64 << 20
    finally:
        tracemalloc.stop()
    wide = workbook(tuple(head[:101]), ("A", "Aoi", *[None] * 98, "note"))
    with pytest.raises(DeskError, match="expected at most 100 columns"):
        entries_of(wide, "list.xlsx")
    widest = f"{','.join(head[:99])},club{',' * 900}\nA,Aoi{',' * 98}Chihaya\n"
    assert entries_of(widest.encode(), "list.csv") == [Entry("A", "Aoi", "Chihaya")]


def test_names_have_no_signs_that_nobody_sees() -> None:
    data = "class,name\nA,\u202eAoi\u200b\x07\n".encode()
    assert entries_of(data, "x.csv") == [Entry("A", "Aoi")]
    with pytest.raises(DeskError, match="row 3: Aoi is in class A twice"):
        entries_of(data + b"A,Aoi\n", "x.csv")


def test_a_class_has_players_or_teams() -> None:
    with pytest.raises(DeskError, match="class T has teams, but Zoe is in none"):
        entered("class,name,team\nT,a,x\nT,b,x\nT,c,x\nT,Zoe,\n")


def test_a_list_enters_nobody_twice() -> None:
    state = entered("class,name,club\nA,Aoi,East\n")
    with pytest.raises(DeskError, match="class A: Aoi is entered already"):
        events_of(entries_of(b"class,name,club\nA,Ben,East\nA,Aoi,East\n", "x.csv"), state)
    assert len(events_of(entries_of(b"class,name,club\nA,Aoi,West\nB,Aoi,East\n", "x.csv"), state)) == 3


CLASSES = {
    "A級": "A", "Ａ級": "A", "class b": "B", "D2クラス": "D2", "A-1": "A1", "A 1": "A1", "初級": "初級",
    "小学生": "小学生", "中学生の部": "中学生の部", "小学生（低学年）": "小学生_低学年", "1-2年": "1_2年",
}  # fmt: skip


@pytest.mark.parametrize(("written", "name"), CLASSES.items())
def test_classes_as_clubs_write_them(written: str, name: str) -> None:
    (entry,) = entries_of(f"級,氏名\n{written},花子\n".encode(), "x.csv")
    assert entry.division == name
    course = entered(f"級,氏名\n{written},花子\n{written},健\n").course(name)
    assert [each.name for each in course.entrants.values()] == ["花子", "健"]


@pytest.mark.parametrize(
    ("head", "cells", "name"),
    [
        ("級,姓,名", "A,青井,葵", "青井 葵"),
        ("級,氏,名,ふりがな", "A,青井,葵,あおい あおい", "青井 葵"),
        ("級,姓（漢字）,名（漢字）,姓（かな）,名（かな）", "A,青井,葵,あおい,あおい", "青井 葵"),
        ("クラス,苗字,名前", "A,青井,葵", "青井 葵"),
        ("級,氏名,姓,名", "A,青井葵,青井,葵", "青井葵"),
        ("級,姓,名", "A,青井,", "青井"),
        ("Class,Last name,First name", "A,Suzuki,Hana", "Hana Suzuki"),
        ("class,first-name,LAST NAME", "A,Hana,Suzuki", "Hana Suzuki"),
        ("class,surname,name", "A,Suzuki,Hana", "Hana Suzuki"),
        ("class,name,last name,first name", "A,Hana S.,Suzuki,Hana", "Hana S."),
        ("class,family name,given name", "A,鈴木,花", "鈴木 花"),
    ],
)
def test_surname_and_given_name_in_columns_of_their_own(head: str, cells: str, name: str) -> None:
    for encoding in ("utf-8-sig", "cp932"):
        data = f"{head}\n{cells}\n".encode(encoding)
        assert [entry.name for entry in entries_of(data, "x.csv")] == [name]
    book = workbook(tuple(head.split(",")), tuple(cells.split(",")))
    assert [entry.name for entry in entries_of(book, "x.xlsx")] == [name]


def test_a_list_that_was_entered_before_enters_only_whom_it_has_more() -> None:
    state = entered("class,name,number\nA,Aoi,1\nA,Ben,2\n")
    more = entries_of(b"class,name,number\nA,Aoi,1\nA,Ben,2\nA,Cho,\n", "x.csv")
    assert events_of(more[:2], state, again=True) == []
    assert events_of(more, state, again=True) == [EntrantEntered("A", Entrant(3, "Cho"))]
