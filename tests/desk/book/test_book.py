"""The book's figures match a count that referees every match again, for the right players."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from fsrs import Card

from benchmarks.book.club_matches import ClubMatch, play
from benchmarks.book.second_count import count, differences
from desk.book import memory
from desk.book.book import Book
from desk.book.figures import FAMILIES
from desk.book.memory import Trial
from referee.cards.kimariji import ALONE
from referee.cards.poems import POEMS
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


def test_each_table_adds_up_to_the_whole(club: Path) -> None:
    book = Book(club)
    figures = book.figures("Mei")
    assert figures is not None
    whole = figures["takes"]
    tables = ("cards", "families", "stages", "weeks", "opponents")
    for table in (figures[name] for name in tables):  # type: ignore[literal-required]
        assert sum(row["takes"]["won"] for row in table) == whole["won"]
        assert sum(row["takes"]["n"] for row in table) == whole["n"]
    assert sum(figures["faults"]["kinds"].values()) == figures["faults"]["n"]
    book.close()


def test_every_poem_belongs_to_one_family_of_those_that_begin_alike() -> None:
    poems = [poem for family in FAMILIES.values() for poem in family]
    assert sorted(poems) == sorted(POEMS)
    assert len(FAMILIES) == 21
    assert len(FAMILIES["あ"]) == 16
    assert {len(POEMS[poem].kimariji) for poem in FAMILIES[ALONE]} == {1}


def test_a_rating_takes_in_all_matches_up_to_a_day(club: Path) -> None:
    book = Book(club)
    whole = {player["name"]: player["rating"] for player in book.players()}
    decided = sum(player["matches_won"] for player in book.players())
    rated = sum(rating["matches"] for rating in whole.values() if rating is not None)
    assert rated == 2 * decided > 0
    figures = book.figures("Hana", "Ken", since="2026-02-01")
    assert figures is not None
    assert figures["rating"] == whole["Hana"], "a pairing and a first day change nothing"
    first = {player["name"]: player["rating"] for player in book.players(until="2026-01-04")}
    assert sum(rating["matches"] for rating in first.values() if rating is not None) in {0, 2}
    book.close()


def test_cards_are_reviewed_once_when_the_index_grows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviews: list[tuple[int, int]] = []
    review = memory._review

    def counted(cards: dict[int, Card], trials: Sequence[Trial], begin: int) -> None:
        reviews.append((begin, len(trials)))
        review(cards, trials, begin)

    monkeypatch.setattr(memory, "_review", counted)
    field = parse_layout("near 1 2|/|/| far 11 12|/|/|")

    def play_one(number: int, near: str, far: str) -> None:
        day = f"2026-01-{number + 1:02}"
        path = tmp_path / f"m{number}.sqlite"
        match = ClubMatch(path, BySide(near, far), cards_per_side=2, layout=field, day=day)
        match.read(1, (1, Side.NEAR, 200))
        match.write()

    for number in range(3):
        play_one(number, "Hana", "Ken")
    book = Book(tmp_path)
    book.players()
    assert reviews == [(0, 2)] * 2, "of either player, all days but the latest"
    reviews.clear()
    assert list(book.due_days("Hana")) == [1]
    assert reviews == [(2, 3)], "who asks waits for the latest day alone"
    play_one(3, "Mei", "Ken")
    reviews.clear()
    assert list(book.due_days("Hana")) == [1]
    assert reviews == [(2, 3), (0, 0)], "Ken has a day more, and Mei her first"
    book.close()
    reviews.clear()
    again = Book(tmp_path)
    assert list(again.due_days("Hana")) == [1]
    assert reviews == [(2, 3)], "the index keeps them"
    again.close()


def test_both_players_of_a_pairing_see_the_same_match(club: Path) -> None:
    book = Book(club)
    one, other = book.figures("Ken", "Mei"), book.figures("Mei", "Ken")
    assert one is not None
    assert other is not None
    assert one["takes"]["won"] == other["takes"]["n"] - other["takes"]["won"]
    assert (one["cards_sent"], one["matches_won"]) == (other["cards_received"], other["matches_lost"])
    mirrored = {
        (place["territory"], place["row"], place["half"]): place["takes"]["n"] for place in other["places"]
    }
    for place in one["places"]:
        opposite = "opponent" if place["territory"] == "own" else "own"
        across = "left" if place["half"] == "right" else "right"
        assert place["takes"]["n"] == mirrored[opposite, place["row"], across]
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
