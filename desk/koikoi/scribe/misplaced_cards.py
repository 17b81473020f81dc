"""Cards that lie where no move brings them: the faults, and the match that goes on with them as they lie."""

from collections.abc import Iterable, Iterator, Set
from dataclasses import replace

from desk.koikoi.scribe.look import Cards, Look
from referee.koikoi.flags import FlagId
from referee.koikoi.match import Match
from referee.koikoi.piles import pile_of
from referee.koikoi.round import Round
from referee.sentence import Sentence


def faults_between(
    before: Look, after: Look, seat: int, own: Set[int], changed: Iterable[tuple[float, Cards]]
) -> Iterator[tuple[float, FlagId, Sentence]]:
    """Yield each fault's instant (ms), id and text; `changed` were put back after the draw."""
    for number, (was, now) in enumerate(zip(before.captures, after.captures, strict=True)):
        moved = now & before.captured - was
        gained = now - before.captured if number != seat else frozenset()
        if moved or gained:
            text = Sentence(
                "{cards} came wrongly to {player}'s pile: put that right",
                cards=_cards(moved | gained),
                player=f"player {number}",
            )
            yield after.t_ms, FlagId.WRONG_STRIP, text
    if returned := before.captured & after.middle:
        text = Sentence("{cards} came back to the middle from a pile", cards=_cards(returned))
        yield after.t_ms, FlagId.CARD_RETURNED, text
    for t_ms, back in changed:
        if still := back & after.middle:
            text = Sentence(
                "{cards} went back to the middle after the drawn card was turned", cards=_cards(still)
            )
            yield t_ms, FlagId.LATE_CHANGE, text
    if gone := (before.middle | own) - after.cards:
        yield after.t_ms, FlagId.CARD_VANISHED, Sentence("{cards} left the table", cards=_cards(gone))
    if after.unnamed > before.unnamed:
        text = Sentence("a card on the table cannot be read: turn it so that all of it is seen")
        yield after.t_ms, FlagId.UNSURE, text


def _cards(numbers: Cards) -> Sentence:
    listed = ", ".join(map(str, sorted(numbers)))
    if len(numbers) == 1:
        return Sentence("card {card}", card=listed)
    return Sentence("cards {taken}", taken=listed)


class Astray:
    """Remembers which cards of a round were flagged as vanished or returned."""

    def __init__(self) -> None:
        self.gone: Cards = frozenset()
        self._returned: Cards = frozenset()

    @property
    def has_any(self) -> bool:
        """Whether the table still differs from the moves because a card vanished or returned."""
        return bool(self.gone | self._returned)

    def follow(self, match: Match, *, gone: Cards, returned: Cards) -> Match:
        """Return the match with the table as it lies as its likeliest state; the others stay possible."""
        self.gone |= gone
        self._returned |= returned
        if not gone | returned:
            return match
        as_it_lies = (_as_it_lies(reading, gone, returned) for reading in match.readings)
        return replace(match, readings=tuple(dict.fromkeys((*as_it_lies, *match.readings))))

    def settle(self, match: Match, look: Look) -> Match:
        """Return the match with the state that the table's cards agree with as the likeliest."""
        astray = pile_of(self.gone | self._returned)
        if not astray or len(match.readings) == 1:
            return match
        middle = pile_of(look.middle)
        order = sorted(match.readings, key=lambda reading: ((reading.field ^ middle) & astray).bit_count())
        return replace(match, readings=tuple(order))

    def found(self, look: Look) -> Cards:
        """Return the vanished cards that a look shows in the middle again, and count them as found."""
        found = self.gone & look.middle
        self.gone -= found
        return found


def _as_it_lies(table: Round, gone: Cards, returned: Cards) -> Round:
    moved = pile_of(returned)
    return replace(
        table,
        field=table.field & ~pile_of(gone) | moved,
        piles=tuple(pile & ~moved for pile in table.piles),
        pile_before=table.pile_before & ~moved,
    )
