"""Submits what the eye sees, and what scripted players say, to the desk of a Koi-Koi game in time."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Final

from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.events import Declared, NextRound, Seen, TableSeen
from desk.tables.desk import Origin
from desk.tables.recording import Declaration
from referee.koikoi.events import Call

NEXT_ROUND: Final = "next_round"


class KoiKoiAttendant:
    """Submits events to the desk.

    Parameters
    ----------
    desk : the game.
    words : the declarations of a film's or a simulated table's players, in order of time.
    """

    def __init__(self, desk: KoiKoiDesk, words: Iterable[Declaration] = ()) -> None:
        self._desk = desk
        self._words = deque(words)

    @property
    def failures(self) -> Sequence[str]:
        """The errors of the desk's scribe, for people."""
        return self._desk.failures

    def at(self, t_ms: float) -> None:
        """Submit the declarations that are due at `t_ms` on the table's clock."""
        while self._words and self._words[0].t_ms <= t_ms:
            self._desk.tell(said(self._words.popleft()), Origin.PLAYER)

    def seen(self, event: Seen) -> None:
        """Submit what the eye has seen. A new deal after the end of a round begins the next one."""
        if isinstance(event, TableSeen) and self._desk.game.is_new_deal(event.look):
            self._desk.tell(NextRound(event.look.t_ms), Origin.EYE)
        self._desk.tell(event)


def said(word: Declaration) -> Declared | NextRound:
    """Return a declaration of a film's player as an event of the log."""
    if word.what == NEXT_ROUND:
        return NextRound(word.t_ms)
    return Declared(word.t_ms, word.player, Call(word.what))
