"""A ruling on one poem: who takes, who faulted, who sends, and why."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from referee.facts import Touch
from referee.karuta.ruleset import BothFault, OwnFault, RuleSet
from referee.sides import BySide, Side


class Status(StrEnum):
    """Whether a ruling needs a person."""

    DECIDED = "decided"
    REVIEW = "review"  # something is in doubt: a person has to look at the replay first


class Doubt(StrEnum):
    """Why a ruling needs review. The rule book holds the texts for people."""

    ORDER_NOT_PROVEN = "order_not_proven"
    PLAYER_UNKNOWN = "player_unknown"
    CARD_UNREAD = "card_unread"
    TARGET_UNREAD = "target_unread"
    CARD_NOT_ON_FIELD = "card_not_on_field"
    START_UNCLEAR = "start_unclear"
    END_UNCLEAR = "end_unclear"
    LINE_UNCLEAR = "line_unclear"
    CONTACT_UNSEEN = "contact_unseen"
    GAP = "gap"
    LOW_CONFIDENCE = "low_confidence"
    POEM_READ_TWICE = "poem_read_twice"


@dataclass(frozen=True, slots=True)
class Ruling:
    """The ruling on one poem."""

    poem: int  # 1..100
    taken_by: Side | None  # who takes the card, None if nobody does
    faults: BySide[int]  # faults of each player, 0..2
    sends: BySide[int]  # `sends[p]` is how many cards player p hands to the opponent
    reasons: tuple[str, ...] = ()  # ids of the rule book's reasons for it, the weightiest first
    doubts: tuple[str, ...] = ()  # why a person should look; empty for a decided ruling
    confidence: float = 1.0  # probability in 0..1 that the ruling is right, see `referee.karuta.judge`
    take: Touch | None = None  # the contact that took the card
    # lead_ns, lead_unc_ns: time from that contact to the other player's first contact with the target, and
    # its 95 % half width; None if only one player reached the target. The lead can be negative if the owner
    # of the territory takes a card that was touched simultaneously.
    lead_ns: int | None = None
    lead_unc_ns: int | None = None

    @property
    def status(self) -> Status:
        """`REVIEW` if there are doubts, else `DECIDED`."""
        return Status.REVIEW if self.doubts else Status.DECIDED

    def swap(self) -> Ruling:
        """Return the same ruling seen from the opposite seat."""
        return replace(
            self,
            taken_by=self.taken_by and self.taken_by.opponent,
            faults=self.faults.swap(),
            sends=self.sends.swap(),
            take=self.take and self.take.turned(),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the ruling in the format of `shinpan judge --json`, with its doubts."""
        return {
            "status": self.status.value,
            "taken_by": self.taken_by and self.taken_by.value,
            "faults": {side.value: count for side, count in self.faults.items()},
            "sends": {side.value: count for side, count in self.sends.items()},
            "reasons": list(self.reasons),
            "doubts": list(self.doubts),
            "confidence": round(self.confidence, 4),
        }


def cards_to_send(
    attacker: Side | None, faults: BySide[int], cards_left: BySide[int], rules: RuleSet
) -> BySide[int]:
    """Return how many cards each player hands to the opponent.

    A player may send one card for taking the target from the opponent's territory, and one for each fault of
    the opponent. Only the difference of the two players' rights is sent.

    `attacker`: who took the target from the opponent's territory. `cards_left`: cards in each territory
    without the target; nobody can send more than these.
    """
    if rules.both_fault is BothFault.CANCEL_ALL and faults.near and faults.far:
        return BySide.both(0)
    if rules.both_fault is BothFault.CANCEL_FAULTS and faults.near and faults.far:
        faults = BySide.both(0)
    for_take = BySide.of(lambda side: int(side is attacker))
    for_faults = faults.swap()
    if rules.own_fault is OwnFault.SEPARATE:
        net = _difference(for_faults)
        rights = BySide.of(lambda side: for_take[side] + net[side])
    else:
        rights = _difference(BySide.of(lambda side: for_take[side] + for_faults[side]))
    return BySide.of(lambda side: min(rights[side], cards_left[side]))


def _difference(rights: BySide[int]) -> BySide[int]:
    return BySide.of(lambda side: max(0, rights[side] - rights[side.opponent]))
