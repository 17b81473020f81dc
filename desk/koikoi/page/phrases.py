"""Texts of the Koi-Koi page for flags, endings and refusals; English is the source of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from desk.panel.table.phrases import FlagTexts
from desk.panel.words import N_
from referee.cards.hanafuda import Category

FLAGS: Final[Mapping[str, FlagTexts]] = MappingProxyType(
    {
        "wrong_month": FlagTexts(
            N_("Cards of different months were taken together"), N_("Put the field card back.")
        ),
        "forgotten_capture": FlagTexts(
            N_("A matching card was left on the field"),
            N_("Take the pair now: it can be put right until the next player's card."),
        ),
        "took_one_of_three": FlagTexts(
            N_("Three of the month lay there and not all were taken"), N_("Take all four cards.")
        ),
        "took_both_of_two": FlagTexts(
            N_("Two cards matched and both were taken"), N_("The player puts one of them back.")
        ),
        "out_of_turn": FlagTexts(
            N_("A player acted whose turn it is not"), N_("Stop and take the card back.")
        ),
        "two_hand_cards": FlagTexts(
            N_("Two hand cards were played in one turn"), N_("Take one of them back.")
        ),
        "no_hand_card": FlagTexts(N_("No hand card was played in this turn"), N_("Play a hand card.")),
        "no_draw": FlagTexts(
            N_("The turn ended without a drawn card"), N_("Turn the top card of the stock.")
        ),
        "drew_twice": FlagTexts(
            N_("Two cards were drawn in one turn"), N_("Put the second card back on top.")
        ),
        "drew_first": FlagTexts(
            N_("The card was drawn before a hand card was played"), N_("Play a hand card, then go on.")
        ),
        "wrong_strip": FlagTexts(
            N_("Captured cards lie on another player's pile"), N_("Lay them on the pile of who took them.")
        ),
        "card_returned": FlagTexts(
            N_("A captured card came back to the field"), N_("Put it back on its pile.")
        ),
        "card_vanished": FlagTexts(
            N_("A card is no longer on the table"), N_("Look for it and lay it back.")
        ),
        "extra_card_taken": FlagTexts(
            N_("A card of another month was taken along"), N_("Put the extra card back.")
        ),
        "duplicate_card": FlagTexts(
            N_("The same card was read twice"), N_("Tap the card that was read wrongly and name it.")
        ),
        "wrong_count": FlagTexts(
            N_("The 48 cards do not add up"), N_("Look for the missing card, then go on.")
        ),
        "misdeal": FlagTexts(N_("This deal does not count"), N_("Shuffle and deal again; the round stays.")),
        "missing_decision": FlagTexts(
            N_("The base has grown and nothing was declared"), N_("Ask the player: koi-koi or stop?")
        ),
        "illegal_declaration": FlagTexts(
            N_("There was nothing to declare"), N_("The declaration does not count.")
        ),
        "wrong_dealer": FlagTexts(
            N_("Somebody else should have dealt"), N_("Agree on the dealer, then go on.")
        ),
        "late_change": FlagTexts(
            N_("A choice was changed after the drawn card was turned"), N_("Restore the first choice.")
        ),
        "ended_early": FlagTexts(
            N_("The round was ended with cards left"), N_("Play on, or agree that nobody wins this round.")
        ),
        "play_after_end": FlagTexts(
            N_("The round is over"), N_("No further card counts: deal the next round.")
        ),
        "unsure": FlagTexts(
            N_("The eye cannot tell"), N_("Look at the table and correct what is shown wrongly.")
        ),
    }
)
"""Texts by the id of a flag of `referee.koikoi.flags`."""

PHASES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "waiting": N_("Deal the cards"),
        "unseen": N_("A part was not seen: play on, the next cards show whose turn it is"),
        "hand_card": N_("{player}: play a hand card"),
        "draw": N_("{player}: turn a card of the stock"),
        "late_hand_card": N_("{player}: a hand card is still due"),
        "decision": N_("{player}: koi-koi or stop?"),
        "over": N_("The round is over: deal the next one"),
    }
)
UNDEALT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "few": N_("{seen} of {size} dealt cards are seen: move apart those that hide another, or play on"),
        "many": N_(
            "{seen} things are seen in the middle, {unread} of them not readable as cards, but {size} cards "
            "are dealt there: take away what is no card or is too many"
        ),
        "piles": N_(
            "No deal is understood while cards lie among the captured or turned-up ones: gather them all and "
            "deal {size} cards to the middle"
        ),
    }
)
"""Why the referee still waits for the deal."""
ENDINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "stop": N_("{player} stopped and gets {points}"),
        "exhausted": N_("Nobody stopped: no points"),
        "teshi": N_("Teshi: {player} gets {points}"),
        "kuttsuki": N_("Kuttsuki: {player} gets {points}"),
        "redeal": N_("Dealt again"),
    }
)
KINDS: Final[Mapping[Category, str]] = MappingProxyType(
    {
        Category.HIKARI: N_("Brights"),
        Category.TANE: N_("Animals"),
        Category.TAN: N_("Ribbons"),
        Category.KASU: N_("Chaff"),
    }
)
"""The four kinds of captured cards."""
STEPS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "deal": N_("{player} dealt"),
        "play_took": N_("{player} played {card} and took {cards}"),
        "play_left": N_("{player} played {card} and took nothing"),
        "draw_took": N_("{player} drew {card} and took {cards}"),
        "draw_left": N_("{player} drew {card} and took nothing"),
        "koikoi": N_("{player} called koi-koi"),
        "stop": N_("{player} stopped"),
        "teshi": N_("{player} showed teshi"),
        "kuttsuki": N_("{player} showed kuttsuki"),
        "missed": N_("A part was not seen"),
        "end": N_("The round ended"),
    }
)
"""Kinds of steps in a round's story."""
FACTORS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "koi-koi": N_("(koi-koi)"),
        "large sum": N_("(large sum)"),
        "lights on the field": N_("(lights on the field)"),
    }
)
"""Why the points are multiplied, by the words of `referee.koikoi.payout`."""
CALLS: Final = (N_("teshi"), N_("kuttsuki"))
"""Claims in the referee's sentences."""
REFUSALS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "nothing_to_decide": N_(
            "Nothing is to be said now: koi-koi and stop come after a turn that makes or raises a yaku, "
            "teshi and kuttsuki before the first card."
        ),
        "nothing_to_undo": N_(
            "There is nothing to take back: 'Undo' takes back what was said or corrected with a button."
        ),
        "no_round": N_("No round has been dealt yet: this can be done once the deal is read."),
        "same_card": N_("It is that card already."),
        "not_yours": N_("Only the player or the operator may do this."),
    }
)
