"""Draw all cards of a deck on one picture, to check at a glance that every picture is the right one."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from calibration.decks.deck import Deck, Picture

COLUMNS: Final = 12
GAP_PX: Final = 12
LABEL_PX: Final = 22
CARD_WIDTH_PX: Final = 99
_PAPER: Final = 235
_INK: Final = (40, 40, 40)


def contact_sheet(deck: Deck) -> Picture:
    """Return a picture of all cards in the deck's order, column by column, each with its id under it.

    With twelve columns the four cards of a hanafuda month stand one above the other.
    """
    rows = -(-len(deck.pictures) // COLUMNS)
    width, height = deck.picture_size_px
    size = (CARD_WIDTH_PX, round(CARD_WIDTH_PX * height / width))
    step_x, step_y = size[0] + GAP_PX, size[1] + LABEL_PX + GAP_PX
    sheet = np.full((rows * step_y + GAP_PX, COLUMNS * step_x + GAP_PX, 3), _PAPER, np.uint8)
    for index, (card, picture) in enumerate(deck.pictures.items()):
        column, row = divmod(index, rows)
        x, y = GAP_PX + column * step_x, GAP_PX + row * step_y
        sheet[y : y + size[1], x : x + size[0]] = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
        at = (x, y + size[1] + LABEL_PX - 6)
        cv2.putText(sheet, card, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, _INK, 1, cv2.LINE_AA)
    return sheet
