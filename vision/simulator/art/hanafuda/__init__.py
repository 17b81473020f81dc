"""The house's own hanafuda, drawn by code: 48 cards of twelve plants, their animals, ribbons and lights."""

from functools import cache
from typing import Final

import numpy as np

from calibration.decks.deck import Deck, Picture, deck_game, picture_size_px
from referee.cards.hanafuda import HANAFUDA, Category, Hanafuda
from vision.simulator.art.hanafuda.figures import FIGURES, PLANTS, draw_ribbon
from vision.simulator.art.hanafuda.pen import BLACK, PAPER, RED, YELLOW, Pen
from vision.simulator.drawing.style import Colour

NAME: Final = "shinpan"
_GROUNDS: Final[dict[str, Colour]] = {"08-1": RED, "12-4": YELLOW}
_BEFORE_THE_PLANT: Final = frozenset({"08-1"})


@cache
def drawn_deck() -> Deck:
    """Return the house's own deck of hanafuda."""
    width_mm, height_mm = deck_game("hanafuda").card_size_mm
    size = picture_size_px(width_mm, height_mm)
    pictures = {card.id: _drawn(card, size) for card in HANAFUDA.values()}
    return Deck("hanafuda", NAME, pictures, width_mm, height_mm, notes="drawn by shinpan itself; MIT")


def _drawn(card: Hanafuda, size: tuple[int, int]) -> Picture:
    pen = Pen(_GROUNDS.get(card.id, PAPER))
    figure = FIGURES.get(card.id)
    if figure is not None and card.id in _BEFORE_THE_PLANT:
        figure(pen)
    PLANTS[card.month](pen, card.slot)
    if figure is not None and card.id not in _BEFORE_THE_PLANT:
        figure(pen)
    if card.category is Category.TAN:
        assert card.ribbon is not None
        draw_ribbon(pen, card.ribbon)
    picture = pen.finished(size, BLACK).astype(np.float32)
    dice = np.random.default_rng(card.index)
    grain_gray = 2.0  # standard deviation of the paper's grain, gray levels
    picture += dice.normal(0, grain_gray, picture.shape[:2]).astype(np.float32)[..., None]
    return np.asarray(np.clip(picture, 0, 255), np.uint8)
