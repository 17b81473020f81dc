"""Before the first card: who deals, whether the deal is in order, and what a starting hand is worth."""

from collections.abc import Sequence
from dataclasses import dataclass

from referee.cards.hanafuda import Category, by_index
from referee.koikoi.events import Call, Deal
from referee.koikoi.piles import DECK_SIZE, Pile, is_four_pairs, month_of, most_of_a_month, pile_of
from referee.koikoi.ruleset import RuleSet
from referee.sentence import Sentence

_RANK = (Category.HIKARI, Category.TANE, Category.TAN, Category.KASU)


def first_dealer(drawn: Sequence[int], rules: RuleSet) -> int | None:
    """Return the seat that deals first: the lowest month drawn (L69), or None if they must draw again.

    `drawn`: one card for each seat, 0..47. Key `dealer.first_tie` decides about equal months (reading 13).
    """
    by_card = rules.dealer.first_tie != "draw_again"
    ranks = [(month_of(card), _RANK.index(by_index(card).category) if by_card else 0) for card in drawn]
    lowest = [seat for seat, rank in enumerate(ranks) if rank == min(ranks)]
    return lowest[0] if len(lowest) == 1 else None


def next_dealer(players: int, dealer: int, winner: int | None, rules: RuleSet) -> int:
    """Return who deals after a round that was played to its end (L85, reading 11)."""
    right_neighbour = (dealer + 1) % players
    if winner is None:
        return dealer if rules.dealer.after_draw == "stays" else right_neighbour
    if rules.dealer.after_win == "winner" or winner == dealer:
        return winner
    return right_neighbour


def stock_size(players: int, rules: RuleSet) -> int:
    """Return how many cards the stock holds after the deal."""
    size = rules.deal.size(players)
    return DECK_SIZE - players * size.hand - size.field


def duplicates(deal: Deal) -> tuple[int, ...]:
    """Return the cards that were dealt more than once."""
    dealt = [*deal.field, *(card for hand in deal.hands or () for card in hand)]
    return tuple(sorted({card for card in dealt if dealt.count(card) > 1}))


def misdeal(deal: Deal, rules: RuleSet) -> Sentence | None:
    """Return why the deal visibly requires a redeal, or None (L139, readings 7 and 15)."""
    size = rules.deal.size(deal.players)
    if len(deal.field) != size.field:
        return Sentence("{n} cards belong in the middle, {lie} lie there", n=size.field, lie=len(deal.field))
    if deal.hands is not None:
        counts, players = [len(hand) for hand in deal.hands], deal.players
        if counts != [size.hand] * players:
            return Sentence(
                "each of {players} players gets {n} cards, they got {counts}",
                players=players,
                n=size.hand,
                counts=str(counts),
            )
    if duplicates(deal):
        return None
    field = pile_of(deal.field)
    most = most_of_a_month(field)
    if most == 4 and rules.field.four_of_a_month == "redeal":
        return Sentence("all four cards of a month lie in the middle")
    if most == 3 and rules.field.three_of_a_month == "redeal":
        return Sentence("three cards of a month lie in the middle")
    if is_four_pairs(field) and rules.field.four_pairs == "redeal":
        return Sentence("four pairs lie in the middle")
    return None


@dataclass(frozen=True, slots=True)
class HandClaim:
    """A claim from a starting hand; it lapses with the first card played."""

    seat: int
    what: Call  # teshi or kuttsuki; for a redeal its reason
    redeal: bool  # whether it leads to a redeal instead of a win


def claim(seat: int, what: Call, players: int, rules: RuleSet) -> HandClaim | None:
    """Return `seat`'s claim to teshi or kuttsuki, or None if the house does not play it.

    With three or four players four cards of a month are shown for a redeal (L140, reading 19).
    """
    effect: str = rules.hands.teshi if what is Call.TESHI else rules.hands.kuttsuki
    if players > 2:
        effect = rules.hands.four_of_a_month if what is Call.TESHI else "play"
    return None if effect == "play" else HandClaim(seat, what, effect == "redeal")


def hand_claim(seat: int, hand: Pile, players: int, rules: RuleSet) -> HandClaim | None:
    """Return the claim that a starting hand gives, or None (L122-L128, L140).

    Four of a month beside two pairs is teshi only (reading 14).
    """
    if most_of_a_month(hand) == 4:
        return claim(seat, Call.TESHI, players, rules)
    return claim(seat, Call.KUTTSUKI, players, rules) if is_four_pairs(hand) else None
