"""Draws: nobody appears twice or is left out, and clubs are kept apart if possible."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.lots import draw_lots
from referee.tournament.division import Division, Entrant, System
from referee.tournament.draw import cheapest, next_round
from referee.tournament.events import EntrantWithdrawn, ResultEntered, RoundDrawn
from referee.tournament.pairing import Result
from referee.tournament.standings import points
from referee.tournament.state import RefusedError
from tests.referee.tournament.played import Played, by_chance, players

CLASS_B = Division("B")


def club(played: Played, number: int) -> str:
    return played.course.entrants[number].club


def test_seventy_four_entrants_have_fifty_four_byes() -> None:
    # the example of https://karutadoujou.hatenablog.com/entry/games/general/taikai-oneday/
    played = Played(CLASS_B, players(74, 20))
    drawn = played.draw()
    assert (len(drawn.pairs), len(drawn.byes)) == (10, 54)
    assert all(club(played, one) != club(played, other) for one, other in drawn.pairs)
    played.decide(min)
    assert (len(played.draw().pairs), played.course.rounds[1].byes) == (32, ())


def test_the_first_lots_rest_in_an_elimination() -> None:
    for count in (3, 5, 6, 11):
        played = Played(CLASS_B, players(count))
        lots = draw_lots([str(number) for number in range(1, count + 1)], "seed/B/1")
        assert played.draw().byes == tuple(map(int, lots))[: len(played.course.rounds[0].byes)]


@given(st.integers(2, 33), st.integers(0, 6), st.integers(0, 99))
@settings(max_examples=12, deadline=None)
def test_an_elimination_ends_with_one_winner_who_never_lost(count: int, clubs: int, seed: int) -> None:
    played = Played(CLASS_B, players(count, clubs), str(seed))
    played.play(by_chance(seed))
    lost = Counter(
        pairing.opponent(pairing.winner)
        for drawn in played.course.rounds
        for pairing in drawn.pairings
        if pairing.winner is not None
    )
    assert set(lost) | {played.course.champion} == set(range(1, count + 1))
    assert set(lost.values()) == {1}
    assert len(played.course.rounds) == (count - 1).bit_length()
    assert not any(drawn.byes for drawn in played.course.rounds[1:])


@given(st.integers(2, 14), st.integers(1, 6), st.integers(0, 99), st.sets(st.integers(1, 14), max_size=3))
@settings(max_examples=30, deadline=None)
def test_a_swiss_pairs_nobody_twice_if_it_can(count: int, rounds: int, seed: int, leave: set[int]) -> None:
    played = Played(Division("C", System.SWISS, rounds), players(count, 3), str(seed))
    chance = by_chance(seed)
    while not played.course.is_over:
        before = {number: set(played.course.played(number)) for number in played.course.playing}
        playing = set(played.course.playing)
        drawn = played.draw()
        named = [number for pair in drawn.pairs for number in pair] + list(drawn.byes)
        assert sorted(named) == sorted(playing)
        assert len(drawn.byes) == len(playing) % 2
        if len(playing) >= 2 * len(played.course.rounds):  # Dirac: each may still meet half of all
            assert not any(other in before[one] for one, other in drawn.pairs)
        played.decide(chance)
        for number in sorted(leave & playing)[:1]:
            played.add(EntrantWithdrawn(number))
    assert len(played.course.rounds) <= rounds


def test_a_club_meets_itself_as_seldom_as_it_must() -> None:
    entrants = [Entrant(number, f"p{number}", "a" if number <= 6 else "b") for number in range(1, 9)]
    drawn = Played(CLASS_B, entrants).draw()
    assert sum((one <= 6) == (other <= 6) for one, other in drawn.pairs) == 2


def test_no_bye_is_lost_where_a_club_is_kept_apart() -> None:
    for seed in range(40):
        entrants = [Entrant(n, f"p{n}", "a" if n <= 3 else f"club {n}") for n in range(1, 7)]
        played = Played(CLASS_B, entrants, str(seed))
        drawn = played.draw()
        assert (len(drawn.pairs), len(drawn.byes)) == (2, 2)
        assert not any(club(played, one) == club(played, other) for one, other in drawn.pairs)


def test_the_seed_alone_decides_the_draw() -> None:
    one, same, other = (
        Played(CLASS_B, entrants, seed)
        for entrants, seed in ((players(20), "x"), (players(20)[::-1], "x"), (players(20), "y"))
    )
    assert one.draw() == same.draw() != other.draw()


def test_there_is_nobody_to_be_drawn() -> None:
    with pytest.raises(RefusedError, match="needs two entrants, 1 play"):
        Played(CLASS_B, players(1)).draw()


def test_lots_of_two_rounds_differ() -> None:
    played = Played(CLASS_B, players(64))
    played.draw()
    played.decide(min)
    second = [number for pair in next_round(played.state, "B").pairs for number in pair]
    first = [
        number
        for pair in (pairing.entrants for pairing in played.course.rounds[0].pairings)
        for number in pair
    ]
    assert [number for number in first if number in second] != second


def test_a_swiss_of_two_is_not_over_before_its_last_round() -> None:
    played = Played(Division("C", System.SWISS, 2, clubs_apart=0), players(2))
    for is_over in (False, True):
        played.draw()
        played.decide(min)
        assert played.course.is_over is is_over


def test_the_two_unequals_who_must_meet_are_of_two_clubs() -> None:
    entrants = [Entrant(n, f"p{n}", "a" if n <= 3 else f"club {n}") for n in range(1, 7)]
    for seed in range(10):
        played = Played(Division("C", System.SWISS, 2), entrants, str(seed))
        played.add(RoundDrawn("C", ((1, 4), (2, 5), (6, 3))))
        played.decide(lambda one, _other: one)  # 1, 2 and 6 have a point; 3, of the club of 1 and 2, has none
        (unequal,) = [pair for pair in played.draw().pairs if len({1, 2, 6} & set(pair)) == 1]
        assert unequal not in {(1, 3), (2, 3)}


def test_two_of_whom_one_did_not_come_may_be_drawn_again() -> None:
    """FIDE general handling rules 2026, 3.5."""
    drawn = set()
    for seed in range(20):
        played = Played(Division("C", System.SWISS, 3, clubs_apart=0), players(4), str(seed))
        played.add(RoundDrawn("C", ((1, 2), (3, 4))))
        for match in ("C-1-1", "C-1-2"):
            played.add(ResultEntered(match, Result(0, by_default=True)))
        played.add(RoundDrawn("C", ((1, 4), (2, 3))))
        played.decide(lambda one, other: max(one, other) if 4 in {one, other} else min(one, other))
        drawn.add(frozenset(map(frozenset, played.draw().pairs)))
    assert drawn == {
        frozenset({frozenset({1, 2}), frozenset({3, 4})}),
        frozenset({frozenset({1, 3}), frozenset({2, 4})}),
    }


def worth(played: Played, pairs: Iterable[Sequence[int]], byes: Sequence[int]) -> tuple[object, ...]:
    """Return what is wrong with a draw, the worst first, as FIDE ranks it."""
    course = played.course
    got = {number: points(course, number) for number in course.playing}
    rested = {number for drawn in course.rounds for number in drawn.byes}
    rested |= {each.winner or 0 for drawn in course.rounds for each in drawn.pairings if not each.is_played}
    absent = {
        each.opponent(each.winner)
        for drawn in course.rounds[-1:]
        for each in drawn.pairings
        if each.winner is not None and not each.is_played
    }
    return (
        sum(other in course.played(one) for one, other in pairs),
        sum(number in rested for number in byes),
        sum(number in absent for number in byes),
        sum(got[number] - min(got.values()) for number in byes),
        sorted((abs(got[one] - got[other]) for one, other in pairs), reverse=True),
    )


def test_no_other_draw_is_better() -> None:
    """All draws of up to seven entrants are compared; a second meeting of two weighs most."""
    for seed in range(40):
        dice = Random(seed)
        played = Played(Division("C", System.SWISS, 5), players(dice.randint(4, 7), 3), str(seed))
        while not played.course.is_over:
            nodes = tuple(played.course.playing) + (0,) * (len(played.course.playing) % 2)
            best = min(
                worth(
                    played,
                    [pair for pair in pairs if 0 not in pair],
                    [sum(pair) for pair in pairs if 0 in pair],
                )
                for pairs in all_matchings(nodes)
            )
            drawn = next_round(played.state, "C")
            assert worth(played, drawn.pairs, drawn.byes) == best, (seed, len(played.course.rounds))
            played.add(drawn)
            for match, _ in played.state.open_matches():
                is_absent = dice.random() < 0.2
                played.add(ResultEntered(match.text(1), Result(dice.randrange(2), by_default=is_absent)))


def test_where_neither_came_nobody_has_the_point() -> None:
    played = Played(Division("C", System.SWISS, 3, clubs_apart=0), players(4))
    played.add(RoundDrawn("C", ((1, 2), (3, 4))))
    played.add(ResultEntered("C-1-1", Result(None, by_default=True)))
    played.decide(min)
    pairs = {frozenset(pair) for pair in played.draw().pairs}
    assert any(3 in pair and pair != {3, 4} for pair in pairs), "3 has the only point, and met 4"


def test_clubs_stay_apart_for_as_many_rounds_as_the_class_says_and_no_longer() -> None:
    """C.04.1, 5. Two clubs of two, apart for one round: in the second the winners, of one club, meet."""
    played = Played(Division("S", System.SWISS, 3, clubs_apart=1), players(4, 2))
    assert all(one % 2 != other % 2 for one, other in played.draw().pairs)
    played.decide(lambda one, other: one if one % 2 else other)
    assert {frozenset(pair) for pair in played.draw().pairs} == {frozenset({1, 3}), frozenset({2, 4})}


Pairs = tuple[tuple[int, int], ...]


def all_matchings(nodes: tuple[int, ...]) -> Iterator[Pairs]:
    """Iterate over every way to pair all nodes."""
    if not nodes:
        yield ()
        return
    first, *others = nodes
    for other in others:
        for rest in all_matchings(tuple(node for node in others if node != other)):
            yield ((first, other), *rest)


@st.composite
def tables(draw: st.DrawFn) -> list[list[int]]:
    """Return what each pair costs: mostly nothing, as in a draw."""
    size = 2 * draw(st.integers(1, 4))
    costs = st.sampled_from((0, 0, 0, 1, 1, 9, 81))
    table = [[0] * size for _ in range(size)]
    for one in range(size):
        for other in range(one):
            table[one][other] = table[other][one] = draw(costs)
    return table


@given(tables())
@settings(max_examples=200, deadline=None)
def test_no_other_matching_is_cheaper(table: list[list[int]]) -> None:
    size = len(table)
    partners = [node ^ 1 for node in range(size)]
    cheapest(partners, lambda one, other: table[one][other])
    assert sorted(partners) == list(range(size))
    assert all(partners[partners[node]] == node != partners[node] for node in range(size))
    found = sum(table[node][partners[node]] for node in range(size)) // 2
    least = min(sum(table[one][other] for one, other in pairs) for pairs in all_matchings(tuple(range(size))))
    assert found == least


def test_who_costs_nothing_stays_together() -> None:
    partners = [1, 0, 3, 2]
    cheapest(partners, lambda _one, _other: 0)
    assert partners == [1, 0, 3, 2]
