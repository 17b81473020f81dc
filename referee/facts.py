"""The facts that the eye and the ear report. They are defined here, so that no game knows of cameras.

Times are integer nanoseconds on the match clock. `t_unc_ns` is the half width of the 95 % interval around
`t_ns`; for an interval with unequal sides, the larger side. It is never zero, because no measurement is
perfect.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from referee.layout import Layout
from referee.sides import Side


class Hand(StrEnum):
    """Which hand of a player."""

    LEFT = "left"
    RIGHT = "right"


class Contact(StrEnum):
    """How a card was reached."""

    TOUCH = "touch"  # the hand itself was on the card
    PUSHED_OUT = "pushed_out"
    """It was completely out of its territory at this instant: pushed by other cards (fuda-oshi), or swept by
    a hand."""


def _check_time(t_unc_ns: int) -> None:
    if t_unc_ns <= 0:
        raise ValueError(
            f"t_unc_ns must be a positive number of nanoseconds (95 % half width), got {t_unc_ns}"
        )


def _check_chance(name: str, chance: float) -> None:
    if not 0.0 <= chance <= 1.0:
        raise ValueError(f"{name} must lie in 0..1, got {chance}")


class Instant:
    """An event at `t_ns`, with the 95 % half width `t_unc_ns`."""

    __slots__ = ()
    t_ns: int
    t_unc_ns: int

    @property
    def earliest_ns(self) -> int:
        """The lower end of the 95 % interval."""
        return self.t_ns - self.t_unc_ns

    @property
    def latest_ns(self) -> int:
        return self.t_ns + self.t_unc_ns


@dataclass(frozen=True, slots=True)
class PoemStarted(Instant):
    """The first sound of a poem's kami (upper half)."""

    poem: int  # 1..100, or 0 for the joka
    t_ns: int
    t_unc_ns: int
    # probability in 0..1 that this poem was read; 1 where a person or the reader's plan says so
    confidence: float = 1.0

    def __post_init__(self) -> None:
        _check_time(self.t_unc_ns)
        _check_chance("confidence", self.confidence)


@dataclass(frozen=True, slots=True)
class KimarijiCompleted(Instant):
    """The last sound of the kimariji of `poem`, as shortened by the poems already read."""

    poem: int
    t_ns: int
    t_unc_ns: int

    def __post_init__(self) -> None:
        _check_time(self.t_unc_ns)


@dataclass(frozen=True, slots=True)
class Touch(Instant):
    """A proven contact with a card."""

    card: int | None  # torifuda 1..100, or None if it could not be identified
    player: Side | None  # who touched it, or None if hands merged and the player could not be told
    # t_ns, t_unc_ns: instant of first contact; for `PUSHED_OUT`, when the card was completely out; that
    # interval reaches back to where it set off, since fingers may have taken it along
    t_ns: int
    t_unc_ns: int
    contact: Contact = Contact.TOUCH  # touched by hand, or pushed out by other cards
    hand: Hand | None = None  # left or right, None if it could not be told
    confidence: float = 1.0  # calibrated probability in 0..1 that player and contact are right
    territory: Side | None = None  # where the card lay; known even for an unidentified card
    # how much earlier and how much later it may have been, for an interval with unequal sides; the larger
    # side is `t_unc_ns`. None if both sides are equal.
    sides_ns: tuple[int, int] | None = None
    # probability in 0..1 that it was this player's hand, whether that hand touched the card or not; contacts
    # of one hand share this error. None where it is not known apart.
    player_confidence: float | None = None
    card_confidence: float = 1.0  # probability in 0..1 that the card's name is right
    # the 95 % interval in which the card was completely out of its territory if the hand that touched it
    # swept it out; None if it stayed in, or if nobody knows
    out_ns: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        _check_time(self.t_unc_ns)
        if self.out_ns is not None and self.out_ns[0] >= self.out_ns[1]:
            raise ValueError(f"an interval ends after it begins, got {self.out_ns} ns")
        if self.sides_ns is not None and not 0 < min(self.sides_ns) <= max(self.sides_ns) == self.t_unc_ns:
            raise ValueError(f"expected two sides, the larger {self.t_unc_ns} ns, got {self.sides_ns}")
        for name in ("confidence", "card_confidence", "player_confidence"):
            if (chance := getattr(self, name)) is not None:
                _check_chance(name, chance)

    @property
    def earliest_ns(self) -> int:
        return self.t_ns - (self.sides_ns or (self.t_unc_ns,))[0]

    @property
    def latest_ns(self) -> int:
        return self.t_ns + (self.sides_ns or (self.t_unc_ns,))[-1]

    def moved(self, t_ns: int, t_unc_ns: int) -> Touch:
        """Return the contact at another instant, with equal sides of its interval."""
        return replace(self, t_ns=t_ns, t_unc_ns=t_unc_ns, sides_ns=None)

    @property
    def way_out(self) -> Touch | None:
        """The push by which the card left its territory: this one, or the end of the sweep; None if none."""
        if self.contact is Contact.PUSHED_OUT:
            return self
        if self.out_ns is None:
            return None
        early_ns, late_ns = self.out_ns
        out = self.moved((early_ns + late_ns) // 2, (late_ns - early_ns + 1) // 2)
        return replace(out, contact=Contact.PUSHED_OUT, out_ns=None)

    def turned(self) -> Touch:
        """Return the contact as seen from the opposite seat."""
        return replace(
            self,
            player=self.player and self.player.opponent,
            territory=self.territory and self.territory.opponent,
        )


@dataclass(frozen=True, slots=True)
class Unprovable(Instant):
    """A possible contact that cannot be proven; it is never a fault and always shown.

    `reason` is a short id such as `no_card_motion`, `view_blocked`, `hands_merged`, `under_head`.
    """

    card: int | None
    player: Side | None
    t_ns: int
    t_unc_ns: int
    reason: str

    def __post_init__(self) -> None:
        _check_time(self.t_unc_ns)


UNSURE, ASSUMED, UNPLACED, DISAGREEING = "poem_unsure", "poem_assumed", "reading_unplaced", "looks_disagree"
HEARSAY = (UNSURE, ASSUMED, UNPLACED, DISAGREEING)
"""Reasons of gaps in what is known about a reading, which no picture can close: the listener was unsure of
the poem; nobody heard it, and the poem is inferred from the card that left; nobody knows when it was read; or
two looks at the play disagree."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch of time in which the eye did not see.

    `reason` is a short id: `dropped_frames`, `view_blocked`, `lost_calibration`, ...
    """

    t_from_ns: int
    t_to_ns: int
    reason: str

    def __post_init__(self) -> None:
        if self.t_to_ns < self.t_from_ns:
            raise ValueError(f"a gap ends after it begins, got {self.t_from_ns}..{self.t_to_ns} ns")


@dataclass(frozen=True, slots=True)
class FieldSettled:
    """All hands have left the field and nothing moves: the layout as it lies at `t_ns`."""

    layout: Layout
    t_ns: int


Testimony = Touch | Unprovable | Gap  # what a witness (a camera or a microphone) reports about a poem

Fact = PoemStarted | KimarijiCompleted | Testimony | FieldSettled
