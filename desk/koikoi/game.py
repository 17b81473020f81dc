"""A game of Koi-Koi, read from its log with all corrections."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from desk.koikoi.events import (
    CardCorrected,
    CardSeenBriefly,
    Declared,
    DrawnCardSeen,
    GameOpened,
    LoggedEvent,
    NextRound,
    StripSeenBriefly,
    TableSeen,
    TableUnseen,
)
from desk.koikoi.scribe.live_scribe import LiveScribe, SoFar
from desk.koikoi.scribe.look import Look, renamed_look, renamed_print
from desk.koikoi.scribe.notes import may_decide
from desk.koikoi.scribe.undealt import Undealt
from desk.koikoi.scribe.unread_deal import LostRound, UnreadDeals
from desk.tables.evidence.events import EvidenceKept
from desk.tables.log_follower import Numbered, TableGame, counting, followed
from referee.koikoi.match import Match

Names = dict[int, dict[int, int]]  # for each round, from 0: number of a card as read, to its true number


class Game(TableGame):
    """A game that follows its events.

    `opened`: players, rules, deck.

    `renamed`: the true cards for misread ones. `guessed`: the true cards for unreadable ones that were
    guessed.
    """

    def __init__(
        self, opened: GameOpened, renamed: Names | None = None, guessed: Names | None = None
    ) -> None:
        self.opened, self.players = opened, opened.players
        size = opened.rules.deal.size(opened.players).field
        self._reader = UnreadDeals(LiveScribe(opened.rules, opened.players, opened.dealer), size)
        self._so_far: SoFar | None = None
        self._renamed, self._guessed = renamed or {}, guessed or {}
        self._round = 0
        self._reader.told = self._guessed.get(0, {})

    @classmethod
    def read(cls, history: Sequence[Numbered]) -> Game:
        """Return the game of a log; ValueError if the log does not begin with an opening.

        Raises `ScribeError` if the scribe fails at an event.
        """
        opened, events = counting(history, GameOpened)
        return followed(cls(opened, *_corrections(event for _, event in events)), events)

    @property
    def is_over(self) -> bool:
        return self.match.is_over

    @property
    def scribe(self) -> LiveScribe:
        """The scribe that has written the game down."""
        return self._reader.scribe

    @property
    def undealt(self) -> Undealt | None:
        """Why the referee still waits for the deal although something lies on the table."""
        return self._reader.undealt

    @property
    def lost_rounds(self) -> tuple[LostRound, ...]:
        """The rounds that were played but whose deals were not understood; the last may still lie there."""
        return self._reader.lost_rounds

    @property
    def so_far(self) -> SoFar:
        """The game as it stands now."""
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
            self._reader.look(renamed_look(event.look, names))
        elif isinstance(event, DrawnCardSeen):
            self._reader.glimpse(names.get(event.card, event.card), event.t_ms, seats=event.seats)
        elif isinstance(event, CardSeenBriefly):
            card = names.get(event.card, event.card)
            over = None if event.over is None else names.get(event.over, event.over)
            self._reader.glimpse(
                card,
                event.t_ms,
                turned=False,
                at_stock=event.at_stock,
                over=over,
                reach_ms=event.reach_ms,
                on_pile=event.on_pile,
                seats=event.seats,
            )
        elif isinstance(event, StripSeenBriefly):
            self._reader.glimpse_strip(event.seat, renamed_print(event.alike, names))
        elif isinstance(event, TableUnseen):
            self._reader.unseen(event.from_ms, event.to_ms)
        elif isinstance(event, Declared):
            self._reader.declare(event.t_ms, event.player, event.what)
        elif isinstance(event, NextRound):
            self._reader.next_round(event.t_ms)
            self._round += 1
            self._reader.told = self._guessed.get(self._round, {})
        # so that a failure at a look occurs here, not when somebody asks
        self._so_far = self.scribe.so_far() if isinstance(event, TableSeen) else None

    def close(self) -> None:
        """Judge the open turn when the film ends."""
        self._reader.close()
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
        number = len(look.field) + len(look.unread)
        if 2 * len(look.field & latest.middle) > len(look.field) or not look.field or number > size:
            return False
        if latest.captured:
            return number == size or table.result is not None
        return number == size and table.result is not None

    def may_decide(self, player: int) -> bool:
        """Tell whether a player's decision is due: after his turn, or later if he still owes it."""
        return may_decide(self.match, player)


def _corrections(events: Iterable[LoggedEvent]) -> tuple[Names, Names]:
    """Return for each round the true cards for misread ones, and for unreadable ones that were guessed."""
    number, renamed, guessed = 0, Names(), Names()
    read: set[int] = set()
    for event in events:
        if isinstance(event, NextRound):
            number, read = number + 1, set()
        elif isinstance(event, TableSeen):
            read |= event.look.cards
        elif isinstance(event, DrawnCardSeen | CardSeenBriefly):
            read.add(event.card)
        elif isinstance(event, CardCorrected):
            before = renamed.get(number, {})
            if event.wrong not in {before.get(card, card) for card in read}:
                guessed.setdefault(number, {})[event.wrong] = event.right
                continue
            # the two cards swap their numbers, because each exists once
            swap = {event.wrong: event.right, event.right: event.wrong}
            cards = {*before, *swap}
            renamed[number] = {
                card: swap.get(before.get(card, card), before.get(card, card)) for card in cards
            }
    return renamed, guessed
