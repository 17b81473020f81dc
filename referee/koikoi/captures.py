"""Taking cards from the field: none, one, one of two, or all three of a month (L77, L138, reading 5)."""

from dataclasses import dataclass

from referee.koikoi.flags import FlagId
from referee.koikoi.piles import Pile, cards_of, month_cards, month_of, same_month
from referee.sentence import Sentence

Fault = tuple[FlagId, Sentence]


@dataclass(frozen=True, slots=True)
class Capture:
    """A judged capture."""

    faults: tuple[Fault, ...]  # what was wrong with it; empty if it is lawful
    # the sets of field cards that may count as taken once the table is in order again, the likeliest first; a
    # lawful capture has exactly one
    takes: tuple[Pile, ...]


def legal_takes(card: int, field: Pile) -> tuple[Pile, ...]:
    """Return the sets of field cards that `card` may take; only the empty set if nothing matches."""
    matches = same_month(card, field)
    if matches.bit_count() == 2:
        return tuple(1 << match for match in cards_of(matches))
    return (matches,)


def judge_capture(
    card: int, taken: Pile, field: Pile, *, mandatory: bool = True, earlier_card: int | None = None
) -> Capture:
    """Judge which field cards were taken with a played or drawn card.

    `field`: cards in the middle before, `card` not among them. `mandatory`: whether a match must be taken.
    `earlier_card`: for a drawn card, the hand card of the same turn; taking cards of its month now counts as
    a late change, not as a wrong month.
    """
    legal = legal_takes(card, field)
    if taken in legal or (taken == 0 and not mandatory):
        return Capture((), (taken,))
    month = month_of(card)
    right = same_month(card, taken)
    wrong = taken & ~right
    faults: list[Fault] = []
    if wrong:
        cards: dict[str, object] = {"taken": _names(wrong), "card": str(card), "month": month}
        if earlier_card is not None and wrong & ~month_cards(month_of(earlier_card)) == 0:
            why = Sentence("{taken} taken only after the drawn card was turned", taken=cards["taken"])
            faults.append((FlagId.LATE_CHANGE, why))
        elif right:
            why = Sentence("{taken} taken along with {card} of month {month}: put back", **cards)
            faults.append((FlagId.EXTRA_CARD_TAKEN, why))
        else:
            why = Sentence("{card} of month {month} cannot take {taken}: put back", **cards)
            faults.append((FlagId.WRONG_MONTH, why))
    matches = same_month(card, field)
    if right not in legal and not (wrong and right == 0):
        faults.append(_same_month_fault(card, right, matches))
    # a capture first stays forgotten: the next player's card makes that final
    is_forgotten = faults[0][0] is FlagId.FORGOTTEN_CAPTURE
    return Capture(tuple(faults), (0, *legal) if is_forgotten else (*legal, taken))


def _same_month_fault(card: int, right: Pile, matches: Pile) -> Fault:
    cards = {"card": str(card), "taken": _names(matches)}
    if matches.bit_count() == 3:
        return FlagId.TOOK_ONE_OF_THREE, Sentence("{card} takes all three of its month: {taken}", **cards)
    if right == 0:
        why = Sentence("{card} must take {taken}, which was left on the field", **cards)
        return FlagId.FORGOTTEN_CAPTURE, why
    return FlagId.TOOK_BOTH_OF_TWO, Sentence("{card} takes one of {taken}: the player puts one back", **cards)


def _names(pile: Pile) -> str:
    return ", ".join(map(str, cards_of(pile)))
