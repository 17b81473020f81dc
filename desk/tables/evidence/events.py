"""What the log of a card game says about pictures that are kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class EvidenceKept:
    """The pictures from `from_ms` on until the table came to rest at `t_ms` lie in the file `name`."""

    t_ms: float
    from_ms: float
    name: str


def evidence_at(history: Iterable[tuple[int, Any]], t_ms: float) -> int | None:
    """Return the number of the event that keeps the pictures of an instant, None where none does.

    Parameters
    ----------
    history : the events of a game's log with their numbers.
    t_ms : when a step was seen, on the source's clock.
    """
    found = None
    for seq, event in history:
        # a log that was gone on with another day has another clock: the latest counts
        if isinstance(event, EvidenceKept) and event.from_ms <= t_ms <= event.t_ms:
            found = seq
    return found
