"""Evidence of a hand on a card: not another card, an arm that passes over, or two arms that meet."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from referee.facts import Contact, Touch, Unprovable
from referee.sides import Side
from tests.vision.contact.contested_card import tell_causes
from tests.vision.painted_table import SIZE, Arm, PaintedTable, Pose
from vision.frames.frame import Gray
from vision.launch.strikes import Strike
from vision.poem.watcher import PoemWatcher

FPS = 120.0
_SURE = 0.85  # less is left to the officials


def watched(table: PaintedTable, scene: Callable[[float], Gray], until_ms: float = 320.0) -> PoemWatcher:
    watcher = PoemWatcher(table.slots, table.resting())
    for t_ms in np.arange(0.0, until_ms, 1000 / FPS):
        watcher.feed(table.frame(float(t_ms), scene(float(t_ms))))
    return watcher


def by_hand(watcher: PoemWatcher) -> dict[int | None, Touch]:
    return {
        fact.card: fact
        for fact in watcher.finish()
        if isinstance(fact, Touch) and fact.contact is Contact.TOUCH
    }


def pressed(table: PaintedTable, *arms: Arm, come_ms: float = 40.0) -> Touch:
    return by_hand(slid_below(table, *arms, come_ms=come_ms))[9]


def slid_below(
    table: PaintedTable, *arms: Arm, come_ms: float = 40.0, way_mm: float = 4.0, cards: tuple[int, ...] = (9,)
) -> PoemWatcher:
    """Slide cards along with arms that come in from their edges from `come_ms` on."""

    def scene(t_ms: float) -> Gray:
        slid_mm = float(np.clip((t_ms - 140.0) / 12.0, 0.0, 1.0)) * way_mm
        share = float(np.clip(min((t_ms - come_ms) / 80.0, (280.0 - t_ms) / 80.0), 0.0, 1.0))
        drawn = [_drawn_in(arm, share, slid_mm) for arm in arms if share > 0]
        return table.gray(dict.fromkeys(cards, Pose(slid_mm)), drawn)

    return watched(table, scene)


def _drawn_in(arm: Arm, share: float, along_mm: float) -> Arm:
    """Return an arm that has come in so far from its edge, and gone along with a card to the right."""
    edge_y = float(SIZE[1]) if arm.side is Side.NEAR else 0.0
    tip = (arm.tip[0] + along_mm, edge_y + (arm.tip[1] - edge_y) * share)
    return replace(arm, tip=tip, root_x=arm.root_x + along_mm)


def test_fingers_on_a_card_are_a_sure_touch(table: PaintedTable) -> None:
    x, y = table.slots[8].centre_px
    touch = pressed(table, Arm(Side.NEAR, (x, y + 10), x, 50.0))
    assert touch.player is Side.NEAR
    assert touch.confidence >= _SURE


def test_a_card_that_slides_below_an_arm_and_no_fingers_is_no_touch(table: PaintedTable) -> None:
    x, y = table.slots[8].centre_px
    facts = slid_below(table, Arm(Side.NEAR, (x, y - 230), x, 50.0)).finish()
    told = {fact.card: fact for fact in facts if isinstance(fact, Unprovable)}
    assert len(told) == len(facts)
    assert told[9].player is Side.NEAR
    assert told[9].reason in {"cloth", "air"}


def test_arms_that_have_met_at_a_card_leave_the_player_open(table: PaintedTable) -> None:
    x, y = table.slots[8].centre_px
    near = Arm(Side.NEAR, (x, y + 20), x, 40.0)
    far = Arm(Side.FAR, (x + 45, y - 15), x + 45, 50.0)
    touch = pressed(table, near, far)
    assert touch.confidence < _SURE


def test_a_row_that_slides_in_full_view_is_no_hand_upon_itself(table: PaintedTable) -> None:
    """Cards 8 to 11 slide in full view while an arm lies over the field elsewhere."""
    x, y = table.slots[8].centre_px

    def scene(t_ms: float) -> Gray:
        pose = Pose(7.0 * float(np.clip((t_ms - 140.0) / 15.0, 0.0, 1.0)))
        arms = [Arm(Side.NEAR, (x + 360, y - 60), x + 360, 50.0)] if 60.0 < t_ms < 280.0 else []
        return table.gray(dict.fromkeys((8, 9, 10, 11), pose), arms)

    facts = watched(table, scene).finish()
    reasons = {fact.card: fact.reason for fact in facts if isinstance(fact, Unprovable)}
    assert len(reasons) == len(facts)
    assert reasons[8] in {"air", "no_hand_seen"}  # nothing else was seen to push it


def test_a_card_pushed_by_another_is_no_touch(table: PaintedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Card 8 is swept against card 9, which slides out of the way before any hand is there."""
    tell_causes(monkeypatch, 0.1, but={7: (0.99, 9.0)})
    x, y = table.slots[7].centre_px

    def scene(t_ms: float) -> Gray:
        flown = max(0.0, t_ms - 137.0) * 2.0
        arms = [Arm(Side.NEAR, (x - 50 + flown, y), x - 40, 40.0)] if 90.0 < t_ms < 190.0 else []
        return table.gray({8: Pose(flown), 9: Pose(max(0.0, flown - 2.0))}, arms)

    watcher = watched(table, scene)
    assert set(by_hand(watcher)) <= {8}
    seen = [fact for fact in watcher.finish() if isinstance(fact, Touch | Unprovable)]
    assert [fact.player for fact in seen if fact.card == 9] == [Side.NEAR]


def flown_beside(table: PaintedTable, aside_px: float, *others: Arm) -> Touch | Unprovable:
    """Send card 12 off, nothing else seen to move, with a near hand to the right of it."""
    x, y = table.slots[11].centre_px

    def scene(t_ms: float) -> Gray:
        flown = max(0.0, t_ms - 137.0) * 1.5
        mine = Arm(Side.NEAR, (x + 26 + aside_px + 25, y + 20), x + 26 + aside_px + 25, 50.0)
        arms = [mine, *others] if 90.0 < t_ms < 190.0 else []
        return table.gray({12: Pose(y=-flown, absent=flown > 400)}, arms)

    facts = watched(table, scene).finish()
    return next(fact for fact in facts if isinstance(fact, Touch | Unprovable) and fact.card == 12)


@pytest.mark.parametrize("away_px", [70.0, 150.0])
def test_a_card_that_flew_beside_no_hand_has_no_player(table: PaintedTable, away_px: float) -> None:
    fact = flown_beside(table, away_px)
    assert isinstance(fact, Unprovable)
    assert (fact.player, fact.reason) == (None, "no_hand_seen")


def test_of_two_hands_on_a_card_the_one_that_did_not_move_it_came_down_later(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Card 9 slides under the ends of two hands: who moved it is told, or as likely the one as the other."""
    x, y = table.slots[8].centre_px
    arms = Arm(Side.NEAR, (x - 12, y + 25), x - 12, 24.0), Arm(Side.FAR, (x + 14, y - 25), x + 14, 24.0)

    def scene(t_ms: float) -> Gray:
        slid = float(np.clip((t_ms - 140.0) / 12.0, 0.0, 1.0)) * 4.0
        share = float(np.clip(min((t_ms - 40.0) / 80.0, (280.0 - t_ms) / 80.0), 0.0, 1.0))
        return table.gray({9: Pose(slid)}, [_drawn_in(arm, share, slid) for arm in arms if share > 0])

    def told(odds: float) -> dict[Side | None, int]:
        tell_causes(monkeypatch, 0.99, odds)
        facts = watched(table, scene).finish()
        return {fact.player: fact.t_unc_ns for fact in facts if isinstance(fact, Touch) and fact.card == 9}

    clear, even = told(4.0), told(0.1)
    assert set(clear) == {Side.NEAR}
    assert set(even) == {Side.NEAR, Side.FAR}
    assert min(even.values()) > clear[Side.NEAR] + 20e6


@pytest.mark.parametrize("contested", [True, False])
def test_between_two_hands_the_time_of_a_cards_neighbours_may_be_that_of_the_other_hand(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, contested: bool
) -> None:
    """Card 12 flies off; that it set off a microsecond later is known from its neighbours alone."""
    x, y = table.slots[11].centre_px

    def scene(t_ms: float) -> Gray:
        flown = max(0.0, t_ms - 137.0) * 1.5
        mine = Arm(Side.NEAR, (x - 45 + min(flown, 60.0), y + 10), x - 45, 50.0)
        other = [Arm(Side.FAR, (x + 20, y - 80), x + 20, 40.0)] if contested else []
        return table.gray(
            {12: Pose(flown, absent=flown > 150)}, [mine, *other] if 90.0 < t_ms < 240.0 else []
        )

    def told(later_ns: float) -> float:
        def moved(_: object, strike: Strike, __: object) -> Strike:
            return replace(strike, onset=replace(strike.onset, t_ns=strike.onset.t_ns + later_ns))

        monkeypatch.setattr("vision.launch.strikes._with_company", moved)
        return by_hand(watched(table, scene))[12].t_unc_ns

    assert (told(1000.0) - told(0.0) > 20e6) is contested


def test_a_card_that_was_pushed_is_touched_when_the_fingers_have_caught_up(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    late_ms = 9.0
    tell_causes(monkeypatch, 0.55)
    monkeypatch.setattr("vision.contact.attribution.caught_up_ns", lambda *_: late_ms * 1e6)
    x, y = table.slots[11].centre_px

    def scene(t_ms: float) -> Gray:
        flown = max(0.0, t_ms - 137.0) * 2.5
        mine = Arm(Side.NEAR, (x - 40 + min(flown, 60.0), y + 10), x - 40, 50.0)
        return table.gray({12: Pose(flown, absent=flown > 100)}, [mine] if 90.0 < t_ms < 240.0 else [])

    touch = by_hand(watched(table, scene))[12]
    assert touch.t_ns / 1e6 == pytest.approx(137.0 + late_ms, abs=4.0)
    assert touch.t_unc_ns < 20e6  # when is measured, not guessed


@pytest.mark.parametrize(
    ("speed", "told"), [(1.5, {Contact.TOUCH, Contact.PUSHED_OUT}), (0.0, {Contact.TOUCH})]
)
def test_a_card_that_may_have_been_pushed_is_told_as_both_where_it_went_out(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, speed: float, told: set[Contact]
) -> None:
    """The floor lies bare where card 12 flew off; where it only slid it cannot have been pushed out."""
    tell_causes(monkeypatch, 0.55)
    x, y = table.slots[11].centre_px

    def scene(t_ms: float) -> Gray:
        flown = max(0.0, t_ms - 137.0) * speed
        slid = float(np.clip((t_ms - 137.0) / 12.0, 0.0, 1.0)) * 4.0
        along = min(flown, 60.0) if speed else slid
        mine = Arm(Side.NEAR, (x - 40 + along, y + 10), x - 40, 50.0)
        pose = Pose(flown, absent=flown > 150) if speed else Pose(slid)
        return table.gray({12: pose}, [mine] if 90.0 < t_ms < 240.0 else [])

    facts = [fact for fact in watched(table, scene).finish() if isinstance(fact, Touch) and fact.card == 12]
    assert {fact.contact for fact in facts} == told
    assert {fact.player for fact in facts} == {Side.NEAR}
