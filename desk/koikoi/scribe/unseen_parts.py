"""Stretches of a Koi-Koi round that nobody saw; what may have happened in them is never flagged.

If the table is unchanged after such a stretch, nothing was played. If one card has come, the turn goes on
with it. If more have come, nobody knows who laid which in what order: the round goes on from the table as it
lies, and it may be anybody's turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from math import inf
from typing import Final

from desk.koikoi.scribe.appearances import Appearance
from desk.koikoi.scribe.look import Cards, Look
from desk.tables.table_events import UNSEEN_ARM_MS
from referee.koikoi.flags import FlagId
from referee.koikoi.match import Match
from referee.koikoi.piles import month_of
from referee.koikoi.unseen_part import ORDER_FLAGS
from referee.sentence import Sentence

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
    def from_ms(self) -> float:
        return self._spans[0][0] if self._spans else 0.0

    @property
    def to_ms(self) -> float:
        return self._spans[-1][1] if self._spans else 0.0

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
            start_s=self.from_ms / 1000,
            end_s=self.to_ms / 1000,
        )


def lies_alike(look: Look, latest: Look) -> bool:
    """Tell whether the table is unchanged; every move would bring a card to it."""
    return look.middle == latest.middle and look.captures == latest.captures


def is_one_move(came: Cards, look: Look, latest: Look, *, begun: bool) -> bool:
    """Tell whether at most one card came between two looks, as far as can be seen."""
    return len(came) == 1 or (not came and (begun or look.captures == latest.captures))


def new_flags(before: Match, after: Match) -> list[FlagId]:
    return [flag.id for flag in after.flags[len(before.flags) :]]
