"""Helpers of the ruling tests: one poem on a small field, judged from facts."""

from referee.facts import Contact, Hand, Touch
from referee.karuta.contacts import PoemFact
from referee.karuta.house_rules import PRESETS
from referee.karuta.judge import judge_poem, ruling_by_contacts
from referee.karuta.ruleset import RuleSet
from referee.karuta.ruling import Ruling
from referee.notation import parse_layout
from referee.sides import Side

MS = 1_000_000
NEAR, FAR = Side.NEAR, Side.FAR
LAYOUT = parse_layout("near 1 2 3|4/|/| far 51 52 53|54/55|/|")
OWN, OTHERS, DEAD = 1, 51, 100  # targets as near sees them
KYOGI = PRESETS["kyogi"]


def touch(
    card: int | None,
    player: Side | None,
    t_ms: float = 100,
    *,
    contact: Contact = Contact.TOUCH,
    hand: Hand | None = None,
    unc_ms: float = 1,
    confidence: float = 1.0,
    territory: Side | None = None,
    whose: float | None = None,
    named: float = 1.0,
) -> Touch:
    return Touch(
        card,
        player,
        round(t_ms * MS),
        round(unc_ms * MS),
        contact,
        hand,
        confidence,
        territory,
        player_confidence=whose,
        card_confidence=named,
    )


def judge(poem: int, *facts: PoemFact, rules: RuleSet = KYOGI) -> Ruling:
    return judge_poem(poem, LAYOUT, facts, rules)


def by_contacts(poem: int, *facts: PoemFact) -> float:
    """Return how sure a ruling is by its contacts alone."""
    return ruling_by_contacts(poem, LAYOUT, facts, KYOGI).confidence


def says(ruling: Ruling) -> str:
    """Return a ruling as an umpire calls it."""
    called = [f"{ruling.taken_by} takes" if ruling.taken_by else "nobody takes"]
    called += [f"{side} faults{' twice' * (count > 1)}" for side, count in ruling.faults.items() if count]
    called += [f"{side} sends {count}" for side, count in ruling.sends.items() if count]
    return ", ".join(called)


def pushed(card: int, player: Side, t_ms: float = 100, hand: Hand | None = None) -> Touch:
    return touch(card, player, t_ms, contact=Contact.PUSHED_OUT, hand=hand)


ALL = judge(OWN, touch(OWN, NEAR)).confidence
"""Confidence of a ruling that rests on nothing unsure: something may still have been missed."""
