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
    GameOpened,
    LoggedEvent,
    TableDoubt,
    TakenBack,
)
from desk.koikoi_game import Game, Numbered, followed, read_game
from referee.koikoi.events import Call, Declare, End
from referee.koikoi.flags import FlagId
from referee.koikoi.match import step
from referee.koikoi.piles import DECK_SIZE
from referee.koikoi.round import Phase, Round


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
    NOT_YOURS = "not_yours"


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
        self.game: Game = read_game(self.history)

    @property
    def last_seq(self) -> int:
        """Number of the latest event."""
        return self.history[-1][0]

    def tell(self, event: LoggedEvent, origin: Origin = Origin.EYE) -> int:
        """Take an event and return its number. What cannot be of this game becomes a doubt.

        Raises
        ------
        EventLogError
            The event could not be stored.
        """
        try:
            after = followed(self.game, self.last_seq + 1, event)
        except ValueError as error:
            event = TableDoubt(FlagId.UNSURE, str(error), self._clock())
            after = followed(self.game, self.last_seq + 1, event)
        seq = self._append(event, origin)
        self.game = after
        self.news.tell(seq)
        return seq

    def declare(self, player: int, what: Call, origin: Origin = Origin.PLAYER) -> int | Refused:
        """Take a player's word; what the rules do not let him say now is refused and not logged."""
        if self.game.match.table is None:
            return Refused.NO_ROUND
        if what in {Call.KOIKOI, Call.STOP} and not any(
            _may_decide(reading, player) for reading in self.game.match.readings
        ):
            return Refused.NOTHING_TO_DECIDE
        event = Declare(player, what)
        before = set(self.game.match.rounds[-1].flags)
        try:
            judged = step(self.game.match, event)
        except ValueError:
            return Refused.NOTHING_TO_DECIDE
        new = set(judged.rounds[-1].flags) - before
        if any(flag.id is FlagId.ILLEGAL_DECLARATION for flag in new):
            return Refused.NOTHING_TO_DECIDE
        return self.tell(event, origin)

    def end_round(self, origin: Origin = Origin.OPERATOR) -> int | Refused:
        """End the round: nobody goes on."""
        if self.game.match.table is None:
            return Refused.NO_ROUND
        return self.tell(End(), origin)

    def undo(self, origin: Origin = Origin.OPERATOR) -> int | Refused:
        """Take back the latest move, declaration or correction that still counts."""
        gone = {event.seq for _, event in self.history if isinstance(event, TakenBack)}
        counted = {seq for seq, _ in self.game.told}
        for seq, event in reversed(self.history):
            if seq not in gone and (seq in counted or isinstance(event, CardCorrected)):
                return self._correct(TakenBack(seq), origin)
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
        if self.game.match.table is None:
            return Refused.NO_ROUND
        if wrong == right:
            return Refused.SAME_CARD
        return self._correct(CardCorrected(wrong, right), origin)

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` after every event until the returned function is called."""
        listener = self.news.listen(1, wake)
        return lambda: self.news.leave(listener)

    def _correct(self, event: TakenBack | CardCorrected, origin: Origin) -> int:
        # a correction can change everything after it, so the whole log is read again
        after = read_game([*self.history, (self.last_seq + 1, event)])
        seq = self._append(event, origin)
        self.game = after
        self.news.tell(seq)
        return seq

    def _append(self, event: LoggedEvent, origin: Origin) -> int:
        seq = self._log.last_seq + 1
        kind, version, payload = KOIKOI_CODEC.encode(event)
        self._log.append([LogEntry(seq, self._clock(), self._wall(), origin.value, kind, version, payload)])
        self.history.append((seq, event))
        return seq


def _may_decide(table: Round, player: int) -> bool:
    """Tell whether a player's word is due: after his turn, or still owed when play has gone on."""
    return table.owes == player or (table.phase is Phase.DECISION and table.turn == player)
