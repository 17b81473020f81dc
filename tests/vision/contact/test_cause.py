"""The boosted trees' answer on what moved a card, and their evaluation."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.contact.made_motion import made_motion
from vision.contact.cause import CARD, FAR_HAND, NEAR_HAND, BoostedTrees, causes
from vision.contact.evidence import evidence_table

_CLEAR = 0.85  # less is left to the officials


@pytest.mark.parametrize(
    ("near_mm", "far_mm", "told"), [(-40.0, 400.0, NEAR_HAND), (400.0, -40.0, FAR_HAND)], ids=["near", "far"]
)
def test_the_only_fingers_on_a_card_that_nothing_pushed_moved_it(
    near_mm: float, far_mm: float, told: int
) -> None:
    (chances,) = causes([made_motion(near_mm=near_mm, far_mm=far_mm, velocity_mps=(1.5, 0.0))])
    assert chances[told] > _CLEAR
    assert chances.sum() == pytest.approx(1.0)


def test_a_card_far_from_its_pushers_hand_was_rather_pushed() -> None:
    pusher = made_motion(near_mm=-40.0, far_mm=400.0, number=4, centre_mm=(347.0, 300.0), t_ms=96.0)
    pushed = made_motion(near_mm=45.0, far_mm=400.0, pushers=(4,))
    of_pusher, of_pushed = causes([pusher, pushed])
    assert of_pusher[NEAR_HAND] > _CLEAR
    assert of_pushed[CARD] > 0.5


def test_near_and_far_are_treated_alike() -> None:
    (chances,) = causes([made_motion(near_mm=-10.0, far_mm=15.0)])
    (mirrored,) = causes([replace(made_motion(near_mm=15.0, far_mm=-10.0), is_near=False)])
    assert chances == pytest.approx(mirrored[[FAR_HAND, NEAR_HAND, CARD]])
    assert causes([]).shape == (0, 3)


def test_a_tree_asks_its_questions_down_to_a_leaf() -> None:
    """Is a at most 1? If not, or unknown: is b at most 5? Of two classes the second tree always says 2."""
    trees = BoostedTrees(
        columns=("a", "b"),
        roots=np.array([0, 5], np.int32),
        column=np.array([0, 0, 1, 0, 0, 0], np.int16),
        threshold=np.array([1, 0, 5, 0, 0, 0], np.float32),
        left=np.array([1, 1, 3, 3, 4, 5], np.int32),
        right=np.array([2, 1, 4, 3, 4, 5], np.int32),
        missing_left=np.array([False, True, True, True, True, True]),
        value=np.array([0, 10, 0, 20, 30, 2], np.float32),
        classes=2,
        depth=2,
    )
    rows = np.array([[0.5, 9.0], [2.0, 5.0], [2.0, 9.0], [np.nan, 9.0], [2.0, np.nan]])
    assert trees.scores(rows).tolist() == [[10, 2], [20, 2], [30, 2], [30, 2], [20, 2]]


def test_a_pusher_is_told_with_its_distance_and_its_lead() -> None:
    pusher = made_motion(near_mm=-40.0, far_mm=300.0, number=4, centre_mm=(100.0, 100.0), t_ms=98.0)
    pushed = made_motion(near_mm=20.0, far_mm=300.0, centre_mm=(153.0, 100.0), t_ms=101.0, pushers=(4,))
    table, columns = evidence_table([pusher, pushed])
    row = dict(zip(columns, table[1, 0], strict=True))
    assert (row["pushers"], row["pusher_edge_mm"], row["pusher_since_ms"]) == (1, 1.0, 3.0)
    assert (row["pusher_own_gap_mm"], row["earlier_cards"]) == (-40.0, 1)
