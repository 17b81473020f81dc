"""Events that change a tournament, and events that are refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tournament.division import Division, Entrant, System
from referee.tournament.events import (
    DivisionOpened,
    DrawCancelled,
    EntrantEntered,
    EntrantWithdrawn,
    Event,
    LineupNamed,
    MatPlaced,
    ResultCleared,
    ResultEntered,
    RoundDrawn,
    TournamentOpened,
)
from referee.tournament.pairing import Result
from referee.tournament.state import MatchId, RefusedError, Tournament
from referee.tournament.tournament import apply, replayed
from tests.referee.tournament.played import Played, by_chance, players

TEAM_CLASS = Division("T", boards=5)


def team(number: int, count: int = 5) -> Entrant:
    return Entrant(
        number, f"team {number}", members=tuple(f"{number}{letter}" for letter in "abcdefgh"[:count])
    )


@given(st.integers(2, 20), st.integers(0, 99), st.sets(st.integers(1, 20), max_size=5))
@settings(max_examples=15, deadline=None)
def test_a_log_gives_the_same_tournament_again(count: int, seed: int, leave: set[int]) -> None:
    played = Played(Division("B"), players(count, 4), str(seed))
    chance = by_chance(seed)
    gone = sorted(number for number in leave if number <= count)
    while not played.course.is_over and len(played.course.playing) > 1:
        played.draw()
        if gone:
            played.add(EntrantWithdrawn(gone.pop()))
        played.decide(chance)
    assert replayed(played.log) == played.state


def test_who_does_not_come_loses_and_plays_no_further_round() -> None:
    played = Played(Division("B"), players(4))
    played.add(RoundDrawn("B", ((1, 2), (3, 4))))
    played.add(EntrantWithdrawn(1), EntrantWithdrawn(4), EntrantWithdrawn(3))
    first, second = played.course.rounds[0].pairings
    assert (first.winner, first.boards[0].result) == (2, Result(1, by_default=True))
    # the second of two who leave has won already; it plays no further round all the same
    assert second.winner == 3
    assert played.course.playing == (2,)
    assert played.course.champion == 2


def test_who_leaves_while_resting_changes_no_pairing() -> None:
    played = Played(Division("C", System.SWISS, 2), players(3))
    played.add(RoundDrawn("C", ((1, 2),), (3,)))
    drawn = played.course.rounds[0]
    played.add(EntrantWithdrawn(3))
    assert played.course.rounds[0] == drawn
    assert played.course.playing == (1, 2)


def test_nobody_came() -> None:
    played = Played(Division("B"), players(2))
    played.draw()
    played.add(ResultEntered("B-1-1", Result(None, by_default=True)))
    assert played.course.rounds[0].pairings[0].winner is None
    assert played.course.is_over
    assert played.course.champion is None


def test_the_winner_of_the_final_may_go_home() -> None:
    played = Played(Division("B"), players(2))
    played.play()
    played.add(EntrantWithdrawn(1))
    assert played.course.champion == 1


def test_a_result_is_corrected_until_the_next_draw() -> None:
    played = Played(Division("B"), players(4))
    played.add(RoundDrawn("B", ((1, 2), (3, 4))))
    played.decide(min)
    played.add(ResultCleared("B-1-1"))
    assert [match.text(1) for match, _ in played.state.open_matches()] == ["B-1-1"]
    played.add(ResultEntered("B-1-1", Result(1, 12)))
    assert played.course.playing == (2, 3)
    played.draw()
    with pytest.raises(RefusedError, match="round 2 is drawn"):
        played.add(ResultEntered("B-1-1", Result(0)))
    played.add(DrawCancelled("B"), ResultEntered("B-1-1", Result(0)))
    assert played.course.playing == (1, 3)


def test_a_team_with_three_members_can_win() -> None:
    played = Played(TEAM_CLASS, [team(1, 3), team(2)])
    played.draw()
    played.decide(min)
    pairing = played.course.rounds[0].pairings[0]
    place = pairing.entrants.index(1)
    assert (pairing.wins(place), pairing.wins(1 - place), pairing.winner) == (3, 2, 1)
    assert sum(board.result is not None and board.result.by_default for board in pairing.boards) == 2


def test_a_lineup_opens_the_boards_again_that_were_empty() -> None:
    played = Played(TEAM_CLASS, [team(1, 8), team(2)])
    played.add(RoundDrawn("T", ((1, 2),)), MatPlaced("T-1-1-2", "mat-07"))
    assert played.course.rounds[0].pairings[0].winner is None
    played.add(LineupNamed(1, ("1h", None, "1a", None, "1b")))
    boards = played.course.rounds[0].pairings[0].boards
    assert [board.players for board in boards] == [
        ("1h", "2a"), (None, "2b"), ("1a", "2c"), (None, "2d"), ("1b", "2e")
    ]  # fmt: skip
    assert [board.result and board.result.winner for board in boards] == [None, 1, None, 1, None]
    played.add(LineupNamed(2, (None, None, "2c", "2d", "2e")), LineupNamed(1, ("1h", None, "1a", "1c", "1b")))
    boards = played.course.rounds[0].pairings[0].boards
    assert boards[1].result == Result(None, by_default=True)
    assert boards[1].mat == "mat-07"
    assert boards[3].result is None


@pytest.mark.parametrize(("winners", "expected"), [((0, 1), 1), ((1, 0), 2), ((), None)])
def test_the_highest_board_decides_among_equal_teams(winners: tuple[int, ...], expected: int | None) -> None:
    played = Played(TEAM_CLASS, [team(1, 3), team(2, 3)])
    played.add(RoundDrawn("T", ((1, 2),)))
    sits = [None, "{}a", None, "{}b", None]
    for number in (1, 2):
        played.add(LineupNamed(number, tuple(name and name.format(number) for name in sits)))
    for board, winner in zip((2, 4), winners or (None, None), strict=True):
        played.add(ResultEntered(f"T-1-1-{board}", Result(winner, by_default=winner is None)))
    assert played.course.rounds[0].pairings[0].winner == expected


def test_mats() -> None:
    played = Played(Division("B"), players(4))
    played.draw()
    played.add(
        MatPlaced("B-1-1", "m3"), MatPlaced("B-1-1", "m4"), MatPlaced("B-1-2", "m3"), MatPlaced("B-1-2", None)
    )
    assert [board.mat for _, board in played.state.open_matches()] == ["m4", None]
    with pytest.raises(RefusedError, match="m4 has match B-1-1"):
        played.add(MatPlaced("B-1-2", "m4"))
    played.add(ResultEntered("B-1-1", Result(0)), MatPlaced("B-1-2", "m4"))


def opened() -> Tournament:
    """Return a tournament with players in A and B, of which B is in its first round, and teams in T."""
    played = Played(Division("B"), players(4))
    played.add(DivisionOpened(Division("A")), EntrantEntered("A", Entrant(11, "Aoi")))
    played.add(DivisionOpened(TEAM_CLASS), EntrantEntered("T", team(21)), EntrantEntered("T", team(22)))
    played.add(RoundDrawn("T", ((21, 22),)), RoundDrawn("B", ((1, 2), (3, 4))))
    played.add(EntrantWithdrawn(1), ResultEntered("B-1-2", Result(0, 5)), ResultEntered("T-1-1-1", Result(0)))
    return played.state


REFUSED: list[tuple[Event, str]] = [
    (TournamentOpened("x", "y"), "open already"),
    (DivisionOpened(Division("A")), "the class A is open already"),
    (DivisionOpened(Division("A B")), "20 letters, digits or _, got 'A B'"),
    (DivisionOpened(Division("D", boards=3)), "teams at 5, got 3"),
    (DivisionOpened(Division("D", System.SWISS)), "1 to 20 rounds, got None"),
    (DivisionOpened(Division("D", System.SWISS, 21)), "^class D: a Swiss has 1 to 20 rounds, got 21$"),
    (DivisionOpened(Division("D", rounds=3)), "expected no number of rounds, got 3"),
    (EntrantEntered("Z", Entrant(5, "x")), "expected a class of"),
    (EntrantEntered("A", Entrant(0, "x")), "begin with 1, got 0"),
    (EntrantEntered("A", Entrant(3, "x")), "number 3 is player 3's"),
    (EntrantEntered("A", Entrant(5, " ")), "number 5 has no name"),
    (EntrantEntered("B", Entrant(5, "x")), "B is drawn already"),
    (EntrantEntered("A", team(5)), "A is for players"),
    (EntrantEntered("T", team(5)), "T is drawn already"),
    (EntrantWithdrawn(1), "player 1 has withdrawn already"),
    (EntrantWithdrawn(99), "nobody has the number 99"),
    (RoundDrawn("T", ((21, 22),)), "round 1 is not over"),
    (RoundDrawn("A", ((11, 11),)), "no further round, 1 still play"),
    (RoundDrawn("B", ((1, 3),)), r"wrong are \[1, 2\]"),
    (RoundDrawn("B", (), (2, 3)), "^class B: a draw has at least one pair$"),
    (DrawCancelled("A"), "A is not drawn"),
    (DrawCancelled("B"), "1 matches of this round have a result"),
    (LineupNamed(3, ("x",)), "player 3 is no team"),
    (LineupNamed(11, ("x",)), "Aoi is no team"),
    (LineupNamed(21, ("21a",)), "at 5 boards, got 1"),
    (LineupNamed(21, ("21a", "22b", None, None, None)), "22b is no member of team 21"),
    (LineupNamed(21, ("21a", "21a", None, None, None)), "^team team 21 seats somebody at two boards$"),
    (LineupNamed(21, ("21a", "21b", None, None, None)), "team 21 has begun"),
    (MatPlaced("B-1-2", ""), "such as mat-07"),
    (MatPlaced("B-1-9", "m1"), "there is no match B-1-9"),
    (MatPlaced("nothing", "m1"), "expected a match such as A-2-13"),
    (ResultEntered("B-1-2", Result(2)), "got 2"),
    (ResultEntered("B-1-2", Result(None)), "has a winner"),
    (ResultEntered("B-1-2", Result(0, 0)), "1 to 49 cards left, got 0"),
    (ResultEntered("B-1-2", Result(0, 50)), "1 to 49 cards left, got 50"),
    (ResultEntered("B-1-2", Result(0, 4, by_default=True)), "got 4"),
]


@pytest.mark.parametrize(("event", "message"), REFUSED)
def test_what_cannot_be_is_refused_in_one_line(event: Event, message: str) -> None:
    with pytest.raises(RefusedError, match=message):
        apply(opened(), event)


def test_teams_that_cannot_enter() -> None:
    played = Played(TEAM_CLASS, [team(1)])
    with pytest.raises(RefusedError, match="3 members or more, team 2 has 2"):
        played.add(EntrantEntered("T", team(2, 2)))
    with pytest.raises(RefusedError, match="names x twice"):
        played.add(EntrantEntered("T", Entrant(2, "y", members=("x", "x", "z"))))


def test_an_empty_board_takes_no_result() -> None:
    played = Played(TEAM_CLASS, [team(1, 3), team(2)])
    played.add(RoundDrawn("T", ((1, 2),)))
    with pytest.raises(RefusedError, match="nobody there"):
        played.add(ResultEntered("T-1-1-5", Result(0)))


def test_a_log_begins_with_its_opening() -> None:
    with pytest.raises(RefusedError, match="got DrawCancelled"):
        replayed([DrawCancelled("B")])
    with pytest.raises(RefusedError, match="got NoneType"):
        replayed([])


@given(st.integers(1, 99), st.integers(1, 99), st.integers(1, 5), st.sampled_from((1, 5)))
def test_names_of_matches_can_be_read_back(round_number: int, pairing: int, board: int, boards: int) -> None:
    match = MatchId("D1", round_number, pairing, board if boards > 1 else 1)
    assert MatchId.parse(match.text(boards)) == match


def test_a_class_may_have_a_japanese_name_and_twenty_rounds_and_is_not_over_before_its_first() -> None:
    played = Played(Division("小学生の部", System.SWISS, 20), players(2))
    assert not played.course.is_over
    played.draw()
    played.add(ResultEntered("小学生の部-1-1", Result(0)))
    assert not played.state.open_matches()
    assert not Played(Division("B"), []).course.is_over
