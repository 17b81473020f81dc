"""Whose arms were over a card table when something came to lie there, and how long each had been there."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from typing import Final

from vision.table.stillness import LOOK_BACK_NS

SHORTEST_NS: Final = 200_000_000
"""Least time from the table's rim to laying a card down: an arm that came later laid nothing."""


@dataclass(slots=True)
class _Reach:
    """An arm over the table: its side, when it came, and when it was last seen, nanoseconds."""

    side: str
    came_ns: int
    last_ns: int


class Reaches:
    """Remembers which arms reach in; see `at`."""

    def __init__(self) -> None:
        self._reaches: list[_Reach] = []
        self._now: dict[str, _Reach] = {}

    def feed(self, t_ns: int, sides: Set[str]) -> None:
        """Note the sides of the picture from which arms reach in at an instant."""
        self._now = {side: reach for side, reach in self._now.items() if side in sides}
        for side in sorted(sides - self._now.keys()):
            self._now[side] = _Reach(side, t_ns, t_ns)
            self._reaches.append(self._now[side])
        for reach in self._now.values():
            reach.last_ns = t_ns

    def clear(self) -> None:
        """Forget the arms, since the table has been at rest."""
        self._reaches.clear()
        self._now.clear()

    def at(self, t_ns: int) -> tuple[int | None, frozenset[str]]:
        """Return when the arm came that may have laid a card at an instant, and the sides of all such arms.

        If several players' arms may have, the earliest counts. If no arm was there, the card moved before,
        and the arm that came last is returned; None if there never was one.
        """
        # frames are compared with earlier ones, so a hand that has left still seems to move
        left_ns = t_ns - LOOK_BACK_NS
        there = [reach for reach in self._reaches if reach.came_ns <= t_ns and reach.last_ns >= left_ns]
        there = [reach for reach in there if reach.came_ns <= t_ns - SHORTEST_NS] or there
        there = there or self._reaches[-1:]
        came_ns = min((reach.came_ns for reach in there), default=None)
        return came_ns, frozenset(reach.side for reach in there)
