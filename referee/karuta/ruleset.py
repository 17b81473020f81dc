"""House rules: one documented switch for every point on which the rule documents disagree.

Sources: `seed-000` is the German club's rules, `seed-001` the English wiki article, `official` the Japanese
competition rules. Each switch says which of them asks for which value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from referee.layout import ROW_GAP_M, TERRITORY_GAP_M, TERRITORY_WIDTH_M

EDITION = 2
"""Edition of the karuta rules as this program follows them; it goes up where an answer changes.

Matches of 0.2.0 were ruled by edition 1. What is ruled is read from their logs, never judged anew, so judging
may change freely; only where the flow of a match changes (`referee.karuta.flow`) does the older edition
stay in the code.
"""


class WrongHand(StrEnum):
    """The rule for a touch with the hand that is not the playing hand."""

    FAULT = "fault"
    """A fault in the card's territory, and no take (seed-001, "Faults")."""
    OPPONENT_TAKES = "opponent_takes"
    """The card counts as taken by the opponent (seed-000, "Das Nehmen von Karten", third point)."""
    VOID = "void"
    """Neither a take nor a fault (official: only the effective hand counts)."""


class BothFault(StrEnum):
    """What happens when both players fault in one reading."""

    NET = "net"
    """Faults are set off against each other, two against one leaves one (official)."""
    CANCEL_ALL = "cancel_all"
    """No card is sent at all (seed-000, "Fehler", seventh point, read literally)."""


class OwnFault(StrEnum):
    """How a take from the opponent and a fault of the taker are settled."""

    NET = "net"
    """Set off: nobody sends (official, 取り損)."""
    SEPARATE = "separate"
    """Each player sends one card."""


class EarlyTouch(StrEnum):
    """The rule for touching a card before the first sound of the kami. It is never a take."""

    FAULT = "fault"
    """A fault (seed-001, "Faults")."""
    WARN = "warn"
    """Noticed only (seed-000 is silent)."""


class SimultaneousPush(StrEnum):
    """Who takes a card that both players pushed out at the same time."""

    OWNER = "owner"
    """The owner of the territory, as for touches (seeds are silent)."""
    NEARER_TOUCH = "nearer_touch"
    """The player who touched nearer to the target (old official rules, article 5)."""


class SharedTouch(StrEnum):
    """The rule for touching the opponent's faulting hand, or a card that the opponent pushed one onto."""

    BOTH_FAULT = "both_fault"
    """A fault of both players, which cancel (old official article 9; seed-000, "Fehler", eighth point)."""
    OFF = "off"
    """Noticed only (seed-001 is silent)."""


class Misconduct(StrEnum):
    """The rule for forbidden acts that are no contacts: holding a hand, using both hands, a false start."""

    WARN = "warn"
    """Noticed only: seed-000 forbids it and names no penalty."""
    FAULT = "fault"
    """A fault ("any kind of disobedience", seed-001, "Faults")."""


class UnusedRight(StrEnum):
    """The rule for a card that was not sent before the next kami."""

    LOST = "lost"
    """The right is lost (official practice, handling of cards step 15; the seeds are silent)."""
    KEPT = "kept"
    """It may still be sent."""


@dataclass(frozen=True, slots=True)
class Measures:
    """How the cards must lie; None where a document asks for no such measure.

    Attributes
    ----------
    width_m : greatest width of a territory.
    row_gap_m, territory_gap_m : distance between the rows, and between the territories.
    """

    width_m: float | None = TERRITORY_WIDTH_M
    row_gap_m: float | None = ROW_GAP_M
    territory_gap_m: float | None = TERRITORY_GAP_M


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The house rules of a match. The defaults are the preset `kyogi`.

    Attributes
    ----------
    name : name of the preset, or the club's own.
    wrong_hand : `fault` seed-001, "Faults"; `opponent_takes` seed-000, "Das Nehmen von Karten", third point;
        `void` official.
    both_fault : `net` official; `cancel_all` seed-000, "Fehler", seventh point; seed-001 is ambiguous.
    own_fault : `net` official, 取り損; the seeds do not say.
    early_touch : `fault` seed-001, "Faults"; seed-000 is silent (`warn`).
    simultaneous_push : `nearer_touch` old official, article 5; the seeds are silent.
    shared_touch : `both_fault` seed-000, "Fehler", eighth point, and old official, article 9; seed-001 is
        silent (`off`).
    misconduct : `fault` seed-001, "Faults"; seed-000, "Fehler", forbids without a penalty (`warn`).
    unused_right : `lost` official practice, handling of cards, step 15; the seeds are silent.
    joka : whether the joka is read first (seed-001, "Start of the Game"; seed-000 has none).
    practice_swings : whether the last two minutes of memorising allow them (seed-001, "Memorization Phase";
        seed-000 is silent).
    measures : 87 cm, 1 cm and 3 cm seed-001, "Arranging the Territories"; seed-000, "Spielverlauf", third
        point, asks for three rows only.
    min_confidence : a ruling with less confidence goes to review. This is a choice of this referee, no rule:
        of 590 simulated poems 5 of 6 were ruled rightly just below it, and 482 of 484 from it upwards.
    """

    name: str = "kyogi"
    wrong_hand: WrongHand = WrongHand.FAULT
    both_fault: BothFault = BothFault.NET
    own_fault: OwnFault = OwnFault.NET
    early_touch: EarlyTouch = EarlyTouch.FAULT
    simultaneous_push: SimultaneousPush = SimultaneousPush.OWNER
    shared_touch: SharedTouch = SharedTouch.BOTH_FAULT
    misconduct: Misconduct = Misconduct.WARN
    unused_right: UnusedRight = UnusedRight.LOST
    joka: bool = True
    practice_swings: bool = True
    measures: Measures = Measures()
    min_confidence: float = 0.85

    def __post_init__(self) -> None:
        if not 0.0 <= self.min_confidence <= 1.0:
            raise ValueError(f"min_confidence must lie in 0..1, got {self.min_confidence}")


KYOGI = RuleSet()

PRESETS: Mapping[str, RuleSet] = MappingProxyType(
    {
        "kyogi": KYOGI,
        "seed-000": replace(
            KYOGI,
            name="seed-000",
            wrong_hand=WrongHand.OPPONENT_TAKES,
            both_fault=BothFault.CANCEL_ALL,
            early_touch=EarlyTouch.WARN,
            joka=False,
            practice_swings=False,
            measures=Measures(width_m=None, row_gap_m=None, territory_gap_m=None),
        ),
        "seed-001": replace(
            KYOGI, name="seed-001", shared_touch=SharedTouch.OFF, misconduct=Misconduct.FAULT
        ),
    }
)
"""The presets by name."""
