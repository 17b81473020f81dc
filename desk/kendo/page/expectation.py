"""What a bout waits for, and which button goes on where it waits in vain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from desk.panel.expectation import Awaited
from desk.panel.words import N_

AWAITED: Final[Mapping[str, Awaited]] = {
    "unopened": Awaited(
        N_(
            "A brown card of each player is awaited: they are read as soon as no hand and no head is over "
            "the table and the cards lie still."
        ),
        N_("If a card is read wrongly: tap it, and say which one it is."),
    ),
    "card": Awaited(
        N_(
            "{player}'s card is awaited: it is read as soon as no hand and no head is over the table and "
            "the cards lie still."
        ),
        N_("If none is played: 'Does not answer'. If one is read wrongly: tap it."),
    ),
    "illegal": Awaited(
        N_("A play that is not allowed lies there and is to be taken back."),
        N_("'Let the play stand' accepts it."),
    ),
    "over": Awaited("", is_seen=False),
}


def awaited(bout: Mapping[str, Any]) -> str:
    """Return what a bout waits for, a key of `AWAITED`."""
    if bout["winner"] is not None:
        return "over"
    if bout["may"]["accept"]:
        return "illegal"
    return "unopened" if bout["to_act"] is None else "card"
