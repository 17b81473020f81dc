"""The follow-ups of a step: give a notice, read a poem, wake up, show a ruling."""

from dataclasses import dataclass, field
from enum import StrEnum

from referee.karuta.ruling import Ruling
from referee.sides import Side


class NoticeId(StrEnum):
    """The ids of notices, each with its parameters. The panel holds the texts.

    `card` is 0 if the card could not be read. A reason of the rule book with the same id says why.
    """

    # the layout check
    CARD_COUNT = "card_count"  # side, count, expected: fewer or more cards than agreed
    CARD_DOUBLE = "card_double"  # card: lies on the field twice
    CARD_UNREAD = "card_unread"  # side, count: cards that could not be identified
    TOO_WIDE = "too_wide"  # side, width_mm, allowed_mm
    NOT_ALIGNED = "not_aligned"  # width_mm, allowed_mm: each territory fits, but their side lines do not meet
    ROW_EMPTY = "row_empty"  # side, row: a territory has three rows
    ROW_GAP = "row_gap"  # side, row, gap_mm, expected_mm: distance between this row and the next one outwards
    TERRITORY_GAP = "territory_gap"  # gap_mm, expected_mm: distance between the territories
    ACROSS_ROWS = "across_rows"  # side, card: lies across its row
    CROOKED = "crooked"  # side, card: is turned too far (`CROOKED_RAD`)
    WRONG_FACING = "wrong_facing"  # side, card: does not face its owner
    OVERLAPPING = "overlapping"  # side, card, other: lie on each other

    # memorising
    PRACTICE_SWINGS = "practice_swings"  # minutes: the time left; practice swings are allowed from now on
    TOUCHED_WHILE_MEMORISING = "touched_while_memorising"  # side, card
    SWUNG_EARLY = "swung_early"
    """side: swung over the cards before practice swings are allowed; a note, never a fault."""
    GREETING = "greeting"  # no parameters: the match begins, the players bow

    # restoring
    FIELD_NOT_SEEN = "field_not_seen"  # no parameters: the field has not settled since the last poem
    OWES_CARDS = "owes_cards"  # side, count: still has to send
    CARD_DISPLACED = "card_displaced"  # side, card: is not where it was
    CARD_MISSING = "card_missing"  # side, card: is not on the field
    TAKEN_CARD_ON_FIELD = "taken_card_on_field"  # card: was taken and has to leave the field
    FOREIGN_CARD = "foreign_card"  # card: does not belong on the field
    CARD_SENT = "card_sent"  # side, card: was sent by that player
    SENT_OR_SWEPT = "sent_or_swept"
    """side, card: the play carried that player's card out, and it lies across as if it was sent."""
    SENT_WITHOUT_RIGHT = "sent_without_right"
    """side, count, cards: `count` of these cards have to be handed back."""
    SENT_CARD_STAYS = "sent_card_stays"  # side, card: was sent and cannot be taken back
    HAND_RAISED = "hand_raised"  # side: asks the reader to wait
    REARRANGED = "rearranged"  # side, card: was moved after an announcement
    RIGHT_LOST = "right_lost"  # side, count: not sent before the next poem
    RIGHT_KEPT = "right_kept"  # side, count: not sent yet, may still be
    RIGHT_WAIVED = "right_waived"  # side, count: the player lets the right go
    HAND_RAISED_LATE = "hand_raised_late"
    """side: raised a hand after the reader was asked to go on with the shimo; a note, never a fault."""

    # the rest
    HAND_CHANGED = "hand_changed"  # side, hand: took with this hand, and with the other one before
    CLOSING_BOW = "closing_bow"
    """No parameters: the match ends, the players bow to each other, to the reader and to the judge."""
    POEM_VOID = "poem_void"  # poem: misread, is read again
    POEM_READ_TWICE = "poem_read_twice"  # poem: was read before
    KIMARIJI_SHRUNK = "kimariji_shrunk"
    """poem, before, now, since: its kimariji got shorter because `since` was read."""
    CONFIRMED_BY_READING_ON = "confirmed_by_reading_on"
    """poem: the ruling stands because the next poem was read."""
    REVERTED = "reverted"  # seq: that event and all later ones no longer count
    NO_POEMS_LEFT = "no_poems_left"  # no parameters: all hundred are read and no territory is empty


NoticeValue = str | int | tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Notice:
    """Something to say, as an id and parameters."""

    id: NoticeId
    params: dict[str, NoticeValue] = field(default_factory=dict)


def notice(id_: NoticeId, **params: NoticeValue) -> Notice:
    """Make a notice; sides are given as their names."""
    return Notice(
        id_, {key: str(value) if isinstance(value, Side) else value for key, value in params.items()}
    )


@dataclass(frozen=True, slots=True)
class WakeAt:
    """Send a `Tick` at `t_ns`."""

    t_ns: int


@dataclass(frozen=True, slots=True)
class ReadJoka:
    """Read the joka: first half, second half, second half again."""


@dataclass(frozen=True, slots=True)
class ReadPoem:
    """Read on: the field is in order and nobody asks to wait. `poem` is None if any poem may be read."""

    poem: int | None = None


@dataclass(frozen=True, slots=True)
class Proposed:
    """A proposed ruling, to be shown and confirmed or overruled."""

    ruling: Ruling


@dataclass(frozen=True, slots=True)
class Ruled:
    """A final ruling."""

    ruling: Ruling


@dataclass(frozen=True, slots=True)
class OpenReplay:
    """Show the replay of `poem`, because `player` appeals."""

    poem: int
    player: Side


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over; `winner` is None if neither territory is empty."""

    winner: Side | None


FollowUp = Notice | WakeAt | ReadJoka | ReadPoem | Proposed | Ruled | OpenReplay | MatchEnded
