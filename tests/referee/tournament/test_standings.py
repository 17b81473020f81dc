"""Standings that were calculated by hand."""

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tournament.division import Division, Entrant, System
from referee.tournament.events import EntrantWithdrawn, ResultEntered, RoundDrawn
from referee.tournament.pairing import Result
from referee.tournament.standings import standings
from tests.referee.tournament.played import Played, by_chance, players


def table(played: Played) -> list[tuple[int, int]]:
    return [(row.rank, row.number) for row in standings(played.course)]


def test_both_losers_of_the_semi_finals_are_third() -> None:
    played = Played(Division("B"), players(5))
    played.add(RoundDrawn("B", ((4, 5),), (1, 2, 3)))
    played.decide(min)
    played.add(RoundDrawn("B", ((1, 2), (3, 4))))
    played.decide(min)
    assert table(played) == [(1, 1), (1, 3), (3, 2), (3, 4), (5, 5)]
    played.add(RoundDrawn("B", ((1, 3),)))
    played.decide(min)
    assert table(played) == [(1, 1), (2, 3), (3, 2), (3, 4), (5, 5)]
    assert played.course.champion == 1


def test_a_swiss_of_four() -> None:
    played = Played(Division("C", System.SWISS, 3), players(4))
    for pairs in (((1, 2), (3, 4)), ((1, 3), (2, 4)), ((1, 4), (2, 3))):
        played.add(RoundDrawn("C", pairs))
        played.decide(lambda one, other: max(one, other) if {one, other} == {2, 3} else min(one, other), 7)
    first, second, third, last = standings(played.course)
    assert (first.number, first.points, first.sos, first.sodos, first.cards) == (1, 3, 3, 3, 21)
    assert (second.number, second.points, second.sos, second.sodos, second.cards) == (3, 2, 4, 1, 7)
    assert (third.number, third.points, third.sos, third.sodos, third.cards) == (2, 1, 5, 0, -7)
    assert (last.number, last.points, last.played, last.won, last.lost) == (4, 0, 3, 0, 3)
    assert played.course.is_over
    assert played.course.champion is None


def test_cards_part_equals_and_equals_share_a_rank() -> None:
    played = Played(Division("C", System.SWISS, 1), players(6))
    played.add(RoundDrawn("C", ((1, 2), (3, 4), (5, 6))))
    for match, cards in (("C-1-1", 3), ("C-1-2", 9), ("C-1-3", 3)):
        played.add(ResultEntered(match, Result(0, cards)))
    assert table(played) == [(1, 3), (2, 1), (2, 5), (4, 2), (4, 6), (6, 4)]


def test_teams_stand_by_points_then_boards_then_their_first_board() -> None:
    teams = [
        Entrant(n, f"team {n}", members=tuple(f"{n}{letter}" for letter in "abcde")) for n in range(1, 5)
    ]
    played = Played(Division("T", System.SWISS, 1, boards=5), teams)
    played.add(RoundDrawn("T", ((1, 2), (3, 4))))
    for board in range(1, 6):
        played.add(ResultEntered(f"T-1-1-{board}", Result(1 if board == 1 else 0 if board < 5 else 1)))
        played.add(ResultEntered(f"T-1-2-{board}", Result(0 if board <= 3 else 1)))
    rows = standings(played.course)
    assert [(row.number, row.points, row.boards_won, row.first_boards[0]) for row in rows] == [
        (3, 1, 3, 1), (1, 1, 3, 0), (2, 0, 2, 1), (4, 0, 2, 0)
    ]  # fmt: skip


def test_who_withdrew_is_out_and_keeps_what_was_won() -> None:
    played = Played(Division("C", System.SWISS, 2), players(4))
    played.add(RoundDrawn("C", ((1, 2), (3, 4))))
    played.decide(min)
    played.add(EntrantWithdrawn(1))
    rows = {row.number: row for row in standings(played.course)}
    assert (rows[1].points, rows[1].is_in, rows[2].is_in) == (1, False, True)


@given(st.integers(2, 17), st.integers(0, 99))
@settings(max_examples=15, deadline=None)
def test_points_are_all_that_was_to_be_won(count: int, seed: int) -> None:
    played = Played(Division("C", System.SWISS, 4), players(count), str(seed))
    played.play(by_chance(seed))
    rows = standings(played.course)
    assert sum(row.points for row in rows) == len(played.course.rounds) * ((count + 1) // 2)
    assert [row.rank for row in rows] == sorted(row.rank for row in rows)


def test_a_bye_is_a_win_over_a_virtual_opponent() -> None:
    """The virtual opponent begins the round with as many points, loses it, and then gets half of each.

    https://handbook.fide.com/chapter/TieBreakRegulations2022, unplayed games.
    """
    played = Played(Division("C", System.SWISS, 3), players(5))
    for pairs, bye in ((((1, 2), (3, 4)), 5), (((1, 3), (5, 2)), 4), (((1, 5), (3, 2)), 4)):
        played.add(RoundDrawn("C", pairs, (bye,)))
        played.decide(lambda one, _other: one, 8)
    of = {row.number: row for row in standings(played.course)}
    assert {number: of[number].points for number in of} == {1: 3, 2: 0, 3: 2, 4: 2, 5: 2}
    # 5: a bye in round 1 (0 points before + 1 half + 1 half), beat 2 (no points), lost to 1 (3 points)
    assert (of[5].sos, of[5].sodos) == (4, 1)
    # 4: lost to 3 (2 points), byes in rounds 2 (0 before + 1 half) and 3 (1 before)
    assert (of[4].sos, of[4].sodos) == (3.5, 1.5)
    # 1: beat 2, 3, and 5, whose bye is half a point to others
    assert (of[1].sos, of[1].sodos) == (3.5, 3.5)
    # all were won by 8, and so is the bye
    assert [of[number].cards for number in (1, 3, 5, 4, 2)] == [24, 8, 8, 8, -24]
    assert of[5].boards_won == 2


def test_who_did_not_come_lost_to_a_virtual_opponent() -> None:
    played = Played(Division("C", System.SWISS, 2), players(4))
    played.add(RoundDrawn("C", ((1, 2), (3, 4))))
    played.add(ResultEntered("C-1-1", Result(0, by_default=True)), ResultEntered("C-1-2", Result(0, 6)))
    played.add(EntrantWithdrawn(2), RoundDrawn("C", ((1, 3),), (4,)))
    played.add(ResultEntered("C-2-1", Result(1, 4)))
    of = {row.number: row for row in standings(played.course)}
    # a default of nobody's points, then half a point; 3 has two played points
    assert (of[1].points, of[1].sos, of[1].sodos, of[1].cards) == (1, 2.5, 0.5, 1)
    # both rounds lost to virtual opponents: 0 + 1 + a half, and 0 + 1
    assert (of[2].points, of[2].sos, of[2].sodos, of[2].cards) == (0, 2.5, 0, -10)


def test_the_bye_of_a_team_has_as_many_boards_as_other_winners() -> None:
    teams = [
        Entrant(n, f"team {n}", members=tuple(f"{n}{letter}" for letter in "abcde")) for n in range(1, 4)
    ]
    played = Played(Division("T", System.SWISS, 1, boards=5), teams)
    played.add(RoundDrawn("T", ((1, 2),), (3,)))
    for board, winner in enumerate((1, 0, 0, 0, 0), 1):
        played.add(ResultEntered(f"T-1-1-{board}", Result(winner)))
    rows = standings(played.course)
    assert [(row.rank, row.number, row.boards_won, row.first_boards) for row in rows[:2]] == [
        (1, 1, 4, (0, 1, 1, 1, 1)), (1, 3, 4, (0, 1, 1, 1, 1))
    ]  # fmt: skip


def test_a_class_that_earlier_versions_opened_keeps_its_tie_breaks() -> None:
    played = Played(Division("C", System.SWISS, 2, virtual_opponents=False), players(3))
    played.add(RoundDrawn("C", ((1, 2),), (3,)))
    played.decide(min, 5)
    played.add(RoundDrawn("C", ((1, 3),), (2,)))
    played.decide(max, 5)
    of = {row.number: row for row in standings(played.course)}
    assert {number: (of[number].sos, of[number].cards) for number in of} == {1: (3, 0), 2: (1, -5), 3: (1, 5)}


def test_who_is_out_of_an_elimination_is_told_so_and_nobody_in_a_swiss_is() -> None:
    for system, out in ((System.ELIMINATION, 2), (System.SWISS, 0)):
        played = Played(Division("B", system, 3 if system is System.SWISS else None), players(4))
        played.draw()
        played.decide(min)
        assert sum(not row.is_in for row in standings(played.course)) == out
