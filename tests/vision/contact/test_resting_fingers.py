"""A hand that rests on a card after the other player, or another card, has moved it."""

import numpy as np
import pytest

from referee.facts import Touch, Unprovable
from referee.sides import Side
from tests.vision.contact.contested_card import tell_causes
from tests.vision.painted_table import SIZE, Arm, PaintedTable, Pose
from vision.frames.frame import Gray
from vision.poem.watcher import PoemWatcher

PRESSED_MS, UNTIL_MS = 140.0, 900.0
CARD = 9


def over_pressed_card(
    at_ms: float, leave_ms: float, beyond: float = 0.0, *, by_card: bool = False
) -> tuple[list[Touch], list[Unprovable]]:
    """Return what is told when the far player's fingers are over the card that the near player presses.

    `by_card` tells that he presses the card beside it, which pushes this one.
    """
    table = PaintedTable()
    watcher = PoemWatcher(table.slots, table.resting())
    x, y = table.slots[CARD - 1].centre_px

    def scene(t_ms: float) -> Gray:
        near = float(np.clip(min((t_ms - 40) / 80, (240 - t_ms) / 80), 0.0, 1.0))
        far = float(np.clip(min(1 - (at_ms - t_ms) / 80, 1 - (t_ms - leave_ms) / 80), 0.0, 1.0))
        at_x = x - 54 if by_card else x - 8
        arms = [Arm(Side.NEAR, (at_x, SIZE[1] - (SIZE[1] - y - 10) * near), at_x, 50.0)] if near else []
        arms += [Arm(Side.FAR, (x + 8, (y + beyond) * far), x + 8, 50.0)] if far else []
        slid = 4.0 * float(np.clip((t_ms - PRESSED_MS) / 12, 0.0, 1.0))
        beside = {CARD - 1: Pose(1.5 * slid)} if by_card else {}
        return table.gray({CARD: Pose(slid), **beside}, arms)

    for t_ms in np.arange(0.0, UNTIL_MS, 1000 / 120):
        watcher.feed(table.frame(float(t_ms), scene(float(t_ms))))
    facts = watcher.finish()
    touches = [fact for fact in facts if isinstance(fact, Touch)]
    doubts = [fact for fact in facts if isinstance(fact, Unprovable)]
    return touches, [fact for fact in doubts if fact.reason != "fingers_rested"]  # over cards that lie still


def test_fingers_that_come_to_rest_on_a_pressed_card_may_have_touched_it() -> None:
    touches, doubts = over_pressed_card(at_ms=360, leave_ms=560)
    assert [(touch.card, touch.player) for touch in touches] == [(CARD, Side.NEAR)]
    assert [(doubt.card, doubt.player, doubt.reason) for doubt in doubts] == [(CARD, Side.FAR, "hand_over")]
    assert 360e6 < doubts[0].t_ns < 560e6


def test_fingers_that_come_to_rest_on_a_pushed_card_may_have_touched_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tell_causes(monkeypatch, 0.1, but={CARD - 2: (0.99, 9.0)})
    touches, doubts = over_pressed_card(at_ms=360, leave_ms=560, by_card=True)
    assert [(touch.card, touch.player) for touch in touches] == [(CARD - 1, Side.NEAR)]
    assert [(doubt.card, doubt.player, doubt.reason) for doubt in doubts] == [
        (CARD, Side.NEAR, "pushed_by_card"),
        (CARD, Side.FAR, "hand_over"),
    ]


@pytest.mark.parametrize(
    ("at_ms", "leave_ms", "beyond"),
    [(360, 370, 0.0), (620, 780, 0.0), (360, 560, 120.0)],
    ids=["they go on", "so late they are on their way home", "they rest beyond it"],
)
def test_other_fingers_over_a_pressed_card_tell_nothing(at_ms: float, leave_ms: float, beyond: float) -> None:
    touches, doubts = over_pressed_card(at_ms, leave_ms, beyond)
    assert [(touch.card, touch.player) for touch in touches] == [(CARD, Side.NEAR)]
    assert doubts == []
