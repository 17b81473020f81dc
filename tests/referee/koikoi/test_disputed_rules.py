"""Rules on which tables differ: what each says, where it is written, and the key that switches it.

The wiki is https://fudawiki.org/en/hanafuda/games/koi-koi, its section Variations; the server is
https://en.doc.boardgamearena.com/Gamehelpkoikoi; the leaflet is the maker's English one as
https://milofultz.com/2020-11-01-koi-koi-rules.html copies it.
"""

from dataclasses import replace

import pytest

from referee.koikoi.dealing import misdeal
from referee.koikoi.events import Call, Deal, Declare, End
from referee.koikoi.flags import FlagId
from referee.koikoi.house_rules import house_rules, preset
from referee.koikoi.match import Match, play, step
from referee.koikoi.piles import Pile, pile_of
from referee.koikoi.round import Phase, Round, begin, has_grown, turn_passed
from referee.koikoi.ruleset import RuleSet
from referee.koikoi.score import scorer

CURTAIN, MOON, SAKE, SWALLOW, LIGHTNING, PHOENIX, PAULOWNIA = 8, 28, 32, 41, 43, 44, 46
FOUR_PAIRS = (0, 1, 4, 5, 8, 9, 12, 13)
MIXED = (0, 4, 12, 16, 20, 24, 36, 47)


Cards = tuple[int, ...]


@pytest.mark.parametrize(
    ("rules", "is_dealt_again"),
    [("bga-hard", True), ("bga-soft", True), ("nintendo", True), ("fuda-wiki", True), ("kasu-2008", False)],
)
def test_four_pairs_in_the_middle_are_dealt_again(rules: str, is_dealt_again: bool) -> None:
    """Server: with either condition (four of a month, four pairs) on the table, the round is redealt."""
    assert (misdeal(Deal(1, 2, 0, FOUR_PAIRS), preset(rules)) is not None) is is_dealt_again


def test_the_soft_server_pays_each_call_and_the_lights_of_the_deal() -> None:
    """Server: each own call is a multiplier, and so is the number of lights on the field."""
    table = scorer(preset("bga-soft"))
    assert [table.points(5, own) for own in (0, 1, 2)] == [5, 10, 15]
    assert [table.points(5, lights=lights) for lights in range(6)] == [5, 5, 10, 15, 20, 25]
    score = table.score(pile_of((CURTAIN, SAKE)), 1, 3, lights=3)
    assert score.formula == "5 x 2 (koi-koi) x 3 (lights on the field) = 30"
    assert scorer(preset("bga-hard")).points(5, 1, lights=3) == 5


@pytest.mark.parametrize(
    ("multiply", "points"), [("off", [5, 5, 5]), ("double", [5, 10, 10]), ("one_more", [5, 10, 15])]
)
def test_lights_that_were_dealt_to_the_field_multiply(multiply: str, points: list[int]) -> None:
    """Wiki, field multipliers: a light doubles; as an extension two triple, three quadruple."""
    table = scorer(house_rules("", overrides=[f"field.lights_multiply={multiply}"]))
    assert [table.points(5, lights=lights) for lights in (0, 1, 2)] == points


def test_the_lights_of_the_deal_count_and_not_those_that_come_later() -> None:
    rules = house_rules('field.lights_multiply = "one_more"\nthreshold.mode = "off"')
    dealt = begin(Deal(1, 2, 0, (0, CURTAIN, 12, 16, 20, 24, 36, 47)), rules)
    assert dealt.lights == 2
    later = replace(dealt, field=dealt.field | pile_of((MOON,)), piles=(pile_of((5, 9, 1)), 0))
    assert later.score(0).points == 15
    assert later.score(0).formula == "5 x 3 (lights on the field) = 15"


def test_a_bonus_is_multiplied_by_the_lights_as_well() -> None:
    rules = house_rules('base = "koikoi-japan"\nfield.lights_multiply = "double"')
    score = scorer(rules).score(pile_of((1, 5, 9)), 2, lights=1)
    assert score.formula == "(5 + 2 (koi-koi)) x 2 (lights on the field) = 14"


CAPTURED = 'viewing.rain = "captured"\nviewing.fog = "captured"'
ON_FIELD = 'viewing.rain = "on_field"\nviewing.fog = "on_field"'
BESIDE = "viewing.beside_another = true"
RAINED_OFF = "viewing.rained_off = true"


@pytest.mark.parametrize(
    ("rules", "pile", "field", "points"),
    [
        (CAPTURED, (CURTAIN, SAKE), (), 5),
        (CAPTURED, (MOON, SAKE), (), 5),
        (CAPTURED, (CURTAIN, SAKE, LIGHTNING), (), 0),
        (CAPTURED, (MOON, SAKE, LIGHTNING), (), 5),
        (CAPTURED, (MOON, SAKE, PAULOWNIA), (), 0),
        (CAPTURED, (CURTAIN, SAKE), (LIGHTNING, PAULOWNIA), 5),
        (ON_FIELD, (CURTAIN, SAKE), (SWALLOW,), 0),
        (ON_FIELD, (CURTAIN, SAKE), (PHOENIX,), 5),
        (ON_FIELD, (MOON, SAKE), (PHOENIX,), 0),
        (ON_FIELD, (CURTAIN, SAKE, SWALLOW, LIGHTNING), (), 5),
        (BESIDE, (CURTAIN, MOON, SAKE), (), 0),
        (BESIDE, (CURTAIN, SAKE, 1, 5, 9), (), 10),
        (BESIDE, (CURTAIN, MOON, SAKE, 0), (), 15),  # three lights
        (RAINED_OFF, (CURTAIN, SAKE, 40), (), 0),
        (RAINED_OFF, (MOON, SAKE, 40), (), 0),
        (RAINED_OFF, (CURTAIN, SAKE, LIGHTNING), (), 5),
    ],
)
def test_what_spoils_a_viewing(rules: str, pile: Cards, field: Cards, points: int) -> None:
    """Wiki, variations: rain and fog, no viewing alone, rained off by the rain man."""
    assert scorer(house_rules(rules)).base(pile_of(pile), field=pile_of(field)) == points


def rainy(field: tuple[int, ...], pile: Pile, rules: RuleSet) -> Round:
    """Return a round in which player 0 has a pile and player 1 nothing."""
    table = begin(Deal(1, 2, 0, MIXED), rules)
    return replace(table, field=pile_of(field), piles=(pile, 0), pile_before=pile, phase=Phase.DRAW)


@pytest.mark.parametrize("requires", ["growth", "new_yaku"])
def test_who_clears_the_rain_may_stop(requires: str) -> None:
    """Wiki: the cards must be captured and cleared off the table in order for the yaku to count."""
    rules = house_rules(f'viewing.rain = "on_field"\ndecision.requires = "{requires}"')
    viewing = pile_of((CURTAIN, SAKE))
    before = turn_passed(turn_passed(rainy((SWALLOW, 0), viewing, rules)))
    assert not has_grown(before)
    own = replace(before, field=pile_of((0,)), piles=(viewing | pile_of((SWALLOW, LIGHTNING)), 0))
    assert has_grown(own)
    by_other = replace(before, field=pile_of((0,)), piles=(viewing, pile_of((SWALLOW, LIGHTNING))))
    assert has_grown(by_other)
    # once the turn has passed, the same yaku is nothing new
    assert not has_grown(turn_passed(turn_passed(by_other)))


def exhausted(match: Match, dealer: int) -> Match:
    return step(step(match, Deal(None, 2, dealer, MIXED)), End())


def test_a_deal_after_the_last_round_is_flagged() -> None:
    """L87, L137: twelve rounds are played, or as many as were agreed; who has most points then has won."""
    rules = house_rules("match.rounds = 2")
    match = exhausted(exhausted(Match(rules), 0), 1)
    assert match.is_over
    beyond = step(match, Deal(None, 2, 0, MIXED))
    assert [flag.id for flag in beyond.flags] == [FlagId.PLAY_AFTER_END]
    assert beyond.flags[0].text == "the 2 rounds of this match have been played: it is over"
    played_on = house_rules('match.rounds = 2\nmatch.beyond_last = "allowed"')
    assert not step(replace(match, rules=played_on), Deal(None, 2, 0, MIXED)).flags


def test_a_redeal_uses_up_no_round_and_is_not_flagged() -> None:
    rules = house_rules("match.rounds = 1")
    four = (0, 1, 2, 3, 4, 8, 12, 16)
    match = play(rules, [Deal(None, 2, 0, four), Deal(None, 2, 0, MIXED)])
    assert not match.flags


def test_a_deal_after_an_empty_purse_is_flagged_too() -> None:
    rules = house_rules('settlement.mode = "zero_sum"\nmatch.start_points = 5')
    dealt = Deal(None, 2, 0, MIXED)
    table = begin(dealt, rules)
    won = replace(
        table, piles=(pile_of((1, 5, 9)), 0), phase=Phase.DECISION, pile_before=0, hand_counts=(7, 8)
    )
    match = step(Match(rules, readings=(won,), events=3), Declare(0, Call.STOP))
    assert match.totals == (5, -5)
    beyond = step(match, dealt).flags
    assert [flag.id for flag in beyond] == [FlagId.PLAY_AFTER_END]
    assert beyond[0].text == "a player has no points left: this match is over"
