"""Names that people cannot tell apart are told; those that they can are left alone."""

import pytest

from desk.errors import DeskError
from desk.machine.letters import alike, drawn
from desk.tables.person import check_names
from desk.tournament.entries import entries_of, events_of
from referee.tournament.events import TournamentOpened
from referee.tournament.tournament import apply, begin

CYRILLIC, GREEK = "\u0410oi", "\u0391oi"  # as Aoi is drawn


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Aoi", CYRILLIC),
        ("Aoi", GREEK),
        ("Aoi", "aoi"),
        ("カオリ", "力オリ"),
        ("高橋", "髙橋"),
        ("吉田", "𠮷田"),
    ],
)
def test_two_who_look_alike_are_told_before_a_game(name: str, other: str) -> None:
    with pytest.raises(DeskError, match=f"{other} looks like {name}"):
        check_names([name, other])


def test_names_that_people_can_tell_apart_play() -> None:
    check_names(["Aoi", "Ben", "Иван", "Ольга", "高橋", "高島", "二郎", "三郎", None, None])
    assert drawn("ビ") != drawn("ピ")


def test_those_who_look_alike_are_listed() -> None:
    assert alike(["Ben", GREEK, "Aoi", CYRILLIC]) == [["Aoi", GREEK, CYRILLIC]]


def test_a_list_makes_no_two_of_one() -> None:
    told = f"row 3: {CYRILLIC} looks like Aoi"
    with pytest.raises(DeskError, match=told):
        entries_of(f"class,name,club\nA,Aoi,Fuji\nA,{CYRILLIC},Fuji\n".encode(), "list.csv")
    assert len(entries_of(f"class,name,club\nA,Aoi,Fuji\nA,{CYRILLIC},Hana\n".encode(), "list.csv")) == 2


def test_a_later_list_makes_no_two_of_one() -> None:
    tournament = begin(TournamentOpened("spring", "s"))
    for event in events_of(entries_of(b"class,name\nA,Aoi\nA,Ben\n", "list.csv"), tournament):
        tournament = apply(tournament, event)
    later = entries_of(f"class,name\nA,{CYRILLIC}\n".encode(), "list.csv")
    with pytest.raises(DeskError, match="who is entered already"):
        events_of(later, tournament, again=True)
