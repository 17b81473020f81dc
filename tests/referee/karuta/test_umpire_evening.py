"""An evening of an umpire: what was seen at the cards, told in one line, and the call. Times in milliseconds.

Near's cards are 1 to 4, far's 51 to 55; 100 is dead. `docs/explanation/karuta-rules.md` names the sources.
"""

import pytest

from referee.facts import Hand, PoemStarted, Touch
from referee.karuta.contacts import PoemFact
from referee.karuta.declarations import BrokeRule, Conduct, PlayingHand, SharedFault, WrongHand
from referee.karuta.house_rules import PRESETS
from referee.karuta.judge import judge_poem
from referee.notation import parse_layout
from tests.referee.karuta.judged_poem import DEAD, FAR, MS, NEAR, judge, says, touch
from tests.referee.karuta.judged_poem import pushed as out

N, F = 1, 51
FIRST_SOUND = 0


def near(card: int, t_ms: float, hand: Hand | None = None) -> Touch:
    return touch(card, NEAR, t_ms, hand=hand)


def far(card: int, t_ms: float, hand: Hand | None = None) -> Touch:
    return touch(card, FAR, t_ms, hand=hand)


def starts(poem: int) -> PoemStarted:
    return PoemStarted(poem, FIRST_SOUND, MS)


EVENING: dict[str, tuple[int, tuple[PoemFact, ...], str]] = {
    "far waves over its own 53 on the way": (N, (far(53, 400), near(N, 500)),
        "near takes, far faults, near sends 1"),
    "near pushes its own row over far's 51: bylaw 23, paragraph 2": (DEAD,
        (near(1, 500), out(51, NEAR, 540)), "nobody takes, near faults, far sends 1"),
    "far pushes near's card half over the line, near puts a finger on it": (N, (far(2, 480), near(N, 520)),
        "near takes"),
    "far pushes it right out before the finger": (N, (far(2, 480), out(N, FAR, 510), near(N, 520)),
        "far takes, far sends 1"),
    "the finger comes before it is out": (N, (far(2, 480), near(N, 505), out(N, FAR, 540)), "near takes"),
    "near strikes far's card away and picks up 1 while tidying": (F, (near(F, 500), near(1, 9000)),
        "near takes, near sends 1"),
    "near touches after the first sound and before the kimariji": (N, (starts(N), near(N, 40)), "near takes"),
    "both lay on the field too early": (N, (starts(N), near(2, -300), far(52, -200), near(N, 600)),
        "near takes, near faults, far faults"),
    "an official sees the wrong hand after all": (N, (far(N, 500), WrongHand(FAR, N), near(N, 560)),
        "near takes, far faults, near sends 1"),
    "hand on hand over far's fault": (N, (far(53, 480), SharedFault(FAR), near(N, 500)),
        "near takes, near faults, far faults"),
    "hand on hand on a dead card, and one more fault": (DEAD, (SharedFault(NEAR), near(51, 500)),
        "nobody takes, near faults twice, far faults, far sends 1"),
    "far grabs near's hand": (N, (BrokeRule(FAR, Conduct.GRABBED_HAND), far(N, 500)),
        "far takes, far sends 1"),
    "near had faulted there already: a territory counts once": (DEAD, (near(1, 500), SharedFault(NEAR)),
        "nobody takes, near faults, far faults"),
    "far's early hand comes again and is first": (N, (starts(N), far(N, -100), far(N, 400)),
        "far takes, far faults"),
}  # fmt: skip


@pytest.mark.parametrize("case", EVENING)
def test_the_call_of_the_evening(case: str) -> None:
    poem, facts, call = EVENING[case]
    assert says(judge(poem, *facts)) == call


SCHOOLS: dict[str, tuple[int, tuple[PoemFact, ...], dict[str, str]]] = {
    "far's left hand is first at near's card": (N, (PlayingHand(FAR, Hand.RIGHT), far(N, 500, Hand.LEFT),
        far(N, 560, Hand.RIGHT)), {"kyogi": "far takes, far faults", "official": "far takes, far sends 1",
        "seed-000": "near takes", "seed-001": "far takes, far faults"}),
    "near's left hand rests on a dead card": (DEAD, (WrongHand(NEAR, 1), near(1, 500)),
        {"kyogi": "nobody takes, near faults, far sends 1", "official": "nobody takes",
        "seed-000": "nobody takes, near faults, far sends 1",
        "seed-001": "nobody takes, near faults, far sends 1"}),
    "an early finger on the read card, then far": (N, (starts(N), near(N, -300), far(N, 600)),
        {"kyogi": "far takes, near faults, far sends 2", "official": "far takes, near faults, far sends 2",
        "seed-000": "far takes, far sends 1", "seed-001": "far takes, near faults, far sends 2"}),
    "two faults against one, and near takes from far": (F, (near(1, 480), far(2, 490), near(F, 500)),
        {"kyogi": "near takes, near faults, far faults, near sends 1",
        "official": "near takes, near faults, far faults, near sends 1",
        "seed-000": "near takes, near faults, far faults, near sends 1",
        "seed-001": "near takes, near faults, far faults, near sends 1"}),
    "both are told off on one card": (DEAD, (BrokeRule(NEAR, Conduct.FALSE_START), BrokeRule(FAR,
        Conduct.OTHER)), {"kyogi": "nobody takes", "official": "nobody takes", "seed-000": "nobody takes",
        "seed-001": "nobody takes, near faults, far faults"}),
}  # fmt: skip


@pytest.mark.parametrize(("case", "preset"), [(case, name) for case in SCHOOLS for name in PRESETS.names])
def test_each_school_calls_it_by_its_own_document(case: str, preset: str) -> None:
    poem, facts, calls = SCHOOLS[case]
    assert says(judge(poem, *facts, rules=PRESETS[preset])) == calls[preset]


LAST = parse_layout("near 1|/|/| far 51 52|53/|/|")


@pytest.mark.parametrize(
    ("poem", "facts", "call"),
    [
        (DEAD, (far(1, 500), far(51, 510)), "nobody takes, far faults twice, near sends 1"),
        (N, (far(53, 480), near(N, 500)), "near takes, far faults"),
        (N, (near(53, 480), far(N, 500)), "far takes, near faults, far sends 2"),
        (F, (near(F, 500), far(1, 520)), "near takes, far faults, near sends 1"),
    ],
    ids=[
        "two rights and one card",
        "the take empties the field, so nothing is left to send",
        "far pays with two of three",
        "a take and a fault, but only one card is left",
    ],
)
def test_with_one_card_left(poem: int, facts: tuple[PoemFact, ...], call: str) -> None:
    assert says(judge_poem(poem, LAST, facts, PRESETS["kyogi"])) == call


@pytest.mark.parametrize(
    ("facts", "call", "doubts"),
    [
        ((touch(None, FAR, 490, territory=NEAR), near(N, 500)), "near takes", ("card_unread",)),
        ((touch(None, NEAR, 490, territory=NEAR), near(N, 500)), "near takes", ()),
        ((near(N, 500), touch(None, FAR, 520, territory=NEAR)), "near takes", ()),
        ((touch(None, FAR, 520), near(N, 500)), "near takes", ("card_unread",)),
        ((starts(N), touch(None, FAR, -300, territory=NEAR), near(N, 500)),
            "near takes, far faults, near sends 1", ()),
        ((PlayingHand(FAR, Hand.RIGHT), touch(None, FAR, 480, territory=NEAR, hand=Hand.LEFT), near(N,
            500)), "near takes, far faults, near sends 1", ()),
    ],
    ids=[
        "it may have been the read card, and first",
        "whichever it was, near takes",
        "an unread card of near's is free",
        "nobody knows on which side it lay",
        "whichever it was, the hand was too early",
        "whichever it was, it was the wrong hand",
    ],
)  # fmt: skip
def test_a_card_that_nobody_read(facts: tuple[PoemFact, ...], call: str, doubts: tuple[str, ...]) -> None:
    ruling = judge(N, *facts)
    assert (says(ruling), ruling.doubts) == (call, doubts)


def test_an_unread_card_that_the_wrong_hand_reached_may_be_the_opponents_take() -> None:
    facts = (PlayingHand(FAR, Hand.RIGHT), touch(None, FAR, 480, territory=NEAR, hand=Hand.LEFT))
    assert judge(N, *facts, rules=PRESETS["seed-000"]).doubts == ("card_unread",)
