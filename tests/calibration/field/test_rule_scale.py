"""The field's scale by the rules, for when the cards' own size was misread."""

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.field.lines import SIDE_X_M, scale_by_rules
from referee.layout import CARD_WIDTH_M, ROWS, row_centre_y_m
from referee.sides import Side

PAPER_M = CARD_WIDTH_M - 0.003
SEEN_M = 0.0002  # how well a border is measured that was seen
UNSEEN_M = 0.0015


def laid(rows: float = 1.0, sides: float = 1.0, slip_m: float = 0.0008) -> NDArray[np.float64]:
    """Six rows, five cards each, out to both side lines; rows or side lines further out where asked."""
    x_m = sides * np.array([-SIDE_X_M, -SIDE_X_M + 0.053, -0.1, SIDE_X_M - 0.053, SIDE_X_M])
    y_m = rows * np.array([row_centre_y_m(side, row) for side in Side for row in range(ROWS)])
    places = np.stack(np.meshgrid(x_m, y_m), axis=-1).reshape(-1, 2)
    return np.asarray(places + np.random.default_rng(1).normal(0, slip_m, places.shape))


@pytest.mark.parametrize("misread", [0.89, 0.94, 1.0, 1.05])
def test_a_field_laid_by_the_rules_says_by_how_much_its_cards_were_misread(misread: float) -> None:
    assert scale_by_rules(laid() / misread, PAPER_M, UNSEEN_M) == pytest.approx(misread, abs=0.006)


@pytest.mark.parametrize("misread", [0.92, 0.95])
def test_a_deck_that_seems_to_have_no_border_may_have_one(misread: float) -> None:
    assert scale_by_rules(laid() / misread, CARD_WIDTH_M, SEEN_M) == pytest.approx(misread, abs=0.006)


@pytest.mark.parametrize(("rows", "sides"), [(1.04, 1.0), (1.0, 0.96), (1.05, 1.03), (0.97, 1.04)])
def test_players_who_lay_otherwise_are_believed_where_the_border_was_seen(rows: float, sides: float) -> None:
    assert scale_by_rules(laid(rows, sides), PAPER_M, SEEN_M) == 1.0


def test_rows_further_apart_between_the_right_side_lines_are_wider_gaps() -> None:
    assert scale_by_rules(laid(1.07), PAPER_M, UNSEEN_M) == pytest.approx(1.0, abs=0.006)
