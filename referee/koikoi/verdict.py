"""A judged event: what was wrong with it, and how the round may go on.

After a fault the referee cannot know whether the players corrected it (no event says so) or played on. It
therefore keeps every state in which play may go on; the following events tell which was the right one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.koikoi.flags import Flag
from referee.koikoi.round import Round

MAX_FUTURES = 8  # number of states kept after several faults in a row; the least likely ones are dropped


@dataclass(frozen=True, slots=True)
class Verdict:
    """A judged event."""

    flags: tuple[Flag, ...]  # what was wrong; empty where the event was lawful
    # states in which the round may go on, the likeliest first; a lawful event has exactly one
    futures: tuple[Round, ...]

    @property
    def lawful(self) -> bool:
        """Whether nothing was wrong."""
        return not self.flags

    def after(self, flags: tuple[Flag, ...]) -> Verdict:
        """Return the verdict with `flags` before its own."""
        return Verdict((*flags, *self.flags), self.futures)


def lawful(future: Round) -> Verdict:
    """Return the verdict on an event without fault."""
    return Verdict((), (future,))


def joined(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the verdict on an event in several possible states: it is lawful if it is lawful in any.

    The states that do not fit a lawful event are dropped; if none fits, the flags of the likeliest one count.
    """
    chosen = [verdict for verdict in verdicts if verdict.lawful] or verdicts
    futures = dict.fromkeys(future for verdict in chosen for future in verdict.futures)
    return Verdict(chosen[0].flags, tuple(futures)[: max(MAX_FUTURES, len(verdicts))])
