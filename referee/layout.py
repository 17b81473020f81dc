"""Where the torifuda lie: field measures, placed cards, and layouts as immutable values.

Field coordinates: origin in the centre of the field, x to the right and y towards the near player, both as
the camera's picture shows them, in metres. Row 0 is next to the middle line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from referee.sides import BySide, Side

CARD_WIDTH_M = 0.052
CARD_HEIGHT_M = 0.073
TERRITORY_WIDTH_M = 0.87  # width of a territory: 16.5 cards (English wiki seed, "Arranging the Territories")
ROWS = 3
ROW_GAP_M = 0.010
TERRITORY_GAP_M = 0.030
TERRITORY_DEPTH_M = ROWS * CARD_HEIGHT_M + (ROWS - 1) * ROW_GAP_M
HALF_WIDTH_M, HALF_DEPTH_M = TERRITORY_WIDTH_M / 2, TERRITORY_GAP_M / 2 + TERRITORY_DEPTH_M
"""Distance from the middle of the field to its sides (x), and to the ends of the territories (y)."""


def row_centre_y_m(side: Side, row: int) -> float:
    """Return the nominal y of a row's card centres, in metres."""
    if not 0 <= row < ROWS:
        raise ValueError(f"row must be 0..{ROWS - 1} (0 is next to the middle line), got {row}")
    distance_m = TERRITORY_GAP_M / 2 + CARD_HEIGHT_M / 2 + row * (CARD_HEIGHT_M + ROW_GAP_M)
    return distance_m if side is Side.NEAR else -distance_m


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """One torifuda on the field."""

    card: int | None  # number of the poem 1..100, or None if it could not be read
    side: Side
    row: int  # 0..2, 0 next to the middle line
    # x_m, y_m: centre in field coordinates, metres
    x_m: float
    y_m: float
    # rotation clockwise as seen in the picture, relative to a card that faces its owner squarely
    angle_rad: float = 0.0
    faces_owner: bool = True  # False if the card lies upside down for the player whose territory it is in

    def __post_init__(self) -> None:
        if self.card is not None and not 1 <= self.card <= 100:
            raise ValueError(f"a torifuda is numbered 1..100, got {self.card}")
        if not 0 <= self.row < ROWS:
            raise ValueError(f"row must be 0..{ROWS - 1} (0 is next to the middle line), got {self.row}")

    def turned(self) -> PlacedCard:
        """Return the card as seen from the opposite seat."""
        return replace(self, side=self.side.opponent, x_m=-self.x_m, y_m=-self.y_m)


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """All torifuda on the field. Their order is irrelevant: equal sets of placed cards are equal layouts."""

    cards: tuple[PlacedCard, ...]

    def __post_init__(self) -> None:
        known = [placed.card for placed in self.cards if placed.card is not None]
        doubles = sorted({card for card in known if known.count(card) > 1})
        if doubles:
            raise ValueError(f"each torifuda lies on the field at most once, but these came twice: {doubles}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Layout) and Counter(self.cards) == Counter(other.cards)

    def __hash__(self) -> int:
        return hash(frozenset(self.cards))

    def __iter__(self) -> Iterator[PlacedCard]:
        return iter(self.cards)

    def __len__(self) -> int:
        return len(self.cards)

    def of(self, side: Side) -> tuple[PlacedCard, ...]:
        """Return the cards in `side`'s territory."""
        return tuple(placed for placed in self.cards if placed.side is side)

    def find(self, card: int) -> PlacedCard | None:
        """Return the place of torifuda `card`, or None if it is not on the field (a karafuda)."""
        return next((placed for placed in self.cards if placed.card == card), None)

    def side_of(self, card: int) -> Side | None:
        """Return the territory that holds torifuda `card`, or None for a karafuda."""
        placed = self.find(card)
        return None if placed is None else placed.side

    @property
    def is_read(self) -> bool:
        """Whether at least one card was read; objects that only have a card's shape may be anything."""
        return any(placed.card is not None for placed in self.cards)

    def counts(self) -> BySide[int]:
        """Return how many cards lie in each territory."""
        return BySide.of(lambda side: len(self.of(side)))

    def without(self, card: int) -> Layout:
        """Return the layout after torifuda `card` was taken away."""
        return Layout(tuple(placed for placed in self.cards if placed.card != card))

    def swap(self) -> Layout:
        """Return the same table seen from the opposite seat."""
        return Layout(tuple(placed.turned() for placed in self.cards))
