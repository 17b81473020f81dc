"""How many cards each player sends: one rule for all cases.

A player may send one card for taking the target from the opponent's territory, and one for each fault of the
opponent. Only the difference of the two players' rights is sent.
"""

from __future__ import annotations

from referee.karuta.ruleset import BothFault, OwnFault, RuleSet
from referee.sides import BySide, Side


def cards_to_send(
    attacker: Side | None, faults: BySide[int], cards_left: BySide[int], rules: RuleSet
) -> BySide[int]:
    """Return how many cards each player hands to the opponent.

    Parameters
    ----------
    attacker : who took the target from the opponent's territory, None if nobody did.
    faults : faults of each player, 0..2.
    cards_left : cards in each territory without the target; nobody can send more than these.
    rules : the house rules; they say whether and how faults are set off.
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
