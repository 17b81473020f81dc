"""What each contact is under the rules: a claim on the target, a fault, or nothing."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from referee.facts import Contact, Gap, Instant, KimarijiCompleted, PoemStarted, Touch, Unprovable
from referee.karuta import declarations
from referee.karuta.declarations import BrokeRule, Conduct, Declaration, PlayEnded, PlayingHand
from referee.karuta.order import proven_before
from referee.karuta.ruleset import BothHands, EarlyTouch, RuleSet, WrongHand
from referee.karuta.ruling import Doubt
from referee.layout import Layout
from referee.sides import Side

PoemFact = PoemStarted | KimarijiCompleted | Touch | Unprovable | Gap | Declaration
"""The facts that a ruling on a poem may rest on."""


class Verdict(StrEnum):
    """What a contact is under the rules."""

    CLAIM = "claim"  # the target was touched with the playing hand, or pushed out
    CLAIM_FOR_OPPONENT = "claim_for_opponent"
    """The target was reached with the wrong hand, and the house rules give it to the opponent."""
    FAULT = "fault"
    WRONG_HAND_FAULT = "wrong_hand_fault"
    WRONG_HAND_VOID = "wrong_hand_void"
    EARLY_FAULT = "early_fault"
    EARLY_WARNED = "early_warned"
    BOTH_HANDS = "both_hands"
    """The target was reached by a player who used both hands, and the house rules count no such take."""
    FREE = "free"  # another card in the territory that holds the target
    OUTSIDE_LINE = "outside_line"
    AFTER_PLAY = "after_play"  # play was over: the hand only tidied up
    PUSHED_ALONG = "pushed_along"  # another card that was pushed out by cards, without a hand on it
    UNREAD = "unread"  # the card was not identified, and the verdict depends on which it is
    NOT_ON_FIELD = "not_on_field"


Judged = tuple[Touch, Verdict]  # a contact and its verdict
_STRIKES_MS = 1000
"""Until so long after the take a contact is surely a strike and no tidying, milliseconds: in 235 simulated
poems in which a player struck twice, the second strike came within 0.69 s in all but one."""
_CLAIMS = frozenset({Verdict.CLAIM, Verdict.CLAIM_FOR_OPPONENT})


def canonical(touch: Touch) -> tuple[int, int, float, int, str]:
    """Return a sort key, the earliest contact first, so that the order of arrival does not matter."""
    return touch.t_ns, touch.t_unc_ns, -touch.confidence, touch.card or 0, touch.contact.value


LIKELY = 0.6
"""Contacts with less confidence than this do not raise the chance of a fault that others prove, and are not
told as touches."""


def as_told(contacts: Sequence[Touch | Unprovable], poem: int) -> list[Touch | Unprovable]:
    """Return contacts as they are told: a touch that is hardly likelier than not is not provable.

    A card that was touched or pushed out is told as pushed then. Otherwise a touch of the card that was read
    stays: the ruling says how sure the take is.
    """
    touches = [one for one in contacts if isinstance(one, Touch)]
    pushed = {(one.card, one.player) for one in touches if one.contact is Contact.PUSHED_OUT}

    def told(one: Touch | Unprovable) -> Touch | Unprovable:
        if isinstance(one, Unprovable) or one.contact is Contact.PUSHED_OUT or one.confidence >= LIKELY:
            return one
        if one.card == poem and (one.card, one.player) not in pushed:
            return one
        reason = "hands_merged" if (one.player_confidence or 0.0) < LIKELY else "perhaps_pushed"
        return Unprovable(one.card, one.player, one.t_ns, one.t_unc_ns, reason)

    return [told(one) for one in contacts]


@dataclass(frozen=True)
class Reading:
    """One reading of a poem: everything that its contacts are judged by."""

    poem: int  # the poem that was read, 1..100
    layout: Layout
    facts: tuple[PoemFact, ...]  # everything seen, heard and declared
    rules: RuleSet

    def __post_init__(self) -> None:
        if not 1 <= self.poem <= 100:
            raise ValueError(f"poems are numbered 1..100, got {self.poem}")

    @property
    def touches(self) -> tuple[Touch, ...]:
        return tuple(fact for fact in self.facts if isinstance(fact, Touch))

    @property
    def start(self) -> PoemStarted | None:
        """The first sound of the poem, where it is known."""
        starts = (fact for fact in self.facts if isinstance(fact, PoemStarted) and fact.poem == self.poem)
        return min(starts, key=lambda start: (start.t_ns, start.t_unc_ns), default=None)

    @property
    def target_side(self) -> Side | None:
        """The territory that holds the target, None if it is not in the layout."""
        return self.layout.side_of(self.poem)

    @property
    def target_may_be_unread(self) -> bool:
        """Whether the target may be one of the cards that could not be identified."""
        return self.target_may_lie_in(None)

    def target_may_lie_in(self, territory: Side | None) -> bool:
        """Tell whether the target may be an unidentified card of `territory` (None: of either territory)."""
        return self.target_side is None and any(
            placed.card is None and territory in {None, placed.side} for placed in self.layout
        )

    @property
    def is_hardly_read(self) -> bool:
        """Whether most cards of the field could not be identified; some may not even have been found."""
        unread = sum(placed.card is None for placed in self.layout)
        return 2 * unread > len(self.layout)

    def may_be_target(self, card: int | None) -> bool:
        """Tell whether `card` may be the target; None stands for an unidentified card."""
        return card == self.poem or (card is None and self.target_may_be_unread)

    def territory(self, touch: Touch) -> Side | None:
        """Return the territory of a touched card: from the layout, else as the eye reported it."""
        return self.territory_of(touch.card) or touch.territory

    def territory_of(self, card: int | None) -> Side | None:
        """Return the territory of a card in the layout, None if it is not known."""
        return None if card is None else self.layout.side_of(card)

    @cached_property
    def judged(self) -> tuple[Judged, ...]:
        """Every contact with its verdict."""
        return tuple(
            (touch, Verdict.AFTER_PLAY if self.is_after_play(touch) else verdict)
            for touch, verdict in self._in_play
        )

    def is_after_play(self, instant: Instant) -> bool:
        """Tell whether play was over by then: proven, since what is not proven belongs to the play."""
        return any(proven_before(end, instant) for end in self._ends_of_play)

    def is_after_take(self, take: Touch, instant: Instant) -> bool:
        """Tell whether play was over by then if of all takes only this one is real."""
        return any(proven_before(end, instant) for end in self._ends_by([take], self.rules.tidying_after_ms))

    @cached_property
    def _in_play(self) -> tuple[Judged, ...]:
        return tuple((touch, self._verdict(touch)) for touch in self.touches)

    @cached_property
    def _takes(self) -> tuple[Touch, ...]:
        return tuple(touch for touch, verdict in self._in_play if verdict in _CLAIMS)

    @cached_property
    def _first_fault(self) -> tuple[Touch, ...]:
        """The earliest fault by a hand, if there is one."""
        faults = [touch for touch, verdict in self._in_play if verdict is Verdict.FAULT]
        return tuple(sorted(faults, key=canonical)[:1])

    @cached_property
    def _ends_of_play(self) -> tuple[Instant, ...]:
        """The instants at which play ended: the earliest of them counts."""
        return self._ends_by(self._takes, self.rules.tidying_after_ms)

    def _ends_by(self, takes: Iterable[Touch], after_ms: int) -> tuple[Instant, ...]:
        """Return the ends of play that were told, and those so long after each of these takes."""
        told = (fact for fact in self.facts if isinstance(fact, PlayEnded))
        return (*told, *(take.moved(take.t_ns + after_ms * 1_000_000, take.t_unc_ns) for take in takes))

    def _verdict(self, touch: Touch) -> Verdict:
        """Return the verdict on a contact while the poem is played."""
        by_hand = touch.contact is Contact.TOUCH
        reaches_target = touch.card == self.poem and self.target_side is not None
        if not by_hand and not reaches_target:
            return Verdict.PUSHED_ALONG
        territory = self.territory(touch)
        if territory is None:
            return Verdict.UNREAD if touch.card is None else Verdict.NOT_ON_FIELD
        if self._is_early(touch):
            punished = self.rules.early_touch is EarlyTouch.FAULT
            return Verdict.EARLY_FAULT if punished else Verdict.EARLY_WARNED
        if by_hand and self._is_outside(touch):
            return Verdict.OUTSIDE_LINE
        if self._is_wrong_hand(touch):
            if self.rules.wrong_hand is WrongHand.FAULT:
                return Verdict.WRONG_HAND_FAULT
            if self.rules.wrong_hand is WrongHand.VOID:
                return Verdict.WRONG_HAND_VOID
            if reaches_target:
                return Verdict.CLAIM_FOR_OPPONENT
        if reaches_target:
            return Verdict.BOTH_HANDS if self._may_not_take(touch.player) else Verdict.CLAIM
        if touch.card is None and territory is self.target_side:
            return Verdict.UNREAD
        return Verdict.FREE if territory is self.target_side else Verdict.FAULT

    def is_start_unclear(self, touch: Touch) -> bool:
        """Tell whether it is unproven that a contact came before, or after, the first sound."""
        start = self.start
        return start is not None and not proven_before(touch, start) and not proven_before(start, touch)

    def open_about(self, fault: Touch) -> set[Doubt]:
        """Return what may excuse a fault and is not proven: the end of play, or a card already outside.

        Nobody takes a dead card, so after its first fault a later contact may put back what that one moved.
        """
        soon_ms = min(self.rules.tidying_after_ms, _STRIKES_MS)
        strikes = self._takes if self.target_side else self._first_fault
        ends = (end for end in self._ends_by(strikes, soon_ms) if not proven_before(fault, end))
        outs = (out for out in self._ways_out(fault) if out.player is not fault.player)
        by_hand = fault.contact is Contact.TOUCH
        return {Doubt.END_UNCLEAR for _ in ends} | {
            Doubt.LINE_UNCLEAR for out in outs if by_hand and not proven_before(fault, out)
        }

    def was_out_before(self, fact: Unprovable) -> bool:
        """Tell whether it is proven that a card had left the line when a hand may have touched it."""
        return any(proven_before(out, fact) for out in self._ways_out(fact))

    def is_reached_from_afar(self, touch: Touch) -> bool:
        """Tell whether a push is by hands that were seen in the other territory only."""
        return self.territory(touch) is not self.territory_of_hands(touch)

    def territory_of_hands(self, touch: Touch) -> Side | None:
        """Return the territory where the hands were that reached a card."""
        return self.territory(self._hands_of(touch)[0])

    def may_sweep(self, player: Side) -> bool:
        """Tell whether nobody declared that a player may not take the target."""
        return not self._is_declared_wrong(player, self.poem) and not self._may_not_take(player)

    def _is_declared_wrong(self, player: Side | None, card: int | None) -> bool:
        declared = (fact for fact in self.facts if isinstance(fact, declarations.WrongHand))
        return any((fact.player, fact.card) == (player, card) for fact in declared)

    def is_lawful(self, hand: Touch) -> bool:
        """Tell whether a touch is not known to be by the wrong hand or before the first sound."""
        return not (self._is_known_wrong(hand) or self._is_early(hand))

    def chance_of(self, touch: Touch, verdict: Verdict) -> float:
        """Return the probability that the other contacts are real which make a contact what it is.

        Whether a push takes rests on the hands behind it, and a card is outside by what pushed it out. The
        target is left out of the latter: who pushed it out has reached it before.
        """
        if verdict is Verdict.OUTSIDE_LINE and touch.card != self.poem:
            outs = (out for out in self._ways_out(touch) if proven_before(out, touch))
            return max(out.confidence for out in outs)
        if touch.contact is Contact.TOUCH or verdict is Verdict.AFTER_PLAY or self._is_known_wrong(touch):
            return 1.0
        hands = self._hands_of(touch)
        lawful = [hand for hand in hands if self.is_lawful(hand)]
        if touch in hands or len(lawful) == len(hands):
            return 1.0
        return max(hand.confidence for hand in lawful or hands)

    def _is_early(self, touch: Touch) -> bool:
        """Tell whether it is proven that a contact came before the first sound; a push is by its hands."""
        start = self.start
        return start is not None and all(proven_before(each, start) for each in self._hands_of(touch))

    def _is_outside(self, touch: Touch) -> bool:
        """Tell whether the card had left the line when it was touched.

        The read card is still open to the other player if it was pushed out by a hand that may not take.
        """
        return any(
            proven_before(out, touch)
            and (out.card != self.poem or out.player is touch.player or self._verdict(out) in _CLAIMS)
            for out in self._ways_out(touch)
        )

    def _ways_out(self, fact: Touch | Unprovable) -> Iterator[Touch]:
        """Return the reports that a card was pushed or swept out."""
        outs = (touch.way_out for touch in self.touches if fact.card is not None and touch.card == fact.card)
        return (out for out in outs if out is not None)

    def _is_wrong_hand(self, touch: Touch) -> bool:
        return self._is_known_wrong(touch) or all(not self.is_lawful(hand) for hand in self._hands_of(touch))

    def _is_known_wrong(self, touch: Touch) -> bool:
        told = (fact for fact in self.facts if isinstance(fact, PlayingHand))
        chosen = {fact.hand for fact in told if fact.player is touch.player}
        is_other = touch.hand is not None and bool(chosen) and touch.hand not in chosen
        return is_other or self._is_declared_wrong(touch.player, touch.card)

    def _may_not_take(self, player: Side | None) -> bool:
        """Tell whether a player was declared to use both hands, and the house rules count no such take."""
        return self.rules.both_hands is not BothHands.WARN and any(
            isinstance(fact, BrokeRule) and fact.player is player and fact.conduct is Conduct.BOTH_HANDS
            for fact in self.facts
        )

    def _hands_of(self, touch: Touch) -> Sequence[Touch]:
        """Return the touches by which a player reached a card: a push is by the hand on the pushing cards.

        These are the player's touches that may have come before the card was out: those in its territory,
        else those in the other one, whose cards may have pushed it across the middle. If none was seen, the
        push itself has to stand for them.
        """
        if touch.contact is Contact.TOUCH:
            return (touch,)
        hands = tuple(
            other
            for other in self.touches
            if other.contact is Contact.TOUCH
            and other.player is touch.player
            and not proven_before(touch, other)
        )
        beside = tuple(hand for hand in hands if self.territory(hand) is self.territory(touch))
        return beside or hands or (touch,)
