"""Brings what the eye sees and what scripted players say to the desk of a Koi-Koi game, in time."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from desk.koikoi_desk import KoiKoiDesk, Refused
from desk.koikoi_events import Seen, TableSeen
from desk.koikoi_look import Look
from desk.table_desk import Origin
from referee.koikoi.events import Call

NEXT_ROUND: Final = "next_round"
PATIENCE_MS: Final = 6000.0
"""A word that comes before the table has come to rest waits so long for its turn to be seen."""


@dataclass(frozen=True, slots=True)
class Word:
    """What a player says and when: a call, or `next_round`."""

    t_ms: float
    player: int
    what: str


class KoiKoiAttendant:
    """Tells the desk.

    Parameters
    ----------
    desk : the game.
    words : what the players of a film or a simulated table say, in the order of time.

    Attributes
    ----------
    unheard : words that never fitted what was seen.
    """

    def __init__(self, desk: KoiKoiDesk, words: Iterable[Word] = ()) -> None:
        self.unheard: list[Word] = []
        self._desk = desk
        self._words = deque(words)

    def at(self, t_ms: float) -> None:
        """Let it be `t_ms` on the table's clock: words that are due are said."""
        while self._words and self._words[0].t_ms <= t_ms:
            word = self._words[0]
            if isinstance(self._say(word), Refused):
                if t_ms - word.t_ms <= PATIENCE_MS:
                    return
                self.unheard.append(word)
            self._words.popleft()

    def seen(self, event: Seen) -> None:
        """Take what the eye has seen. A new deal after the end of a round begins the next one."""
        if isinstance(event, TableSeen) and self._is_new_deal(event.look):
            self._desk.next_round(event.look.t_ms, Origin.EYE)
        self._desk.tell(event)

    def _say(self, word: Word) -> int | Refused:
        if word.what == NEXT_ROUND:
            return self._desk.next_round(word.t_ms, Origin.PLAYER)
        return self._desk.declare(word.player, Call(word.what), t_ms=word.t_ms)

    def _is_new_deal(self, look: Look) -> bool:
        table = self._desk.game.match.table
        if table is None or table.result is None or look.captured or look.unnamed:
            return False
        latest = self._desk.game.so_far.look
        size = table.rules.deal.size(table.players).field
        return latest is not None and bool(latest.captured) and len(look.field) == size
