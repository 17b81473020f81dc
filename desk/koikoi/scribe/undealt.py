"""Why the referee still waits for the deal although something lies on the table."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from desk.koikoi.scribe.look import Look


class Why(StrEnum):
    """Why a deal is not understood."""

    FEW = "few"
    MANY = "many"
    PILES = "piles"


@dataclass(frozen=True, slots=True)
class Undealt:
    """A table that shows no deal."""

    why: Why
    seen: int  # number of cards seen in the middle; if there are too many, unreadable ones are included
    unread: int  # number of unreadable cards, or objects that are no cards
    size: int  # number of cards that are dealt there


def undealt(look: Look, size: int) -> Undealt | None:
    """Return why a look shows no deal of `size` cards; None if it shows one, or if nothing lies there."""
    unread = max(len(look.unread), look.unnamed)
    seen = len(look.field) + unread
    if look.captured or look.turn:
        return Undealt(Why.PILES, seen, unread, size)
    if not seen or (seen == size and not unread):
        return None
    if seen > size:
        return Undealt(Why.MANY, seen, unread, size)
    return Undealt(Why.FEW, len(look.field), unread, size)
