"""The events that the logs of all card games share: the table at rest, a stretch that nobody saw, undo."""

from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

from vision.table.stillness import SHORTEST_NS

UNSEEN_ARM_MS: Final = 2 * SHORTEST_NS / 1e6
"""Shortest time of an arm from the table's rim to a card and back; no arm can come and go unseen in less."""


class Lying(NamedTuple):
    """Number of face-up cards on a table at rest, and number of those that cannot be identified."""

    read: int
    unread: int


class RestingTable(Protocol):
    """A table at rest, as a game describes it."""

    @property
    def t_ms(self) -> float:
        """Since when it has been at rest."""

    @property
    def cards_seen(self) -> Lying:
        """The cards on it."""


class AtRest:
    """The table at rest; each game derives its own event from it."""

    __slots__ = ()
    look: RestingTable


@dataclass(frozen=True, slots=True)
class Unseen:
    """Nobody saw the table between two instants; cards may have been moved."""

    # from_ms, to_ms: the last picture before and the first one after
    from_ms: float
    to_ms: float


def instant_ms(event: Any) -> float:
    """Return the instant of an event on its source's clock, 0 if it has none."""
    if isinstance(event, AtRest):
        return event.look.t_ms
    return float(event.to_ms if isinstance(event, Unseen) else getattr(event, "t_ms", 0.0))


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Event number `seq` no longer counts."""

    seq: int
