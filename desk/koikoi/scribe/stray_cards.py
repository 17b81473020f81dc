"""Cards that lie where no move brings them; the match goes on with the table as it lies."""

from __future__ import annotations

from dataclasses import replace

from desk.koikoi.scribe.look import Cards, Look
from referee.koikoi.match import Match
from referee.koikoi.piles import pile_of
from referee.koikoi.round import Round


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
        """Return the match with the table as it lies as its likeliest state; the others stay possible.

        `gone`, `returned`: cards that vanished in the turn, and captured cards that lie in the middle again.
        """
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
