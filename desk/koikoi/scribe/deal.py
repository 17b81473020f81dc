"""What lay in the middle while cards were dealt, until it shows that the deal was over and play has begun.

A deal that is read as it should be begins a round by itself. Where a card of it is hidden, or a print that is
none was seen, only what follows tells: a card has been turned up or captured, so that what lay there before
was the deal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from desk.koikoi.scribe.live_scribe import LiveScribe
from desk.koikoi.scribe.look import Cards, Look
from referee.koikoi.piles import month_of

Given = Callable[[LiveScribe], None]
"""Something told to a scribe."""
_MOST_HIDDEN: Final = 2
"""So many of three cards that are put together may lie under the third; dealt in packets are more."""
_A_MONTH: Final = 4
_STACKED: Final = 3
"""Dealt cards of one month are put together, so that the fourth takes all: they hide one another."""


@dataclass(frozen=True, slots=True)
class Told:
    """Something told to a scribe before play began.

    Attributes
    ----------
    given : tells it, where it is no look.
    look : the table at rest, if it is that.
    laid : a card that lay in the middle for a moment, if it is that.
    t_ms : since when, if it is that.
    """

    given: Given | None = None
    look: Look | None = None
    laid: int | None = None
    t_ms: float = 0.0


class Dealing:
    """Remembers what was told of a round, from when cards were gathered for it.

    Parameters
    ----------
    size : how many cards are dealt to the middle.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._told: list[Told] = []

    def restart(self, *, keep_latest: bool = False) -> None:
        """Forget what was told, for another round is to be dealt; it may lie there already."""
        looks = [told for told in self._told if told.look is not None]
        self._told = looks[-1:] if keep_latest else []

    @property
    def latest_look(self) -> Look | None:
        """The table as it rested last."""
        return next((told.look for told in reversed(self._told) if told.look is not None), None)

    def add(self, told: Told) -> None:
        """Take in one more."""
        self._told.append(told)

    def await_deal(self, look: Look) -> None:
        """Take in the table at rest before play. Where cards are gathered, what was before is forgotten."""
        before = self.latest_look
        if before is not None and 2 * len(look.field & before.field) < len(before.field):
            self.restart()
        self.add(Told(look=look))

    @property
    def latest(self) -> int:
        """Where the latest is among all that was told."""
        return len(self._told) - 1

    def begins_play(self, look: Look) -> bool:
        """Tell whether a look shows that play goes on: cards are turned up and captured after a deal only."""
        return bool(look.captured or look.turn) and self.best is not None

    def add_glimpsed_deal(self, look: Look) -> int | None:
        """Add the deal where it never lay at rest, before a look that shows play; return its place, or None.

        People in a hurry play at once. Then it is what was seen first in the middle, one by one, of all that
        has been laid there since the cards were gathered.
        """
        gathered = self.latest_look
        if gathered is None or gathered.cards or self.best is not None:
            return None
        first_at: dict[int, int] = {}
        for place, told in enumerate(self._told):
            if told.laid is not None:
                first_at.setdefault(told.laid, place)
        if len(first_at) < self._size or not look.field <= first_at.keys():
            return None
        dealt = list(first_at)[: self._size]
        last = first_at[dealt[-1]]
        if not look.cards > set(dealt):
            return None
        deal = replace(gathered, t_ms=self._told[last].t_ms, field=frozenset(dealt))
        self._told.insert(last + 1, Told(look=deal))
        return last + 1

    @property
    def best(self) -> int | None:
        """Where the deal is seen best: the last look of those with most cards, of a deal at most."""
        counts = {place: self._size - missing for place, missing in self._deals()}
        most = max(counts.values(), default=0)
        return max((place for place, count in counts.items() if count == most), default=None)

    def before(self, dealt: Look) -> list[int]:
        """Return where tables were seen that may have been the deal instead, with a card or two hidden.

        Then what makes it complete in a later look was played.
        """
        return [
            place
            for place, missing in self._deals()
            if 0 < missing <= _MOST_HIDDEN and self.deal_at(place)[0].field < dealt.field
        ]

    def deal_at(self, place: int) -> tuple[Look, Cards, Sequence[Told]]:
        """Return a look as the deal, cards that are hidden in it perhaps, and what was told since.

        Hidden may be cards that lay open before and that nobody has read in it.
        """
        look = self._told[place].look
        assert look is not None
        laid = {told.laid for told in self._told[:place] if told.laid is not None}
        return look, frozenset(laid - look.cards), tuple(self._told[place + 1 :])

    def _deals(self) -> Iterator[tuple[int, int]]:
        """Yield where looks are that may show a deal, and how many cards each is short of."""
        for place, told in enumerate(self._told):
            look = told.look
            if look is None or look.captured or look.turn:
                continue
            if 0 < len(look.field) <= self._size:
                yield place, max(self._size - len(look.field) - len(look.unread), 0)


def likely_hidden(look: Look, glimpsed: Collection[int], taken: Collection[int]) -> int:
    """Return which card a deal may hold that is not seen in it.

    One that was glimpsed as it was laid down; else the third of a month of which two are seen, chaff first,
    for three are put together; else chaff of any month, but not the fourth of one: then all would be dealt
    anew.

    Parameters
    ----------
    look : the deal.
    glimpsed : cards that lay open while it was laid out.
    taken : cards that it is not.
    """
    months = Counter(map(month_of, set(look.field) | set(taken)))
    free = [card for card in range(48) if card not in taken and card not in look.cards]

    def promise(card: int) -> tuple[bool, bool, bool, int]:
        others = months[month_of(card)]
        # a month's cards are numbered with its chaff last
        return card in glimpsed, others < _A_MONTH - 1, others == _STACKED - 1, card % _A_MONTH

    return max(free, key=promise)
