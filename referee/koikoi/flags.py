"""The flags of a Koi-Koi table: one id for each situation, for typed events and for films alike."""

from dataclasses import dataclass
from enum import StrEnum

from referee.sentence import Sentence


class FlagId(StrEnum):
    """The situations, numbered as in the project's Koi-Koi rules, section 2.4."""

    WRONG_MONTH = "wrong_month"  # 1: cards of different months were taken together. Stop, put back.
    FORGOTTEN_CAPTURE = "forgotten_capture"
    """2: a match lies on the field and was not taken. Correctable until the next player's card."""
    TOOK_ONE_OF_THREE = "took_one_of_three"
    """3: the fourth card of a month was played and not all of the three were taken."""
    TOOK_BOTH_OF_TWO = "took_both_of_two"
    """4: two cards match and both were taken. The player puts one of them back."""
    OUT_OF_TURN = "out_of_turn"  # 5: a card from a side whose turn it is not. Stop.
    TWO_HAND_CARDS = "two_hand_cards"  # 6: two hand cards in one turn. Stop.
    NO_HAND_CARD = "no_hand_card"
    """6: a turn without a hand card, or a played card that does not come from the hand. Stop."""
    NO_DRAW = "no_draw"  # 7: the turn ended without a drawn card. Stop.
    DREW_TWICE = "drew_twice"  # 7: a second card was drawn. Stop.
    DREW_FIRST = "drew_first"  # 7: the card was drawn before the hand card was played. Notice.
    WRONG_STRIP = "wrong_strip"  # 8: captured cards were laid on another player's pile. Stop.
    CARD_RETURNED = "card_returned"  # 8: a captured card came back to the field. Stop.
    CARD_VANISHED = "card_vanished"  # 9: a card is not seen any more. Pause, ask.
    EXTRA_CARD_TAKEN = "extra_card_taken"
    """1: a field card of another month was taken along with a lawful capture. Put back."""
    DUPLICATE_CARD = "duplicate_card"  # 9: a card appears that already lies elsewhere. Pause, ask.
    WRONG_COUNT = "wrong_count"  # 9: the 48 cards do not add up. Pause, ask.
    MISDEAL = "misdeal"  # 10: the field or a hand requires a redeal
    MISSING_DECISION = "missing_decision"  # 11: the base has grown and the next player acts. Ask.
    ILLEGAL_DECLARATION = "illegal_declaration"
    """11: stop or koi-koi where there is nothing to decide, or a claim that does not hold. Reject."""
    WRONG_DEALER = "wrong_dealer"  # 14: the wrong player dealt. Notice.
    LATE_CHANGE = "late_change"
    """13: a capture was changed, or made up for, after the drawn card was turned. Notice."""
    PLAY_AFTER_END = "play_after_end"  # 15: the round is over
    ENDED_EARLY = "ended_early"
    """15: the round was ended though the next player has hand cards and the stock is not empty. Ask."""
    UNSURE = "unsure"  # the eye cannot tell, and does not guess


@dataclass(frozen=True, slots=True)
class Flag:
    """One flag."""

    event: int  # number of the event, from 0. A missing action is flagged at the event where it was due.
    id: FlagId
    text: Sentence


def flagged(text: str, event: int, id_: FlagId, /, **values: object) -> Flag:
    return Flag(event, id_, Sentence(text, **values))
