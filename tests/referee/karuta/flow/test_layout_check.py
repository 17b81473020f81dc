"""The layout check reports everything that is wrong, and nothing for a correct layout."""

from collections.abc import Callable
from dataclasses import replace
from math import nextafter

import pytest

from referee.karuta.flow.follow_ups import Notice, NoticeId, notice
from referee.karuta.flow.layout_check import CROOKED_RAD, SLACK_M, check_layout
from referee.karuta.ruleset import Measures
from referee.layout import CARD_HEIGHT_M, CARD_WIDTH_M, PlacedCard
from referee.notation import parse_layout

CARDS = parse_layout("near 1 2|3 4/5|6 9/7| far 51 52|53/54|55/56|57 58").cards
CARDS_PER_SIDE = 8
NO_MEASURES = Measures(width_m=None, row_gap_m=None, territory_gap_m=None)


def problems(cards: tuple[PlacedCard, ...], measures: Measures | None = None) -> tuple[Notice, ...]:
    return check_layout(cards, measures or Measures(), cards_per_side=CARDS_PER_SIDE)


def changed(card: int, change: Callable[[PlacedCard], PlacedCard]) -> tuple[PlacedCard, ...]:
    return tuple(change(placed) if placed.card == card else placed for placed in CARDS)


def moved(
    side: str, *, x_m: float = 0.0, y_m: float = 0.0, rows: tuple[int, ...] = (0, 1, 2)
) -> tuple[PlacedCard, ...]:
    return tuple(
        replace(placed, x_m=placed.x_m + x_m, y_m=placed.y_m + y_m)
        if placed.side == side and placed.row in rows
        else placed
        for placed in CARDS
    )


def test_a_layout_in_order_has_no_problems() -> None:
    assert problems(CARDS) == ()


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        (CARDS[1:], notice(NoticeId.CARD_COUNT, side="near", count=7, expected=8)),
        (changed(52, lambda placed: replace(placed, card=51)), notice(NoticeId.CARD_DOUBLE, card=51)),
        (changed(52, lambda placed: replace(placed, card=None)), notice(NoticeId.CARD_UNREAD, side="far",
            count=1)),
        (changed(5, lambda placed: replace(placed, y_m=placed.y_m + 0.011)), notice(NoticeId.ACROSS_ROWS,
            side="near", card=5)),
        (changed(2, lambda placed: replace(placed, angle_rad=-0.21)), notice(NoticeId.CROOKED, side="near",
            card=2)),
        (changed(58, lambda placed: replace(placed, faces_owner=False)), notice(NoticeId.WRONG_FACING,
            side="far", card=58)),
        (changed(2, lambda placed: replace(placed, x_m=placed.x_m - 0.011)), notice(NoticeId.OVERLAPPING,
            side="near", card=1, other=2)),
        (moved("near", y_m=0.011), notice(NoticeId.TERRITORY_GAP, gap_mm=41, expected_mm=30)),
        (moved("far", y_m=0.011), notice(NoticeId.TERRITORY_GAP, gap_mm=19, expected_mm=30)),
        (moved("near", x_m=0.011), notice(NoticeId.NOT_ALIGNED, width_mm=881, allowed_mm=870)),
        (moved("far", y_m=-0.011, rows=(2,)), notice(NoticeId.ROW_GAP, side="far", row=1, gap_mm=21,
            expected_mm=10)),
        (moved("near", y_m=-0.011, rows=(2,)), notice(NoticeId.ROW_GAP, side="near", row=1, gap_mm=-1,
            expected_mm=10)),
    ],
)  # fmt: skip
def test_each_problem_is_named(cards: tuple[PlacedCard, ...], expected: Notice) -> None:
    assert expected in problems(cards)


def test_a_territory_that_is_too_wide() -> None:
    wide = changed(4, lambda placed: replace(placed, x_m=placed.x_m + 0.011))
    assert problems(wide) == (notice(NoticeId.TOO_WIDE, side="near", width_mm=881, allowed_mm=870),)


def test_cards_that_overlap_by_no_more_than_what_cannot_be_measured_lie_side_by_side() -> None:
    least_m = CARD_WIDTH_M - SLACK_M
    for apart_m, is_named in ((least_m, False), (nextafter(least_m, 0), True)):
        x_m = {1: 0.0, 2: apart_m}
        cards = tuple(
            replace(placed, x_m=x_m[placed.card]) if placed.card in x_m else placed for placed in CARDS
        )
        named = notice(NoticeId.OVERLAPPING, side="near", card=1, other=2) in problems(cards)
        assert named is is_named, apart_m


def test_rows_that_are_off_by_no_more_than_what_cannot_be_measured_are_in_order() -> None:
    wide = moved(
        "near", y_m=0.008, rows=(2,)
    )  # 18 mm: within a factor of two of the slack, so sums are exact
    middle, outer = (next(each.y_m for each in wide if each.card == card) for card in (5, 7))
    gap_m = abs(outer - middle) - CARD_HEIGHT_M
    for expected_m, is_named in ((gap_m - SLACK_M, False), (nextafter(gap_m - SLACK_M, 0), True)):
        found = problems(wide, replace(NO_MEASURES, row_gap_m=expected_m))
        assert any(one.id is NoticeId.ROW_GAP and one.params["row"] == 1 for one in found) is is_named


def with_width(total_m: float) -> float:
    """Return the width that with the slack is exactly `total_m`."""
    near_m = total_m - SLACK_M
    widths = (near_m, nextafter(near_m, 1), nextafter(near_m, 0))
    return next(each for each in widths if each + SLACK_M == total_m)


def test_a_territory_that_is_as_wide_as_can_be_measured_is_in_order() -> None:
    x_m = [each.x_m for each in CARDS if each.side == "near"]
    allowed_m = with_width(max(x_m) - min(x_m) + CARD_WIDTH_M)
    assert problems(CARDS, replace(NO_MEASURES, width_m=allowed_m)) == ()
    wide = problems(CARDS, replace(NO_MEASURES, width_m=nextafter(allowed_m, 0)))
    assert {each.id for each in wide} <= {NoticeId.TOO_WIDE, NoticeId.NOT_ALIGNED}
    assert wide
    apart = moved("far", x_m=0.02)
    assert [each.id for each in problems(apart, replace(NO_MEASURES, width_m=allowed_m))] == [
        NoticeId.NOT_ALIGNED
    ]


def test_a_card_that_is_off_by_no_more_than_what_cannot_be_measured_lies_in_its_row_and_straight() -> None:
    level = tuple(replace(each, y_m=0.0) if (each.side, each.row) == ("near", 0) else each for each in CARDS)
    for y_m, angle_rad, ids in (
        (SLACK_M, CROOKED_RAD, set()),
        (nextafter(SLACK_M, 1), -CROOKED_RAD, {NoticeId.ACROSS_ROWS}),
        (-SLACK_M, nextafter(CROOKED_RAD, 1), {NoticeId.CROOKED}),
    ):
        cards = tuple(
            replace(each, y_m=y_m, angle_rad=angle_rad) if each.card == 2 else each for each in level
        )
        assert {each.id for each in problems(cards, NO_MEASURES)} == ids


def test_territories_that_are_off_by_no_more_than_what_cannot_be_measured_are_in_order() -> None:
    near_m = CARD_HEIGHT_M + 0.018  # within a factor of two of the slack, so sums are exact
    level = tuple(replace(each, y_m=near_m if each.side == "near" else 0.0) for each in CARDS)
    expected_m = near_m - 0.0 - CARD_HEIGHT_M - SLACK_M
    for asked_m, is_named in ((expected_m, False), (nextafter(expected_m, 0), True)):
        found = problems(level, replace(NO_MEASURES, territory_gap_m=asked_m))
        assert any(each.id is NoticeId.TERRITORY_GAP for each in found) is is_named


def test_a_card_that_could_not_be_read_is_called_zero() -> None:
    unread = changed(2, lambda placed: replace(placed, card=None, x_m=placed.x_m - 0.02, faces_owner=False))
    assert notice(NoticeId.WRONG_FACING, side="near", card=0) in problems(unread)
    assert notice(NoticeId.OVERLAPPING, side="near", card=1, other=0) in problems(unread)
    first = changed(1, lambda placed: replace(placed, card=None, x_m=placed.x_m + 0.02))
    assert notice(NoticeId.OVERLAPPING, side="near", card=0, other=2) in problems(first)


def test_an_empty_row_is_named() -> None:
    no_middle = tuple(placed for placed in CARDS if placed.card not in {5, 6, 9})
    assert notice(NoticeId.ROW_EMPTY, side="near", row=1) in problems(no_middle)
    assert not any(problem.id is NoticeId.ROW_GAP for problem in problems(no_middle))


def test_everything_is_named_at_once() -> None:
    found = problems(moved("near", x_m=0.011, y_m=0.011)[1:])
    assert [problem.id for problem in found] == [
        NoticeId.CARD_COUNT,
        NoticeId.NOT_ALIGNED,
        NoticeId.TERRITORY_GAP,
    ]


@pytest.mark.parametrize("cards", [moved("near", x_m=0.5, y_m=0.5), moved("far", y_m=-0.02, rows=(1, 2))])
def test_without_measures_only_the_rows_count(cards: tuple[PlacedCard, ...]) -> None:
    assert problems(cards) != ()
    assert problems(cards, NO_MEASURES) == ()


def test_an_empty_field_lacks_its_cards() -> None:
    assert {problem.id for problem in problems(())} == {NoticeId.CARD_COUNT, NoticeId.ROW_EMPTY}
