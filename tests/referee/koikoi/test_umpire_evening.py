"""An evening at the card table: which cards lie before a player, what was called, and what that pays.

The club's written rules of 2008 (L), and where they differ the leaflet in the box (`nintendo`).
"""

from __future__ import annotations

import pytest

from referee.koikoi.events import Call, Deal, Declare, Draw, End, Event, Play
from referee.koikoi.house_rules import house_rules, preset
from referee.koikoi.match import play
from referee.koikoi.piles import pile_of
from referee.koikoi.score import scorer

CRANE, CURTAIN, MOON, RAIN_MAN, PHOENIX = 0, 8, 28, 40, 44
POETRY, BLUE, PLAIN = (1, 5, 9), (21, 33, 37), (13, 17, 25, 42)
BUTTERFLIES, BOAR, DEER, SAKE = 20, 24, 36, 32
ANIMALS = (12, 16, 24, 29, 41)
CHAFF = (2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27)

EVENING: dict[str, tuple[str, tuple[int, ...], int, int, int, int]] = {
    "L80: (2 + 1) * 2": ("kasu-2008", CHAFF[:12], 1, 0, 3, 6),
    "L81: (2 + 1 + 1) * 2 * 2": ("kasu-2008", CHAFF[:13], 2, 0, 4, 16),
    "L95: (4 + 4) * 2 * 2": ("kasu-2008", (CRANE, CURTAIN, MOON, PHOENIX), 1, 0, 8, 32),
    "L101: the other called twice": ("kasu-2008", CHAFF[:12], 0, 2, 3, 12),
    "seven is not more than seven": ("kasu-2008", (CRANE, CURTAIN, MOON, RAIN_MAN), 0, 0, 7, 7),
    "seven after a call": ("kasu-2008", (CRANE, CURTAIN, MOON, RAIN_MAN), 1, 0, 7, 14),
    "eight only by the call": ("kasu-2008", CHAFF[:13], 1, 0, 4, 8),
    "five lights": ("kasu-2008", (CRANE, CURTAIN, MOON, RAIN_MAN, PHOENIX), 0, 0, 10, 20),
    "three lights, one of them in the rain": ("kasu-2008", (CRANE, CURTAIN, RAIN_MAN), 0, 0, 0, 0),
    "three dry lights": ("kasu-2008", (CRANE, MOON, PHOENIX), 0, 0, 5, 5),
    "nine chaff and the cup": ("kasu-2008", (*CHAFF[:9], SAKE), 0, 0, 1, 1),
    "the cup is animal and chaff": ("kasu-2008", (*CHAFF[:9], SAKE, *ANIMALS[:4]), 0, 0, 2, 2),
    "five animals, and a sixth": ("kasu-2008", (*ANIMALS, SAKE), 0, 0, 2, 2),
    "boar, deer and butterflies, and the cup": ("kasu-2008", (BUTTERFLIES, BOAR, DEER, SAKE), 0, 0, 6, 6),
    "L116: and three more are no tane": ("kasu-2008", (BOAR, DEER, BUTTERFLIES, SAKE, 12, 16), 0, 0, 8, 16),
    "five plain ribbons and one": ("kasu-2008", (*PLAIN, *BLUE[:2]), 0, 0, 2, 2),
    "blue ribbons and two more": ("kasu-2008", (*BLUE, *PLAIN[:2]), 0, 0, 7, 7),
    "both kinds and a plain one": ("kasu-2008", (*POETRY, *BLUE, PLAIN[0]), 0, 0, 11, 22),
    "cherry and moon with the cup": ("kasu-2008", (CURTAIN, MOON, SAKE), 0, 0, 10, 20),
    "the rain man spoils no viewing at this club": ("kasu-2008", (CURTAIN, SAKE, RAIN_MAN), 0, 0, 5, 5),
    "nothing": ("kasu-2008", (*CHAFF[:9], *PLAIN, *ANIMALS[:4]), 3, 0, 0, 0),
    "leaflet: exactly seven": ("nintendo", (*POETRY, *PLAIN[:2]), 0, 0, 7, 14),
    "leaflet: an own call pays nothing": ("nintendo", CHAFF[:12], 1, 0, 3, 3),
    "leaflet: the other's does": ("nintendo", CHAFF[:12], 0, 1, 3, 6),
    "wiki: five lights": ("fuda-wiki", (CRANE, CURTAIN, MOON, RAIN_MAN, PHOENIX), 0, 0, 15, 30),
    "wiki: three dry lights, both called": ("fuda-wiki", (CRANE, MOON, PHOENIX), 1, 1, 6, 12),
    "wiki: and a viewing": ("fuda-wiki", (CRANE, CURTAIN, MOON, PHOENIX, SAKE), 0, 0, 18, 36),
    "recorded games: both ribbons, and the six": ("koikoi-japan", (*POETRY, *BLUE), 0, 0, 22, 22),
    "recorded games: the cup under the blossoms": ("koikoi-japan", (CURTAIN, SAKE), 0, 0, 1, 1),
    "hard: animals": ("bga-hard", (BOAR, DEER, BUTTERFLIES, *ANIMALS[:2], SAKE, 29), 0, 0, 8, 16),
    "hard: both ribbons are two fives and the ribbons": ("bga-hard", (*POETRY, *BLUE), 0, 0, 12, 24),
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
