"""An arm that reaches in over the picture's edge is told from the table."""

from typing import Any

import cv2
import pytest

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


@pytest.mark.parametrize("rests_s", [4, 14])
@pytest.mark.parametrize("is_played", [False, True])
def test_an_arm_that_lies_over_the_table_as_a_game_goes_on_does_not_become_the_table(
    rests_s: int, *, is_played: bool
) -> None:
    watch = Watch()
    watch.show(*[TABLE] * 6, *(played(TABLE, step) for step in range(150)))
    watch.show(*(played(with_arm(500, 200), step if is_played else 0) for step in range(10 * rests_s)))
    assert not watch.show(*(played(TABLE, step) for step in range(6)))
    assert watch.show(with_arm(300, 200), with_arm(310, 300)) == {"bottom"}


def test_an_arm_that_lay_there_from_the_first_picture_is_known_for_one_as_a_game_goes_on() -> None:
    watch = Watch()
    watch.show(*[with_arm(500, 200)] * 6)
    watch.show(*(played(TABLE, step) for step in range(125)))
    assert not watch.stillness.arms
    assert watch.show(with_arm(500, 200), with_arm(510, 300)) == {"bottom"}


def played(picture: Any, step: int) -> Any:
    """A card that wanders about in the middle of the table, so that it never rests."""
    picture = picture.copy()
    cv2.rectangle(picture, (300 + 40 * (step % 5), 300), (360 + 40 * (step % 5), 390), (40, 40, 200), -1)
    return picture
