"""What a Koi-Koi scribe makes of stretches that nobody saw: what may have happened in them is never blamed.

Where a table lies after such a stretch as it lay before, nothing was played. Where one card has come, the
turn goes on with it. Of more, nobody knows who laid which and in what order: the round goes on from the table
as it lies, and it may be anybody's turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from math import inf
from typing import Final

from desk.koikoi.scribe.appearances import Appearance
from desk.koikoi.scribe.look import Cards, Look
from referee.koikoi.flags import FlagId
from referee.koikoi.match import Match
from referee.koikoi.piles import month_of
from referee.koikoi.unseen_part import ORDER_FLAGS
from vision.table.arms import SHORTEST_NS

_UNSEEN_ARM_MS: Final = 2 * SHORTEST_NS / 1e6
"""An arm needs so long from the table's rim to a card and back: in less none came and went unseen."""
_A_TURN: Final = 2
"""Cards that are put down in one."""
_NOT_IN_A_BLINK: Final = ORDER_FLAGS | {FlagId.FORGOTTEN_CAPTURE}
"""What depends on when cards were seen; all else two looks at the resting table show."""


class PartMissedError(Exception):
    """A turn cannot be judged, for a part of it was not seen."""


class MissedParts:
    """Remembers what was not seen since the table lay at rest and was understood.

    Attributes
    ----------
    lost : it is not known what has been played; the table has to come to rest.
    """

    def __init__(self) -> None:
        self.lost = False
        self._spans: tuple[tuple[float, float], ...] = ()
        self._tainted_ms = -inf
        self._long = False
        self._open: Cards = frozenset()
        self._told: tuple[tuple[float, float], ...] = ()
        self._came: dict[int, int] = {}

    def note(self, from_ms: float, to_ms: float) -> None:
        """Take in one more stretch."""
        self._spans = (*self._spans, (from_ms, to_ms))

    @property
    def pending(self) -> bool:
        """Whether something was not seen since the last look, or since what was played was last known."""
        return self.lost or bool(self._spans)

    @property
    def was_long(self) -> bool:
        """Whether somebody may have reached in and out again unseen."""
        return any(to_ms - from_ms >= _UNSEEN_ARM_MS for from_ms, to_ms in self._spans)

    @property
    def from_ms(self) -> float:
        """When the first of the stretches began."""
        return self._spans[0][0] if self._spans else 0.0

    @property
    def to_ms(self) -> float:
        """When the last of them ended."""
        return self._spans[-1][1] if self._spans else 0.0

    def dismiss(self) -> None:
        """Forget everything: nothing was played, or it is said."""
        self._told = self._spans or self._told
        self.lost, self._spans, self._came = False, (), {}

    def go_on(self, look: Look, before: Look) -> None:
        """Take the table as it lies, which was `before` so."""
        self._open = look.middle - before.middle
        self.dismiss()

    def taint(self, look: Look) -> None:
        """Go on with a look although something was not seen before it: its turns are judged with care."""
        self._tainted_ms, self._long = look.t_ms, self.was_long
        self._told, self._spans = self._spans, ()

    def lose(self) -> None:
        """Take in that it is not known what has been played."""
        self._spans = self._spans or self._told
        self.lost = True

    def blurs(
        self, before: Look, turn: Iterable[Appearance], flags: Collection[FlagId], *, plain: bool
    ) -> bool:
        """Tell whether a turn must not be judged.

        Parameters
        ----------
        before : the table before it.
        turn : the cards that were seen in it.
        flags : what would be flagged.
        plain : two cards were seen to be put down, and nothing has to be concluded.
        """
        first_ms = min((card.look_ms for card in turn), default=inf)
        if before.t_ms >= self._tainted_ms and first_ms > self._tainted_ms:
            return False
        return bool(flags) or not plain if self._long else bool(set(flags) & _NOT_IN_A_BLINK)

    def reaches_into(self, before: Look, after: Look) -> bool:
        """Tell whether the first turn after an unseen part has taken cards that came in it.

        Its own hand card may be among them: then it was not seen whole.
        """
        return bool((after.captured - before.captured) & self._open)

    def waits(self, look: Look, before: Look) -> bool:
        """Tell whether a turn is in the middle of something: a card is turned up, or a pair not collected.

        A match that was forgotten in the unseen part lies there still when others have been played.
        """
        number = len(look.cards)
        for card in look.middle - before.middle:
            self._came.setdefault(card, number)
        months = Counter(map(month_of, look.middle))
        young = {card for card, came in self._came.items() if number < came + _A_TURN}
        return bool(look.turn) or any(months[month_of(card)] > 1 for card in look.middle & young)

    @property
    def text(self) -> str:
        """What people are told."""
        return (
            f"from {self.from_ms / 1000:.1f} s to {self.to_ms / 1000:.1f} s the table was not seen: "
            "what was played meanwhile cannot be told"
        )


def lies_alike(look: Look, latest: Look) -> bool:
    """Tell whether a table lies as it lay: every move brings a card to it."""
    return look.middle == latest.middle and look.captures == latest.captures


def is_one_move(came: Cards, look: Look, latest: Look, *, begun: bool) -> bool:
    """Tell whether at most one card was put down between two looks, as far as can be seen.

    Parameters
    ----------
    came : cards that nobody has seen before the stretch.
    look, latest : the table after it and before.
    begun : a turn had begun before.
    """
    return len(came) == 1 or (not came and (begun or look.captures == latest.captures))


def new_flags(before: Match, after: Match) -> list[FlagId]:
    """Return what has been flagged from one state of a match to another."""
    return [flag.id for flag in after.flags[len(before.flags) :]]
