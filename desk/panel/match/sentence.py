"""A ruling as one sentence."""

from collections.abc import Mapping

from desk.panel.match.port import Pair, PoemRuled, SideName, Stopped
from desk.panel.phrases import STOPS, phrase
from desk.panel.words import Words
from referee.cards.poems import POEMS

SIDES: tuple[SideName, SideName] = ("near", "far")


def side_names(words: Words, names: Mapping[SideName, str | None]) -> dict[SideName, str]:
    """Return the name of each side: the player's name if it is known, else the seat."""
    return {"near": names["near"] or words("Near"), "far": names["far"] or words("Far")}


def outcome_text(
    winner: SideName | None, stopped: Stopped | None, names: Mapping[SideName, str], words: Words
) -> str:
    """Return how a match ended: who won, and why an official ended it."""
    outcome = words("Nobody won") if winner is None else words("{side} wins", side=names[winner])
    if stopped is None:
        return outcome
    return words("{outcome} ({why})", outcome=outcome, why=phrase(words, STOPS, stopped))


def ruling_sentence(ruled: PoemRuled, names: Mapping[SideName, str], words: Words) -> str:
    """Return a ruling as a sentence: who takes, who faulted and who sends."""
    happened = [_take(ruled, names, words)]
    happened += [_fault(names[side], ruled["faults"][side], words) for side in SIDES if ruled["faults"][side]]
    return words(
        "{happened}; {sends}.",
        happened=words(", ").join(happened),
        sends=send_clause(ruled["sends"], names, words),
    )


def send_clause(sends: Pair, names: Mapping[SideName, str], words: Words) -> str:
    """Return the clause on who sends how many cards: one side at most, if the house rules set off."""
    clauses = [
        words.counted(
            "{side} sends {n} card to {other}",
            "{side} sends {n} cards to {other}",
            sends[side],
            side=names[side],
            other=names[other],
        )
        for side, other in (SIDES, SIDES[::-1])
        if sends[side]
    ]
    return words(", ").join(clauses) or words("no card is sent")


def card_name(card: int, words: Words) -> str:
    """Return the name of a torifuda: its kimariji with the poem's number."""
    return words("{kimariji} ({card})", kimariji=POEMS[card].kimariji, card=card)


def _take(ruled: PoemRuled, names: Mapping[SideName, str], words: Words) -> str:
    taker, holder = ruled["taken_by"], ruled["target_side"]
    if holder is None:
        return words("Dead card: it is not on the field")
    if taker is None:
        return words("Nobody takes the card in {side}'s territory", side=names[holder])
    if taker == holder:
        return words("{side} takes from their own territory", side=names[taker])
    return words("{side} takes from {other}'s territory", side=names[taker], other=names[holder])


def _fault(side: str, faults: int, words: Words) -> str:
    return words.counted("{side} faults", "{side} faults twice", faults, side=side)
