"""Sets of hanafuda as bit masks: bit `i` is the card with index `i`, so a whole pile is one integer.

With a mask, every question of the rules ("which lights?", "how many ribbons?") is one `&` and one
`bit_count`, and no card can occur twice.
"""

from collections.abc import Iterable, Iterator

from referee.cards.hanafuda import HANAFUDA, Category, Ribbon

Pile = int  # a set of cards: bit `i` stands for card index `i`, 0..47

DECK_SIZE = 48
DECK: Pile = (1 << DECK_SIZE) - 1


def pile_of(cards: Iterable[int]) -> Pile:
    """Return the pile that holds `cards`; ValueError if a number is not 0..47, or a card comes twice."""
    pile = 0
    for card in cards:
        if not 0 <= card < DECK_SIZE:
            raise ValueError(f"hanafuda are numbered 0..{DECK_SIZE - 1}, got {card}")
        if pile >> card & 1:
            raise ValueError(f"each card exists once, but {card} came twice")
        pile |= 1 << card
    return pile


def cards_of(pile: Pile) -> tuple[int, ...]:
    """Return the cards of a pile in the order of their index."""
    return tuple(card for card in range(pile.bit_length()) if pile >> card & 1)


def subsets(mask: Pile) -> Iterator[Pile]:
    """Iterate over all subsets of `mask`, the empty one first and `mask` itself last."""
    subset = 0
    while True:
        yield subset
        if subset == mask:
            return
        # the next larger number whose bits all lie in the mask
        subset = (subset - mask) & mask


def month_of(card: int) -> int:
    """Return a card's month, 1..12."""
    return card // 4 + 1


def month_cards(month: int) -> Pile:
    """Return the four cards of a month, 1..12."""
    return 0b1111 << 4 * (month - 1)


def same_month(card: int, pile: Pile) -> Pile:
    """Return the cards of `pile` that share `card`'s month."""
    return pile & month_cards(month_of(card))


def _months(pile: Pile) -> list[int]:
    return sorted(((pile & month_cards(month)).bit_count() for month in range(1, 13)), reverse=True)


def most_of_a_month(pile: Pile) -> int:
    """Return the largest number of cards of one month in the pile, 0..4."""
    return _months(pile)[0]


def is_four_pairs(pile: Pile) -> bool:
    """Tell whether eight cards are exactly four months with two cards each."""
    return _months(pile)[:5] == [2, 2, 2, 2, 0]


def _category(category: Category) -> Pile:
    return pile_of(card.index for card in HANAFUDA.values() if card.category is category)


def _ribbons(kind: Ribbon) -> Pile:
    return pile_of(card.index for card in HANAFUDA.values() if card.ribbon is kind)


def _named(*ids: str) -> Pile:
    return pile_of(HANAFUDA[card].index for card in ids)


LIGHTS = _category(Category.HIKARI)
ANIMALS = _category(Category.TANE)
RIBBONS = _category(Category.TAN)
CHAFF = _category(Category.KASU)

CURTAIN = _named("03-1")
MOON = _named("08-1")
SAKE_CUP = _named("09-1")
RAIN_MAN = _named("11-1")
WILLOW = month_cards(11)
PAULOWNIA = month_cards(12)
DRY_LIGHTS = LIGHTS & ~RAIN_MAN
BOAR_DEER_BUTTERFLIES = _named("07-1", "10-1", "06-1")
POETRY_RIBBONS = _ribbons(Ribbon.AKATAN)
BLUE_RIBBONS = _ribbons(Ribbon.AOTAN)
