"""The handling of cards by people at a simulated table of Koi-Koi: lawful, but each in his own way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Manners:
    """Probabilities, 0..1, per turn or capture.

    Attributes
    ----------
    late : both pairs are collected only at the end of the turn.
    flows : the hand goes from the hand card to the stock without leaving the table.
    hurries : the next player reaches in while this one's arm leaves: the table does not rest in between.
    stacks : captured cards are put down as one packet, of which only the top card is visible.
    slips : something is done wrongly and corrected before the turn is over.
    """

    late: float = 0.35
    flows: float = 0.0
    hurries: float = 0.0
    stacks: float = 0.0
    slips: float = 0.0


MANNERS: Final[Mapping[str, Manners]] = {
    "plain": Manners(),
    "late": Manners(late=1.0),
    "flowing": Manners(late=0.6, flows=0.7),
    "hurried": Manners(flows=0.5, hurries=0.6),
    "stacking": Manners(stacks=0.6),
    "slipping": Manners(slips=0.5),
}
"""By name."""


def find_manners(name: str) -> Manners:
    """Return the manners called `name`; ValueError lists the known names."""
    if name not in MANNERS:
        raise ValueError(f"no manners {name!r}; choose one of: {', '.join(MANNERS)}")
    return MANNERS[name]
