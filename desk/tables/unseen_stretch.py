"""A stretch of time in which nobody saw a card table, for the logs of all card games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from vision.table.arms import SHORTEST_NS

UNSEEN_ARM_MS: Final = 2 * SHORTEST_NS / 1e6
"""Shortest time of an arm from the table's rim to a card and back; no arm can come and go unseen in less."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """Nobody saw the table between two instants; cards may have been moved.

    Attributes
    ----------
    from_ms, to_ms : the last picture before and the first one after.
    """

    from_ms: float
    to_ms: float
