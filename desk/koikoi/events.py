"""What the log of a Koi-Koi game keeps: what was seen and what people said, never what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from desk.koikoi.scribe.look import Look
from desk.log.event_codec import EventCodec, EventShape
from desk.tables.evidence.events import EvidenceKept
from desk.tables.unseen_stretch import Unseen
from referee.koikoi.events import Call
from referee.koikoi.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class GameOpened:
    """The first event of every log.

    Attributes
    ----------
    id : unique among all games of this machine; letters, digits and `_`.
    source : where the pictures come from.
    players, dealer : how many play, and who deals first.
    rules : the ruleset.
    deck : name of the deck on the table.
    names : what each seat is called, None for a seat without a name.
    """

    id: str
    source: Literal["camera", "video", "simulator"]
    players: int
    dealer: int
    rules: RuleSet
    deck: str
    names: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class TableSeen:
    """The table at rest."""

    look: Look


@dataclass(frozen=True, slots=True)
class DrawnCardSeen:
    """A card lies where drawn cards are turned up since `t_ms`, although the table is not at rest.

    `seats` tells whose arms may have laid it there, none where that is not known.
    """

    t_ms: float
    card: int
    seats: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class CardSeenBriefly:
    """A card lies openly in the middle or on a pile since `t_ms`, although the table is not at rest.

    `at_stock` tells whether something has moved over the stock since the table was last at rest and before it
    came to lie there, `over` on which card it lies, `reach_ms` for how long an arm had been over the table
    by then; `on_pile` that it is captured already, so that it was put down before; `seats` whose arms may
    have laid it there, none where that is not known.
    """

    t_ms: float
    card: int
    at_stock: bool = True
    over: int | None = None
    reach_ms: float | None = None
    on_pile: bool = False
    seats: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class StripSeenBriefly:
    """A strip of a card lies in a seat's pile, although the table is not at rest, and does not tell its card.

    `alike` tells, by card, the likeness 0..1 of its print.
    """

    t_ms: float
    seat: int
    alike: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class TableUnseen(Unseen):
    """Nobody saw the table for a while."""


@dataclass(frozen=True, slots=True)
class Declared:
    """A player says or shows something."""

    t_ms: float
    player: int
    what: Call


@dataclass(frozen=True, slots=True)
class NextRound:
    """The players go on to the next round."""

    t_ms: float


@dataclass(frozen=True, slots=True)
class CardCorrected:
    """A person says that the card read as `wrong` is `right`; holds for the whole round, both ways."""

    wrong: int
    right: int


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Event number `seq` does not count."""

    seq: int


Seen = TableSeen | DrawnCardSeen | CardSeenBriefly | StripSeenBriefly | TableUnseen
"""What the eye tells."""

LoggedEvent = GameOpened | Seen | Declared | NextRound | CardCorrected | TakenBack | EvidenceKept

KOIKOI_CODEC = EventCodec(
    EventShape(shape)
    for shape in (
        GameOpened,
        TableSeen,
        DrawnCardSeen,
        CardSeenBriefly,
        StripSeenBriefly,
        TableUnseen,
        Declared,
        NextRound,
        CardCorrected,
        TakenBack,
        EvidenceKept,
    )
)
