"""Cards that are put on the court together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.cards.kendo import Brown, Card, Green, Red


@dataclass(frozen=True, slots=True)
class Combination:
    """Cards that are put on the court together, sorted by colour."""

    browns: tuple[Brown, ...] = ()
    reds: tuple[Red, ...] = ()
    greens: tuple[Green, ...] = ()

    @classmethod
    def of(cls, cards: Sequence[Card]) -> Combination:
        """Sort cards by colour; their order on the court does not matter."""
        return cls(
            tuple(sorted(card for card in cards if isinstance(card, Brown))),
            tuple(card for card in cards if isinstance(card, Red)),
            tuple(sorted(card for card in cards if isinstance(card, Green))),
        )

    @property
    def brown(self) -> Brown | None:
        """The only brown card, or None."""
        return self.browns[0] if len(self.browns) == 1 else None

    @property
    def red(self) -> Red | None:
        """The only red card, or None."""
        return self.reds[0] if len(self.reds) == 1 else None

    @property
    def size(self) -> int:
        """The number of cards."""
        return len(self.browns) + len(self.reds) + len(self.greens)

    def __str__(self) -> str:
        return " + ".join(map(str, (*self.greens, *self.reds, *self.browns)))
