"""The content of a reading: its poems, their order, and their halves."""

import sys
from dataclasses import dataclass

from desk.errors import DeskError
from desk.reciter.card_sets import read_sets, sets_path
from recitation.reading.card_set import in_two_ways, parse_cards
from recitation.reading.order import Order, karafuda, reading_order
from recitation.reading.practice import Step, joka_step, steps
from referee.cards.poems import POEMS


@dataclass(frozen=True, slots=True)
class Wish:
    """The wanted reading."""

    seed: int
    # order, mode: names, see `recitation.reading`
    order: str = "shuffle"
    mode: str = "competition"
    cards: str | None = None  # the poems, see `recitation.reading.card_set`; None for all
    poems: int | None = None  # how many of them, None for all
    joka: str = "122"  # the halves of the opening poem, such as `122`; empty for none
    # karafuda, confusable: number of poems beyond `cards`, and the part of them that begins like a card
    karafuda: int = 0
    confusable: float = 0.0


def planned_steps(wish: Wish) -> tuple[Step, ...]:
    """Return the steps of a reading.

    Raises DeskError if there is no such order, ValueError if another part of the wish is wrong.
    """
    try:
        order = Order(wish.order)
    except ValueError:
        raise DeskError(
            "expected an order ({orders}), got {got!r}", orders=", ".join(Order), got=wish.order
        ) from None
    opening = joka_step(wish.joka)
    cards = frozenset(POEMS) if wish.cards is None else _chosen(wish.cards)
    extra = karafuda(cards, wish.karafuda, wish.seed, wish.confusable)
    numbers = reading_order(order, wish.seed, {*cards, *extra}, wish.poems)
    return steps(numbers, wish.mode, joka=opening)


def _chosen(text: str) -> frozenset[int]:
    named = read_sets(sets_path())
    for item in in_two_ways(text, named):
        sys.stderr.write(f"--cards {item}: the set of this name is taken, {len(named[item])} cards\n")
    return parse_cards(text, named)
