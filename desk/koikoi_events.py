"""The events of a Koi-Koi game at a table, as its log keeps them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from desk.event_codec import EventCodec, EventShape
from referee.koikoi.events import Deal, Declare, Draw, End, Play
from referee.koikoi.flags import FlagId
from referee.koikoi.ruleset import RuleSet

GameEvent = Deal | Play | Draw | Declare | End
"""What the referee judges."""


@dataclass(frozen=True, slots=True)
class GameOpened:
    """The first event of every log.

    Attributes
    ----------
    id : unique among all games of this machine; letters, digits and `_`.
    source : where the pictures come from.
    players : 2..4.
    rules : the ruleset.
    deck : name of the deck on the table.
    names : what each seat is called, None for a seat without a name.
    """

    id: str
    source: Literal["camera", "video", "simulator"]
    players: int
    rules: RuleSet
    deck: str
    names: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class TableSeen:
    """The table as it lies still.

    Attributes
    ----------
    t_ns : instant on the source's clock.
    field : cards in the middle, by index 0..47.
    captures : each seat's captured cards.
    turned : cards under way: turned up, or played and not yet collected.
    """

    t_ns: int
    field: tuple[int, ...]
    captures: tuple[tuple[int, ...], ...]
    turned: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TableDoubt:
    """Something about the table that no move of the game tells: a card vanished, lies on a wrong strip, ...

    Attributes
    ----------
    id : the situation.
    text : what the eye saw, for people.
    t_ns : instant on the source's clock.
    cards : the cards it concerns.
    """

    id: FlagId
    text: str
    t_ns: int
    cards: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CardCorrected:
    """A person says that the card read as `wrong` is `right`; holds for the whole round, both ways."""

    wrong: int
    right: int


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Event number `seq` does not count."""

    seq: int


LoggedEvent = GameEvent | GameOpened | TableSeen | TableDoubt | CardCorrected | TakenBack

KOIKOI_CODEC = EventCodec(
    EventShape(shape)
    for shape in (
        GameOpened,
        Deal,
        Play,
        Draw,
        Declare,
        End,
        TableSeen,
        TableDoubt,
        CardCorrected,
        TakenBack,
    )
)
