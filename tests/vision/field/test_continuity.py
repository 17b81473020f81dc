"""Continuity: names and hidden cards survive a bad reading unless the picture contradicts them."""

import numpy as np
import pytest

from calibration.field.geometry import FieldGeometry
from referee.layout import Layout, PlacedCard
from referee.sides import Side
from vision.field.layout_reader import LayoutReading
from vision.match.known_field import carried_over, without_taken

GEOMETRY = FieldGeometry(1280, 720, 0.0, np.eye(3), 0.0002)


def reading(*cards: PlacedCard) -> LayoutReading:
    corners = tuple(np.full((4, 2), number, float) for number in range(len(cards)))
    return LayoutReading(Layout(cards), GEOMETRY, corners, (0.9,) * len(cards))


def placed(card: int | None, x_m: float) -> PlacedCard:
    return PlacedCard(card, Side.NEAR, 0, x_m, 0.05)


def test_unread_card_at_the_same_place_gets_its_name_back() -> None:
    result = carried_over(reading(placed(17, 0.1)), reading(placed(None, 0.103)), [True])
    assert [card.card for card in result.layout] == [17]
    assert result.layout.cards[0].x_m == 0.103
    assert result.confidences == (0.9,)


def test_overlooked_card_whose_face_is_still_seen_stays() -> None:
    before, now = reading(placed(17, 0.1), placed(18, 0.2)), reading(placed(18, 0.2))
    result = carried_over(before, now, [True, True])
    assert sorted(card.card or 0 for card in result.layout) == [17, 18]
    assert len(result.corners_px) == len(result.confidences) == 2


@pytest.mark.parametrize(
    ("before", "now", "stayed"),
    [
        (placed(17, 0.1), placed(None, 0.103), False),
        (placed(17, 0.1), placed(None, 0.15), True),
        (placed(None, 0.1), placed(None, 0.1), True),
    ],
    ids=["its face is no longer there", "another place", "it never had a name"],
)
def test_name_is_not_given_away(before: PlacedCard, now: PlacedCard, *, stayed: bool) -> None:
    result = carried_over(reading(before), reading(now), [stayed])
    assert now in result.layout.cards


def test_card_read_elsewhere_is_not_doubled() -> None:
    result = carried_over(reading(placed(17, 0.1)), reading(placed(17, 0.3), placed(None, 0.1)), [True])
    assert [card.card for card in result.layout] == [17, None]


def test_other_card_on_the_same_place_wins() -> None:
    result = carried_over(reading(placed(17, 0.1)), reading(placed(18, 0.11)), [True])
    assert [card.card for card in result.layout] == [18]


def test_name_that_a_person_gave_holds_against_the_face() -> None:
    result = carried_over(reading(placed(71, 0.1)), reading(placed(17, 0.101)), [True], given={71})
    assert [card.card for card in result.layout] == [71]


def test_given_name_stays_behind_when_the_card_leaves() -> None:
    result = carried_over(reading(placed(71, 0.1)), reading(placed(17, 0.3)), [False], given={71})
    assert [card.card for card in result.layout] == [17]


def test_nothing_is_kept_where_the_camera_was_knocked() -> None:
    others = [placed(number, 0.06 * number) for number in range(1, 7)]
    moved = [placed(number, 0.06 * number + 0.01) for number in range(1, 7)]
    before, now = reading(placed(17, -0.2), *others), reading(*moved)
    in_place = [True, False, False, True, False, False, False]
    assert {card.card for card in carried_over(before, now, in_place).layout} == set(range(1, 7))
    assert {card.card for card in carried_over(before, now, [True] * 7).layout} == {17, *range(1, 7)}


def test_name_that_a_person_gave_outlives_a_knock() -> None:
    others = [placed(number, 0.06 * number) for number in range(1, 7)]
    before = reading(placed(71, -0.2), placed(72, -0.3), *others)
    moved = [placed(number, 0.06 * number + 0.012) for number in range(1, 7)]
    now = reading(placed(None, -0.189), placed(17, -0.287), *moved)
    found = carried_over(before, now, [False] * 8, given={71})
    assert [card.card for card in found.layout][:2] == [71, 17], "what the eye itself had read is read anew"


def test_but_not_where_the_cards_were_laid_anew() -> None:
    before = reading(placed(71, -0.2), *(placed(number, 0.06 * number) for number in range(1, 7)))
    now = reading(placed(None, -0.2), *(placed(number, 0.06 * (7 - number) - 0.03) for number in range(1, 7)))
    assert carried_over(before, now, [False] * 7, given={71}).layout == now.layout


def test_a_taken_card_beside_the_field_is_out_of_play() -> None:
    now = reading(placed(17, 0.1), placed(18, 0.47), placed(19, -0.47), placed(20, 0.2))
    result = without_taken(now, {18, 20})  # 19 was never read, and 20 lies in the field
    assert [card.card for card in result.layout] == [17, 19, 20]
    assert [float(corners[0, 0]) for corners in result.corners_px] == [0.0, 2.0, 3.0]
    assert without_taken(now, {17}) is now
