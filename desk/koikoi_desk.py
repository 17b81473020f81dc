"""The one writer of a Koi-Koi game: logs what the eye and people say and lets the referee judge it."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from desk.clock import Clock, WallClock, match_clock, wall_clock
from desk.event_log import EventLog, LogEntry
from desk.fanout import Fanout
from desk.koikoi_events import (
    KOIKOI_CODEC,
    CardCorrected,
    Declared,
    GameOpened,
    LoggedEvent,
    NextRound,
    TableSeen,
    TakenBack,
)
from desk.koikoi_game import Game, Numbered
from referee.koikoi.events import Call, Declare
from referee.koikoi.flags import FlagId
from referee.koikoi.match import step
from referee.koikoi.piles import DECK_SIZE

_CORRECTABLE = (Declared, NextRound, CardCorrected)
"""What people said; what lies on the table cannot be taken back, only laid otherwise."""


class Origin(StrEnum):
    """Who said it."""

    EYE = "eye"
    PLAYER = "player"
    OPERATOR = "operator"
    DESK = "desk"


class Refused(StrEnum):
    """Why a person's command was not carried out."""

    NOTHING_TO_DECIDE = "nothing_to_decide"
    NOTHING_TO_UNDO = "nothing_to_undo"
    NO_ROUND = "no_round"
    SAME_CARD = "same_card"


class KoiKoiDesk:
    """A running game.

    Attributes
    ----------
    game : as it stands now.
    history : every event with its number.
    news : tells each new number.

    Parameters
    ----------
    log : an empty log for a new game, or the log of the game to go on with.
    opened : of a new game; ignored where the log has one.
    """

    def __init__(
        self,
        log: EventLog,
        opened: GameOpened | None = None,
        *,
        clock: Clock = match_clock,
        wall: WallClock = wall_clock,
    ) -> None:
        self._log, self._clock, self._wall = log, clock, wall
        self.news: Fanout[int] = Fanout()
        self.history: list[Numbered] = [
            (entry.seq, KOIKOI_CODEC.decode(entry.kind, entry.version, entry.payload))
            for entry in log.entries()
        ]
        if not self.history:
            if opened is None:
                raise ValueError("a new game needs its opening")
            self._append(opened, Origin.DESK)
        self.game: Game = Game.read(self.history)
        self._t_ms = 0.0

    @property
    def last_seq(self) -> int:
        """Number of the latest event."""
        return self.history[-1][0]

    def tell(self, event: LoggedEvent, origin: Origin = Origin.EYE) -> int:
        """Take an event and return its number.

        Raises
        ------
        EventLogError
            The event could not be stored.
        """
        seq = self._append(event, origin)
        if isinstance(event, TakenBack | CardCorrected):
            # a correction can change everything after it, so the whole log is read again
            self.game = Game.read(self.history)
        else:
            self.game.follow(event)
        if isinstance(event, TableSeen):
            self._t_ms = event.look.t_ms
        self.news.tell(seq)
        return seq

    def declare(
        self, player: int, what: Call, *, t_ms: float | None = None, origin: Origin = Origin.PLAYER
    ) -> int | Refused:
        """Take a player's word; what the rules do not let him say now is refused and not logged.

        Parameters
        ----------
        player, what : who says what.
        t_ms : when, on the source's clock; by default at the latest look.
        origin : who pressed the button.
        """
        match = self.game.match
        if match.table is None:
            return Refused.NO_ROUND
        if what in {Call.KOIKOI, Call.STOP}:
            if not self.game.may_decide(player):
                return Refused.NOTHING_TO_DECIDE
        elif not 0 <= player < match.table.players:
            return Refused.NOTHING_TO_DECIDE
        judged = step(match, Declare(player, what))
        new = set(judged.rounds[-1].flags) - set(match.rounds[-1].flags)
        if any(flag.id is FlagId.ILLEGAL_DECLARATION for flag in new):
            return Refused.NOTHING_TO_DECIDE
        return self.tell(Declared(self._t_ms if t_ms is None else t_ms, player, what), origin)

    def next_round(self, t_ms: float | None = None, origin: Origin = Origin.OPERATOR) -> int | Refused:
        """Go on to the next round; one that was not stopped ends without a winner."""
        if self.game.match.table is None:
            return Refused.NO_ROUND
        return self.tell(NextRound(self._t_ms if t_ms is None else t_ms), origin)

    def undo(self, origin: Origin = Origin.OPERATOR) -> int | Refused:
        """Take back the latest word of a person that still counts."""
        gone = {event.seq for _, event in self.history if isinstance(event, TakenBack)}
        for seq, event in reversed(self.history):
            if seq not in gone and isinstance(event, _CORRECTABLE):
                return self.tell(TakenBack(seq), origin)
        return Refused.NOTHING_TO_UNDO

    def correct_card(self, wrong: int, right: int, origin: Origin = Origin.OPERATOR) -> int | Refused:
        """Name a card that was read wrongly; the round is judged anew.

        Raises
        ------
        ValueError
            A card is not one of 0..47.
        """
        if not (0 <= wrong < DECK_SIZE and 0 <= right < DECK_SIZE):
            raise ValueError(f"hanafuda are numbered 0..{DECK_SIZE - 1}, got {wrong} and {right}")
        if self.game.so_far.look is None:
            return Refused.NO_ROUND
        if wrong == right:
            return Refused.SAME_CARD
        return self.tell(CardCorrected(wrong, right), origin)

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` after every event until the returned function is called."""
        listener = self.news.listen(1, wake)
        return lambda: self.news.leave(listener)

    def _append(self, event: LoggedEvent, origin: Origin) -> int:
        seq = self._log.last_seq + 1
        kind, version, payload = KOIKOI_CODEC.encode(event)
        self._log.append([LogEntry(seq, self._clock(), self._wall(), origin.value, kind, version, payload)])
        self.history.append((seq, event))
        return seq
