"""Undo as an event: which events of a log still count."""

from __future__ import annotations

from collections.abc import Sequence

from referee.karuta.flow.events import Event, Happening, Pause, Revert


def effective(log: Sequence[Event]) -> tuple[Happening, ...]:
    """Return the events that still count, in their order; each Revert is replaced by a Pause.

    A `Revert(seq)` restores what counted just before event number `seq`, so a Revert of a Revert restores
    what the first one undid. After an undo the match is paused.
    """
    before: list[tuple[Happening, ...]] = []
    counting: tuple[Happening, ...] = ()
    for event in log:
        before.append(counting)
        counting = (*before[event.seq - 1], Pause()) if isinstance(event, Revert) else (*counting, event)
    return counting
