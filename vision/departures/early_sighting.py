"""A card that is seen away from its place while a poem is open: reported at once, and no proof yet."""

from __future__ import annotations

from dataclasses import dataclass

from referee.sides import Side


@dataclass(frozen=True, slots=True)
class EarlySighting:
    """A card that was seen away from its place.

    Attributes
    ----------
    card, territory : which card, and where it lay.
    player : whose arm lies over its place now; None if nobody's or both players'.
    t_ns : the first frame that showed it.
    """

    card: int | None
    territory: Side
    player: Side | None
    t_ns: int
