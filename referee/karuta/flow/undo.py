"""Undo as an event: which events of a log still count."""

from __future__ import annotations

from collections.abc import Sequence

from referee.karuta.flow.events import Event, Happening, Pause, Revert


def effective(log: Sequence[Event]) -> tuple[Happening, ...]:
    """Return the events that still count, in their order; each Revert leaves a Pause in its place.

    A `Revert(seq)` brings back what counted just before event number `seq`; a Revert of a Revert therefore
    brings back what the first one undid. After an undo the match is paused.
    """
    before: list[tuple[Happening, ...]] = []
    counting: tuple[Happening, ...] = ()
    for event in log:
        before.append(counting)
        counting = (*before[event.seq - 1], Pause()) if isinstance(event, Revert) else (*counting, event)
    return counting
