"""The events of a bout, in the words of the game. Seats are 0 and 1."""

from dataclasses import dataclass
from enum import StrEnum

from referee.cards.kendo import Card


class Pile(StrEnum):
    """The three piles."""

    BROWN = "brown"
    RED = "red"
    GREEN = "green"


class Word(StrEnum):
    """What a player can declare."""

    CEDE = "cede"  # leave the opening to the opponent, after TSUBAZERIAI (III.3a)
    NEW_DEAL = "new_deal"  # ask for a new deal, after JIKAN DESU at 1-1 (III.e)
    NEUTRALISE = "neutralise"  # say that a card neutralises what stands
    NO_CARD = "no_card"
    """Say that no hand card is left to exchange, which is an IPPON (I), where nobody watches the piles."""


@dataclass(frozen=True, slots=True)
class Open:
    """A seat opens: the bout, because its brown number was higher, or a round."""

    player: int


@dataclass(frozen=True, slots=True)
class Play:
    """A seat puts cards on the court."""

    player: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Accept:
    """The players accept a play of a seat that the rules do not allow."""

    player: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Pass:
    """A seat does not answer, or cannot open."""

    player: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """A seat exchanges a hand card."""

    player: int


@dataclass(frozen=True, slots=True)
class Draw:
    """A seat draws a card."""

    player: int
    pile: Pile


@dataclass(frozen=True, slots=True)
class Declare:
    """A seat says something."""

    player: int
    what: Word


Event = Open | Play | Accept | Pass | Exchange | Draw | Declare
