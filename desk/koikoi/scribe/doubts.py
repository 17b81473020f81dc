"""Captured cards that nobody has read and that may have been others, until it shows where those lie."""

from __future__ import annotations

from collections.abc import Mapping

from desk.koikoi.scribe.look import Cards
from desk.koikoi.scribe.notes import TableFlag


class Doubts:
    """Remembers for a round which flags say that a card may have been another one."""

    def __init__(self) -> None:
        self._open: list[tuple[TableFlag, int, Cards]] = []

    def add(self, flag: TableFlag, card: int, rivals: Cards) -> None:
        """Take in a flag, the card it tells of, and the other cards that this may have been."""
        self._open.append((flag, card, rivals))

    def settled(self, lying: Cards) -> list[TableFlag]:
        """Return and forget the flags for which every other card is among those that lie on the table."""
        settled = [flag for flag, _, rivals in self._open if rivals <= lying]
        self._open = [
            (flag, card, rivals - lying) for flag, card, rivals in self._open if not rivals <= lying
        ]
        return settled

    def dropped(self, names: Mapping[int, int]) -> list[TableFlag]:
        """Return and forget the flags of cards that are known by other names now."""
        dropped = [flag for flag, card, _ in self._open if card in names]
        self._open = [each for each in self._open if each[1] not in names]
        return dropped
