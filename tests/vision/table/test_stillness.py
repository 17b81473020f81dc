"""An arm that reaches in over the picture's edge is told from the table."""

from typing import Any

import cv2

from tests.vision.painted_card_table import frame, painted_table
from vision.table.stillness import TableStillness

TABLE = painted_table()


def with_arm(x_px: int, reach_px: int) -> Any:
    """An arm over the lower edge."""
    picture = TABLE.copy()
    cv2.rectangle(picture, (x_px, 720 - reach_px), (x_px + 90, 720), (150, 170, 210), -1)
    return picture


class Watch:
    """Shows pictures ten times a second."""

    def __init__(self) -> None:
        self.stillness, self.t_ms = TableStillness(), 0

    def show(self, *pictures: Any) -> frozenset[str]:
        for picture in pictures:
            self.t_ms += 100
            self.stillness.feed(frame(picture, self.t_ms))
        return self.stillness.arms


def test_an_arm_is_told_while_it_reaches_in_and_no_longer() -> None:
    watch = Watch()
    assert not watch.show(*[TABLE] * 6)
    assert watch.show(with_arm(500, 200), with_arm(510, 300), with_arm(510, 300)) == {"bottom"}
    assert not watch.show(TABLE, TABLE)


def test_an_arm_that_was_there_from_the_first_picture_does_not_pass_for_the_table() -> None:
    watch = Watch()
    watch.show(*(with_arm(500 + 20 * step, 250) for step in range(8)))
    assert not watch.show(*[TABLE] * 7)
    assert watch.show(with_arm(500, 200), with_arm(510, 300)) == {"bottom"}


def test_an_arm_that_comes_before_the_table_has_rested_is_told_all_the_same() -> None:
    watch = Watch()
    assert watch.show(TABLE, TABLE, with_arm(500, 200), with_arm(510, 300)) == {"bottom"}
