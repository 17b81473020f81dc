"""Scoring piles: equal to a second, plain scorer, and with an explanation that adds up."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.koikoi.events import Call, Deal, Declare, Draw, End, Event, Play
from referee.koikoi.house_rules import PRESET_NAMES, house_rules, preset
from referee.koikoi.match import play
from referee.koikoi.payout import call_effect, formula
from referee.koikoi.piles import cards_of, pile_of
from referee.koikoi.ruleset import CallEffect, RuleSet
from referee.koikoi.score import one_card_away, scorer
from tests.referee.koikoi.koikoi_table import naive_yaku

KASU = preset()
RULESETS = [preset(name) for name in PRESET_NAMES] + [
    house_rules(
        'base = "koikoi-japan"\nsake_cup.counts_as_kasu = false\nviewing.rained_off = true',
        overrides=["yaku.tan.points=2"],
    ),
    house_rules("yaku.sanko.points = 6\nyaku.aotan.extra = 0\nsake_cup.counts_as_kasu = false"),
    house_rules('viewing.rain = "captured"\nviewing.fog = "on_field"', "damp"),
    house_rules('viewing.rain = "on_field"\nviewing.beside_another = true', "sober"),
]
piles = st.sets(st.integers(0, 47)).map(pile_of)
# random piles seldom hold a yaku: take most of the special cards and some chaff
rich_piles = st.integers(0, 2**31).map(
    lambda seed: pile_of(random.Random(seed).sample(range(48), random.Random(seed + 1).randint(8, 40)))
)


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.name)
@settings(max_examples=60)
@given(pile=st.one_of(piles, rich_piles), called=st.booleans(), left=piles)
def test_every_ruleset_scores_as_the_plain_scorer(rules: RuleSet, pile: int, called: bool, left: int) -> None:
    field = left & ~pile
    score = scorer(rules).score(pile, own_calls=int(called), field=field)
    expected = naive_yaku(cards_of(pile), rules, called=called, field=cards_of(field))
    assert {row.name: row.points for row in score.yaku} == expected
    assert score.base == sum(expected.values()) == scorer(rules).base(pile, called=called, field=field)


@pytest.mark.parametrize("rules", RULESETS, ids=lambda rules: rules.name)
@settings(max_examples=40)
@given(pile=rich_piles, own=st.integers(0, 6), other=st.integers(0, 6), lights=st.integers(0, 5))
def test_the_payout_explains_the_points(rules: RuleSet, pile: int, own: int, other: int, lights: int) -> None:
    score = scorer(rules).score(pile, own, other, lights=lights)
    sums = re.sub(r" \([a-z -]+\)", "", score.formula).replace("x", "*").split(" = ")
    assert {eval(each) for each in sums} == {score.points}


@given(pile=piles, card=st.integers(0, 47))
def test_a_further_card_never_lowers_the_base(pile: int, card: int) -> None:
    assert scorer(KASU).base(pile | 1 << card) >= scorer(KASU).base(pile)


@given(pile=rich_piles)
def test_every_yaku_names_cards_of_the_pile_that_make_it_alone(pile: int) -> None:
    table = scorer(KASU)
    score = table.score(pile)
    for row in score.yaku:
        cards = pile_of(score.cards(row.name))
        assert cards & ~pile == 0
        assert row in table.score(cards).yaku


def test_cards_of_a_yaku_that_is_not_there_are_refused() -> None:
    with pytest.raises(ValueError, match="not 'goko'"):
        scorer(KASU).score(pile_of([8, 32])).cards("goko")


def test_the_sake_cup_is_no_kasu_where_the_house_says_so() -> None:
    rules = house_rules("sake_cup.counts_as_kasu = false")
    chaff = [2, 3, 6, 7, 10, 11, 14, 15, 18, 19]
    assert scorer(KASU).score(pile_of([*chaff[:9], 32])).base == 1
    assert scorer(rules).score(pile_of([*chaff[:9], 32])).base == 0
    assert scorer(rules).score(pile_of([*chaff, 32])).cards("kasu") == tuple(chaff)


@pytest.mark.parametrize(
    ("effect", "own", "other", "expected"),
    [
        ("each_call_doubles", 1, 2, (8, 0)),
        ("opponent_call_doubles", 3, 0, (1, 0)),
        ("opponent_call_doubles", 0, 3, (2, 0)),
        ("any_call_doubles", 0, 0, (1, 0)),
        ("any_call_doubles", 2, 0, (2, 0)),
        ("own_calls_multiply", 2, 1, (3, 0)),
        ("opponent_calls_multiply", 2, 1, (2, 0)),
        ("own_ladder", 0, 5, (1, 0)),
        ("own_ladder", 3, 0, (1, 3)),
        ("own_ladder", 4, 0, (2, 0)),
        ("own_ladder", 7, 0, (5, 0)),
    ],
)
def test_what_calls_are_worth(effect: CallEffect, own: int, other: int, expected: tuple[int, int]) -> None:
    assert call_effect(effect, own, other) == expected


@pytest.mark.parametrize(
    ("ruleset", "base", "own", "other", "points"),
    [
        ("kasu-2008", 7, 0, 0, 7),
        ("kasu-2008", 8, 1, 1, 64),
        ("nintendo", 6, 1, 0, 6),
        ("nintendo", 7, 0, 0, 14),
        ("nintendo", 7, 0, 1, 28),
        ("fuda-wiki", 7, 0, 2, 28),
        ("koikoi-japan", 9, 2, 4, 11),
        ("koikoi-japan", 9, 5, 0, 27),
        ("bga-hard", 7, 1, 1, 28),
        ("kasu-2008", 0, 2, 2, 0),
        ("koikoi-japan", 0, 2, 0, 0),
    ],
)
def test_points_under_the_presets(ruleset: str, base: int, own: int, other: int, points: int) -> None:
    assert scorer(preset(ruleset)).points(base, own, other) == points


@pytest.mark.parametrize(
    ("yaku", "points", "calls", "large", "text"),
    [
        ((5,), 5, (1, 0), 1, "5"),
        ((5, 1), 6, (1, 0), 1, "5 + 1 = 6"),
        ((7, 1), 32, (2, 0), 2, "(7 + 1) x 2 (koi-koi) x 2 (large sum) = 32"),
        ((8,), 20, (1, 2), 2, "(8 + 2 (koi-koi)) x 2 (large sum) = 20"),
    ],
)
def test_the_formula_reads_as_players_write_it(
    yaku: tuple[int, ...], points: int, calls: tuple[int, int], large: int, text: str
) -> None:
    assert formula(yaku, points, calls, large, 1) == text


def test_viewing_pays_more_after_a_call_where_the_rules_say_so() -> None:
    table = scorer(preset("koikoi-japan"))
    pile = pile_of([8, 28, 32])
    assert table.score(pile).base == 2
    assert table.score(pile, own_calls=1).base == 6
    assert table.score(pile, other_calls=1).base == 2


def test_month_cards_count_in_their_month_only() -> None:
    table = scorer(preset("fuda-wiki"))
    pile = pile_of([12, 13, 14, 15])
    score = table.score(pile, month=4)
    assert dict(score.yaku) == {"month": 4}
    assert score.cards("month") == (12, 13, 14, 15)
    assert table.base(pile, month=4) == 4
    assert table.score(pile, month=5).base == table.base(pile, month=5) == table.base(pile) == 0


def test_equal_yaku_of_one_group_count_once() -> None:
    rules = house_rules("yaku.akatan_aotan.points = 0")
    assert dict(scorer(rules).score(pile_of([1, 5, 9, 21, 33, 37])).yaku) == {"akatan": 8}


def test_one_card_away() -> None:
    away = one_card_away(scorer(KASU), pile_of([8, 0, 44, 5, 9]))
    assert {row.yaku: (row.cards, row.base) for row in away} == {
        "shiko": ((28,), 8),
        "ame_shiko": ((40,), 7),
        "akatan": ((1,), 10),
        "hanamizake": ((32,), 10),
    }
    assert [row.base for row in away] == sorted((row.base for row in away), reverse=True)


@given(pile=piles)
def test_one_card_away_tells_the_truth(pile: int) -> None:
    table = scorer(KASU)
    before = {row.name for row in table.score(pile).yaku}
    for away in one_card_away(table, pile):
        assert away.yaku not in before
        for card in away.cards:
            assert away.yaku in {row.name for row in table.score(pile | 1 << card).yaku}


CRANE, CURTAIN, MOON, RAIN_MAN, PHOENIX = 0, 8, 28, 40, 44
POETRY, PLAIN = (1, 5, 9), (13, 17, 25, 42)
BUTTERFLIES, BOAR, DEER, SAKE = 20, 24, 36, 32
CHAFF = (2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27)

EVENING: dict[str, tuple[str, tuple[int, ...], int, int, int, int]] = {
    "L80: (2 + 1) * 2": ("kasu-2008", CHAFF[:12], 1, 0, 3, 6),
    "L81: (2 + 1 + 1) * 2 * 2": ("kasu-2008", CHAFF[:13], 2, 0, 4, 16),
    "L95: (4 + 4) * 2 * 2": ("kasu-2008", (CRANE, CURTAIN, MOON, PHOENIX), 1, 0, 8, 32),
    "L101: the other called twice": ("kasu-2008", CHAFF[:12], 0, 2, 3, 12),
    "seven is not more than seven": ("kasu-2008", (CRANE, CURTAIN, MOON, RAIN_MAN), 0, 0, 7, 7),
    "L116: and three more are no tane": ("kasu-2008", (BOAR, DEER, BUTTERFLIES, SAKE, 12, 16), 0, 0, 8, 16),
    "the rain man spoils no viewing at this club": ("kasu-2008", (CURTAIN, SAKE, RAIN_MAN), 0, 0, 5, 5),
    "leaflet: exactly seven": ("nintendo", (*POETRY, *PLAIN[:2]), 0, 0, 7, 14),
    "leaflet: an own call pays nothing": ("nintendo", CHAFF[:12], 1, 0, 3, 3),
    "leaflet: the other's does": ("nintendo", CHAFF[:12], 0, 1, 3, 6),
    "wiki: five lights": ("fuda-wiki", (CRANE, CURTAIN, MOON, RAIN_MAN, PHOENIX), 0, 0, 15, 30),
    "wiki: three dry lights, both called": ("fuda-wiki", (CRANE, MOON, PHOENIX), 1, 1, 6, 12),
    "wiki: and a viewing": ("fuda-wiki", (CRANE, CURTAIN, MOON, PHOENIX, SAKE), 0, 0, 18, 36),
    "soft: own calls multiply, the other's pay nothing": ("bga-soft", (CRANE, MOON, PHOENIX), 1, 2, 5, 10),
}


@pytest.mark.parametrize("case", EVENING)
def test_what_it_pays(case: str) -> None:
    rules, cards, own, other, base, points = EVENING[case]
    score = scorer(preset(rules)).score(pile_of(cards), own, other)
    assert (score.base, score.points) == (base, points)


FIELD = (1, 9, 45, 12, 16, 20, 24, 30)
HANDS = ((0, 8, 13, 17, 21, 25, 29, 33), (2, 6, 10, 14, 18, 22, 26, 31))


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ((Play(0, 0, (1,)), Play(0, 8, (9,))), "player 0 plays a second hand card"),
        ((Play(0, 47, (45,)),), "card 47 was not in player 0's hand"),
        ((Play(0, 0, (1,)), Draw(0, 12)), "on the field"),
        ((Play(0, 0, (1,)), Draw(0, 2)), "in player 1's hand"),
        ((Play(0, 0, (1, 47)),), "card 47 was taken and had never been on the field"),
        ((Play(0, 0, (1,)), Declare(0, Call.TESHI)), "teshi must be claimed before the first card"),
        ((Declare(1, Call.KUTTSUKI),), "player 1 cannot claim kuttsuki: the declaration does not count"),
    ],
)
def test_what_the_umpire_says(events: tuple[Event, ...], words: str) -> None:
    match = play(preset(), (Deal(1, 2, 0, FIELD, HANDS), *events))
    assert any(words in flag.text for flag in match.flags)


def test_the_wrong_dealer_and_two_hands_to_deal_again_are_named() -> None:
    match = play(preset(), (Deal(1, 2, 0, FIELD), End(), Deal(2, 2, 0, FIELD)))
    assert match.rounds[-1].flags[0].text == "player 1 deals this round, not player 0"
    months = ((0, 1, 2, 3, 4, 8, 13), (16, 17, 18, 19, 6, 10, 14), (7, 11, 15, 20, 23, 27, 34))
    match = play(preset(), [Deal(1, 3, 1, (5, 9, 45, 12, 21, 24), months)])
    assert [flag.text for flag in match.flags] == [
        "player 0 holds teshi and player 1 holds teshi: the cards are dealt again"
    ]


def test_the_cards_of_the_month_count_beside_another_yaku() -> None:
    table = scorer(house_rules("[yaku.month]\npoints = 4"))
    score = table.score(pile_of((*CHAFF[:10], 0, 1)), month=1)
    assert dict(score.yaku) == {"kasu": 1, "month": 4}
    assert score.base == 5
