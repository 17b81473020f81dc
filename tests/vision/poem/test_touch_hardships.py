"""Touches when frames are lost or uneven, shadows sweep, lamps are switched, or a press is the least seen."""

from collections.abc import Iterable

import numpy as np
import pytest

from referee.facts import Gap, Touch, Unprovable
from referee.sides import Side
from tests.vision.painted_table import Arm, PaintedTable, Pose
from vision.frames.frame import Gray
from vision.poem.watcher import PoemWatcher
from vision.torifuda.prior_knowledge import NOTHING_KNOWN, Hall

PRESSED_MS = 133.0
PRESSED = 9
EVEN_MS = np.arange(0.0, 500.0, 1000 / 120)


def pressing(table: PaintedTable, t_ms: float, slide_mm: float) -> tuple[dict[int, Pose], list[Arm]]:
    """A near player's hand that comes down on a card and the next one, moves both and leaves."""
    x, y = table.slots[PRESSED - 1].centre_px
    phase = float(np.clip((t_ms - PRESSED_MS) / 15.0, 0.0, 1.0))
    slid = slide_mm * phase**3 * (10 - 15 * phase + 6 * phase**2)
    share = float(np.clip(min(1 - (130 - t_ms) / 80.0, 1 - (t_ms - 260) / 80.0), 0.0, 1.0))
    tip_y, middle = 540.0 + (y + 20 - 540.0) * share, x + 27
    arms = [Arm(Side.NEAR, (middle, tip_y), middle, 60.0)] if share else []
    return dict.fromkeys((PRESSED, PRESSED + 1), Pose(slid * 0.7, slid * -0.7)), arms


def watched(
    slide_mm: float,
    times_ms: Iterable[float] = EVEN_MS,
    lamp_from_ms: float = 1e9,
    hall: Hall = NOTHING_KNOWN.hall,
) -> PoemWatcher:
    table = PaintedTable()
    watcher = PoemWatcher(table.slots, table.resting(), hall=hall)
    for t_ms in times_ms:
        gray = table.gray(*pressing(table, float(t_ms), slide_mm))
        if t_ms > lamp_from_ms:
            gray = np.asarray(np.clip(gray * 1.15, 0, 255), np.uint8)
        watcher.feed(table.frame(float(t_ms), gray))
    return watcher


def the_touch(watcher: PoemWatcher) -> Touch:
    touches = [fact for fact in watcher.finish() if isinstance(fact, Touch)]
    assert {(one.card, one.player) for one in touches} == {(PRESSED, Side.NEAR), (PRESSED + 1, Side.NEAR)}
    (touch,) = (one for one in touches if one.card == PRESSED)
    return touch


def is_covered(touch: Touch) -> bool:
    return abs(touch.t_ns / 1e6 - PRESSED_MS) <= touch.t_unc_ns / 1e6


def test_a_press_of_three_tenths_of_a_millimetre_is_seen() -> None:
    # 0.3 px here; at 720p a field has 1.3 px to the millimetre, where it is 0.4
    assert is_covered(the_touch(watched(0.3)))


def test_where_the_floor_moves_cards_that_far_a_press_is_no_proof() -> None:
    springy = Hall(floor_mm=1.0)
    facts = watched(0.6, hall=springy).finish()
    assert {(one.card, one.player, one.reason) for one in facts if isinstance(one, Unprovable)} == {
        (card, Side.NEAR, "floor_shock") for card in (PRESSED, PRESSED + 1)
    }
    assert is_covered(the_touch(watched(1.6, hall=springy)))


def smeared(share: float) -> PoemWatcher:
    """Watch a press with a camera that mixes so much of the last picture into each, to take noise away."""
    table = PaintedTable()
    watcher, seen = PoemWatcher(table.slots, table.resting()), table.gray().astype(np.float64)
    for t_ms in EVEN_MS:
        seen = share * seen + (1 - share) * table.gray(*pressing(table, float(t_ms), 2.0))
        watcher.feed(table.frame(float(t_ms), np.rint(seen).astype(np.uint8)))
    return watcher


@pytest.mark.parametrize("share", [0.3, 0.5])
def test_a_touch_is_told_as_uncertain_as_the_camera_is_late(share: float) -> None:
    sharp, late = the_touch(watched(2.0)), the_touch(smeared(share))
    assert is_covered(late)
    assert late.t_unc_ns >= sharp.t_unc_ns + share / (1 - share) * 1e9 / 120 * 0.7


def test_a_camera_that_is_very_late_leaves_the_poem_open() -> None:
    facts = smeared(0.75).finish()
    assert "smeared_pictures" in {fact.reason for fact in facts if isinstance(fact, Gap)}
    assert "smeared_pictures" in {fact.reason for fact in facts if isinstance(fact, Unprovable)}
    assert not [fact for fact in facts if isinstance(fact, Touch)]
    assert not [fact for fact in watched(2.0).finish() if isinstance(fact, Gap)]


def test_fingers_that_stop_dead_on_a_card_which_lies_still_may_have_touched_it() -> None:
    facts = watched(0.0).finish()
    assert all(isinstance(fact, Unprovable) and fact.reason == "fingers_rested" for fact in facts)
    assert {(fact.card, fact.player) for fact in facts if isinstance(fact, Unprovable)} == {
        (PRESSED, Side.NEAR),
        (PRESSED + 1, Side.NEAR),
    }
    for fact in facts:
        assert isinstance(fact, Unprovable)
        assert 110 < fact.earliest_ns / 1e6 < 200 < fact.latest_ns / 1e6 < 265


def test_a_hand_that_sways_over_a_card_hangs_above_it() -> None:
    table = PaintedTable()
    watcher = PoemWatcher(table.slots, table.resting())
    for t_ms in EVEN_MS:
        _, (*arms,) = pressing(table, float(t_ms), 0.0)
        swayed = [
            Arm(one.side, (one.tip[0] + 0.06 * max(0.0, t_ms - 130), one.tip[1]), one.root_x, one.width)
            for one in arms
        ]
        watcher.feed(table.frame(float(t_ms), table.gray({}, swayed)))
    assert watcher.finish() == []


@pytest.mark.parametrize(("waited", "told"), [(True, set()), (False, {Side.NEAR})])
def test_a_hand_that_comes_back_over_its_own_cards_rests_where_it_waited(
    waited: bool, told: set[Side]
) -> None:
    table = PaintedTable()
    slot = next(one for one in table.slots if one.side is Side.NEAR)
    watcher, (x, y) = PoemWatcher(table.slots, table.resting()), slot.centre_px
    for t_ms in np.arange(0.0, 560.0, 1000 / 120):
        came = (t_ms - 280) / 80 if t_ms > 240 else 1 - (t_ms - 120) / 80 if waited else 0.0
        share = float(np.clip(came, 0.0, 1.0))
        arms = [Arm(Side.NEAR, (x, 540.0 + (y + 10 - 540.0) * share), x, 60.0)] if share else []
        watcher.feed(table.frame(float(t_ms), table.gray({}, arms)))
    assert {fact.player for fact in watcher.finish() if isinstance(fact, Unprovable)} == told


def test_a_few_lost_frames_at_the_touch_widen_its_interval() -> None:
    whole = the_touch(watched(0.9))
    lost = the_touch(watched(0.9, EVEN_MS[(EVEN_MS < PRESSED_MS - 25) | (EVEN_MS > PRESSED_MS + 25)]))
    assert is_covered(whole)
    assert is_covered(lost)
    assert lost.t_unc_ns > 2 * whole.t_unc_ns


def without_frames_around_the_press(half_ms: float) -> PoemWatcher:
    return watched(0.9, EVEN_MS[np.abs(EVEN_MS - PRESSED_MS) > half_ms])


def test_a_touch_in_lost_frames_is_told_where_only_one_hand_can_have_come() -> None:
    watcher = without_frames_around_the_press(40)
    assert is_covered(the_touch(watcher))
    assert not any(isinstance(fact, Gap) for fact in watcher.finish())


@pytest.mark.parametrize("half_ms", [60, 120])
def test_lost_frames_in_which_either_hand_can_have_come_are_a_gap(half_ms: float) -> None:
    facts = without_frames_around_the_press(half_ms).finish()
    (gap,) = (fact for fact in facts if isinstance(fact, Gap))
    assert gap.reason == "dropped_frames"
    assert gap.t_from_ns / 1e6 < PRESSED_MS < gap.t_to_ns / 1e6
    assert all(is_covered(fact) for fact in facts if isinstance(fact, Touch))


@pytest.mark.parametrize("lamp_from_ms", [60.0, PRESSED_MS + 2])
def test_a_lamp_switched_on_invents_no_touch_and_hides_none(lamp_from_ms: float) -> None:
    assert is_covered(the_touch(watched(0.9, lamp_from_ms=lamp_from_ms)))
    assert not any(isinstance(fact, Touch) for fact in watched(0.0, lamp_from_ms=lamp_from_ms).finish())


@pytest.mark.parametrize("shade", [0.85, 0.5])
def test_a_shadow_that_sweeps_over_the_cards_is_no_touch(shade: float) -> None:
    table = PaintedTable()
    watcher = PoemWatcher(table.slots, table.resting())
    for t_ms in EVEN_MS:  # it comes from the right at 4 metres per second, and goes as it came
        edge_x = 960.0 - 4.0 * min(t_ms, 360.0 - t_ms)
        watcher.feed(table.frame(float(t_ms), shaded(table, shade, edge_x)))
    for t_ms in 360.0 + EVEN_MS[:10]:
        watcher.feed(table.frame(float(t_ms), table.gray()))
    assert watcher.finish() == []


def shaded(table: PaintedTable, shade: float, edge_x: float) -> Gray:
    return table.gray(shade=shade, shade_from_x=edge_x)


def test_a_card_that_an_arm_from_the_side_moves_is_no_players() -> None:
    table = PaintedTable()
    watcher = PoemWatcher(table.slots, table.resting())
    x, y = (int(one) for one in table.slots[PRESSED - 1].centre_px)
    for t_ms in EVEN_MS:
        share = float(np.clip(min(1 - (130 - t_ms) / 80.0, 1 - (t_ms - 260) / 80.0), 0.0, 1.0))
        poses, _ = pressing(table, float(t_ms), 3.0)
        gray = table.gray({PRESSED: poses[PRESSED]}, [])
        gray[y - 25 : y + 25, : int((x + 20) * share)] = 80
        watcher.feed(table.frame(float(t_ms), gray))
    told = {fact.card: fact for fact in watcher.finish() if isinstance(fact, Unprovable)}
    assert (told[PRESSED].player, told[PRESSED].reason) == (None, "stranger")
    assert not any(isinstance(fact, Touch) for fact in watcher.finish())
