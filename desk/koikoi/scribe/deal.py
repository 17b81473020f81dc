"""What lay in the middle during a deal, until it is clear that the deal was over and play has begun.

A deal with all cards read begins a round by itself. If a card is hidden, or an object was taken for a card,
only later play shows it: once a card is turned up or captured, the cards before that were the deal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from desk.koikoi.scribe.live_scribe import LiveScribe
from desk.koikoi.scribe.look import Cards, Look
from referee.koikoi.piles import month_of

Given = Callable[[LiveScribe], None]  # an input of a scribe, as a function that passes it on
_MOST_HIDDEN: Final = 2  # cards of a deal that may be hidden: of three stacked cards two lie under the third
_A_MONTH: Final = 4
_STACKED: Final = 3  # number of dealt cards of one month that players stack, since the fourth takes them all


@dataclass(frozen=True, slots=True)
class ScribeInput:
    """One input of a scribe before play began."""

    given: Given | None = None  # passes the input on, if it is no look
    look: Look | None = None
    laid: int | None = None  # the card that was seen briefly in the middle, if the input is that
    t_ms: float = 0.0  # since when it lay there


class Dealing:
    """Remembers the inputs of a round, from the gathering of the cards on; `size` cards are dealt."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._told: list[ScribeInput] = []

    def restart(self, *, keep_latest: bool = False) -> None:
        """Forget all inputs, because another round is dealt; with `keep_latest` all but the latest look."""
        looks = [told for told in self._told if told.look is not None]
        self._told = looks[-1:] if keep_latest else []

    @property
    def latest_look(self) -> Look | None:
        return next((told.look for told in reversed(self._told) if told.look is not None), None)

    def add(self, told: ScribeInput) -> None:
        self._told.append(told)

    def await_deal(self, look: Look) -> None:
        """Take in the table at rest before play; if the cards are being gathered, forget what was before."""
        before = self.latest_look
        if before is not None and 2 * len(look.field & before.field) < len(before.field):
            self.restart()
        self.add(ScribeInput(look=look))

    @property
    def latest(self) -> int:
        return len(self._told) - 1

    def begins_play(self, look: Look) -> bool:
        """Tell whether a look shows that play has begun: a card was turned up or captured after a deal."""
        return bool(look.captured or look.turn) and self.best is not None

    def add_glimpsed_deal(self, look: Look) -> int | None:
        """Add a deal that never lay at rest, before a look that shows play; return its index, or None.

        Players in a hurry play at once. The deal then consists of the first cards that were seen in the
        middle since the cards were gathered.
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
        self._told.insert(last + 1, ScribeInput(look=deal))
        return last + 1

    @property
    def best(self) -> int | None:
        """Index of the best look at the deal: the last one of those with the most cards; else None."""
        counts = {place: self._size - missing for place, missing in self._deals()}
        most = max(counts.values(), default=0)
        return max((place for place, count in counts.items() if count == most), default=None)

    def before(self, dealt: Look) -> list[int]:
        """Return the earlier looks that may be the deal, with one or two hidden cards."""
        return [
            place
            for place, missing in self._deals()
            if 0 < missing <= _MOST_HIDDEN and self.deal_at(place)[0].field < dealt.field
        ]

    def deal_at(self, place: int) -> tuple[Look, Cards, Sequence[ScribeInput]]:
        """Return the look at an index as the deal, what may be hidden in it, and later inputs."""
        look = self._told[place].look
        assert look is not None
        laid = {told.laid for told in self._told[:place] if told.laid is not None}
        return look, frozenset(laid - look.cards), tuple(self._told[place + 1 :])

    def _deals(self) -> Iterator[tuple[int, int]]:
        """Yield the indices of looks that may show a deal, with the number of cards missing in each."""
        for place, told in enumerate(self._told):
            look = told.look
            if look is None or look.captured or look.turn:
                continue
            if 0 < len(look.field) <= self._size:
                yield place, max(self._size - len(look.field) - len(look.unread), 0)


def likely_hidden(look: Look, glimpsed: Collection[int], taken: Collection[int]) -> int:
    """Return the likeliest card that is hidden in a deal.

    It is a card that was seen as it was laid down; else the third of a month of which two are seen, since
    three are stacked, chaff first; else chaff of any month, but not a fourth of one, which would mean a
    redeal.
    """
    months = Counter(map(month_of, set(look.field) | set(taken)))
    free = [card for card in range(48) if card not in taken and card not in look.cards]

    def promise(card: int) -> tuple[bool, bool, bool, int]:
        others = months[month_of(card)]
        # chaff has the last numbers of a month
        return card in glimpsed, others < _A_MONTH - 1, others == _STACKED - 1, card % _A_MONTH

    return max(free, key=promise)


class Why(StrEnum):
    """Why a deal is not understood."""

    FEW = "few"
    MANY = "many"
    PILES = "piles"


@dataclass(frozen=True, slots=True)
class Undealt:
    """A table that shows no deal."""

    why: Why
    seen: int  # number of cards seen in the middle; if there are too many, unreadable ones are included
    unread: int  # number of unreadable cards, or objects that are no cards
    size: int  # number of cards that are dealt there


def undealt(look: Look, size: int) -> Undealt | None:
    """Return why a look shows no deal of `size` cards; None if it shows one, or if nothing lies there."""
    unread = max(len(look.unread), look.unnamed)
    seen = len(look.field) + unread
    if look.captured or look.turn:
        return Undealt(Why.PILES, seen, unread, size)
    if not seen or (seen == size and not unread):
        return None
    if seen > size:
        return Undealt(Why.MANY, seen, unread, size)
    return Undealt(Why.FEW, len(look.field), unread, size)
