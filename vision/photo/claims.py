"""Divide the cards of a deck among claims to them: no card lies on a table twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from vision.hanafuda.kinds import KIND_OF


def shared_out(claims: Sequence[tuple[str | None, float]], least: float) -> list[tuple[str | None, float]]:
    """Return the claims with every card named at most once, and probabilities that allow for other claims.

    `claims`: card id, None if there is none, and its probability taken alone, 0..1.
    """
    shared = list(claims)
    for kind, copies in Counter(KIND_OF.values()).items():
        rivals = [n for n, (card, _) in enumerate(claims) if card is not None and KIND_OF[card] == kind]
        if len(rivals) < 2:
            continue
        chances = each_once([claims[number][1] for number in rivals], copies)
        free = [card for card, own in KIND_OF.items() if own == kind]
        for number, chance in sorted(zip(rivals, chances, strict=True), key=lambda claim: -claim[1]):
            own, name = claims[number][0], None
            if free and chance >= least:
                name = free.pop(free.index(own) if own in free else 0)
            shared[number] = (name, chance)
    return shared


def each_once(chances: Sequence[float], copies: int) -> list[float]:
    """Return the probability that each claim to one kind of card is true, given the copies in a deck.

    All ways in which at most `copies` of the claims are true are weighted by their own probability: one of
    two equal claims to a card is wrong, however good both look.

    `chances`: probability of each claim taken alone, 0..1.
    """
    most_certain = 1 - 1e-9
    odds = [chance / (1 - chance) for chance in (min(chance, most_certain) for chance in chances)]

    def ways(some: Sequence[float], most: int) -> float:
        """Return the sum of the products of up to `most` of some odds."""
        sums = [1.0] + [0.0] * most
        for value in some:
            for number in range(most, 0, -1):
                sums[number] += value * sums[number - 1]
        return sum(sums)

    whole = ways(odds, copies)
    return [
        value * ways([*odds[:number], *odds[number + 1 :]], copies - 1) / whole
        for number, value in enumerate(odds)
    ]
