"""Cards hit by a flying card: whether they were pushed out, touched or swept."""

from collections.abc import Callable

import numpy as np
import pytest

from referee.facts import Touch, Unprovable
from referee.sides import Side
from tests.vision.painted_table import Arm, PaintedTable, Pose
from vision.frames.frame import Gray
from vision.poem.watcher import PoemWatcher

FPS = 120.0
PUSHED = 0.3  # share of the speed of the hand behind it that a pushed card keeps


@pytest.fixture
def table() -> PaintedTable:
    return PaintedTable()


@pytest.mark.parametrize(("card", "reach_px"), [(8, 60.0), (11, -45.0)])
def test_a_pushed_card_whose_path_leads_not_out_was_swept_along(
    table: PaintedTable, card: int, reach_px: float
) -> None:
    """A card flies against the next; in the end the floor lies bare there."""
    fact = pushed_card(table, card, reach_px)
    assert isinstance(fact, Unprovable)
    assert (fact.player, fact.reason) == (Side.NEAR, "swept_along")


@pytest.mark.parametrize(("way_px", "reason"), [(5.0, "pushed_by_card"), (60.0, "swept_along")])
def test_a_nudged_card_was_not_swept_along(table: PaintedTable, way_px: float, reason: str) -> None:
    (fact,) = facts_of_pushed(table, 11, -45.0, way_px=way_px)
    assert isinstance(fact, Unprovable)
    assert (fact.player, fact.reason) == (Side.NEAR, reason)


def pushed_card(table: PaintedTable, card: int, reach_px: float) -> Touch | Unprovable:
    """Return what is told of the card next to one that flies against it."""
    return facts_of_pushed(table, card, reach_px)[0]


def facts_of_pushed(
    table: PaintedTable, card: int, reach_px: float, *others: Callable[[float], Arm], way_px: float = np.inf
) -> list[Touch | Unprovable]:
    """Return all that is told of the card next to one that flies against it, with other arms beside.

    It comes to rest after `way_px`, in sight, or else flies off with the other one.
    """
    x, y = table.slots[card - 1].centre_px
    everywhere = np.array([[-9e3, -9e3], [9e3, -9e3], [9e3, 9e3], [-9e3, 9e3]])

    def scene(t_ms: float) -> Gray:
        flown = max(0.0, t_ms - 137.0) * 2.0
        tip = min(x - 60 + flown, x + reach_px)
        mine = Arm(Side.NEAR, (tip, y), x - 40, 60.0)
        arms = [mine, *(other(t_ms) for other in others)] if 20.0 < t_ms < 240.0 else []
        gone = flown > 300
        pushed = Pose(float(np.clip(PUSHED * (flown - 2.0), 0.0, way_px)), absent=gone and way_px == np.inf)
        poses = {card: Pose(flown, absent=gone), card + 1: pushed}
        return table.gray(poses, arms)

    watcher = PoemWatcher(table.slots, table.resting(), None, dict.fromkeys(Side, everywhere))
    for t_ms in np.arange(0.0, 320.0, 1000 / FPS):
        watcher.feed(table.frame(float(t_ms), scene(float(t_ms))))
    return [
        fact for fact in watcher.finish() if isinstance(fact, Touch | Unprovable) and fact.card == card + 1
    ]
