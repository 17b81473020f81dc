"""The layout check: it reports every problem, not only the first one."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median

from referee.karuta.flow.follow_ups import Notice, NoticeId, notice
from referee.karuta.ruleset import Measures
from referee.layout import CARD_HEIGHT_M, CARD_WIDTH_M, ROWS, PlacedCard
from referee.sides import Side

SLACK_M = 0.010
"""A finger's width: the documents measure the field in fingers, so players cannot be held to less."""
CROOKED_RAD = 0.2  # about eleven degrees: a corner of the card then sticks out by more than half a finger


def check_layout(cards: Iterable[PlacedCard], measures: Measures, cards_per_side: int) -> tuple[Notice, ...]:
    """Return a notice for every problem of a layout; a measure that is None is not checked.

    `cards`: the cards as they lie; unlike in a `Layout`, a card may occur twice.
    """
    cards = tuple(cards)
    counts = Counter(placed.card for placed in cards if placed.card is not None)
    problems = [
        notice(NoticeId.CARD_DOUBLE, card=card) for card, count in sorted(counts.items()) if count > 1
    ]
    territories = {side: [placed for placed in cards if placed.side is side] for side in Side}
    for side, territory in territories.items():
        problems += _check_territory(side, territory, measures, cards_per_side)
    return (*problems, *_check_both(territories, measures))


def _check_territory(
    side: Side, cards: Sequence[PlacedCard], measures: Measures, expected: int
) -> Iterator[Notice]:
    if len(cards) != expected:
        yield notice(NoticeId.CARD_COUNT, side=side, count=len(cards), expected=expected)
    unread = sum(placed.card is None for placed in cards)
    if unread:
        yield notice(NoticeId.CARD_UNREAD, side=side, count=unread)
    if measures.width_m is not None and _width_m(cards) > measures.width_m + SLACK_M:
        yield _too_wide(NoticeId.TOO_WIDE, _width_m(cards), measures.width_m, side=side)
    rows = [
        sorted((placed for placed in cards if placed.row == row), key=lambda placed: placed.x_m)
        for row in range(ROWS)
    ]
    for row, row_cards in enumerate(rows):
        if not row_cards:
            yield notice(NoticeId.ROW_EMPTY, side=side, row=row)
        yield from _check_row(side, row_cards)
    for row, (inner, outer) in enumerate(pairwise(rows)):
        if inner and outer and measures.row_gap_m is not None:
            gap_m = abs(_line_m(outer) - _line_m(inner)) - CARD_HEIGHT_M
            if abs(gap_m - measures.row_gap_m) > SLACK_M:
                yield notice(NoticeId.ROW_GAP, side=side, row=row, **_gap(gap_m, measures.row_gap_m))


def _check_row(side: Side, row: Sequence[PlacedCard]) -> Iterator[Notice]:
    for placed in row:
        card = placed.card or 0
        if abs(placed.y_m - _line_m(row)) > SLACK_M:
            yield notice(NoticeId.ACROSS_ROWS, side=side, card=card)
        if abs(placed.angle_rad) > CROOKED_RAD:
            yield notice(NoticeId.CROOKED, side=side, card=card)
        if not placed.faces_owner:
            yield notice(NoticeId.WRONG_FACING, side=side, card=card)
    for left, right in pairwise(row):
        if right.x_m - left.x_m < CARD_WIDTH_M - SLACK_M:
            yield notice(NoticeId.OVERLAPPING, side=side, card=left.card or 0, other=right.card or 0)


def _check_both(territories: dict[Side, list[PlacedCard]], measures: Measures) -> Iterator[Notice]:
    near, far = territories[Side.NEAR], territories[Side.FAR]
    allowed_m = measures.width_m
    if allowed_m is not None:
        fits = max(_width_m(near), _width_m(far)) <= allowed_m + SLACK_M
        if fits and _width_m([*near, *far]) > allowed_m + SLACK_M:
            yield _too_wide(NoticeId.NOT_ALIGNED, _width_m([*near, *far]), allowed_m)
    inner = [[placed for placed in cards if placed.row == 0] for cards in (near, far)]
    if measures.territory_gap_m is not None and all(inner):
        gap_m = _line_m(inner[0]) - _line_m(inner[1]) - CARD_HEIGHT_M
        if abs(gap_m - measures.territory_gap_m) > SLACK_M:
            yield notice(NoticeId.TERRITORY_GAP, **_gap(gap_m, measures.territory_gap_m))


def _line_m(row: Sequence[PlacedCard]) -> float:
    """Return the y of a row: the median of its centres, which a single stray card does not move."""
    return median(placed.y_m for placed in row)


def _width_m(cards: Sequence[PlacedCard]) -> float:
    centres_m = [placed.x_m for placed in cards]
    return max(centres_m) - min(centres_m) + CARD_WIDTH_M if centres_m else 0.0


def _gap(gap_m: float, expected_m: float) -> dict[str, int]:
    return {"gap_mm": round(gap_m * 1000), "expected_mm": round(expected_m * 1000)}


def _too_wide(id_: NoticeId, width_m: float, allowed_m: float, **params: str) -> Notice:
    return notice(id_, **params, width_mm=round(width_m * 1000), allowed_mm=round(allowed_m * 1000))
