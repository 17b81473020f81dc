"""The one writer of a Koi-Koi game: it logs events of the eye and of people, and the referee judges them."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from desk.koikoi.events import KOIKOI_CODEC, CardCorrected, Declared, NextRound, TableUnseen
from desk.koikoi.game import Game
from desk.tables.desk import Origin, TableDesk
from desk.tables.recording import Declaration
from referee.koikoi.events import Call, Declare
from referee.koikoi.flags import FlagId
from referee.koikoi.match import step
from referee.koikoi.piles import DECK_SIZE

NEXT_ROUND: Final = "next_round"  # the word by which a film's players go on to the next round


class Refused(StrEnum):
    """Why a person's command was not carried out."""

    NOTHING_TO_DECIDE = "nothing_to_decide"
    NO_ROUND = "no_round"
    SAME_CARD = "same_card"


class KoiKoiDesk(TableDesk[Game]):
    """A running game of Koi-Koi; see `TableDesk`."""

    codec = KOIKOI_CODEC
    corrections = (CardCorrected,)
    words = (Declared, NextRound)
    unseen = TableUnseen
    read = staticmethod(Game.read)

    @staticmethod
    def word(spoken: Declaration) -> Declared | NextRound:
        if spoken.what == NEXT_ROUND:
            return NextRound(spoken.t_ms)
        return Declared(spoken.t_ms, spoken.player, Call(spoken.what))

    @property
    def _now_ms(self) -> float:
        """The instant of the latest look, in ms."""
        look = self.game.so_far.look
        return 0.0 if look is None else look.t_ms

    def declare(self, player: int, what: Call) -> int | Refused:
        """Log a player's declaration; one that the rules do not allow now is refused and not logged."""
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
        return self.tell(Declared(self._now_ms, player, what), Origin.PLAYER)

    def next_round(self) -> int | Refused:
        """Go on to the next round; a round that was not stopped ends without a winner."""
        if self.game.match.table is None:
            return Refused.NO_ROUND
        return self.tell(NextRound(self._now_ms), Origin.OPERATOR)

    def correct_card(self, wrong: int, right: int) -> int | Refused:
        """Correct a card that was read wrongly; the round is judged anew.

        Raises ValueError if a card is not one of 0..47.
        """
        if not (0 <= wrong < DECK_SIZE and 0 <= right < DECK_SIZE):
            raise ValueError(f"hanafuda are numbered 0..{DECK_SIZE - 1}, got {wrong} and {right}")
        if self.game.so_far.look is None:
            return Refused.NO_ROUND
        if wrong == right:
            return Refused.SAME_CARD
        return self.tell(CardCorrected(wrong, right), Origin.OPERATOR)
