"""House rules: one switch for every point on which the rule documents disagree.

`switches.toml` says of each value what it means and which document asks for it, in two languages;
`referee.karuta.rulebook` reads it. `referee.karuta.house_rules` holds the presets and reads a club's file.
"""

from dataclasses import dataclass, fields
from enum import StrEnum

from referee.layout import ROW_GAP_M, TERRITORY_GAP_M, TERRITORY_WIDTH_M

EDITION = 2
"""Edition of the karuta rules as this program follows them; it goes up where an answer changes.

Matches of 0.2.0 were ruled by edition 1. What is ruled is read from their logs, never judged anew, so judging
may change freely; only where the flow of a match changes (`referee.karuta.flow`) does the older edition
stay in the code.
"""


class WrongHand(StrEnum):
    """The rule for a card reached with the hand that is not the playing hand, touched or pushed out."""

    FAULT = "fault"
    OPPONENT_TAKES = "opponent_takes"
    VOID = "void"


class BothHands(StrEnum):
    """The rule for a player who used both hands."""

    WARN = "warn"
    NO_TAKE = "no_take"
    FAULT = "fault"


class BoundHand(StrEnum):
    """What makes a hand the playing hand."""

    DECLARED = "declared"
    NOTICED = "noticed"
    FIRST_TAKE = "first_take"


class BothFault(StrEnum):
    """What happens when both players fault in one reading."""

    NET = "net"
    CANCEL_FAULTS = "cancel_faults"
    CANCEL_ALL = "cancel_all"


class OwnFault(StrEnum):
    """How a take from the opponent and a fault of the taker are settled."""

    NET = "net"
    SEPARATE = "separate"


class EarlyTouch(StrEnum):
    """The rule for touching a card before the first sound of the kami. It is never a take, pushed or not."""

    FAULT = "fault"
    WARN = "warn"


class SimultaneousPush(StrEnum):
    """Who takes a card that both players pushed out at the same time."""

    OWNER = "owner"
    NEARER_TOUCH = "nearer_touch"


class SharedTouch(StrEnum):
    """The rule for touching the opponent's faulting hand, or a card that the opponent pushed one onto."""

    BOTH_FAULT = "both_fault"
    OFF = "off"


class Misconduct(StrEnum):
    """The rule for forbidden acts that are no contacts: holding a hand, a false start."""

    WARN = "warn"
    FAULT = "fault"


class UnusedRight(StrEnum):
    """The rule for a card that was not sent before the next kami."""

    LOST = "lost"
    KEPT = "kept"


class LastCard(StrEnum):
    """The rule for a right that was not used while the receiver's territory is empty (forgotten at 1-1)."""

    OWED = "owed"
    LOST = "lost"


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

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None and not 0.0 < value < 2.0:
                raise ValueError(f"{field.name} must lie between 0 and 2 metres, got {value}")


@dataclass(frozen=True, slots=True)
class RuleSet:
    """The house rules of a match. The defaults are the preset `kyogi`.

    What each value means and which document asks for it stands in `switches.toml`.

    Attributes
    ----------
    name : name of the preset, or the club's own.
    tidying_after_ms : milliseconds after the take from which a contact only tidies up.
    measures : how the cards must lie.
    wrong_per_thousand : how many of a thousand decided rulings may be wrong. `referee.karuta.house_rules`
        raises `min_confidence` as far as what was measured asks for it.
    min_confidence : a ruling with less confidence goes to review.
    """

    name: str = "kyogi"
    wrong_hand: WrongHand = WrongHand.FAULT
    both_hands: BothHands = BothHands.NO_TAKE
    playing_hand: BoundHand = BoundHand.NOTICED
    both_fault: BothFault = BothFault.NET
    own_fault: OwnFault = OwnFault.NET
    early_touch: EarlyTouch = EarlyTouch.FAULT
    simultaneous_push: SimultaneousPush = SimultaneousPush.OWNER
    shared_touch: SharedTouch = SharedTouch.BOTH_FAULT
    misconduct: Misconduct = Misconduct.WARN
    tidying_after_ms: int = 3000
    unused_right: UnusedRight = UnusedRight.LOST
    may_waive: bool = True
    last_card: LastCard = LastCard.OWED
    joka: bool = True
    practice_swings: bool = True
    measures: Measures = Measures()
    wrong_per_thousand: float = 0.56
    min_confidence: float = 0.85

    def __post_init__(self) -> None:
        if not 0.0 < self.wrong_per_thousand < 1000.0:
            raise ValueError(f"wrong_per_thousand must lie in 0..1000, got {self.wrong_per_thousand}")
        if not 0.0 <= self.min_confidence <= 1.0:
            raise ValueError(f"min_confidence must lie in 0..1, got {self.min_confidence}")


KYOGI = RuleSet()
