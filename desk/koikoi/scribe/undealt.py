"""Why a referee of Koi-Koi still waits for the deal although something lies on the table."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from desk.koikoi.scribe.look import Look


class Why(StrEnum):
    """What keeps a deal from being understood."""

    FEW = "few"
    MANY = "many"
    PILES = "piles"


@dataclass(frozen=True, slots=True)
class Undealt:
    """A table that shows no deal.

    Attributes
    ----------
    why : what is wrong with it.
    seen : how many cards are seen in the middle; of too many also what cannot be read.
    unread : how many of them are seen and cannot be read, or are no cards.
    size : how many cards are dealt there.
    """

    why: Why
    seen: int
    unread: int
    size: int


def undealt(look: Look, size: int) -> Undealt | None:
    """Return why a look shows no deal of `size` cards; None where nothing lies there, or where it does."""
    unread = max(len(look.unread), look.unnamed)
    seen = len(look.field) + unread
    if look.captured or look.turn:
        return Undealt(Why.PILES, seen, unread, size)
    if not seen or (seen == size and not unread):
        return None
    if seen > size:
        return Undealt(Why.MANY, seen, unread, size)
    return Undealt(Why.FEW, len(look.field), unread, size)
