"""A round that goes on although a card of its deal cannot be read: it is taken for the card that fits best.

What fits is shown by what follows. A deck has each card once, so that a card which is read elsewhere is not
this one; and when the card is taken, it is read on the pile or named by the month of the card that took it.
Whenever a guess leads to trouble, the round is read again with others. People are asked once, until it shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from math import hypot
from typing import Any, Final

from desk.koikoi_appearance import CLEAR, kind_of
from desk.koikoi_live_scribe import LiveScribe
from desk.koikoi_look import Look, UnreadPrint
from desk.koikoi_notes import TableFlag
from referee.koikoi.events import Call
from referee.koikoi.flags import FlagId
from referee.koikoi.piles import month_of

_SAME_MM: Final = 10.0
"""A print that has been nudged lies within this; the next slot is a card's width away."""
_NEVER_READ: Final = 0.5
"""What speaks against a guess when the card was taken and nobody has read it since; a flag counts 1."""


class _Lies(Enum):
    """Where an unread card lies in a look."""

    OPEN = auto()
    COVERED = auto()
    ELSEWHERE = auto()


@dataclass
class _Unread:
    """A card of the deal that cannot be read.

    Attributes
    ----------
    seen : its print.
    guess : which card it is taken for.
    ruled_out : cards that were read elsewhere while it lay open.
    latest : the look in which it was seen last.
    read_since : cards that were read after it was gone.
    lies : where, in the latest look.
    told : a person has said which card it is.
    """

    seen: UnreadPrint
    guess: int
    latest: Look
    ruled_out: set[int] = field(default_factory=set)
    read_since: set[int] = field(default_factory=set)
    lies: _Lies = _Lies.OPEN
    told: bool = False

    def possible(self) -> list[int]:
        """Return which cards it may be, the likeliest first."""
        cards = [card for card in range(48) if card not in self.ruled_out]
        alike = self.seen.alike
        return sorted(cards, key=lambda card: (card not in self.read_since, -alike.get(card, 0.0)))

    @property
    def is_settled(self) -> bool:
        """Whether nobody need be asked any more."""
        if self.told or self.guess in self.read_since:
            return True
        alike = self.seen.alike
        others = [card for card in self.possible() if kind_of(card) != kind_of(self.guess)]
        rival = max((alike.get(card, 0.0) for card in others), default=-1.0)
        return self.guess not in self.ruled_out and alike.get(self.guess, 0.0) - rival >= CLEAR


class UnreadDeals:
    """Stands before a scribe and names the unread cards of a deal; feed it as the scribe.

    Parameters
    ----------
    scribe : writes the game down.
    size : how many cards are dealt to the middle.

    Attributes
    ----------
    scribe : the one that has written down what fits best; another one after a guess was given up.
    told : for cards that were guessed, what a person said in their stead.
    """

    def __init__(self, scribe: LiveScribe, size: int) -> None:
        self.scribe = scribe
        self.told: Mapping[int, int] = {}
        self._size = size
        self._start: LiveScribe | None = None
        self._inputs: list[Callable[[LiveScribe], None]] = []
        self._unread: list[_Unread] = []
        self._asked: list[TableFlag] = []
        self._trouble = 0

    def look(self, look: Look) -> None:
        """Take in the table at rest."""
        if self.scribe.awaits_deal:
            self._begin(look)
        if not self._unread:
            self.scribe.look(look)
            return
        for unread in self._unread:
            _follow(unread, look)
        places = [unread.lies for unread in self._unread]
        self._give(lambda scribe: scribe.look(_with_guesses(look, self._unread, places)))
        gone = any(one.lies is _Lies.ELSEWHERE and not one.is_settled for one in self._unread)
        clash = any(one.guess in one.ruled_out for one in self._unread)
        if clash or gone or self._flags() > self._trouble:
            self._weigh()
        self._ask(look.t_ms)

    def glimpse(self, card: int, t_ms: float, **how: Any) -> None:
        """Take in that a card lies on the table although the table is not at rest."""
        self._give(lambda scribe: scribe.glimpse(card, t_ms, **how))

    def declare(self, t_ms: float, player: int, what: Call) -> None:
        """Take in what a player declares."""
        self._give(lambda scribe: scribe.declare(t_ms, player, what))

    def next_round(self, t_ms: float) -> None:
        """Take in that the players go on to the next round."""
        self._give(lambda scribe: scribe.next_round(t_ms))
        self._end()

    def close(self) -> None:
        """Judge what is left when the film ends."""
        self._give(lambda scribe: scribe.close())
        self._end()

    def _end(self) -> None:
        if self._unread and self._flags() > self._trouble:
            self._weigh()
            self._ask(0.0)
        self._unread, self._inputs, self._start, self._asked = [], [], None, []

    def _begin(self, look: Look) -> None:
        """Guess the unread cards where the table shows as many cards as are dealt."""
        missing = self._size - len(look.field)
        if look.captured or look.turn or not look.unread or missing != len(look.unread):
            return
        self._start, self._inputs, self._asked, self._trouble = self.scribe.copied(), [], [], 0
        for seen in look.unread:
            taken = set(look.cards) | {unread.guess for unread in self._unread}
            alike = seen.alike
            guess = max((card for card in range(48) if card not in taken), key=lambda c: alike.get(c, 0.0))
            unread = _Unread(seen, guess, look)
            self._unread.append(unread)
            self._take(unread, guess)

    def _take(self, unread: _Unread, guess: int) -> None:
        """Take a print for a card, or for what a person said instead."""
        unread.guess = self.told.get(guess, guess)
        unread.told |= guess in self.told

    def _give(self, given: Callable[[LiveScribe], None]) -> None:
        if self._unread:
            self._inputs.append(given)
        given(self.scribe)

    def _flags(self) -> int:
        scribe = self.scribe
        number = len(scribe.match.rounds) - 1
        told = sum(flag.round == number for flag in scribe.flags if flag not in self._asked)
        return told + len(scribe.match.flags)

    def _weigh(self) -> None:
        """Read the round again with what else the unread cards may be, and keep what fits best."""
        for unread in self._unread:
            if unread.told:
                continue
            best: tuple[float, int] | None = None
            for card in _worth_trying(unread):
                cost = self._cost(unread, card)
                if best is None or cost < best[0]:
                    best = cost, card
                if cost == 0:
                    break
            if best is not None and best[1] != unread.guess:
                self._take(unread, best[1])
                self.scribe, self._asked = self._read_again(), []
        self._trouble = self._flags()

    def _cost(self, unread: _Unread, card: int) -> float:
        before, scribe, asked = unread.guess, self.scribe, self._asked
        unread.guess = card
        self.scribe, self._asked = self._read_again(), []
        cost = self._flags() + _NEVER_READ * (
            unread.lies is _Lies.ELSEWHERE and card not in unread.read_since
        )
        unread.guess, self.scribe, self._asked = before, scribe, asked
        return cost

    def _read_again(self) -> LiveScribe:
        assert self._start is not None
        again = self._start.copied()
        for given in self._inputs:
            given(again)
        return again

    def _ask(self, t_ms: float) -> None:
        """Say of which cards people should say what they are; take back what has shown itself."""
        for flag in self._asked:
            if flag in self.scribe.flags:
                self.scribe.flags.remove(flag)
        match = self.scribe.match
        first_ms = self._asked[0].t_ms if self._asked else t_ms
        self._asked = [
            TableFlag(
                len(match.rounds) - 1,
                max(match.events - 1, 0),
                first_ms,
                FlagId.UNSURE,
                f"a card of the deal cannot be read: is it {unread.guess}?",
            )
            for unread in self._unread
            if not unread.is_settled
        ]
        self.scribe.flags += self._asked


def _follow(unread: _Unread, look: Look) -> None:
    """Note what a look tells of an unread card."""
    again = next((seen for seen in look.unread if _is_same(seen, unread.seen)), None)
    if again is not None:
        unread.seen, unread.latest, unread.lies = again, look, _Lies.OPEN
        unread.ruled_out |= look.cards - look.slivers - look.hidden
        unread.read_since.clear()
        return
    before = unread.latest
    captured = look.captured - before.captured
    others = set(map(month_of, captured & before.middle))
    is_covered = look.middle - before.middle and all(month_of(card) in others for card in captured)
    unread.lies = _Lies.COVERED if is_covered else _Lies.ELSEWHERE
    unread.read_since |= look.cards - look.hidden - unread.ruled_out


def _with_guesses(look: Look, unread: Sequence[_Unread], places: Sequence[_Lies]) -> Look:
    """Return a look with the unread cards under the names that they are taken for."""
    for one, lies in zip(unread, places, strict=True):
        if one.guess in look.cards or lies is _Lies.ELSEWHERE:
            continue
        look = replace(look, field=look.field | {one.guess})
        if lies is _Lies.OPEN:
            look = replace(look, unnamed=max(look.unnamed - 1, 0))
        else:
            look = replace(look, hidden=look.hidden | {one.guess})
    return look


def _worth_trying(unread: _Unread) -> Iterator[int]:
    """Yield cards of every kind that it may be, the present guess first where nothing speaks against it."""
    tried = set()
    possible = unread.possible()
    for card in [unread.guess, *possible] if unread.guess in possible else possible:
        if kind_of(card) not in tried or card in unread.read_since:
            tried.add(kind_of(card))
            yield card


def _is_same(seen: UnreadPrint, other: UnreadPrint) -> bool:
    return hypot(seen.x_mm - other.x_mm, seen.y_mm - other.y_mm) < _SAME_MM
