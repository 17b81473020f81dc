"""A bout of the Kendo cards at a table: reading it from its log, and its one writer."""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any

from desk.kendo.events import (
    KENDO_CODEC,
    BoutOpened,
    CourtLook,
    CourtSeen,
    CourtUnseen,
    FaceCorrected,
    LaidCard,
    LoggedEvent,
    Said,
)
from desk.kendo.scribe import ACCEPT, PASS, Scribe
from desk.tables.desk import Origin, TableDesk
from desk.tables.log_follower import TableGame, counting, followed
from desk.tables.recording import Declaration
from referee.cards.kendo import FACES
from referee.kendo.events import Declare, Word
from referee.kendo.minutes import step


class Refused(StrEnum):
    """Why a person's command was not carried out."""

    NOT_NOW = "not_now"
    NOTHING_TO_ACCEPT = "nothing_to_accept"
    NO_SUCH_CARD = "no_such_card"
    SAME_CARD = "same_card"


class Bout(TableGame):
    """A bout that follows its events; a correction counts for one time that cards lie on the court."""

    def __init__(self, opened: BoutOpened, corrected: Sequence[tuple[int, FaceCorrected]] = ()) -> None:
        self.opened = opened
        self.scribe = Scribe(opened.rules, opened.card_width_mm)
        self.look: CourtLook | None = None
        self.looks: list[CourtLook] = []
        self._corrected = corrected
        self._round = 0

    @property
    def is_over(self) -> bool:
        return self.scribe.minutes.bout.winner is not None

    def follow(self, event: LoggedEvent) -> None:
        if isinstance(event, CourtSeen):
            look = event.look
            self.looks.append(look)
            for number, correction in self._corrected:
                if number == self._round:
                    look = _corrected(look, correction)
            if self.look is not None and look.is_bare and not self.look.is_bare:
                self._round += 1
            self.scribe.look(look)
            self.look = look
        elif isinstance(event, CourtUnseen):
            self.scribe.unseen(event.from_ms, event.to_ms)
        elif isinstance(event, Said):
            self.scribe.say(event.t_ms, event.player, event.what)


def read_bout(history: Sequence[tuple[int, Any]]) -> Bout:
    """Return the bout of a log; ValueError if it does not begin with an opening, ScribeError at a failure."""
    opened, events = counting(history, BoutOpened)
    return followed(Bout(opened, _by_round([event for _, event in events])), events)


def _by_round(events: Sequence[LoggedEvent]) -> list[tuple[int, FaceCorrected]]:
    number, lay = 0, False
    found = []
    for event in events:
        if isinstance(event, CourtSeen):
            number += lay and event.look.is_bare
            lay = not event.look.is_bare
        elif isinstance(event, FaceCorrected):
            found.append((number, event))
    return found


def _corrected(look: CourtLook, correction: FaceCorrected) -> CourtLook:
    side = list(look.laid[correction.player])
    for place, laid in enumerate(side):
        if laid.face == correction.wrong:
            side[place] = LaidCard(correction.right, laid.x_mm, laid.y_mm)
            break
    sides = (tuple(side), look.laid[1]) if correction.player == 0 else (look.laid[0], tuple(side))
    return replace(look, laid=sides)


class KendoDesk(TableDesk[Bout]):
    """A running bout; see `TableDesk`."""

    codec = KENDO_CODEC
    corrections = (FaceCorrected,)
    words = (Said,)
    unseen = CourtUnseen
    read = staticmethod(read_bout)

    @staticmethod
    def word(spoken: Declaration) -> Said:
        return Said(spoken.t_ms, spoken.player, spoken.what)

    def hear(self, spoken: Declaration) -> bool:
        return not isinstance(self.say(spoken.player, spoken.what, t_ms=spoken.t_ms), Refused)

    def say(self, player: int, what: str, *, t_ms: float | None = None) -> int | Refused:
        """Log one of `WORDS` unless it is not allowed now; by default at the latest look."""
        minutes = self.game.scribe.minutes
        if what == ACCEPT:
            if self.game.scribe.standing_flag is None:
                return Refused.NOTHING_TO_ACCEPT
        elif what == PASS:
            unknown = self.game.scribe.is_uncertain and minutes.bout.to_act is None
            if minutes.bout.winner is not None or (minutes.bout.to_act != player and not unknown):
                return Refused.NOT_NOW
        elif step(minutes, Declare(player, Word(what))).flags != minutes.flags:
            return Refused.NOT_NOW
        look = self.game.look
        now_ms = 0.0 if look is None else look.t_ms
        return self.tell(Said(now_ms if t_ms is None else t_ms, player, what), Origin.PLAYER)

    def correct(self, player: int, wrong: str, right: str) -> int | Refused:
        """Correct a misread card on a seat's side and judge anew; ValueError for no face."""
        if right not in FACES:
            raise ValueError(f"there is no face {right!r}: faces are named like men_uchi-3, kote-do, seme")
        look = self.game.look
        if look is None or all(laid.face != wrong for laid in look.laid[player]):
            return Refused.NO_SUCH_CARD
        if wrong == right:
            return Refused.SAME_CARD
        return self.tell(FaceCorrected(player, wrong, right), Origin.OPERATOR)
