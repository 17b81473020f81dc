"""Rounds and matches: turns, decisions, endings, dealers, totals."""

import random
from dataclasses import replace

import pytest

from referee.koikoi.events import Call, Deal, Declare, Draw, End, Event, Missed, Play
from referee.koikoi.flags import FlagId
from referee.koikoi.house_rules import PRESET_NAMES, house_rules, preset
from referee.koikoi.match import Match, concluded, play, step
from referee.koikoi.piles import pile_of
from referee.koikoi.round import Ending, Phase, Round, settled, with_unread_hand_card
from referee.koikoi.ruleset import RuleSet
from tests.referee.koikoi.koikoi_table import random_round

KASU = preset()
JAPAN = preset("koikoi-japan")

DEAL = Deal(1, 2, 0, (1, 9, 45, 12, 16, 20, 24, 30))
SANKO: tuple[Event, ...] = (
    Play(0, 0, (1,)),
    Draw(0, 8, (9,)),
    Play(1, 2),
    Draw(1, 3, (2,)),
    Play(0, 44, (45,)),
    Draw(0, 5),
)
"""Player 0 takes three dry lights and must decide."""


def table(*events: Event, rules: RuleSet = KASU, deal: Deal = DEAL) -> Round:
    match = play(rules, [deal, *events])
    assert [flag for record in match.rounds for flag in record.flags] == []
    assert match.table is not None
    return match.table


def test_a_turn_is_a_hand_card_and_a_draw_and_what_it_takes_lies_in_the_pile() -> None:
    phases = [table(*SANKO[:number]).phase for number in range(7)]
    hand, draw = Phase.HAND_CARD, Phase.DRAW
    assert phases == [hand, draw, hand, draw, hand, draw, Phase.DECISION]
    assert [table(*SANKO[:number]).turn for number in range(7)] == [0, 0, 1, 1, 0, 0, 0]
    after = table(*SANKO)
    assert after.piles == (pile_of([0, 1, 8, 9, 44, 45]), pile_of([2, 3]))
    assert after.field == pile_of([12, 16, 20, 24, 30, 5])
    assert after.hand_counts == (6, 7)
    assert after.stock == 21


def test_two_losers_pay_a_third_player_twice() -> None:
    three = replace(table(), piles=(0, 0, 0), rules=house_rules('settlement.mode = "zero_sum"'))
    assert settled(three, 1, 5) == (-5, 10, -5)
    assert settled(replace(three, rules=house_rules('settlement.mode = "winner_only"')), 1, 5) == (0, 5, 0)


def test_stop_pays_and_says_how() -> None:
    (record,) = play(KASU, [DEAL, *SANKO, Declare(0, Call.STOP)]).rounds
    result = record.result
    assert result is not None
    assert (result.ending, result.winner, result.points, result.formula) == (Ending.STOP, 0, (5, 0), "5")
    assert [[row.name for row in score.yaku] for score in record.scores] == [["sanko"], []]


def test_koikoi_passes_the_turn_and_doubles_everybodys_stop() -> None:
    after = table(*SANKO, Declare(0, Call.KOIKOI))
    assert (after.turn, after.phase, after.calls) == (1, Phase.HAND_CARD, (1, 0))
    assert after.score(0).points == 10
    away = {row.yaku for row in after.one_card_away(0)}
    assert away == {"shiko", "ame_shiko", "hanamizake", "akatan"}


def test_the_next_decision_needs_a_larger_base() -> None:
    # 7 and 4 of the second month: nothing is added to the three lights
    going_on = (*SANKO, Declare(0, Call.KOIKOI), Play(1, 6, (5,)), Draw(1, 7))
    assert table(*going_on, Play(0, 4, (7,)), Draw(0, 31, (30,))).phase is Phase.HAND_CARD
    assert table(*going_on, Play(0, 40), Draw(0, 41, (40,))).phase is Phase.DECISION


def test_where_only_a_new_yaku_counts_an_increment_is_no_occasion() -> None:
    def phase(rules: RuleSet) -> Phase:
        chaff = [2, 3, 6, 7, 10, 11, 14, 15, 18, 19]
        before = table(rules=rules)
        base = replace(before, piles=(pile_of(chaff), 0), pile_before=pile_of(chaff))
        match = Match(rules, readings=(base,), events=1)
        # the willow's chaff and its lightning: one or two chaff more
        for event in (Play(0, 26, (24,)), Draw(0, 43)):
            match = step(match, event)
        assert match.table is not None
        return match.table.phase

    assert phase(KASU) is Phase.DECISION
    assert phase(house_rules("decision.requires = 'new_yaku'")) is Phase.HAND_CARD
    fresh = house_rules("decision.requires = 'new_yaku'")
    assert table(*SANKO, rules=fresh).phase is Phase.DECISION


@pytest.mark.parametrize(
    ("rules", "calls", "why"),
    [("calls.limit = 1", (1, 0), "made all 1 calls"), ("calls.minimum_base = 6", (0, 0), "needs 6")],
)
def test_a_call_that_the_house_forbids(rules: str, calls: tuple[int, int], why: str) -> None:
    house = house_rules(rules)
    deciding = replace(table(*SANKO, rules=house), calls=calls)
    match = step(Match(house, readings=(deciding,), events=7), Declare(0, Call.KOIKOI))
    assert [flag.id for flag in match.flags] == [FlagId.ILLEGAL_DECLARATION]
    assert why in match.flags[0].text
    # he may still stop, or the round goes on without his call
    stopped = step(match, Declare(0, Call.STOP))
    assert stopped.table is not None
    assert stopped.table.result is not None
    going_on = step(match, Play(1, 6, (5,)))
    assert going_on.table is not None
    assert (going_on.table.calls, len(going_on.flags)) == (calls, 1)


def last_turn(rules: RuleSet) -> Match:
    """Player 0 takes the third light with his last hand card; player 1 has one left."""
    before = replace(table(*SANKO[:4], rules=rules), hand_counts=(1, 1))
    match = Match(rules, readings=(before,), events=5)
    for event in SANKO[4:]:
        match = step(match, event)
    return match


def test_without_hand_cards_only_a_stop_is_offered() -> None:
    called = step(last_turn(KASU), Declare(0, Call.KOIKOI))
    assert "can only stop" in called.flags[0].text
    ended = step(step(step(called, Play(1, 6, (5,))), Draw(1, 7)), End())
    assert len(ended.flags) == 1
    assert ended.table is not None
    assert ended.table.result is not None
    assert (ended.table.result.ending, ended.totals) == (Ending.EXHAUSTED, (0, 0))


def test_where_the_round_stops_by_itself_saying_so_is_no_fault() -> None:
    match = last_turn(JAPAN)
    assert match.table is not None
    assert match.table.result is not None
    assert (match.table.result.ending, match.totals) == (Ending.STOP, (5, -5))
    assert step(match, Declare(0, Call.STOP)).flags == ()
    assert [flag.id for flag in step(match, Declare(1, Call.STOP)).flags] == [FlagId.ILLEGAL_DECLARATION]


@pytest.mark.parametrize(("counts", "left"), [((8, 8), (7, 8)), ((1, 0), (0, 0)), ((0, 3), (0, 3))])
def test_an_unread_card_comes_from_the_hand_on_turn(counts: tuple[int, int], left: tuple[int, int]) -> None:
    before = replace(table(), hand_counts=counts, unread=2)
    after = with_unread_hand_card(before)
    assert (after.hand_counts, after.unread) == (left, 3)
    assert after.phase is before.phase
    assert with_unread_hand_card(replace(before, turn=1, hand_counts=(8, 8))).hand_counts == (8, 7)


def test_a_round_ends_with_its_last_hand_card() -> None:
    before = replace(table(), hand_counts=(1, 0))
    match = Match(KASU, readings=(before,), events=1)
    match = step(step(match, Play(0, 0, (1,))), Draw(0, 4))
    assert match.table is not None
    assert match.table.result is not None
    assert match.table.result.ending is Ending.EXHAUSTED
    assert step(match, End()).flags == ()


def test_a_seat_without_hand_cards_is_passed_over() -> None:
    before = replace(table(), hand_counts=(2, 0))
    match = Match(KASU, readings=(before,), events=1)
    match = step(step(match, Play(0, 0, (1,))), Draw(0, 4))
    assert match.table is not None
    assert match.table.turn == 0


@pytest.mark.parametrize(
    ("rules", "points", "dealer"),
    [
        (KASU, (0, 0), 1),
        (JAPAN, (1, -1), 0),
        (house_rules("settlement.dealer_points_without_winner = 6"), (6, 0), 1),
    ],
)
def test_a_round_without_winner(rules: RuleSet, points: tuple[int, int], dealer: int) -> None:
    match = play(rules, [DEAL, *SANKO, Declare(0, Call.KOIKOI), End()])
    assert match.ranking == (((0, 1),) if points == (0, 0) else ((0,), (1,)))
    assert match.totals == points
    assert match.next_dealer == dealer


TESHI = ((0, 2, 3, 4, 8, 13, 17, 21), (5, 10, 11, 14, 18, 22, 26, 31))
TESHI_DEAL = Deal(1, 2, 0, (7, 9, 45, 12, 16, 20, 24, 30), ((0, 1, 2, 3, 4, 8, 13, 17), TESHI[1]))
PAIRS_DEAL = replace(TESHI_DEAL, hands=((0, 1, 4, 5, 10, 11, 13, 14), (2, 6, 8, 15, 18, 22, 26, 31)))
BOTH_DEAL = replace(TESHI_DEAL, hands=((0, 1, 2, 3, 4, 8, 13, 17), (5, 6, 10, 11, 14, 15, 18, 19)))


@pytest.mark.parametrize(
    ("deal", "events", "ending", "winner", "points"),
    [
        (TESHI_DEAL, [], Ending.TESHI, 0, (6, 0)),
        (TESHI_DEAL, [End()], Ending.TESHI, 0, (6, 0)),
        (TESHI_DEAL, [Declare(0, Call.TESHI)], Ending.TESHI, 0, (6, 0)),
        (TESHI_DEAL, [Declare(0, Call.TESHI), Declare(0, Call.TESHI)], Ending.TESHI, 0, (6, 0)),
        (PAIRS_DEAL, [Declare(0, Call.KUTTSUKI)], Ending.KUTTSUKI, 0, (6, 0)),
        (BOTH_DEAL, [Declare(1, Call.KUTTSUKI)], Ending.TESHI, None, (0, 0)),
        (DEAL, [Declare(1, Call.KUTTSUKI)], Ending.KUTTSUKI, 1, (0, 6)),
        (DEAL, [Declare(1, Call.KUTTSUKI), Declare(0, Call.TESHI)], Ending.KUTTSUKI, None, (0, 0)),
    ],
)
def test_starting_hands_that_win(
    deal: Deal, events: list[Event], ending: Ending, winner: int | None, points: tuple[int, int]
) -> None:
    result = table(*events, deal=deal).result
    assert result is not None
    assert (result.ending, result.winner, result.points) == (ending, winner, points)


def test_a_claim_lapses_with_the_first_card_and_silence_is_not_punished() -> None:
    match = play(KASU, [TESHI_DEAL, Play(0, 8, (9,)), Declare(0, Call.TESHI)])
    assert match.table is not None
    assert match.table.result is None
    assert [(flag.id, flag.event) for flag in match.flags] == [(FlagId.ILLEGAL_DECLARATION, 2)]


@pytest.mark.parametrize(
    ("deal", "declared"),
    [
        (TESHI_DEAL, Declare(1, Call.TESHI)),
        (TESHI_DEAL, Declare(0, Call.KUTTSUKI)),
        (replace(DEAL, players=3, field=DEAL.field[:6]), Declare(0, Call.KUTTSUKI)),
    ],
)
def test_a_claim_that_does_not_hold(deal: Deal, declared: Declare) -> None:
    match = step(step(Match(KASU), deal), declared)
    assert [flag.id for flag in match.flags] == [FlagId.ILLEGAL_DECLARATION]


def test_teshi_for_three_is_shown_for_a_redeal() -> None:
    deal = replace(DEAL, players=3, field=DEAL.field[:6])
    shown = play(KASU, [deal, Declare(2, Call.TESHI)])
    assert [flag.id for flag in shown.flags] == [FlagId.MISDEAL]
    assert shown.table is not None
    assert shown.table.result is not None
    assert shown.table.result.ending is Ending.REDEAL
    known = replace(
        deal, hands=((0, 2, 3, 4, 8, 13, 17), (5, 10, 11, 14, 18, 22, 26), (28, 29, 30, 31, 6, 7, 19))
    )
    assert [flag.id for flag in play(KASU, [known]).flags] == [FlagId.MISDEAL]
    # hands are hidden: who does not show them plays on
    assert play(KASU, [known, Play(0, 0, (1,))]).flags == ()


def test_after_a_win_by_hand_nothing_else_can_be_claimed() -> None:
    match = play(KASU, [TESHI_DEAL, Declare(0, Call.TESHI), Declare(1, Call.KUTTSUKI), Declare(1, Call.STOP)])
    assert [flag.id for flag in match.flags] == [FlagId.ILLEGAL_DECLARATION] * 2
    three = house_rules("hands.kuttsuki = 'play'")
    late = play(three, [DEAL, Declare(0, Call.TESHI), Declare(1, Call.KUTTSUKI)])
    assert [flag.id for flag in late.flags] == [FlagId.ILLEGAL_DECLARATION]


def test_a_misdeal_is_dealt_again_by_the_same_dealer() -> None:
    bad = replace(DEAL, field=(0, 1, 2, 3, 9, 12, 16, 20))
    match = play(KASU, [bad, replace(DEAL, number=1)])
    first, second = match.rounds
    assert first.result is not None
    assert (first.result.ending, [flag.id for flag in first.flags]) == (Ending.REDEAL, [FlagId.MISDEAL])
    assert second.flags == ()
    assert play(KASU, [bad]).next_dealer == 0


def test_a_card_dealt_twice() -> None:
    bad = replace(DEAL, field=(1, 1, 45, 12, 16, 20, 24, 30))
    match = play(KASU, [bad])
    assert [(flag.id, flag.event) for flag in match.flags] == [(FlagId.DUPLICATE_CARD, 0)]


def test_a_wrong_dealer_is_noticed_and_either_may_begin() -> None:
    first = [DEAL, *SANKO, Declare(0, Call.STOP)]
    for beginner in (0, 1):
        match = play(KASU, [*first, replace(DEAL, number=2, dealer=1), Play(beginner, 0, (1,))])
        assert [(flag.id, flag.event) for flag in match.flags] == [(FlagId.WRONG_DEALER, 8)]


@pytest.mark.parametrize("ruleset", PRESET_NAMES)
def test_a_match_of_random_rounds(ruleset: str) -> None:
    rules = preset(ruleset)
    rng = random.Random(ruleset)
    match, dealer = Match(rules), 0
    totals = [0, 0]
    while not match.is_over:
        number = len(match.rounds) + 1
        for event in random_round(rng, 2, rules, number=number, dealer=dealer):
            match = step(match, event)
        record = match.rounds[-1]
        assert record.flags == ()
        totals = [total + points for total, points in zip(totals, record.points, strict=True)]
        assert match.totals == tuple(totals)
        assert match.next_dealer is not None
        dealer = match.next_dealer
    assert len(match.rounds) <= rules.match.rounds
    if rules.settlement.mode == "zero_sum":
        assert sum(totals) == 0
    assert match.ranking[0] == tuple(seat for seat in (0, 1) if totals[seat] == max(totals))


def test_a_purse_that_is_empty_ends_the_match() -> None:
    def after(*events: Event, purse: int) -> Match:
        rules = house_rules(f'base = "koikoi-japan"\nmatch.start_points = {purse}')
        return play(rules, [DEAL, *SANKO, *events])

    assert after(purse=5).totals == (0, 0)
    stopped = after(Declare(0, Call.STOP), purse=5)
    lost = -stopped.totals[1]
    assert lost >= 5
    assert stopped.is_over
    assert after(Declare(0, Call.STOP), purse=lost).is_over
    assert not after(Declare(0, Call.STOP), purse=lost + 1).is_over
    assert not after(purse=5).is_over


def test_the_month_counts_in_a_year_of_rounds_only() -> None:
    wiki = preset("fuda-wiki")
    assert table(rules=wiki, deal=replace(DEAL, number=7)).month == 7
    assert table(rules=wiki, deal=replace(DEAL, number=13)).month == 0
    assert table(rules=house_rules('base = "fuda-wiki"\nmatch.rounds = 6')).month == 0
    assert table().month == 0


def test_before_the_first_deal_there_is_nothing() -> None:
    match = Match(KASU)
    assert (match.table, match.rounds, match.totals, match.next_dealer) == (None, (), (), None)
    assert concluded(match) == match
    with pytest.raises(ValueError, match="first event of a match is a deal"):
        step(match, Play(0, 0))


@pytest.mark.parametrize(
    ("deals", "complaint"),
    [
        ([replace(DEAL, dealer=2)], r"seats are numbered 0\.\.1, got dealer 2"),
        ([replace(DEAL, players=5)], "players, got 5"),
        ([replace(DEAL, hands=((0,),))], "hands are given for all 2 players or not at all, got 1"),
        ([DEAL, End(), replace(DEAL, players=3, field=DEAL.field[:6])], "keeps its 2 players"),
    ],
)
def test_deals_that_cannot_be(deals: list[Event], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        play(KASU, deals)


def test_rounds_number_themselves() -> None:
    unnumbered = replace(DEAL, number=None)
    bad = replace(unnumbered, dealer=1, field=(0, 1, 2, 3, 9, 12, 16, 20))
    match = play(KASU, [unnumbered, End(), bad, replace(unnumbered, dealer=1)])
    assert [record.table.number for record in match.rounds] == [1, 2, 2]


def test_a_missed_part_after_the_end_changes_nothing() -> None:
    ended = play(KASU, [DEAL, *SANKO, Declare(0, Call.STOP)])
    after = step(ended, Missed(2, 0, (), ((), ())))
    assert after.readings == ended.readings


def test_a_stop_in_a_missed_part_ends_the_round() -> None:
    before = play(KASU, [DEAL, *SANKO])
    said = (Declare(0, Call.STOP),)
    assert before.table is not None
    after = step(before, Missed(2, 0, (12, 16), ((0, 1, 8, 9, 44, 45), ()), said))
    assert all(reading.result is not None for reading in after.readings)
