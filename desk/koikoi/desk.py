"""The one writer of a Koi-Koi game: it logs events of the eye and of people, and the referee judges them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final

from desk.koikoi.events import (
    KOIKOI_CODEC,
    CardCorrected,
    Declared,
    GameOpened,
    LoggedEvent,
    NextRound,
    StripSeenBriefly,
    TableSeen,
    TableUnseen,
)
from desk.koikoi.scribe.look import Glimpse, Look, renamed_glimpse, renamed_look, renamed_print
from desk.koikoi.scribe.notes import may_decide
from desk.koikoi.scribe.round_record import SoFar
from desk.koikoi.scribe.scribe import Scribe
from desk.koikoi.scribe.unread_deal import UnreadDeals
from desk.tables.desk import Origin, TableDesk
from desk.tables.evidence.events import EvidenceKept
from desk.tables.log_follower import Numbered, TableGame, counting, followed
from desk.tables.recording import Declaration
from referee.koikoi.events import Call, Declare
from referee.koikoi.flags import FlagId
from referee.koikoi.match import Match, step
from referee.koikoi.piles import DECK_SIZE

NEXT_ROUND: Final = "next_round"  # the word by which a film's players go on to the next round


class Refused(StrEnum):
    """Why a person's command was not carried out."""

    NOTHING_TO_DECIDE = "nothing_to_decide"
    NO_ROUND = "no_round"
    SAME_CARD = "same_card"


Names = dict[int, dict[int, int]]  # for each round, from 0: number of a card as read, to its true number


class Game(TableGame):
    """A game that follows its events; `reader` reads the deal and the play.

    `renamed`: the true cards for misread ones. `guessed`: those for unreadable ones that were guessed.
    """

    def __init__(
        self, opened: GameOpened, renamed: Names | None = None, guessed: Names | None = None
    ) -> None:
        self.opened, self.players = opened, opened.players
        size = opened.rules.deal.size(opened.players).field
        self.reader = UnreadDeals(Scribe(opened.rules, opened.players, opened.dealer), size)
        self._so_far: SoFar | None = None
        self._renamed, self._guessed = renamed or {}, guessed or {}
        self._round = 0
        self.reader.told = self._guessed.get(0, {})

    @classmethod
    def read(cls, history: Sequence[Numbered]) -> Game:
        """Return the game of a log; ValueError without an opening, ScribeError at a failure."""
        opened, events = counting(history, GameOpened)
        return followed(cls(opened, *_corrections(event for _, event in events)), events)

    @property
    def is_over(self) -> bool:
        return self.match.is_over

    @property
    def scribe(self) -> Scribe:
        return self.reader.scribe

    @property
    def so_far(self) -> SoFar:
        if self._so_far is None:
            self._so_far = self.scribe.so_far()
        return self._so_far

    @property
    def match(self) -> Match:
        """The referee's state, with the open turn as far as it makes sense."""
        return self.so_far.match

    def follow(self, event: LoggedEvent) -> None:
        """Follow one more event; corrections need `read` over the whole log."""
        if isinstance(event, EvidenceKept):
            return
        names = self._renamed.get(self._round, {})
        if isinstance(event, TableSeen):
            self.reader.look(renamed_look(event.look, names))
        elif isinstance(event, Glimpse):
            self.reader.glimpse(renamed_glimpse(event, names))
        elif isinstance(event, StripSeenBriefly):
            self.reader.glimpse_strip(event.seat, renamed_print(event.alike, names))
        elif isinstance(event, TableUnseen):
            self.reader.unseen(event.from_ms, event.to_ms)
        elif isinstance(event, Declared):
            self.reader.declare(event.t_ms, event.player, event.what)
        elif isinstance(event, NextRound):
            self.reader.next_round(event.t_ms)
            self._round += 1
            self.reader.told = self._guessed.get(self._round, {})
        # so that a failure at a look occurs here, not when somebody asks
        self._so_far = self.scribe.so_far() if isinstance(event, TableSeen) else None

    def close(self) -> None:
        self.reader.close()
        self._so_far = None

    def implied(self, event: LoggedEvent) -> NextRound | None:
        """Return the next round that nobody has called for, where a look shows its deal."""
        if isinstance(event, TableSeen) and self._is_new_deal(event.look):
            return NextRound(event.look.t_ms)
        return None

    def _is_new_deal(self, look: Look) -> bool:
        """Tell whether a look shows the deal of the next round, although nobody has called for it.

        All piles are gone, and different cards lie in the middle; if nobody has said that the round is over,
        also the right number of them.
        """
        table, latest = self.match.table, self.so_far.look
        if self.scribe.awaits_deal or table is None or latest is None or look.captured or look.turn:
            return False
        size = table.rules.deal.size(table.players).field
        number, is_over = len(look.field) + len(look.unread), table.result is not None
        if 2 * len(look.field & latest.middle) > len(look.field) or not look.field or number > size:
            return False
        return number == size or is_over if latest.captured else number == size and is_over


def _corrections(events: Iterable[LoggedEvent]) -> tuple[Names, Names]:
    """Return for each round the true cards for misread ones, and for unreadable ones that were guessed."""
    number, renamed, guessed = 0, Names(), Names()
    read: set[int] = set()
    for event in events:
        if isinstance(event, NextRound):
            number, read = number + 1, set()
        elif isinstance(event, TableSeen):
            read |= event.look.cards
        elif isinstance(event, Glimpse):
            read.add(event.card)
        elif isinstance(event, CardCorrected):
            before = renamed.get(number, {})
            if event.wrong not in {before.get(card, card) for card in read}:
                guessed.setdefault(number, {})[event.wrong] = event.right
                continue
            # the two cards swap their numbers, because each exists once
            swap = {event.wrong: event.right, event.right: event.wrong}
            named = {card: before.get(card, card) for card in (*before, *swap)}
            renamed[number] = {card: swap.get(name, name) for card, name in named.items()}
    return renamed, guessed


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
        look = self.game.so_far.look
        return 0.0 if look is None else look.t_ms

    def declare(self, player: int, what: Call) -> int | Refused:
        """Log a player's declaration; one that the rules do not allow now is refused and not logged."""
        match = self.game.match
        if match.table is None:
            return Refused.NO_ROUND
        decides = what in {Call.KOIKOI, Call.STOP}
        may = may_decide(match, player) if decides else 0 <= player < match.table.players
        judged = step(match, Declare(player, what)) if may else match
        new = set(judged.rounds[-1].flags) - set(match.rounds[-1].flags)
        if not may or any(flag.id is FlagId.ILLEGAL_DECLARATION for flag in new):
            return Refused.NOTHING_TO_DECIDE
        return self.tell(Declared(self._now_ms, player, what), Origin.PLAYER)

    def next_round(self) -> int | Refused:
        """Go on to the next round; a round that was not stopped ends without a winner."""
        if self.game.match.table is None:
            return Refused.NO_ROUND
        return self.tell(NextRound(self._now_ms), Origin.OPERATOR)

    def correct_card(self, wrong: int, right: int) -> int | Refused:
        """Correct a card that was read wrongly, so that the round is judged anew; ValueError if not 0..47."""
        if not (0 <= wrong < DECK_SIZE and 0 <= right < DECK_SIZE):
            raise ValueError(f"hanafuda are numbered 0..{DECK_SIZE - 1}, got {wrong} and {right}")
        if self.game.so_far.look is None:
            return Refused.NO_ROUND
        if wrong == right:
            return Refused.SAME_CARD
        return self.tell(CardCorrected(wrong, right), Origin.OPERATOR)
