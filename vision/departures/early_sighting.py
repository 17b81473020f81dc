"""A card that is seen away from its place while a poem is open: told at once, and no proof yet."""

from __future__ import annotations

from dataclasses import dataclass

from referee.sides import Side


@dataclass(frozen=True, slots=True)
class EarlySighting:
    """A card that was seen elsewhere than in its place.

    Attributes
    ----------
    card, territory : which, and where it lay.
    player : whose arm lies over its place now, None where nobody's or both players' does.
    t_ns : the first frame that showed it.
    """

    card: int | None
    territory: Side
    player: Side | None
    t_ns: int
