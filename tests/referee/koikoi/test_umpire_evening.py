"""An evening at the card table: which cards lie before a player, what was called, and what that pays.

The club's written rules of 2008 (L), and where they differ the leaflet in the box (`nintendo`).
"""

from __future__ import annotations

import pytest

from referee.koikoi.events import Call, Deal, Declare, Draw, End, Event, Play
from referee.koikoi.flags import FlagId
from referee.koikoi.house_rules import house_rules, preset
from referee.koikoi.match import Match, play
from referee.koikoi.piles import pile_of
from referee.koikoi.round import Ending
from referee.koikoi.score import scorer

CRANE, CURTAIN, MOON, RAIN_MAN, PHOENIX = 0, 8, 28, 40, 44
POETRY, BLUE, PLAIN = (1, 5, 9), (21, 33, 37), (13, 17, 25, 42)
BUTTERFLIES, BOAR, DEER, SAKE = 20, 24, 36, 32
ANIMALS = (12, 16, 24, 29, 41)
CHAFF = (2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27)

Pays = tuple[tuple[int, ...], int, int, int, int]
EVENING: dict[str, Pays] = {
    "L80: (2 + 1) * 2": (CHAFF[:12], 1, 0, 3, 6),
    "L81: (2 + 1 + 1) * 2 * 2": (CHAFF[:13], 2, 0, 4, 16),
    "L95: (4 + 4) * 2 * 2": ((CRANE, CURTAIN, MOON, PHOENIX), 1, 0, 8, 32),
    "L101: the other called twice": (CHAFF[:12], 0, 2, 3, 12),
    "both called once": (CHAFF[:12], 1, 1, 3, 12),
    "seven is not more than seven": ((CRANE, CURTAIN, MOON, RAIN_MAN), 0, 0, 7, 7),
    "seven after a call": ((CRANE, CURTAIN, MOON, RAIN_MAN), 1, 0, 7, 14),
    "eight only by the call": (CHAFF[:13], 1, 0, 4, 8),
    "five lights": ((CRANE, CURTAIN, MOON, RAIN_MAN, PHOENIX), 0, 0, 10, 20),
    "three lights, one of them in the rain": ((CRANE, CURTAIN, RAIN_MAN), 0, 0, 0, 0),
    "three dry lights": ((CRANE, MOON, PHOENIX), 0, 0, 5, 5),
    "nine chaff and the cup": ((*CHAFF[:9], SAKE), 0, 0, 1, 1),
    "the cup is an animal and a chaff at once": ((*CHAFF[:9], SAKE, *ANIMALS[:4]), 0, 0, 2, 2),
    "five animals, and a sixth": ((*ANIMALS, SAKE), 0, 0, 2, 2),
    "boar, deer and butterflies, and the cup": ((BUTTERFLIES, BOAR, DEER, SAKE), 0, 0, 6, 6),
    "five plain ribbons and one": ((*PLAIN, *BLUE[:2]), 0, 0, 2, 2),
    "blue ribbons and two more": ((*BLUE, *PLAIN[:2]), 0, 0, 7, 7),
    "both kinds of ribbons": ((*POETRY, *BLUE), 0, 0, 10, 20),
    "both kinds and a plain one": ((*POETRY, *BLUE, PLAIN[0]), 0, 0, 11, 22),
    "cherry and moon with the cup": ((CURTAIN, MOON, SAKE), 0, 0, 10, 20),
    "the rain man spoils no viewing at this club": ((CURTAIN, SAKE, RAIN_MAN), 0, 0, 5, 5),
    "nothing": ((*CHAFF[:9], *PLAIN, *ANIMALS[:4]), 3, 0, 0, 0),
}


@pytest.mark.parametrize("case", EVENING)
def test_what_it_pays(case: str) -> None:
    cards, own, other, base, points = EVENING[case]
    score = scorer(preset()).score(pile_of(cards), own, other)
    assert (score.base, score.points) == (base, points)


@pytest.mark.parametrize(
    ("cards", "own", "other", "points"),
    [
        ((CRANE, CURTAIN, MOON, RAIN_MAN), 0, 0, 14),
        (CHAFF[:12], 1, 0, 3),
        (CHAFF[:12], 0, 1, 6),
        ((CRANE, CURTAIN, MOON, PHOENIX), 0, 1, 32),
    ],
    ids=["seven are doubled", "an own call pays nothing", "the other's does", "both"],
)
def test_what_it_pays_by_the_leaflet(cards: tuple[int, ...], own: int, other: int, points: int) -> None:
    assert scorer(preset("nintendo")).score(pile_of(cards), own, other).points == points


FIELD = (1, 9, 45, 12, 16, 20, 24, 30)
DEAL = Deal(1, 2, 0, FIELD)
FOUR_PINES = (0, 2, 3, 4, 8, 13, 17, 21)
PINE_FIELD = (5, 9, 45, 12, 16, 20, 24, 30)


def evening(*events: Event, rules: str = "") -> Match:
    return play(house_rules(rules), events)


def flags(match: Match) -> list[FlagId]:
    return [flag.id for record in match.rounds for flag in record.flags]


def test_a_hand_of_one_month_wins_six_and_the_cards_are_dealt_anew() -> None:
    hands = ((0, 1, 2, 3, 4, 8, 13, 17), (6, 10, 14, 18, 22, 26, 31, 34))
    match = evening(Deal(1, 2, 0, PINE_FIELD, hands), End())
    (record,) = match.rounds
    assert record.result is not None
    assert (record.result.ending, record.points, match.next_dealer) == (Ending.TESHI, (6, 0), 0)


def test_with_three_players_such_a_hand_is_dealt_again_and_uses_up_no_round() -> None:
    hands = ((0, 1, 2, 3, 4, 8, 13), (6, 10, 14, 18, 22, 26, 31), (7, 11, 15, 19, 23, 27, 34))
    match = evening(Deal(1, 3, 1, (5, 9, 45, 12, 16, 20), hands), End())
    (record,) = match.rounds
    assert record.result is not None
    assert (record.result.ending, record.points, match.next_dealer) == (Ending.REDEAL, (0, 0, 0), 1)


def test_four_of_a_month_on_the_field_are_dealt_again_but_three_lie_on_one_another() -> None:
    assert flags(evening(Deal(1, 2, 0, (0, 1, 2, 3, 9, 12, 16, 20)))) == [FlagId.MISDEAL]
    three = Deal(1, 2, 0, (0, 1, 2, 9, 12, 16, 20, 24))
    assert flags(evening(three, Play(0, 3, (0, 1, 2)))) == []
    assert flags(evening(three, Play(0, 3, (0,)))) == [FlagId.TOOK_ONE_OF_THREE]


def test_two_of_a_month_on_the_field_are_a_choice_and_not_a_capture_of_both() -> None:
    two = Deal(1, 2, 0, (0, 1, 9, 12, 16, 20, 24, 30))
    for taken in ((0,), (1,)):
        assert flags(evening(two, Play(0, 3, taken))) == []
    assert flags(evening(two, Play(0, 3, (0, 1)))) == [FlagId.TOOK_BOTH_OF_TWO]
    assert flags(evening(two, Play(0, 3), Draw(0, 5), Play(1, 47))) == [FlagId.FORGOTTEN_CAPTURE]


SANKO: tuple[Event, ...] = (
    Play(0, 0, (1,)),
    Draw(0, 8, (9,)),
    Play(1, 2),
    Draw(1, 3, (2,)),
    Play(0, 44, (45,)),
    Draw(0, 5),
)


def test_who_stops_wins_and_deals_if_he_dealt() -> None:
    match = evening(DEAL, *SANKO, Declare(0, Call.STOP))
    assert (match.totals, match.next_dealer, flags(match)) == ((5, 0), 0, [])


def test_who_calls_and_gains_nothing_more_gets_nothing() -> None:
    match = evening(DEAL, *SANKO, Declare(0, Call.KOIKOI), Play(1, 6, (5,)), Draw(1, 7), End())
    assert (match.totals, match.next_dealer) == ((0, 0), 1)


def test_nobody_calls_for_the_other_nor_without_a_combination() -> None:
    assert flags(evening(DEAL, *SANKO, Declare(1, Call.STOP))) == [FlagId.ILLEGAL_DECLARATION]
    assert flags(evening(DEAL, *SANKO[:2], Declare(0, Call.KOIKOI))) == [FlagId.ILLEGAL_DECLARATION]


def test_a_deal_passes_to_the_right_where_the_dealer_did_not_win() -> None:
    three = Deal(1, 3, 2, (1, 9, 45, 12, 16, 20))
    match = evening(three, End(), Deal(2, 3, 0, (1, 9, 45, 12, 16, 20)))
    assert FlagId.WRONG_DEALER not in flags(match)


HANDS = ((0, 8, 13, 17, 21, 25, 29, 33), (2, 6, 10, 14, 18, 22, 26, 31))


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ((Play(0, 0, (1,)), Play(0, 8, (9,))), "player 0 plays a second hand card"),
        ((Play(0, 47, (45,)),), "card 47 was not in player 0's hand"),
        ((Play(0, 0, (1,)), Draw(0, 12)), "on the field"),
        ((Play(0, 0, (1,)), Draw(0, 2)), "in player 1's hand"),
    ],
)
def test_what_the_umpire_says(events: tuple[Event, ...], words: str) -> None:
    deal = Deal(1, 2, 0, FIELD, HANDS)
    assert any(words in flag.text for record in evening(deal, *events).rounds for flag in record.flags)


def test_the_wrong_dealer_and_two_hands_to_deal_again_are_named() -> None:
    match = evening(DEAL, End(), Deal(2, 2, 0, FIELD))
    assert match.rounds[-1].flags[0].text == "player 1 deals this round, not player 0"
    months = ((0, 1, 2, 3, 4, 8, 13), (16, 17, 18, 19, 6, 10, 14), (7, 11, 15, 20, 23, 27, 34))
    match = evening(Deal(1, 3, 1, (5, 9, 45, 12, 21, 24), months))
    assert [flag.text for flag in match.flags] == [
        "player 0 holds teshi and player 1 holds teshi: the cards are dealt again"
    ]


def test_the_cards_of_the_month_count_beside_another_yaku() -> None:
    table = scorer(house_rules("[yaku.month]\npoints = 4"))
    score = table.score(pile_of((*CHAFF[:10], 0, 1)), month=1)
    assert dict(score.yaku) == {"kasu": 1, "month": 4}
    assert score.base == 5
