"""What people declare, at the panel or by the reader's word, because the camera cannot see it."""

from dataclasses import dataclass
from enum import StrEnum

from referee.facts import Hand, Instant
from referee.sides import Side


@dataclass(frozen=True, slots=True)
class PlayingHand:
    """The hand a player has chosen for the whole match."""

    player: Side
    hand: Hand


@dataclass(frozen=True, slots=True)
class WrongHand:
    """The player touched `card`, or pushed it out, with the hand that is not the playing hand."""

    player: Side
    card: int


@dataclass(frozen=True, slots=True)
class SharedFault:
    """Both players share a fault in `territory`.

    A player touched the opponent's faulting hand or the card under it, or was pushed onto a card.
    """

    territory: Side


@dataclass(frozen=True, slots=True)
class PlayEnded(Instant):
    """The take is made and both hands are off: what is touched from now on only tidies up."""

    t_ns: int
    t_unc_ns: int


class Conduct(StrEnum):
    """Forbidden acts that are not contacts with a card."""

    GRABBED_HAND = "grabbed_hand"
    BOTH_HANDS = "both_hands"
    FALSE_START = "false_start"
    """The hand was inside the line, or the head over the cards, before the kami began."""
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class BrokeRule:
    """The player did something forbidden that is not a contact with a card."""

    player: Side
    conduct: Conduct


@dataclass(frozen=True, slots=True)
class Misread:
    """The reader misread or stopped before the kimariji: the reading is void, and the poem is read again."""


Declaration = PlayingHand | WrongHand | SharedFault | BrokeRule | PlayEnded | Misread
