"""A card that moved, for tests, with hands that stay where they are."""

from collections.abc import Sequence

import numpy as np

from vision.contact.approach import Approach
from vision.contact.evidence import CardMotion
from vision.hands.frame_map import FAR, NEAR


def made_motion(
    *,
    near_mm: float,
    far_mm: float,
    number: int = 5,
    centre_mm: tuple[float, float] = (400.0, 300.0),
    t_ms: float = 100.0,
    velocity_mps: tuple[float, float] | None = (1.5, 0.0),
    pushers: Sequence[int] = (),
) -> CardMotion:
    """Return a card that flew off with both hands so far away (millimetres, negative over it)."""
    times_ns = (t_ms + np.array([-24.0, -8.0, 8.0, 24.0])) * 1e6
    approach = {
        player: Approach(
            times_ns, np.full(4, gap_mm), np.zeros(4), np.zeros(4), np.full(4, 900.0 if gap_mm < 0 else 0.0)
        )
        for player, gap_mm in ((NEAR, near_mm), (FAR, far_mm))
    }
    return CardMotion(
        number=number,
        is_near=True,
        centre_mm=np.array(centre_mm),
        t_ns=t_ms * 1e6,
        t_unc_ns=4e6,
        hidden_ns=16e6,
        velocity_mps=None if velocity_mps is None else np.array(velocity_mps),
        flew=True,
        path_strength=0.5,
        spots=1,
        is_timed_by_others=False,
        slid_mm=None,
        approach=approach,
        pushers=pushers,
    )
