"""Captured cards that nobody read: the doubts about them, and correcting the notes once they are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from desk.koikoi.scribe.look import Cards
from desk.koikoi.scribe.notes import Noted, TableFlag
from referee.koikoi.events import Deal, Draw, Event, Play
from referee.koikoi.match import Match, step


class Doubts:
    """Remembers the flags of a round that say a card may be another one."""

    def __init__(self) -> None:
        self._open: list[tuple[TableFlag, int, Cards]] = []

    def add(self, flag: TableFlag, card: int, rivals: Cards) -> None:
        self._open.append((flag, card, rivals))

    def settled(self, lying: Cards) -> list[TableFlag]:
        """Return and forget the flags that are settled because all other cards lie on the table."""
        settled = [flag for flag, _, rivals in self._open if rivals <= lying]
        self._open = [
            (flag, card, rivals - lying) for flag, card, rivals in self._open if not rivals <= lying
        ]
        return settled

    def dropped(self, names: Mapping[int, int]) -> list[TableFlag]:
        """Return and forget the flags of cards that have been renamed."""
        dropped = [flag for flag, card, _ in self._open if card in names]
        self._open = [each for each in self._open if each[1] not in names]
        return dropped


def judged_anew(
    undealt: Match, notes: Sequence[Noted], names: Mapping[int, int]
) -> tuple[list[Noted], Match]:
    """Return the notes with renamed cards in the latest round, and the match judged from them.

    Parameters
    ----------
    undealt : the match before that round was dealt.
    notes : all notes of the match, including the round's deal.
    names : noted number to true number.
    """
    deal = max(number for number, noted in enumerate(notes) if isinstance(noted.event, Deal))
    latest = [replace(noted, event=_renamed(noted.event, names)) for noted in notes[deal:]]
    match = undealt
    for noted in latest:
        match = step(match, noted.event)
    return [*notes[:deal], *latest], match


def _renamed(event: Event, names: Mapping[int, int]) -> Event:
    if isinstance(event, Play | Draw):
        taken = tuple(sorted(names.get(card, card) for card in event.taken))
        return replace(event, card=names.get(event.card, event.card), taken=taken)
    return event
