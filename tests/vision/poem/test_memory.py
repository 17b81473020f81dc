"""What a poem's pictures need of memory is given back as the poem ends, however long the match goes on."""

import gc

import numpy as np

from referee.facts import Touch
from referee.sides import Side
from tests.vision.painted_table import Arm, PaintedTable, Pose
from vision.contact.approach import PlayersMap
from vision.departures.departure import View
from vision.hands.frame_map import FrameMap
from vision.poem.watcher import PoemWatcher


def watched(table: PaintedTable) -> PoemWatcher:
    """Watch a hand of the near player send card 9 sliding."""
    watcher = PoemWatcher(table.slots, table.resting())
    x, y = table.slots[8].centre_px
    for t_ms in np.arange(0.0, 400.0, 1000 / 120):
        share = float(np.clip(min(1 - (130 - t_ms) / 80, 1 - (t_ms - 260) / 80), 0.0, 1.0))
        slid = 6.3 * float(np.clip((t_ms - 133.0) / 15.0, 0.0, 1.0))
        arms = [Arm(Side.NEAR, (x, 540.0 + (y + 20.0 - 540.0) * share), x, 50.0)] if share else []
        watcher.feed(table.frame(float(t_ms), table.gray({9: Pose(slid, -slid)}, arms)))
    return watcher


def kept() -> int:
    """Count what holds pictures and maps of them."""
    return sum(isinstance(each, PoemWatcher | PlayersMap | View | FrameMap) for each in gc.get_objects())


def test_what_a_poem_kept_is_given_back_without_waiting_for_the_collector(table: PaintedTable) -> None:
    gc.collect()
    gc.disable()
    try:
        before = kept()
        watcher = watched(table)
        assert {fact.card for fact in watcher.finish() if isinstance(fact, Touch)} == {9}
        assert kept() > before + 10
        del watcher
        assert kept() == before
    finally:
        gc.enable()
