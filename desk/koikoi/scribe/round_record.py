"""The record of a Koi-Koi scribe: what it has written down, and what it knows of the open turn.

After a stretch that nobody saw the round goes on, and what happened in it is not flagged.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass, replace
from math import inf
from typing import Final, Self

from desk.koikoi.scribe.appearances import Appearance, GlimpsedInTurn, Glimpses
from desk.koikoi.scribe.belief import Belief
from desk.koikoi.scribe.look import Cards, Look
from desk.koikoi.scribe.misplaced_cards import Astray, faults_between
from desk.koikoi.scribe.notes import Doubts, Noted, TableFlag, cards_on_table, is_early
from desk.koikoi.scribe.readings import TurnReading
from desk.koikoi.scribe.turn import Explanation, Move, explained
from desk.tables.table_events import UNSEEN_ARM_MS
from referee.koikoi.events import Deal, Declare, Event, Missed
from referee.koikoi.flags import FlagId
from referee.koikoi.match import Match, step
from referee.koikoi.piles import month_of
from referee.koikoi.ruleset import RuleSet
from referee.koikoi.unseen_part import ORDER_FLAGS
from referee.sentence import Sentence

NO_LOOK: Final = Look(0.0, frozenset(), frozenset(), (), frozenset(), 0, frozenset(), {})
"""Stands for the latest look as long as there is none."""
_SEEN = 0.2  # least doubt of a reading in which a card was covered or never seen


@dataclass(frozen=True, slots=True)
class SoFar:
    """A game in the middle of a turn."""

    # the match as if the turn were over, if the table already makes sense; otherwise as judged at the end of
    # the previous turn
    match: Match
    look: Look | None  # the latest look, None before the first
    turned: Cards
    # the events of that turn as far as it makes sense; they are not written down yet
    begun: tuple[Event, ...] = ()


class RoundRecord:
    """The events and flags of a game, and the open turn.

    `flags`: faults that only the table shows. `looks`: the table at each rest, covered cards included.
    """

    def __init__(self, rules: RuleSet, players: int, dealer: int) -> None:
        self.match = Match(rules)
        self.notes: list[Noted] = []
        self.flags: list[TableFlag] = []
        self.looks: list[Look] = []
        self._players, self._dealer = players, dealer
        self._undealt: Match | None = None
        self.awaits_deal = True
        self._before = self._latest = NO_LOOK
        self._alike = 0
        self._begun = False
        self._turn: list[Appearance] = []
        self._seat = dealer
        self._waiting: list[tuple[float, Declare]] = []
        self._glimpses = Glimpses()
        self._in_turn = GlimpsedInTurn()
        self._laid_on: dict[int, int] = {}
        self._apart: set[tuple[int, int]] = set()
        self._belief = Belief()
        self._doubts = Doubts()
        self._astray = Astray()
        self._changed: list[tuple[float, Cards]] = []
        self._missed = MissedParts()
        self._dealer_is_known, self._has_joined = True, False

    @property
    def has_played(self) -> bool:
        """Whether anything has happened in the round since it was dealt."""
        if self.awaits_deal:
            return False
        return self._begun or not self.notes or not isinstance(self.notes[-1].event, Deal)

    @property
    def is_short(self) -> bool:
        """Whether a deal was judged a misdeal because cards are missing."""
        dealt = self.notes[-1].event if self.notes and not self.awaits_deal else None
        if not isinstance(dealt, Deal):
            return False
        return len(dealt.field) < self.match.rules.deal.size(self._players).field

    @property
    def dealt_only(self) -> Cards | None:
        """The cards of a deal, or of too many that may be one, as long as nothing has been played since."""
        dealt = self.notes[-1].event if self.notes and not self.awaits_deal else None
        if self._begun or not isinstance(dealt, Deal | Missed):
            return None
        if isinstance(dealt, Missed) and (not self._has_joined or any(dealt.piles)):
            return None
        return frozenset(dealt.field)

    def forget_dealer(self) -> None:
        """Leave the next dealer open, because a lost round may have had any winner."""
        self._dealer_is_known = False

    def copied(self) -> Self:
        twin = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, list | dict | set):
                setattr(twin, name, value.copy())
            elif isinstance(value, Glimpses | Belief | Doubts | Astray | MissedParts):
                setattr(twin, name, deepcopy(value))
        return twin

    @property
    def _is_over(self) -> bool:
        table = self.match.table
        return not self._has_joined if table is None else table.result is not None

    def _write(self, found: Explanation, moves: Sequence[Move]) -> None:
        for event, move in zip(found.events, moves, strict=True):
            self.notes.append(Noted(move.t_ms, event))
        self.match = found.match
        for flag in self._doubts.settled(cards_on_table(self.match)):
            self.flags.remove(flag)

    def _say_what_waits(self, *, is_last: bool = False) -> None:
        waiting, self._waiting = self._waiting, []
        for t_ms, declared in waiting:
            if is_last or not is_early(self.match, declared):
                self._judge(t_ms, declared)
            else:
                self._waiting.append((t_ms, declared))

    def _judge(self, t_ms: float, event: Event) -> None:
        self.match = step(self.match, event)
        self.notes.append(Noted(t_ms, event))

    def _flag(self, t_ms: float, flag: FlagId, text: str) -> None:
        number = len(self.match.rounds) - 1
        self.flags.append(TableFlag(number, self.match.events - 1, t_ms, flag, text))

    # --- what nobody saw ---------------------------------------------------------------------------------

    def unseen(self, from_ms: float, to_ms: float) -> None:
        """Note that nobody saw the table between two instants, and that cards may have been moved."""
        self._missed.note(from_ms, to_ms)

    def _join(self, look: Look) -> None:
        self._undealt, self._has_joined = self.match, True
        self._missed.note(0.0, look.t_ms)
        self._belief, self._doubts = Belief(), Doubts()
        self._before = replace(look, field=frozenset(), turn=frozenset())
        self.awaits_deal = False
        self._lose(look)

    def _is_followed(self, look: Look) -> bool:
        """Tell whether the play before the first look after an unseen stretch is known."""
        missed = self._missed
        if not missed.lost and lies_alike(look, self._latest):
            missed.dismiss()
            return True
        before = {card for card, t_ms in self._glimpses.since_ms.items() if t_ms <= missed.span_ms[0]}
        came = look.cards - self._latest.cards - self._before.cards - before
        if missed.lost or (missed.was_long and not is_one_move(came, look, self._latest, begun=self._begun)):
            self._lose(look)
            return False
        return True

    def _seen_by_nobody(self, look: Look) -> Look:
        """Return the first look after an unseen stretch; after a long one its seats are unknown."""
        was_long = self._missed.was_long
        self._missed.taint(look)
        if not was_long:
            return look
        self._glimpses.forget_seats()
        return replace(look, seats=frozenset())

    def _lose(self, look: Look) -> None:
        """Give up the open turn; the round goes on from the table once nothing is pending on it."""
        if not self._missed.lost:
            self._missed.lose()
        self._latest = look
        self._turn, self._changed, self._begun = [], [], False
        self._in_turn, self._apart = GlimpsedInTurn(), set()
        self._glimpses.clear()
        if not self._missed.waits(look, self._before):
            self._go_on_from(look)

    def _go_on_from(self, look: Look) -> None:
        """Go on from the table as it lies; whose turn it is will become clear."""
        piles = tuple(tuple(sorted(pile)) for pile in look.captures)
        said = tuple(declared for _, declared in self._waiting)
        dealer = self._dealer if self.match.next_dealer is None else self.match.next_dealer
        self._waiting, self._astray, self._laid_on = [], Astray(), {}
        self._judge(look.t_ms, Missed(self._players, dealer, tuple(sorted(look.middle)), piles, said))
        if all(flag.text != self._missed.text for flag in self.flags):
            self._flag(sum(self._missed.span_ms) / 2, FlagId.UNSURE, self._missed.text)
        self._missed.go_on(look, self._before)
        self._before = self._latest = look

    def _check_missed(self, likely: tuple[Explanation, TurnReading] | None, after: Look) -> None:
        """Raise PartMissedError if a turn would be flagged for something that may have happened unseen."""
        flags, plain, own = [FlagId.UNSURE], False, {card.card for card in self._turn}
        if likely is not None:
            found, reading = likely
            flags, after, own = new_flags(self.match, found.match), reading.after, set()
            own |= {move.card for move in reading.moves}
            plain = len(reading.moves) == 2 and not reading.unread and reading.doubt < _SEEN
        wrong = faults_between(self._before, after, self._seat, own, self._changed)
        flags = [*flags, *(flag for _, flag, _ in wrong)]
        if self._missed.blurs(self._before, self._turn, flags, plain=plain):
            raise PartMissedError
        is_first = isinstance(self.notes[-1].event, Missed)
        if flags and is_first and (not plain or self._missed.reaches_into(self._before, after)):
            raise PartMissedError

    def _with_draw_only(
        self, likely: tuple[Explanation, TurnReading] | None
    ) -> tuple[Explanation, TurnReading] | None:
        """Return the explanation if a turn's only seen card was the drawn one, after an unseen hand card."""
        if likely is None or not isinstance(self.notes[-1].event, Missed):
            return likely
        found, reading = likely
        if len(reading.moves) != 1 or reading.moves[0].drawn:
            return likely
        moves = (replace(reading.moves[0], drawn=True),)
        drawn = explained(self.match, self._seat, moves, self._before, reading.after)
        return (drawn, replace(reading, moves=moves)) if drawn.cost <= found.cost else likely


_A_TURN: Final = 2  # cards that are put down in a turn
_NOT_IN_A_BLINK: Final = ORDER_FLAGS | {FlagId.FORGOTTEN_CAPTURE}
"""Flags that depend on when cards were seen; two looks at the resting table prove all others."""


class PartMissedError(Exception):
    """A turn cannot be judged, because a part of it was not seen."""


class MissedParts:
    """Remembers the unseen stretches since the table was last understood; `lost`: nobody knows the play."""

    def __init__(self) -> None:
        self.lost = False
        self._spans: tuple[tuple[float, float], ...] = ()
        self._tainted_ms = -inf
        self._long = False
        self._open: Cards = frozenset()
        self._told: tuple[tuple[float, float], ...] = ()
        self._came: dict[int, int] = {}

    def note(self, from_ms: float, to_ms: float) -> None:
        self._spans = (*self._spans, (from_ms, to_ms))

    @property
    def pending(self) -> bool:
        """Whether there is an unseen stretch since the last look, or the play is still unknown."""
        return self.lost or bool(self._spans)

    @property
    def was_long(self) -> bool:
        """Whether somebody may have reached in and out again unseen."""
        return any(to_ms - from_ms >= UNSEEN_ARM_MS for from_ms, to_ms in self._spans)

    @property
    def span_ms(self) -> tuple[float, float]:
        """When the first of the stretches began, and the last ended."""
        return (self._spans[0][0], self._spans[-1][1]) if self._spans else (0.0, 0.0)

    def dismiss(self) -> None:
        """Forget all stretches, because nothing was played or the gap is already recorded."""
        self._told = self._spans or self._told
        self.lost, self._spans, self._came = False, (), {}

    def go_on(self, look: Look, before: Look) -> None:
        """Go on from the table as it lies; `before` is the table before the stretch."""
        self._open = look.middle - before.middle
        self.dismiss()

    def taint(self, look: Look) -> None:
        """Go on with a look after an unseen stretch; turns around it are judged with care, see `blurs`."""
        self._tainted_ms, self._long = look.t_ms, self.was_long
        self._told, self._spans = self._spans, ()

    def lose(self) -> None:
        self._spans = self._spans or self._told
        self.lost = True

    def blurs(
        self, before: Look, turn: Iterable[Appearance], flags: Collection[FlagId], *, plain: bool
    ) -> bool:
        """Tell whether a turn must not be judged, because an unseen stretch may explain its flags.

        `turn`: the cards that were seen in it. `plain`: whether two cards were seen to be put down and
        nothing has to be concluded.
        """
        first_ms = min((card.look_ms for card in turn), default=inf)
        if before.t_ms >= self._tainted_ms and first_ms > self._tainted_ms:
            return False
        return bool(flags) or not plain if self._long else bool(set(flags) & _NOT_IN_A_BLINK)

    def reaches_into(self, before: Look, after: Look) -> bool:
        """Tell whether the first turn after a stretch took cards that came in it."""
        return bool((after.captured - before.captured) & self._open)

    def waits(self, look: Look, before: Look) -> bool:
        """Tell whether a turn is still open: a card is turned up, or a young pair is not collected yet."""
        number = len(look.cards)
        for card in look.middle - before.middle:
            self._came.setdefault(card, number)
        months = Counter(map(month_of, look.middle))
        young = {card for card, came in self._came.items() if number < came + _A_TURN}
        return bool(look.turn) or any(months[month_of(card)] > 1 for card in look.middle & young)

    @property
    def text(self) -> Sentence:
        return Sentence(
            "from {start_s:.1f} s to {end_s:.1f} s the table was not seen: what was played then is unknown",
            start_s=self.span_ms[0] / 1000,
            end_s=self.span_ms[1] / 1000,
        )


def lies_alike(look: Look, latest: Look) -> bool:
    """Tell whether the table is unchanged; every move would bring a card to it."""
    return look.middle == latest.middle and look.captures == latest.captures


def is_one_move(came: Cards, look: Look, latest: Look, *, begun: bool) -> bool:
    """Tell whether at most one card came between two looks, as far as can be seen."""
    return len(came) == 1 or (not came and (begun or look.captures == latest.captures))


def new_flags(before: Match, after: Match) -> list[FlagId]:
    return [flag.id for flag in after.flags[len(before.flags) :]]
