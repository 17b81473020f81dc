"""What counts in the book, once, on which day and for whom; its figures match a second count."""

import shutil
from datetime import datetime
from pathlib import Path

import pytest

from benchmarks.book.club_matches import ClubMatch, play
from benchmarks.book.second_count import count, differences
from desk.book.book import Book
from desk.karuta.engine.engine import Origin
from desk.log.event_log import EventLog
from desk.practice.events import Attempt, Outcome, PracticeEnded, PracticeOpened, ReadingBegun, Record
from desk.tables.source_kind import Source
from referee.notation import parse_layout
from referee.sides import BySide, Side

PLAYERS = ("Hana", "Ken", "Mei")


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("club")
    for number in range(4):
        near, far = PLAYERS[number % 3], PLAYERS[(number + 1) % 3]
        match = ClubMatch(
            folder / f"m{number}.sqlite",
            BySide(near, far),
            seed=number,
            cards_per_side=12,
            day=f"2026-01-{4 + 3 * number:02}",
        )
        play(match, {Side.NEAR: 80, Side.FAR: 90}, trouble=0.3, dead=6)
        match.write()
    return folder


def test_the_figures_equal_a_second_count(club: Path) -> None:
    counted = count(sorted(club.glob("*.sqlite")))
    book = Book(club)
    assert set(counted) == {player["name"] for player in book.players()} == set(PLAYERS)
    for name in PLAYERS:
        figures = book.figures(name)
        assert figures is not None
        assert differences(figures, counted[name]) == []
        assert figures["faults"]["n"]
        assert figures["cards_sent"]
        assert figures["before_kimariji"]["won"]
    assert sum(each.sums["in_doubt"] for each in counted.values()), (
        "no match had a ruling that does not count"
    )
    book.close()


def test_a_pairing_and_a_range_of_days_count_only_their_matches(club: Path) -> None:
    logs = sorted(club.glob("*.sqlite"))
    book = Book(club)
    pairing = book.figures("Hana", "Ken")
    assert pairing is not None
    assert differences(pairing, count([logs[0], logs[3]])["Hana"]) == []
    days = book.figures("Hana", since="2026-01-07", until="2026-01-13")
    assert days is not None
    assert differences(days, count(logs[1:4])["Hana"]) == []
    nothing = book.figures("Hana", until="2025-12-31")
    assert nothing is not None
    assert (nothing["matches"], nothing["takes"]["share"], nothing["cards"]) == (0, None, [])
    assert [player["name"] for player in book.players(until="2026-01-04")] == ["Hana", "Ken"]
    book.close()


def test_matches_without_names_count_for_nobody(tmp_path: Path) -> None:
    field = parse_layout("near 1 2|/|/| far 11 12|/|/|")
    for number, names in enumerate([(None, None), ("Hana", "Hana"), ("Hana", None), (" Hana", "Ken")]):
        match = ClubMatch(tmp_path / f"m{number}.sqlite", BySide(*names), cards_per_side=2, layout=field)
        match.finish(Side.NEAR)
        match.write()
    book = Book(tmp_path)
    assert [(player["name"], player["matches"]) for player in book.players()] == [("Hana", 2), ("Ken", 1)]
    assert book.not_counted()["unnamed"] == 2
    assert book.names() == ["Hana", "Ken"]
    hana = book.figures("Hana")
    assert hana is not None
    assert [(each["name"], each["matches"]) for each in hana["opponents"]] == [("Ken", 1)]
    assert book.figures("Mei") is None
    assert book.figures("Hana", "Mei") is None
    book.close()


FIELD = parse_layout("near 1 2|3/|/|4 far 11 12|13/|/|14")
NOW = datetime.fromisoformat("2026-11-29T18:00:00+09:00")


def played(
    path: Path,
    names: tuple[str, str] = ("Hana", "Ken"),
    *,
    day: str = "2026-11-20",
    source: Source = Source.CAMERA,
    finished: bool = True,
) -> Path:
    match = ClubMatch(path, BySide(*names), cards_per_side=4, layout=FIELD, day=day, source=source)
    match.read(1, (1, Side.NEAR, 200))
    match.read(50, (3, Side.FAR, 300))
    if finished:
        match.finish(Side.NEAR)
    return match.write()


def practised(path: Path, wall: str, *attempts: tuple[int, Outcome], source: Source = Source.CAMERA) -> None:
    clock = iter(range(10**6, 10**9, 10**6))
    log = EventLog.create(path)
    record = Record(log, PracticeOpened(path.stem, source, "Hana", "0"), lambda: next(clock), lambda: wall)
    record.note(Origin.READER, ReadingBegun(Side.NEAR, tuple(poem for poem, _ in attempts)))
    for poem, outcome in attempts:
        ns = 300_000_000 if outcome is Outcome.TAKEN else None
        record.note(Origin.EYE, Attempt(poem, outcome, "x", ns, None if ns is None else 5_000_000))
    record.note(Origin.DESK, PracticeEnded())
    record.close()


def book_of(folder: Path, now: datetime = NOW, day_begins_h: int = 0) -> Book:
    return Book(folder, now=lambda: now, day_begins_h=day_begins_h)


def sums(folder: Path) -> dict[str, tuple[int, int, int, int | None]]:
    book = book_of(folder)
    found = {
        player["name"]: (
            player["matches"],
            player["practices"],
            player["takes"],
            None if player["rating"] is None else player["rating"]["matches"],
        )
        for player in book.players()
    }
    book.close()
    return found


def test_a_match_in_several_files_counts_once_and_the_double_is_named(tmp_path: Path) -> None:
    path = played(tmp_path / "a.sqlite")
    practised(tmp_path / "p.sqlite", "2026-11-20T21:00:00.000+09:00", (1, Outcome.TAKEN))
    before = sums(tmp_path)
    assert before["Hana"] == (1, 1, 3, 1)
    shutil.copy(path, tmp_path / "a (1).sqlite")
    shutil.copy(path, tmp_path / "0 restored.sqlite")
    shutil.copy(tmp_path / "p.sqlite", tmp_path / "p 2.sqlite")
    assert sums(tmp_path) == before
    book = book_of(tmp_path)
    assert [(log["file"], log["why"], log["detail"]) for log in book.left_out()] == [
        ("0 restored.sqlite", "double", "a.sqlite"),
        ("a (1).sqlite", "double", "a.sqlite"),
        ("p 2.sqlite", "double", "p.sqlite"),
    ]
    book.close()
    path.unlink()
    assert sums(tmp_path) == before, "a copy takes its place"


def test_nothing_of_the_simulator_counts(tmp_path: Path) -> None:
    played(tmp_path / "a.sqlite", source=Source.SIMULATOR)
    wall = "2026-11-20T21:00:00.000+09:00"
    practised(tmp_path / "p.sqlite", wall, (1, Outcome.MISSED), source=Source.SIMULATOR)
    book = book_of(tmp_path)
    assert (book.players(), book.names(), book.due_days("Hana")) == ([], [], {})
    assert book.card_set("Hana", "lost") is None
    assert book.not_counted() == {"unnamed": 0, "simulated": 2, "unfinished": 0}
    book.close()


def test_a_match_that_is_not_over_counts_only_for_the_cards_that_are_known(tmp_path: Path) -> None:
    played(tmp_path / "a.sqlite", finished=False)
    assert sums(tmp_path) == {"Hana": (0, 0, 0, None), "Ken": (0, 0, 0, None)}
    book = book_of(tmp_path)
    figures = book.figures("Hana", against="Ken")
    assert figures is not None
    assert (figures["matches"], figures["unfinished"], figures["opponents"]) == (0, 1, [])
    assert (figures["takes"]["n"], figures["faults"]["n"], figures["cards"], figures["weeks"]) == (
        0,
        0,
        [],
        [],
    )
    assert figures["rating"] is None
    assert book.not_counted()["unfinished"] == 1
    assert book.due_days("Hana"), "as a practice tells it"
    assert book.trials("Hana")
    book.close()


def test_a_log_from_the_future_is_named_and_waits(tmp_path: Path) -> None:
    practised(tmp_path / "p0.sqlite", "2026-11-10T20:00:00.000+09:00", (1, Outcome.TAKEN))
    practised(tmp_path / "p1.sqlite", "2036-11-20T20:00:00.000+09:00", (1, Outcome.TAKEN))
    practised(tmp_path / "p2.sqlite", "2026-11-29T17:00:00.000+09:00", (1, Outcome.MISSED))
    book = book_of(tmp_path)
    assert book.due_days("Hana") == {1: "2026-11-30"}
    assert [(log["file"], log["why"], log["detail"]) for log in book.left_out()] == [
        ("p1.sqlite", "future", "2036-11-20 20:00")
    ]
    assert "it begins at 2036-11-20 20:00, later than now" in book.problems()["p1.sqlite"]
    assert [player["practices"] for player in book.players()] == [2]
    book.close()
    later = book_of(tmp_path, datetime.fromisoformat("2036-12-01T08:00:00+09:00"))
    assert later.left_out() == []
    assert [player["practices"] for player in later.players()] == [3]
    later.close()


@pytest.mark.parametrize("hour", ["00:00", "10:00", "18:00", "23:59"])
def test_a_card_is_due_on_the_day_that_was_told_from_its_first_hour(tmp_path: Path, hour: str) -> None:
    outcomes = [(1, Outcome.TAKEN), (2, Outcome.TAKEN), (3, Outcome.MISSED), (4, Outcome.LURED)]
    practised(tmp_path / "p.sqlite", "2026-11-20T20:00:00.000+09:00", *outcomes)
    book = book_of(tmp_path)
    days = book.due_days("Hana")
    assert days == {1: "2026-11-22", 2: "2026-11-22", 3: "2026-11-21", 4: "2026-11-21"}
    for day in ("2026-11-20", "2026-11-21", "2026-11-22", "2026-11-23"):
        now = datetime.fromisoformat(f"{day}T{hour}:00+09:00")
        due = book.card_set("Hana", "due", now=now) or []
        assert {card["poem"] for card in due} == {poem for poem, told in days.items() if told <= day}
        assert {card["due"] for card in due} <= set(days.values())
    book.close()


def test_a_day_may_begin_some_hours_after_midnight(tmp_path: Path) -> None:
    practised(tmp_path / "p.sqlite", "2026-11-21T01:00:00.000+09:00", (1, Outcome.MISSED))
    book = book_of(tmp_path, day_begins_h=4)
    assert book.due_days("Hana") == {1: "2026-11-21"}, "a night belongs to the evening before"
    for hour, due_count in (("03:59", 0), ("04:00", 1)):
        now = datetime.fromisoformat(f"2026-11-21T{hour}:00+09:00")
        assert len(book.card_set("Hana", "due", now=now) or []) == due_count
    book.close()


def test_order_is_by_instants_and_not_by_the_text_of_local_times(tmp_path: Path) -> None:
    """The hour that the end of summer time repeats: the match of 02:10 comes after that of 02:40."""
    walls = ("2026-10-25T02:40:00.000+02:00", "2026-10-25T02:10:00.000+01:00")
    for number, wall in enumerate(walls):
        path = tmp_path / f"p{number}.sqlite"
        practised(path, wall, (1, Outcome.TAKEN if number else Outcome.MISSED))
    book = book_of(tmp_path)
    assert book.due_days("Hana") == {1: "2026-10-26"}, "the failure came first, and is the day's review"
    book.close()
