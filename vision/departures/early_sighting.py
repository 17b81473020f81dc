"""A card that is seen away from its place while a poem is open: reported at once, and no proof yet."""

from __future__ import annotations

from dataclasses import dataclass

from referee.sides import Side


@dataclass(frozen=True, slots=True)
class EarlySighting:
    """A card that was seen away from its place."""

    # card, territory: which card, and where it lay
    card: int | None
    territory: Side
    player: Side | None  # whose arm lies over its place now; None if nobody's or both players'
    t_ns: int  # the first frame that showed it
