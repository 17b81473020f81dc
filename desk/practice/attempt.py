"""The outcome of one poem of a practice, judged from what the eye saw."""

import math
from collections.abc import Collection, Sequence
from statistics import median

from desk.karuta.evidence.poem_json import layout_and_facts
from desk.practice.events import Attempt, Outcome
from referee.cards.kimariji import kimariji
from referee.facts import Contact, Gap, KimarijiCompleted, Touch
from referee.karuta.house_rules import PRESETS
from referee.karuta.judge import judge_poem
from referee.karuta.order import proven_before
from referee.karuta.ruling import Doubt
from referee.sides import Side
from vision.poem.events import PoemSeen

_RULES = PRESETS["kyogi"]
_TOO_SOON = ("early_touch",)
_OF_FAULTS = {Doubt.END_UNCLEAR, Doubt.LINE_UNCLEAR}
"""Doubts about a fault, which say nothing of a take beside it."""


def attempt_at(
    seen: PoemSeen,
    seat: Side,
    unread: Collection[int],
    decided: KimarijiCompleted | None,
    gaps: Sequence[Gap] = (),
) -> Attempt:
    """Return the attempt at a poem of one of the unread ones by a player on this seat.

    Contacts of the other player, who does not exist, make it unclear. `decided`: the end of its kimariji,
    None if unknown. `gaps`: stretches without pictures that the eye does not know of.
    """
    start = seen.start
    layout, facts = layout_and_facts(start, seen)
    facts = (*facts, *gaps)
    ruling = judge_poem(start.poem, layout, (*facts, start), _RULES)
    sounds = kimariji(start.poem, unread)
    touches = [fact for fact in facts if isinstance(fact, Touch) and fact.contact is Contact.TOUCH]
    beside = _OF_FAULTS if ruling.taken_by is seat else set()
    doubts: tuple[str, ...] = tuple(doubt for doubt in ruling.doubts if doubt not in beside)
    if not doubts and any(touch.player is not seat for touch in touches):
        doubts = ("player_unknown",)
    if not doubts and any(proven_before(touch, start) for touch in touches):
        doubts = _TOO_SOON
    if doubts:
        return Attempt(start.poem, Outcome.UNCLEAR, sounds, doubts=doubts)
    take = ruling.take
    if ruling.taken_by is seat and take is not None:
        if decided is None:
            return Attempt(start.poem, Outcome.TAKEN, sounds)
        unc_ns = round(math.hypot(take.t_unc_ns, decided.t_unc_ns))
        return Attempt(start.poem, Outcome.TAKEN, sounds, take.t_ns - decided.t_ns, unc_ns)
    lures = sorted((touch for touch in touches if touch.card != start.poem), key=lambda touch: touch.t_ns)
    if lures:
        return Attempt(start.poem, Outcome.LURED, sounds, lure=lures[0].card)
    is_dead = layout.find(start.poem) is None
    return Attempt(start.poem, Outcome.LEFT if is_dead else Outcome.MISSED, sounds)


def slow_attempts(attempts: Sequence[Attempt]) -> list[Attempt]:
    """Return the cards to practise again: first those not taken, then those slower than the median.

    For a card with several attempts the worst one counts.
    """
    worst = {attempt.poem: attempt for attempt in sorted(attempts, key=slowness)}
    timed = [each.reaction_ns for each in attempts if each.reaction_ns is not None]
    middle = median(timed) if timed else 0
    slow = [each for each in worst.values() if slowness(each) > (False, middle)]
    return sorted(slow, key=slowness, reverse=True)[:8]


def slowness(attempt: Attempt) -> tuple[bool, int]:
    """Return the sort key of an attempt: takes by their reaction time, then failed attempts."""
    failed = attempt.outcome in {Outcome.MISSED, Outcome.LURED}
    return failed, -(10**18) if attempt.reaction_ns is None else attempt.reaction_ns
