"""Otetsuki: at most one fault per player and territory, however many cards were touched there."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from math import prod

from referee.facts import Touch
from referee.karuta.contacts import LIKELY, Judged, Reading, Verdict, canonical
from referee.karuta.declarations import BrokeRule, Conduct, SharedFault
from referee.karuta.ruleset import BothHands, Misconduct, RuleSet, SharedTouch
from referee.karuta.ruling import Doubt
from referee.sides import BySide, Side

MOST_FAULTS = 2  # faults of one player that count in one reading: one per territory
_REASONS = {
    Verdict.FAULT: "fault",
    Verdict.WRONG_HAND_FAULT: "wrong_hand_fault",
    Verdict.EARLY_FAULT: "early_touch_fault",
}


@dataclass(frozen=True, slots=True)
class Faults:
    """The faults of one reading."""

    counts: BySide[int]  # faults of each player, 0..2
    proofs: tuple[Touch, ...]  # the contact with the highest confidence behind each fault that was seen
    chance: float  # probability that all of these faults happened
    # reasons, doubts: what the ruling has to name for them
    reasons: frozenset[str]
    doubts: frozenset[Doubt]


def count_faults(reading: Reading, judged: Iterable[Judged]) -> Faults:
    """Count the faults of one reading, from its judged contacts and from declarations."""
    contacts: dict[tuple[Side, Side], list[Touch]] = {}
    nameless: set[Side] = set()
    reasons: set[str] = set()
    for touch, verdict in sorted(judged, key=lambda pair: canonical(pair[0])):
        territory = reading.territory_of_hands(touch)
        if verdict not in _REASONS or territory is None:
            continue
        if touch.player is None:
            nameless.add(territory)
            continue
        contacts.setdefault((touch.player, territory), []).append(touch)
        dead = verdict is Verdict.FAULT and reading.target_side is None
        reasons.add("fault_dead_card" if dead else _REASONS[verdict])
    if any(
        len({touch.card for touch in touches if reading.territory(touch) is where}) > 1
        for (_, where), touches in contacts.items()
    ):
        reasons.add("one_fault_per_territory")
    territories = BySide.of(lambda player: {where for who, where in contacts if who is player})
    if reading.target_side is None and max(len(territories.near), len(territories.far)) > 1:
        reasons.add("double_fault_dead_card")
    extra = _declared(reading, territories, reasons)
    unsolved = any(where not in touched for where in nameless for _, touched in territories.items())
    doubts = {Doubt.PLAYER_UNKNOWN} if unsolved else set()
    for touches in contacts.values():
        unclear = [reading.open_about(touch) for touch in touches]
        doubts.update(*unclear if all(unclear) else ())
    return Faults(
        counts=BySide.of(lambda player: min(MOST_FAULTS, len(territories[player]) + extra[player])),
        proofs=tuple(max(touches, key=lambda touch: touch.confidence) for touches in contacts.values()),
        chance=prod(sorted(_chance(touches, reading.touches) for touches in contacts.values())),
        reasons=frozenset(reasons),
        doubts=frozenset(doubts),
    )


def _chance(touches: Collection[Touch], all_touches: Iterable[Touch]) -> float:
    """Return the probability that a player touched at least one of the cards behind one fault.

    Whose hand it was is one error that all the cards share. What is left, whether that hand touched each
    card, counts as independent: in 289 simulated poems of two renderers, 17 faults were sure by several
    contacts but by none of them alone, and all 17 were real. It is not independent where the other player may
    have touched the cards, and cannot be told where the eye does not tell whose hand it was apart from the
    contact; there only the surest contact counts.
    """
    player = next(iter(touches)).player
    others = {touch.card for touch in all_touches if touch.player is not player}
    surest: dict[int | None, float] = {}
    whose = 0.0
    for touch in touches:
        told = touch.player_confidence
        if told is not None and touch.card not in others and touch.confidence >= LIKELY:
            own = max(told, touch.confidence)  # a second witness may have made the contact surer
            whose = max(whose, own)
            surest[touch.card] = max(touch.confidence / own, surest.get(touch.card, 0.0))
    together = whose * (1.0 - prod(sorted(1.0 - one for one in surest.values())))
    return max(together, *(touch.confidence for touch in touches))


def _declared(reading: Reading, territories: BySide[set[Side]], reasons: set[str]) -> BySide[int]:
    """Add shared faults to `territories`; return each player's faults that belong to no territory."""
    for fact in reading.facts:
        if not isinstance(fact, SharedFault):
            continue
        if reading.rules.shared_touch is SharedTouch.OFF:
            reasons.add("shared_fault_off")
        elif fact.territory is reading.target_side:
            reasons.add("free_in_target_territory")
        else:
            reasons.add("shared_fault")
            territories.near.add(fact.territory)
            territories.far.add(fact.territory)
    broken = {(fact.player, fact.conduct) for fact in reading.facts if isinstance(fact, BrokeRule)}
    reasons.update(_reason_of(conduct, reading.rules) for _, conduct in broken)
    return BySide.of(
        lambda player: sum(
            who is player and _reason_of(conduct, reading.rules).endswith("_fault") for who, conduct in broken
        )
    )


def _reason_of(conduct: Conduct, rules: RuleSet) -> str:
    """Return the reason that names a forbidden act; a fault's ends with `_fault`."""
    if conduct is Conduct.BOTH_HANDS and rules.both_hands is not BothHands.WARN:
        return "both_hands_fault" if rules.both_hands is BothHands.FAULT else "both_hands_no_take"
    return "misconduct_fault" if rules.misconduct is Misconduct.FAULT else "misconduct_warned"
