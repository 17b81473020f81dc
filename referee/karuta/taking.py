"""Who takes the target: the first proven contact, or the territory's owner if the order is not proven."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import hypot, inf

from referee.facts import Contact, KimarijiCompleted, Touch, Unprovable
from referee.karuta.contacts import Judged, Reading, Verdict, canonical
from referee.karuta.order import difference_unc_ns, probability_before, proven_before
from referee.karuta.ruleset import SimultaneousPush
from referee.karuta.ruling import Doubt
from referee.sides import BySide, Side

_SWEPT = "swept_along"
"""The eye's reason for a card that left its place in a hand's sweep, though no hand was seen on it."""
HAND_OVER = "hand_over"  # the eye's reason for a hand over a card that the other player's hand moved
RESTED = "fingers_rested"
"""The eye's reason for fingers that came to rest over a card, which lay still: it may have been touched."""
STIRRED = frozenset({"floor_shock", "air", "cloth"})
"""The eye's reasons for a card that moved a little, perhaps by no hand; without a player, surely by none."""
_ALONE_CHANCE = 0.95
"""Highest confidence in a take by the only player whose hands were in the target's territory, times the
chance that these hands were that player's.

Of 590 simulated poems of two renderers 26 rested on this, all ruled rightly; of 120 poems of a third renderer
five, one ruled wrongly: the other player had pressed the target before it was swept along.
"""


@dataclass(frozen=True, slots=True)
class Taking:
    """Who takes the target and by which contact."""

    by: Side | None = None  # the taker, None if nobody takes
    # the contact that took it, None if the target only left its place in the taker's sweep
    contact: Touch | None = None
    # the taker's first contact that is sure enough on its own, else the surest: what came before it may have
    # come before the take
    sure: Touch | None = None
    rival: Touch | None = None  # the other player's first contact with the target
    # reasons, doubts: what the ruling has to name for it
    reasons: frozenset[str] = frozenset()
    doubts: frozenset[Doubt] = frozenset()
    chance: float = 1.0  # probability of the take if there is no contact

    @property
    def lead(self) -> tuple[int, int] | None:
        """Time from the taker's contact to the rival's, and its 95 % half width, in nanoseconds."""
        if self.contact is None or self.rival is None:
            return None
        return self.rival.t_ns - self.contact.t_ns, difference_unc_ns(self.contact, self.rival)

    @property
    def confidence(self) -> float:
        """Probability that the contact is real and came before the rival's."""
        if self.contact is None:
            return self.chance
        order = 1.0 if self.rival is None else probability_before(self.contact, self.rival)
        return self.contact.confidence * order


def who_takes(reading: Reading, judged: Iterable[Judged]) -> Taking:
    """Find the taker among the judged contacts of one reading."""
    claims: dict[Side | None, list[Touch]] = {}
    reasons: set[str] = set()
    for touch, verdict in sorted(judged, key=lambda pair: canonical(pair[0])):
        if verdict is Verdict.CLAIM:
            claims.setdefault(touch.player, []).append(touch)
        elif verdict is Verdict.CLAIM_FOR_OPPONENT and touch.player is not None:
            reasons.add("wrong_hand_opponent_takes")
            claims.setdefault(touch.player.opponent, [touch])
    nameless = next(iter(claims.pop(None, ())), None)
    alone = _alone(reading) if nameless is None else None
    if alone is not None:
        swept = () if claims else _swept_by(reading, alone)
        if swept:
            reasons |= {_take_by(reading, alone), "swept_by_one_player"}
            return Taking(alone, reasons=frozenset(reasons), chance=_chance_alone(swept))
    by, contact, rival, doubts = _first(reading, {who: each[0] for who, each in claims.items()}, reasons)
    if nameless is not None and (contact is None or not proven_before(contact, nameless)):
        doubts.add(Doubt.PLAYER_UNKNOWN)
    _explain(reading, by, contact, reasons)
    if by is None or contact is None:
        return Taking(reasons=frozenset(reasons), doubts=frozenset(doubts))
    counted = _counted(claims[by], [one for one in (rival, nameless) if one is not None])
    confidence = max(one.confidence for one in counted)
    if by is alone:  # whether touched or swept along, nobody else can have taken it
        confidence = max(confidence, _chance_alone(claims[by]))
    take = replace(contact, confidence=confidence)
    return Taking(by, take, _sure(reading, counted), rival, frozenset(reasons), frozenset(doubts))


def _alone(reading: Reading) -> Side | None:
    """Return the only player who may have touched cards in the target's territory, None if there is no such.

    The poem is over, so somebody took the card, and nobody else was near it. Contacts in the other territory
    do not count, nor does a hand over a neighbour of the target that another hand moved, or that lay still.
    """
    players = {
        fact.player
        for fact in reading.facts
        if isinstance(fact, Touch | Unprovable)
        and not reading.is_after_play(fact)
        and (fact.card is None or reading.layout.side_of(fact.card) in {None, reading.target_side})
        and (
            fact.card == reading.poem
            or not isinstance(fact, Unprovable)
            or fact.reason not in {HAND_OVER, RESTED}
        )
        and not is_nobodys(fact)
    }
    return players.pop() if reading.target_side is not None and len(players) == 1 else None


def is_nobodys(fact: Touch | Unprovable) -> bool:
    """Tell whether the eye is sure that no hand was at a card that moved."""
    return isinstance(fact, Unprovable) and fact.player is None and fact.reason in STIRRED


def _chance_alone(touches: Iterable[Touch]) -> float:
    """Return how sure a take by the only player in the territory is, from the contacts that bear on it.

    Somebody took the card, so what is left in doubt is whose hand it was. Where the eye does not tell that
    apart from the contact, the contact's own confidence stands for it.
    """
    return _ALONE_CHANCE * max(max(touch.confidence, touch.player_confidence or 0.0) for touch in touches)


def _swept_by(reading: Reading, by: Side) -> tuple[Touch, ...]:
    """Return a player's touches in the sweep in which the target left its place; none if it was no sweep.

    If the player's hand touched no card of that territory, other cards pushed the target, and it may still
    lie there. A hand that may not take sweeps nothing for itself.
    """
    swept = any(
        isinstance(fact, Unprovable) and fact.card == reading.poem and fact.reason == _SWEPT
        for fact in reading.facts
    )
    return _valid_touches(reading, by) if swept and reading.may_sweep(by) else ()


def _valid_touches(reading: Reading, player: Side) -> tuple[Touch, ...]:
    """Return a player's touches of the target's territory by a hand that may take."""
    return tuple(
        touch
        for touch, verdict in reading.judged
        if touch.player is player
        and touch.contact is Contact.TOUCH
        and verdict in {Verdict.FREE, Verdict.CLAIM}
        and reading.is_lawful(touch)
    )


def _counted(claims: Sequence[Touch], late: Sequence[Touch]) -> Sequence[Touch]:
    """Return the taker's first claim and those that came before every contact that it has to precede.

    A card that was either touched or pushed out is reported as both, and either takes the card. Both reports
    depend on whose hand it was, so the surer one counts, and their confidences are not combined. A later
    report makes no earlier one surer where another contact came between.
    """
    first, *more = claims
    return (first, *(one for one in more if all(proven_before(one, other) for other in late)))


def _sure(reading: Reading, claims: Sequence[Touch]) -> Touch:
    enough = (one for one in claims if one.confidence >= reading.rules.min_confidence)
    return next(enough, max(claims, key=lambda one: one.confidence))


def _first(
    reading: Reading, firsts: Mapping[Side | None, Touch], reasons: set[str]
) -> tuple[Side | None, Touch | None, Touch | None, set[Doubt]]:
    near, far = firsts.get(Side.NEAR), firsts.get(Side.FAR)
    if near is None and far is None:
        return None, None, None, set()
    if far is None or (near is not None and proven_before(near, far)):
        return Side.NEAR, near, far, set()
    if near is None or proven_before(far, near):
        return Side.FAR, far, near, set()
    by = _winner_of_a_tie(reading, near, far, reasons)
    contacts = BySide(near, far)
    return by, contacts[by], contacts[by.opponent], {Doubt.ORDER_NOT_PROVEN}


def _winner_of_a_tie(reading: Reading, near: Touch, far: Touch, reasons: set[str]) -> Side:
    by_distance = reading.rules.simultaneous_push is SimultaneousPush.NEARER_TOUCH
    if by_distance and near.contact is far.contact is Contact.PUSHED_OUT:
        reach_m = BySide.of(lambda player: _nearest_touch_m(reading, player))
        if reach_m.near != reach_m.far:
            reasons.add("simultaneous_nearer_touch")
            return Side.NEAR if reach_m.near < reach_m.far else Side.FAR
    reasons.add("simultaneous_owner")
    owner = reading.target_side
    assert owner is not None, "only a target on the field can be reached"
    return owner


def _nearest_touch_m(reading: Reading, player: Side) -> float:
    """Return how near to the target a player's hand touched; cards that were pushed along do not count."""
    target = reading.layout.find(reading.poem)
    assert target is not None, "only a target on the field can be reached"
    touched = {touch.card for touch in _valid_touches(reading, player)} - {None, target.card}
    cards = (card for card in reading.layout if card.card in touched)
    return min((hypot(card.x_m - target.x_m, card.y_m - target.y_m) for card in cards), default=inf)


def _explain(reading: Reading, by: Side | None, contact: Touch | None, reasons: set[str]) -> None:
    if by is None or contact is None:
        if len(reading.layout):  # without a layout nobody knows whether the card is on the field
            reasons.add("dead_card" if reading.target_side is None else "nobody_took")
        return
    reasons.add(_take_by(reading, by))
    if contact.contact is Contact.PUSHED_OUT:
        reasons.add("pushed_out")
    kimariji = (fact for fact in reading.facts if isinstance(fact, KimarijiCompleted))
    if any(fact.poem == reading.poem and proven_before(contact, fact) for fact in kimariji):
        reasons.add("before_kimariji")


def _take_by(reading: Reading, by: Side) -> str:
    return "take_own" if by is reading.target_side else "take_from_opponent"
