"""One more evening of an umpire, at all tables: what happened, told in a line, and the call.

Karuta: near's cards are 1 to 4, far's 51 to 55; 100 is dead. L is a line of the club's Koi-Koi rules, a
numeral a section of the Kendo text.
"""

from __future__ import annotations

import pytest

from referee.facts import Hand
from referee.karuta.contacts import PoemFact
from referee.karuta.declarations import Misread, PlayEnded, PlayingHand, SharedFault
from referee.karuta.house_rules import PRESETS
from referee.koikoi.house_rules import preset as koikoi
from referee.koikoi.piles import pile_of
from referee.koikoi.score import scorer
from referee.tournament.division import Division, System
from referee.tournament.events import EntrantWithdrawn, ResultEntered, RoundDrawn
from referee.tournament.pairing import Result
from tests.referee.karuta.judged_poem import DEAD, FAR, MS, NEAR, judge, says
from tests.referee.karuta.judged_poem import pushed as out
from tests.referee.karuta.test_umpire_evening import F, N, far, near, starts
from tests.referee.kendo import test_umpire_evening as kendo
from tests.referee.koikoi.test_umpire_evening import (
    BOAR,
    BUTTERFLIES,
    CHAFF,
    CRANE,
    CURTAIN,
    DEER,
    MOON,
    PHOENIX,
    PLAIN,
    POETRY,
    RAIN_MAN,
    SAKE,
)
from tests.referee.tournament.played import Played, players

KARUTA: dict[str, tuple[str, int, tuple[PoemFact, ...], str]] = {
    "near drags the neighbour away after far's finger": (
        "kyogi", N, (far(N, 495), near(2, 500)), "far takes, far sends 1",
    ),
    "both strike the wrong side first, and near takes": (
        "kyogi", N, (near(53, 480), far(52, 485), near(N, 500)), "near takes, near faults, far faults",
    ),
    "a dead card: one by near, both territories by far": (
        "kyogi", DEAD, (near(1, 500), far(1, 510), far(52, 520)),
        "nobody takes, near faults, far faults twice, near sends 1",
    ),
    "a dead card, and hands on one another over near's row": (
        "kyogi", DEAD, (SharedFault(NEAR),), "nobody takes, near faults, far faults",
    ),
    "near had faulted there already: a territory counts once": (
        "kyogi", DEAD, (near(1, 500), SharedFault(NEAR)), "nobody takes, near faults, far faults",
    ),
    "near pushes far's read card out by its neighbour": (
        "kyogi", F, (near(52, 480), out(F, NEAR, 540)), "near takes, near sends 1",
    ),
    "near only nudges it": ("kyogi", F, (near(52, 480),), "nobody takes"),
    "near's finger as far's push is out": (
        "kyogi", N, (far(2, 450), out(N, FAR, 500), near(N, 500)), "near takes",
    ),
    "near's push is out as far's finger comes": (
        "kyogi", N, (near(2, 450), out(N, NEAR, 500), far(N, 500)), "near takes",
    ),
    "a fault on a dead card, and the reader had stumbled": (
        "kyogi", DEAD, (near(51, 500), Misread()), "nobody takes",
    ),
    "both lie on the read card too early, near takes it then": (
        "kyogi", N, (starts(N), near(N, -300), far(N, -200), near(N, 600)),
        "near takes, near faults, far faults",
    ),
    "faults cancel, the take's card is sent": (
        "seed-000", N, (near(53, 480), far(54, 490), far(N, 500)),
        "far takes, near faults, far faults, far sends 1",
    ),
    "two faults against one, and no card": (
        "seed-000", DEAD, (near(1, 500), near(51, 510), far(1, 505)),
        "nobody takes, near faults twice, far faults",
    ),
    "only the wrong hand was there": (
        "official", N, (PlayingHand(FAR, Hand.RIGHT), far(N, 500, Hand.LEFT)), "nobody takes",
    ),
    "far's wrong hand pushes near's read card out": (
        "seed-000", N,
        (PlayingHand(FAR, Hand.RIGHT), far(2, 480, Hand.LEFT), out(N, FAR, 540)), "near takes",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", KARUTA)
def test_the_call_at_the_mat(case: str) -> None:
    preset, poem, facts, call = KARUTA[case]
    assert says(judge(poem, *facts, rules=PRESETS[preset])) == call


def test_a_card_that_lay_untouched_until_play_was_over_is_for_the_officials() -> None:
    ruling = judge(N, PlayEnded(1000 * MS, MS), far(N, 1500))
    assert (says(ruling), ruling.doubts) == ("nobody takes", ("end_unclear",))


KOIKOI: dict[str, tuple[str, tuple[int, ...], int, int, int, int]] = {
    "four lights in the rain, and both viewings": (
        "kasu-2008", (CRANE, CURTAIN, MOON, RAIN_MAN, SAKE), 0, 0, 17, 34,
    ),
    "L116: boar, deer, butterflies and three more animals are no tane": (
        "kasu-2008", (BOAR, DEER, BUTTERFLIES, SAKE, 12, 16), 0, 0, 8, 16,
    ),
    "L113: ribbons with writing and two more, exactly seven": (
        "kasu-2008", (*POETRY, *PLAIN[:2]), 0, 0, 7, 7,
    ),
    "L108: fourteen chaff cards after three calls": ("kasu-2008", CHAFF[:14], 2, 1, 5, 40),
    "L133: ten chaff cards and the cup": ("kasu-2008", (*CHAFF[:10], SAKE), 0, 0, 2, 2),
    "L118 by the leaflet: four dry lights, and the other called": (
        "nintendo", (CRANE, CURTAIN, MOON, PHOENIX), 0, 1, 8, 32,
    ),
    "the wiki counts four dry lights and a viewing together": (
        "fuda-wiki", (CRANE, CURTAIN, MOON, PHOENIX, SAKE), 0, 0, 18, 36,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", KOIKOI)
def test_the_points_at_the_table(case: str) -> None:
    rules, cards, own, other, base, points = KOIKOI[case]
    score = scorer(koikoi(rules)).score(pile_of(cards), own, other)
    assert (score.base, score.points) == (base, points)


KENDO: dict[str, tuple[str, str]] = {
    "III.1: a thrust meets a thrust": ("0 tsuki, 1 tsuki", "0-0, 0 opens"),
    "III.2: a red card opens nothing": ("0 men>kote", "0-0, 0 opens, illegal_play: red"),
    "III.2: it receives what it names": (
        "0 men_uchi, 1 kote>do",
        "0-0, brown attack men against 1, illegal_play: red",
    ),
    "I: a cut without an answer": ("0 men_uchi, 1 -", "1-0, 1 opens"),
    "I: a chain without an answer": ("0 men_uchi, 1 men>kote, 0 -", "0-1, 0 opens"),
    "III.3h: a parry opens nothing": ("0 kaihi_suru", "0-0, 0 opens, illegal_play: KAIHI SURU"),
    "III.3h: pushed and parried": ("0 oshidashi, 1 kaihi_suru", "0-0, 0 opens"),
    "III.3l: TAI JODAN with an equal cut": (
        "0 jodan_no_kamae+men_uchi, 1 tai_jodan+men_uchi",
        "0-0, 0 opens",
    ),
    "III.3f: BOGYO opens nothing": ("0 bogyo", "0-0, 0 opens, illegal_play: BOGYO"),
}


@pytest.mark.parametrize("case", KENDO)
def test_the_call_at_the_bout(case: str) -> None:
    line, call = KENDO[case]
    assert kendo.says(kendo.after(line, (0, 0))) == call


def swiss(count: int) -> Played:
    return Played(Division("C", System.SWISS, 3, clubs_apart=0), players(count))


def test_of_three_each_rests_once() -> None:
    played = swiss(3)
    played.play()
    assert sorted(drawn.byes for drawn in played.course.rounds) == [(1,), (2,), (3,)]


def test_who_withdrew_is_neither_drawn_nor_rests() -> None:
    played = swiss(5)
    played.draw()
    played.decide(min)
    played.add(EntrantWithdrawn(5))
    drawn = played.draw()
    assert sorted(number for pair in drawn.pairs for number in pair) == [1, 2, 3, 4]
    assert drawn.byes == ()


def test_where_neither_came_nobody_has_the_point() -> None:
    played = swiss(4)
    played.add(RoundDrawn("C", ((1, 2), (3, 4))))
    played.add(ResultEntered("C-1-1", Result(None, by_default=True)))
    played.decide(min)
    pairs = {frozenset(pair) for pair in played.draw().pairs}
    assert any(3 in pair and pair != {3, 4} for pair in pairs), "3 has the only point, and met 4"
