"""An unreadable card of a deal: where it lies as the round goes on, and which card it may be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from math import hypot
from typing import Final

from desk.koikoi.scribe.appearances import CLEAR, UNLIKE, kind_of
from desk.koikoi.scribe.look import Cards, Look, UnreadPrint
from referee.koikoi.piles import month_of

_SAME_MM: Final = 10.0  # a nudged print moves less than this; the next slot is a card's width away


class Lies(Enum):
    """Where an unread card lies in a look."""

    OPEN = auto()
    COVERED = auto()
    ELSEWHERE = auto()


State = tuple[Lies, Cards]
"""Where an unread card lay at a look, no matter which card it is, and the cards read since it was gone."""


@dataclass
class UnreadCard:
    """A card of the deal that cannot be read."""

    seen: UnreadPrint | None  # its print; None if other cards hide it
    guess: int
    latest: Look  # the look in which it was last seen; for a hidden card the deal
    glimpsed: Cards = frozenset()
    ruled_out: set[int] = field(default_factory=set)  # cards that were read elsewhere while it lay open
    # cards that were read after it was gone; for a hidden card, after the deal
    read_since: set[int] = field(default_factory=set)
    lies: Lies = Lies.OPEN  # where it lies in the latest look
    told: bool = False
    captured: Cards = frozenset()  # all captured cards in the latest look
    # for a hidden card, cards that first appeared under cards of the deal, so were dealt there
    shown_under: set[int] = field(default_factory=set)

    def possible(self) -> list[int]:
        """Return the cards that it may be, the likeliest first."""
        cards = [card for card in range(48) if card not in self.ruled_out]
        alike = {} if self.seen is None else self.seen.alike
        return sorted(
            cards,
            key=lambda card: (card not in self.read_since, -alike.get(card, 0.0), card not in self.glimpsed),
        )

    def worth_trying(self) -> Iterator[int]:
        """Yield one card of every kind that it may be, and all cards read since; the guess comes first."""
        tried = set()
        possible = self.possible()
        for card in [self.guess, *possible] if self.guess in possible else possible:
            if kind_of(card) not in tried or card in self.read_since:
                tried.add(kind_of(card))
                yield card

    def is_unlike(self, card: int) -> bool:
        """Tell whether its print is much more like another possible card than like this one."""
        if self.seen is None:
            return False
        likeliest = max(self.seen.alike.get(other, 0.0) for other in self.possible())
        return self.seen.alike.get(card, 0.0) < likeliest - UNLIKE

    @property
    def is_settled(self) -> bool:
        """Whether people need not be asked about it any more."""
        if self.told or self.guess in self.read_since:
            return True
        if self.seen is None:
            return self.guess in self.glimpsed
        alike = self.seen.alike
        others = [card for card in self.possible() if kind_of(card) != kind_of(self.guess)]
        rival = max((alike.get(card, 0.0) for card in others), default=-1.0)
        return self.guess not in self.ruled_out and alike.get(self.guess, 0.0) - rival >= CLEAR

    def follow(self, look: Look) -> None:
        self.captured = look.captured
        if self.seen is None:
            dealt = self.latest.field
            below = {card for on_top, card in look.over.items() if on_top in dealt}
            self.shown_under |= below - dealt - self.read_since
            self.read_since |= look.cards - look.hidden - self.ruled_out
            return
        again = next((seen for seen in look.unread if is_same_print(seen, self.seen)), None)
        if again is not None:
            self.seen, self.latest, self.lies = again, look, Lies.OPEN
            self.ruled_out |= look.cards - look.slivers - look.hidden
            self.read_since.clear()
            return
        before = self.latest
        captured = look.captured - before.captured
        others = set(map(month_of, captured & before.middle))
        is_covered = look.middle - before.middle and all(month_of(card) in others for card in captured)
        self.lies = Lies.COVERED if is_covered else Lies.ELSEWHERE
        self.read_since |= look.cards - look.hidden - self.ruled_out

    @property
    def state(self) -> State:
        return self.lies, frozenset(self.read_since)

    @property
    def is_gone_unread(self) -> bool:
        """Whether it was taken and has not been read since."""
        if self.guess in self.read_since:
            return False
        return self.lies is Lies.ELSEWHERE if self.seen is not None else self._went_along(self.captured)

    def place(self, look: Look, state: State) -> Lies:
        """Return where it lies in a look after which it had this state, assuming that the guess is right."""
        lies, read = state
        if self.seen is not None:
            return lies
        # once it was read, the eye itself follows it
        return Lies.ELSEWHERE if self.guess in read or self._went_along(look.captured) else Lies.COVERED

    def _went_along(self, captured: Cards) -> bool:
        """Tell whether all cards of its month in the deal were captured."""
        month = {card for card in self.latest.field if month_of(card) == month_of(self.guess)}
        return bool(month) and month <= captured


def is_same_print(seen: UnreadPrint, other: UnreadPrint) -> bool:
    return hypot(seen.x_mm - other.x_mm, seen.y_mm - other.y_mm) < _SAME_MM
