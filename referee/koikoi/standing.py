"""What a player has, would get and lacks at this moment, for the live display."""

from __future__ import annotations

from dataclasses import dataclass

from referee.koikoi.payout import Payout
from referee.koikoi.piles import DECK, Pile, cards_of
from referee.koikoi.round import Round
from referee.koikoi.score import Score, Scorer, scorer


@dataclass(frozen=True, slots=True)
class OneCardAway:
    """A yaku that a single card would complete."""

    yaku: str
    cards: tuple[int, ...]  # the cards that complete it, each alone, by index
    base: int  # the pile's undoubled points with that yaku, for the best of these cards


@dataclass(frozen=True, slots=True)
class Standing:
    """The standing of one seat."""

    score: Score  # its pile, with the yaku reached and the points if it stopped now
    payout: Payout  # sum, calls and doubling behind those points
    one_card_away: tuple[OneCardAway, ...]  # the yaku that one more card would complete

    @property
    def points_if_stopped(self) -> int:
        """What a stop would pay now."""
        return self.score.points


def one_card_away(
    scores: Scorer, pile: Pile, available: Pile = DECK, *, month: int = 0, field: Pile = 0
) -> tuple[OneCardAway, ...]:
    """Return the yaku that one more card would complete, the most valuable first.

    Parameters
    ----------
    available : cards that can still be captured, so not those in other players' piles.
    month : 1..12 where the round's month cards count, else 0.
    field : the cards in the middle, which can spoil a viewing yaku.
    """
    have = {row.name for row in scores.score(pile, month=month, field=field).yaku}
    found: dict[str, tuple[list[int], int]] = {}
    for card in cards_of(available & ~pile):
        score = scores.score(pile | 1 << card, month=month, field=field & ~(1 << card))
        for row in score.yaku:
            if row.name not in have:
                cards, base = found.get(row.name, ([], 0))
                found[row.name] = ([*cards, card], max(base, score.base))
    rows = [OneCardAway(name, tuple(cards), base) for name, (cards, base) in found.items()]
    return tuple(sorted(rows, key=lambda row: (-row.base, row.yaku)))


def standing(table: Round, seat: int) -> Standing:
    """Return the standing of `seat`: reached yaku, points for a stop now, and what is missing."""
    score = table.score(seat)
    scores = scorer(table.rules)
    # only cards in piles are out of reach
    available = table.unseen | table.field
    away = one_card_away(scores, table.piles[seat], available, month=table.month, field=table.field)
    return Standing(score, score.payout, away)
