"""Captured cards that nobody has read and that may have been others, until it shows where those lie."""

from __future__ import annotations

from desk.koikoi_look import Cards
from desk.koikoi_notes import TableFlag


class Doubts:
    """Remembers for a round which flags say that a card may have been another one."""

    def __init__(self) -> None:
        self._open: list[tuple[TableFlag, Cards]] = []

    def add(self, flag: TableFlag, rivals: Cards) -> None:
        """Take in a flag, and the other cards that the card it tells of may have been."""
        self._open.append((flag, rivals))

    def settled(self, lying: Cards) -> list[TableFlag]:
        """Return and forget the flags for which every other card is among those that lie on the table."""
        settled = [flag for flag, rivals in self._open if rivals <= lying]
        self._open = [(flag, rivals - lying) for flag, rivals in self._open if not rivals <= lying]
        return settled
