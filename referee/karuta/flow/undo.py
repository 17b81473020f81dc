"""Undo as an event: which events of a log still count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.karuta.flow.events import Event, Happening, Pause, Revert
from referee.karuta.ruling import Ruling


@dataclass(frozen=True, slots=True)
class Logged:
    """An event of a match and the rulings that were proposed on it; an undo makes none of them anew."""

    event: Event
    proposed: tuple[Ruling, ...] = ()


Counting = tuple[Happening, tuple[Ruling, ...]]
"""An event that still counts, and the rulings that were proposed on it."""


def effective(log: Sequence[Logged]) -> tuple[Counting, ...]:
    """Return the events that still count, in their order; each Revert is replaced by a Pause.

    A `Revert(seq)` restores what counted just before event number `seq`, so a Revert of a Revert restores
    what the first one undid. After an undo the match is paused.
    """
    before: list[tuple[Counting, ...]] = []
    counting: tuple[Counting, ...] = ()
    for logged in log:
        before.append(counting)
        if isinstance(logged.event, Revert):
            counting = (*before[logged.event.seq - 1], (Pause(), ()))
        else:
            counting = (*counting, (logged.event, logged.proposed))
    return counting
