"""The lessons of the reader of foreign hanafuda, made once and used for many passes.

Making a lesson costs more than learning from it, and a net that is to be examined with a deck left out can
be taught from the same pool: every lesson knows the decks it was printed from.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from calibration.decks.deck import Picture
from hanafuda.lessons import no_card, photographed
from hanafuda.printer import reprinted
from referee.cards.hanafuda import HANAFUDA, Category
from vision.hanafuda.crops import card_corners_in_crop, crop_size_px
from vision.hanafuda.kinds import KIND_OF, NONE

SIZE: Final = crop_size_px()
CORNERS: Final = card_corners_in_crop().astype(np.float32)
NO_CARD: Final = 0.15
UPSIDE_DOWN: Final = 0.13
MIXED: Final = 0.4
RIBBON: Final = 0.12
"""Shares of lessons that show no card, a card upside down, a card with parts of another deck's, a month's
chaff before which a ribbon was hung."""
_OFF: Final = (0.012, 0.03)
_PLANT_OF: Final = {
    ribbon: [
        card
        for card in HANAFUDA
        if HANAFUDA[card].month == face.month and HANAFUDA[card].category is Category.KASU
    ]
    for ribbon, face in HANAFUDA.items()
    if face.category is Category.TAN and face.month != 11
}
"""The chaff of every ribbon's month: its plant and nothing else, but for November's, which shows a storm."""


@dataclass(frozen=True, eq=False)
class LessonPool:
    """Crops with what they show."""

    decks: tuple[str, ...]  # names of the decks
    crops: NDArray[np.uint8]  # shape (N, height, width, 3), uint8
    kinds: NDArray[np.int64]  # shape (N,), numbers of kinds, or `NONE`
    printed_from: NDArray[np.int64]  # shape (N,), a bit for each deck

    @classmethod
    def made(cls, decks: Mapping[str, Mapping[str, Picture]], count: int, seed: int) -> Self:
        """Make lessons from decks: pictures by card id, by the deck's name."""
        crops = np.empty((count, SIZE[1], SIZE[0], 3), np.uint8)
        kinds, printed_from = np.empty(count, np.int64), np.empty(count, np.int64)
        rng = np.random.default_rng(seed)
        for number in range(count):
            crops[number], kinds[number], printed_from[number] = _lesson(list(decks.values()), rng)
        return cls(tuple(decks), crops, kinds, printed_from)

    @classmethod
    def loaded(cls, path: Path) -> Self:
        """Read a pool that was saved."""
        with np.load(path) as parts:
            decks = tuple(map(str, parts["decks"]))
            return cls(decks, parts["crops"], parts["kinds"], parts["printed_from"])

    def save(self, path: Path) -> None:
        """Write the pool to a file."""
        with path.open("wb") as file:
            np.savez(
                file,
                decks=np.array(self.decks),
                crops=self.crops,
                kinds=self.kinds,
                printed_from=self.printed_from,
            )

    def without(self, unseen: Collection[str]) -> NDArray[np.intp]:
        """Return which lessons show nothing of the decks named."""
        hidden = sum(1 << number for number, name in enumerate(self.decks) if name in unseen)
        return np.flatnonzero((self.printed_from & hidden) == 0)


def _lesson(decks: list[Mapping[str, Picture]], rng: np.random.Generator) -> tuple[Picture, int, int]:
    """Return a crop, its kind and the decks it was printed from, a bit each."""
    which = int(rng.integers(len(decks)))
    deck = decks[which]
    if rng.random() < NO_CARD:
        return no_card(list(deck.values()), SIZE, CORNERS, rng), NONE, 1 << which
    card = list(deck)[int(rng.integers(len(deck)))]
    shown = card
    if rng.random() < RIBBON:
        card = list(_PLANT_OF)[int(rng.integers(len(_PLANT_OF)))]
        shown = _PLANT_OF[card][int(rng.integers(len(_PLANT_OF[card])))]
    second = int(rng.integers(len(decks))) if rng.random() < MIXED else which
    other = decks[second][shown] if second != which else None
    printed = reprinted(deck[shown], rng, other, ribbon=shown != card)
    crop = photographed(printed, SIZE, CORNERS, float(rng.choice(_OFF)), rng)
    decks_used = 1 << which | 1 << second
    if rng.random() < UPSIDE_DOWN:
        return np.ascontiguousarray(crop[::-1, ::-1]), NONE, decks_used
    return crop, KIND_OF[card], decks_used
