"""The events of a Koi-Koi table, in the words of the game. Seats are numbered 0, 1, ... in playing order."""

from dataclasses import dataclass
from enum import StrEnum


class Call(StrEnum):
    """What a player can declare."""

    KOIKOI = "koikoi"  # play on for more (L79)
    STOP = "stop"  # end the round and take the points (L79)
    TESHI = "teshi"  # 手四: four cards of a month in the starting hand (L125)
    KUTTSUKI = "kuttsuki"  # くっつき: four pairs in the starting hand (L126)


@dataclass(frozen=True, slots=True)
class Deal:
    """The cards are dealt."""

    number: int | None  # number of the round, from 1; None for the next one
    players: int  # 2..4
    dealer: int  # seat of the dealer, who also begins (L77)
    field: tuple[int, ...]  # cards face up in the middle, by index 0..47
    # each seat's cards; None if unknown, since an overhead camera does not see them
    hands: tuple[tuple[int, ...], ...] | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """A player lays a hand card to the middle and takes the field cards `taken` with it (none: it stays)."""

    player: int
    card: int
    taken: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Draw:
    """A player turns the top card of the stock and takes the field cards `taken` with it (none: it stays)."""

    player: int
    card: int
    taken: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Declare:
    """A player says or shows something."""

    player: int
    what: Call


@dataclass(frozen=True, slots=True)
class End:
    """The players end the round; nobody goes on."""


@dataclass(frozen=True, slots=True)
class Missed:
    """Nobody saw what was played since the previous event; the attributes say how the table lies now."""

    # players, dealer: number of players, and the dealer; used only if the deal itself was missed
    players: int
    dealer: int
    field: tuple[int, ...]  # cards face up in the middle
    piles: tuple[tuple[int, ...], ...]  # each seat's captured cards
    said: tuple[Declare, ...] = ()


Event = Deal | Play | Draw | Declare | End | Missed
