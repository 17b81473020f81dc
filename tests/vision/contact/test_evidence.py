"""The table of evidence: symmetric in the players, and without values that were not measured."""

from dataclasses import replace

import numpy as np

from tests.vision.contact.made_motion import made_motion
from vision.contact.evidence import evidence_table
from vision.hands.frame_map import FAR, NEAR


def test_a_mirrored_poem_swaps_the_rows_of_the_players() -> None:
    motion = made_motion(near_mm=-40.0, far_mm=90.0, velocity_mps=(0.8, -1.5))
    mirrored = replace(
        motion,
        is_near=not motion.is_near,
        velocity_mps=np.array([0.8, 1.5]),
        approach={NEAR: motion.approach[FAR], FAR: motion.approach[NEAR]},
    )
    ((near, far),), columns = evidence_table([motion])
    ((other_near, other_far),), _ = evidence_table([mirrored])
    np.testing.assert_array_equal(near, other_far)
    np.testing.assert_array_equal(far, other_near)
    assert near[columns.index("speed_away_mps")] == 1.5  # up in the picture is away from the near player


def test_what_was_not_measured_is_no_number() -> None:
    ((near, _),), columns = evidence_table([made_motion(near_mm=-40.0, far_mm=90.0, velocity_mps=None)])
    assert np.isnan(near[columns.index("speed_mps")])
    assert np.isnan(near[columns.index("pusher_edge_mm")])
    assert near[columns.index("pushers")] == 0


def test_a_pusher_is_told_with_its_distance_and_its_lead() -> None:
    pusher = made_motion(near_mm=-40.0, far_mm=300.0, number=4, centre_mm=(100.0, 100.0), t_ms=98.0)
    pushed = made_motion(near_mm=20.0, far_mm=300.0, centre_mm=(153.0, 100.0), t_ms=101.0, pushers=(4,))
    table, columns = evidence_table([pusher, pushed])
    row = dict(zip(columns, table[1, 0], strict=True))
    assert (row["pushers"], row["pusher_edge_mm"], row["pusher_since_ms"]) == (1, 1.0, 3.0)
    assert (row["pusher_own_gap_mm"], row["earlier_cards"]) == (-40.0, 1)


def test_a_poem_in_which_nothing_moved_has_an_empty_table() -> None:
    table, columns = evidence_table([])
    assert table.shape == (0, 2, 0)
    assert columns == ()
