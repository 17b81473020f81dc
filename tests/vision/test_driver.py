"""Which of two hands sent a card off: the one that moves with it, not the one that hovers nearer."""

from collections.abc import Callable

import numpy as np
import pytest
from painted_table import SIZE, Arm, PaintedTable, Pose

from referee.facts import Touch, Unprovable
from referee.sides import Side
from vision.driver import Evidence, is_contested
from vision.frames import Gray
from vision.onset import Onset
from vision.strikes import Strike
from vision.touches import PoemWatcher

FPS = 120.0
_STRUCK_MS = 150.0
_PX_PER_MS = 1.4


@pytest.fixture
def table() -> PaintedTable:
    return PaintedTable()


def facts_of(table: PaintedTable, scene: Callable[[float], Gray]) -> list[Touch | Unprovable]:
    watcher = PoemWatcher(table.slots, table.resting())
    for t_ms in np.arange(0.0, 420.0, 1000 / FPS):
        watcher.feed(table.frame(float(t_ms), scene(float(t_ms))))
    return [fact for fact in watcher.finish() if isinstance(fact, Touch | Unprovable)]


def struck_by(table: PaintedTable, striker: Side) -> Callable[[float], Gray]:
    """Sweep card 12 to the right by one hand; the other one rests with its fingers at the card's edge."""
    x, y = table.slots[11].centre_px
    hoverer = striker.opponent

    def scene(t_ms: float) -> Gray:
        along = (t_ms - _STRUCK_MS) * _PX_PER_MS
        off = max(0.0, along)
        into = float(np.clip((t_ms - 60.0) / 60.0, 0.0, 1.0))
        out = float(np.clip((t_ms - 330.0) / 60.0, 0.0, 1.0))
        arms = []
        for side, tip_x, gray in ((hoverer, x - 10, 120), (striker, x - 55 + min(along, 160.0), 85)):
            edge_y = float(SIZE[1]) if side is Side.NEAR else 0.0
            reach = y + 30 if side is Side.NEAR else y - 30
            share = into * (1 - out)
            if share > 0:
                tip = (tip_x, edge_y + (reach - edge_y) * share)
                arms.append(Arm(side, tip, tip_x - 15, 44.0, gray))
        return table.gray({12: Pose(off, absent=off > 300)}, arms)

    return scene


@pytest.mark.parametrize("striker", list(Side))
def test_the_hand_that_moves_with_a_card_struck_it(table: PaintedTable, striker: Side) -> None:
    seen = [fact for fact in facts_of(table, struck_by(table, striker)) if fact.card == 12]
    touches = [fact for fact in seen if isinstance(fact, Touch)]
    assert touches, seen
    surest = max(touches, key=lambda touch: touch.confidence)
    assert surest.player is striker
    assert surest.confidence > 0.5
    # the hand that hovered is told, but as nothing that is proven
    others = [fact for fact in seen if fact.player is striker.opponent and isinstance(fact, Touch)]
    assert all(touch.confidence < surest.confidence for touch in others)


def weighed(t_ms: float, odds: float) -> Evidence:
    onset = Onset(t_ms * 1e6, 4e6, round(t_ms * 1e6) - 1, round(t_ms * 1e6) + 1)
    return Evidence(Strike(0, onset, None), odds)


@pytest.mark.parametrize(
    ("after_ms", "odds", "contested"),
    [(3.0, -2.5, True), (3.0, 2.5, False), (3.0, -0.4, False), (40.0, -2.5, False)],
)
def test_hands_that_strike_at_once_contest_each_other_s_cards(
    after_ms: float, odds: float, contested: bool
) -> None:
    one, other = weighed(100.0, 1.9), weighed(100.0 + after_ms, odds)
    assert is_contested(one, [one, other]) is contested
