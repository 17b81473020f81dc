"""A round with an unreadable card in its deal: the card is guessed, and the guess is revised as play goes on.

A deck has each card once, so the card is none that is read elsewhere; and when it is taken, it is read on the
pile, or the card that took it shows its month. If a guess leads to flags, the round is judged again with
other guesses. People are asked about the card until it is certain.

A card may also be hidden completely. The deal is then one card short, and the round begins at the latest when
somebody turns up or captures a card.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from desk.koikoi.scribe.deal import (
    Dealing,
    Given,
    Lies,
    ScribeInput,
    State,
    Undealt,
    UnreadCard,
    Why,
    is_same_print,
    likely_hidden,
    undealt,
)
from desk.koikoi.scribe.look import Cards, Glimpse, Look, UnreadPrint
from desk.koikoi.scribe.notes import TableFlag
from desk.koikoi.scribe.scribe import Scribe
from referee.koikoi.events import Call
from referee.koikoi.flags import FlagId

_NEVER_READ: Final = 0.5  # cost of a guess if the card was taken and has not been read since; a flag costs 1
_NOT_DEALT: Final = 1.5
"""Cost of guesses that leave out a card that appeared under the deal, where nobody puts one."""

_UNLIKE_ITS_PRINT: Final = 1.5
"""Cost of a card that the print is unlike; more than a flag, since players do make faults."""


@dataclass(frozen=True, slots=True)
class LostRound:
    """A round that was played but whose deal was not understood."""

    before: int  # number of understood rounds before it
    t_ms: float  # when its cards were last seen


_TRIES: Final = 2  # how often earlier looks are tried as the deal; a wrong deal leads to flags soon


class UnreadDeals:
    """A front of a scribe that guesses unread dealt cards; `told` are cards that a person named."""

    def __init__(self, scribe: Scribe, size: int) -> None:
        self.scribe = scribe
        self.told: Mapping[int, int] = {}
        self._size = size
        self._dealing = Dealing(size)
        self._start = scribe.copied()
        self._inputs: list[Given] = []
        self._unread: list[UnreadCard] = []
        self._asked: list[TableFlag] = []
        self._trouble = 0
        self._instead: list[int] = []
        self._tries = 0
        self._lost: list[LostRound] = []
        self._played = False
        self._earlier: tuple[UnreadPrint, ...] = ()

    def look(self, look: Look) -> None:
        before = self._dealing.latest_look if self.scribe.awaits_deal else None
        # while cards are gathered, piles only get smaller
        self._played |= before is not None and not look.captured <= before.captured
        if self._is_put_right(look):
            self._dealing.add(ScribeInput(look=look))
            self._begin(self._dealing.latest)
        elif not self._awaits_deal:
            self._dealing.add(ScribeInput(look=look))
            self._look(look)
        elif (place := self._dealing.add_glimpsed_deal(look)) is not None:
            self._dealing.add(ScribeInput(look=look))
            self._begin(place)
        elif self._dealing.begins_play(look):
            assert self._dealing.best is not None
            self._dealing.add(ScribeInput(look=look))
            self._begin(self._dealing.best)
        else:
            self._dealing.await_deal(look)
            if self._holds_unread(look):
                self._begin(self._dealing.latest)
            else:
                self._look(look)
                self._instead, self._tries = self._dealing.before(look), 0
        if self._unread:
            self._weigh_again(look)
        elif self._instead and self._flags():
            self._deal_before()

    def glimpse(self, seen: Glimpse) -> None:
        laid = None if seen.on_pile or seen.is_drawn else seen.card
        self._tell(lambda scribe: scribe.glimpse(seen), laid=laid, t_ms=seen.t_ms)

    def glimpse_strip(self, seat: int, alike: Mapping[int, float]) -> None:
        self._tell(lambda scribe: scribe.glimpse_strip(seat, alike))

    def unseen(self, from_ms: float, to_ms: float) -> None:
        self._tell(lambda scribe: scribe.unseen(from_ms, to_ms))

    def declare(self, t_ms: float, player: int, what: Call) -> None:
        self._tell(lambda scribe: scribe.declare(t_ms, player, what))

    def next_round(self, t_ms: float) -> None:
        has_played = self.scribe.has_played
        lost, self._lost, self._played = len(self._lost), list(self.lost_rounds), False
        if lost < len(self._lost):
            self.scribe.forget_dealer()
        self._give(lambda scribe: scribe.next_round(t_ms))
        if self.scribe.awaits_deal:
            self._end()
            self._dealing.restart(keep_latest=not has_played)

    def close(self) -> None:
        self._give(lambda scribe: scribe.close())
        self._end()

    @property
    def undealt(self) -> Undealt | None:
        """Why the referee waits for the deal although something lies there; else None."""
        dealt = self.scribe.dealt_only
        waits = self._awaits_deal or (dealt is not None and len(dealt) > self._size)
        look = self._dealing.latest_look if waits else None
        return None if look is None else undealt(look, self._size)

    @property
    def lost_rounds(self) -> tuple[LostRound, ...]:
        """The rounds that were played but whose deals were not understood; the last may still lie there."""
        why = self.undealt if self.scribe.awaits_deal else None
        if not self.scribe.awaits_deal or not (self._played or (why is not None and why.why is Why.MANY)):
            return tuple(self._lost)
        look = self._dealing.latest_look
        return (*self._lost, LostRound(len(self.scribe.match.rounds), 0.0 if look is None else look.t_ms))

    @property
    def _awaits_deal(self) -> bool:
        """Whether play has not begun; a deal with too few cards may have hidden ones."""
        return self.scribe.awaits_deal or (self.scribe.is_short and not self._unread)

    def _holds_unread(self, look: Look) -> bool:
        """Tell whether a look shows a deal with unread cards, other than an object that lay there before."""
        if not look.field and not look.captured:
            self._earlier = look.unread
        missing = self._size - len(look.field)
        if not self.scribe.awaits_deal or look.captured or not look.unread or len(look.unread) != missing:
            return False
        return not any(is_same_print(seen, earlier) for seen in look.unread for earlier in self._earlier)

    def _is_put_right(self, look: Look) -> bool:
        """Tell whether surplus cards have been removed from a deal before anything was played."""
        dealt = self.scribe.dealt_only
        if dealt is None or len(look.field) != self._size or look.unnamed:
            return False
        return look.cards == look.field and look.field < dealt

    def _tell(self, given: Given, laid: int | None = None, t_ms: float = 0.0) -> None:
        self._dealing.add(ScribeInput(given=given, laid=laid, t_ms=t_ms))
        self._give(given)

    def _end(self) -> None:
        if self._unread and self._flags() > self._trouble:
            self._weigh()
            self._ask(0.0)
        self._start, self._instead = self.scribe.copied(), []
        self._unread, self._inputs, self._asked = [], [], []

    def _begin(self, place: int) -> None:
        """Begin the round with the look at an index as the deal, and guess its unread and hidden cards."""
        look, glimpsed, since = self._dealing.deal_at(place)
        self.scribe, self._unread = self._start.copied(), []
        missing = max(self._size - len(look.field), 0)
        # surplus prints are no cards
        prints = sorted(look.unread, key=lambda seen: -max(seen.alike.values(), default=0.0))[:missing]
        self._guess(look, glimpsed, prints, missing - len(prints))
        self._look(look, is_deal=True)
        for told in since:
            if told.look is not None:
                self._look(told.look)
            elif told.given is not None:
                self._give(told.given)

    def _deal_before(self) -> None:
        """Take an earlier look, with hidden cards, as the deal if that leads to fewer flags."""
        best = self._flags(), self.scribe, self._unread, self._inputs
        for place in self._instead:
            self._begin(place)
            if self._flags():
                self._weigh()
            if self._flags() < best[0]:
                best = self._flags(), self.scribe, self._unread, self._inputs
        self._trouble, self.scribe, self._unread, self._inputs = best
        self._tries += 1
        if self._unread or self._tries == _TRIES:
            self._instead = []

    def _guess(self, look: Look, glimpsed: Cards, prints: Sequence[UnreadPrint], hidden: int) -> None:
        """Guess the cards of a deal's unread prints, and `hidden` further cards that are not seen."""
        self._inputs, self._asked, self._trouble = [], [], 0
        for seen in [*prints, *[None] * hidden]:
            taken = set(look.cards) | {unread.guess for unread in self._unread}
            if seen is None:
                unread = UnreadCard(None, likely_hidden(look, glimpsed, taken), look, glimpsed)
                unread.ruled_out |= look.cards
            else:
                alike, free = seen.alike, [card for card in range(48) if card not in taken]
                unread = UnreadCard(seen, max(free, key=lambda card: alike.get(card, 0.0)), look, glimpsed)
            self._unread.append(unread)
            self._take(unread, unread.guess)

    def _look(self, look: Look, *, is_deal: bool = False) -> None:
        """Show the scribe a look in which the unread cards have their guessed names."""
        for unread in self._unread:
            unread.follow(look)
        states = [unread.state for unread in self._unread]

        def given(scribe: Scribe) -> None:
            named = _with_guesses(look, self._unread, states)
            if is_deal:
                scribe.deal(named)
            else:
                scribe.look(named)

        self._give(given)

    def _weigh_again(self, look: Look) -> None:
        """Revise the guesses if a look contradicts one, and ask about those that remain open."""
        gone = any(one.lies is Lies.ELSEWHERE and not one.is_settled for one in self._unread)
        clash = any(one.guess in one.ruled_out for one in self._unread)
        if clash or gone or self._left_out or self._flags() > self._trouble:
            self._weigh()
        self._ask(look.t_ms)

    @property
    def _left_out(self) -> set[int]:
        """Cards that appeared under cards of the deal and that are not among the guesses."""
        return set().union(*(one.shown_under for one in self._unread)) - {one.guess for one in self._unread}

    def _take(self, unread: UnreadCard, guess: int) -> None:
        """Guess a card for a print, or use the card that a person named instead."""
        unread.guess = self.told.get(guess, guess)
        unread.told |= guess in self.told

    def _give(self, given: Given) -> None:
        if self._unread:
            self._inputs.append(given)
        given(self.scribe)

    def _flags(self) -> int:
        scribe = self.scribe
        number = len(scribe.match.rounds) - 1
        told = sum(flag.round == number for flag in scribe.flags if flag not in self._asked)
        return told + len(scribe.match.flags)

    def _weigh(self) -> None:
        """Judge the round again with other guesses for the unread cards, and keep the best ones."""
        for _ in self._unread:
            guesses = [unread.guess for unread in self._unread]
            for unread in self._unread:
                if not unread.told:
                    self._weigh_one(unread)
            # one card may become clear only when another is known
            if not self._flags() or guesses == [unread.guess for unread in self._unread]:
                break
        self._trouble = self._flags()

    def _weigh_one(self, unread: UnreadCard) -> None:
        best: tuple[float, int] | None = None
        for card in unread.worth_trying():
            cost = self._cost(unread, card)
            if cost is not None and (best is None or cost < best[0]):
                best = cost, card
            if cost == 0:
                break
        if best is not None and best[1] != unread.guess:
            self._exchange(unread, best[1])
            self._take(unread, best[1])
            self.scribe, self._asked = self._read_again(), []

    def _cost(self, unread: UnreadCard, card: int) -> float | None:
        """Return the cost of a guess; None if a person named another print as this card."""
        guesses, scribe, asked = [one.guess for one in self._unread], self.scribe, self._asked
        if any(one.told and one.guess == card for one in self._unread):
            return None
        self._exchange(unread, card)
        self.scribe, self._asked = self._read_again(), []
        cost = self._flags() + _NEVER_READ * unread.is_gone_unread + _NOT_DEALT * len(self._left_out)
        cost += _UNLIKE_ITS_PRINT * unread.is_unlike(card)
        self.scribe, self._asked = scribe, asked
        for one, guess in zip(self._unread, guesses, strict=True):
            one.guess = guess
        return cost

    def _exchange(self, unread: UnreadCard, card: int) -> None:
        """Change the guess for an unread card, and swap guesses if another one had this card."""
        for other in self._unread:
            if other is not unread and other.guess == card:
                other.guess = unread.guess
        unread.guess = card

    def _read_again(self) -> Scribe:
        again = self._start.copied()
        for given in self._inputs:
            given(again)
        return again

    def _ask(self, t_ms: float) -> None:
        """Flag the cards that people should name, and remove the flags of those that became clear."""
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
                f"a card of the deal cannot be {'read' if unread.seen else 'seen'}: is it {unread.guess}?",
            )
            for unread in self._unread
            if not unread.is_settled
        ]
        self.scribe.flags += self._asked


def _with_guesses(look: Look, unread: Sequence[UnreadCard], states: Sequence[State]) -> Look:
    for one, state in zip(unread, states, strict=True):
        lies = one.place(look, state)
        if one.guess in look.cards or lies is Lies.ELSEWHERE:
            continue
        look = replace(look, field=look.field | {one.guess})
        if lies is Lies.OPEN:
            look = replace(look, unnamed=max(look.unnamed - 1, 0))
        else:
            look = replace(look, hidden=look.hidden | {one.guess})
    return look
