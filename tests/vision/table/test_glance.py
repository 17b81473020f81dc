"""Where something new lies still while arms move: looked at once, and again when a hand lets go of it."""

from typing import Any

import cv2
import numpy as np

from tests.vision.painted_hanafuda import CARD_MM, PLANE, SIZE_MM, frame, painted_deck, painted_table, put
from vision.plane.table_plane import view_px
from vision.plane.zones import Zone
from vision.table.glance import TableGlance
from vision.table.stillness import TableStillness

TABLE = painted_table()
CARD = (painted_deck().pictures["11-1"], (400.0, 280.0, 0.0))


def under_a_hand(picture: Any) -> Any:
    """A hand as large as four cards, over the card's right half."""
    held = picture.copy()
    corners = np.array([[400, 240], [520, 240], [520, 320], [400, 320]], np.float64)
    cv2.fillConvexPoly(held, np.rint(PLANE.pixels(corners)).astype(np.int32), (150, 170, 210))
    return held


class Watch:
    """Shows pictures to a glance, ten a second, after the bare table was read."""

    def __init__(self) -> None:
        self.glance = TableGlance([Zone("field", 0, (0, 0, *SIZE_MM))], CARD_MM)
        self.stillness, self.t_ms = TableStillness(), 0
        self.show(TABLE, 3)
        self.glance.remember(self.stillness.small)

    def show(self, picture: Any, times: int) -> list[Any]:
        """Return what is new in each of some frames."""
        found = []
        for _ in range(times):
            self.t_ms += 100
            self.stillness.feed(frame(picture, self.t_ms))
            found.append(self.glance.new(self.stillness, self.t_ms * 1_000_000, PLANE, 1280))
        return found


def test_what_lies_still_is_looked_at_once() -> None:
    watch = Watch()
    seen = watch.show(put(TABLE, [CARD]), 8)
    assert sum(mask is not None for mask in seen) == 1


def test_a_card_is_looked_at_wholly_when_the_hand_that_laid_it_lets_go() -> None:
    watch = Watch()
    laid = put(TABLE, [CARD])
    assert all(mask is None for mask in watch.show(under_a_hand(laid), 5))
    mask = [mask for mask in watch.show(laid, 8) if mask is not None][-1]
    # the half beside the hand has been seen before, and is looked at all the same
    for x_mm in (389.0, 411.0):
        x, y = np.rint(view_px(np.array([x_mm, 280.0]))).astype(int)
        assert mask[y, x] > 0
