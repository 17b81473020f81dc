"""What lay in the middle during a deal, until it is clear that the deal was over and play has begun.

A deal with all cards read begins a round by itself. If a card is hidden, or an object was taken for a card,
only later play shows it: once a card is turned up or captured, the cards before that were the deal.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum, auto
from math import hypot
from typing import Final

from desk.koikoi.scribe.appearances import CLEAR, UNLIKE, kind_of
from desk.koikoi.scribe.look import Cards, Look, UnreadPrint
from desk.koikoi.scribe.scribe import Scribe
from referee.koikoi.piles import month_of

Given = Callable[[Scribe], None]  # an input of a scribe, as a function that passes it on
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
