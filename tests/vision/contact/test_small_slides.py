"""What moved a card that slid a little: fingers that pressed it, or floor, air and cloth."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from tests.vision.contact.made_motion import made_motion
from vision.contact.approach import Approach
from vision.contact.evidence import CardMotion
from vision.contact.facts import Proof
from vision.contact.small_slides import disturbed
from vision.hands.frame_map import FAR, NEAR


def slide(
    number: int,
    slid_mm: tuple[float, float],
    *,
    x_mm: float = 400.0,
    near_mm: float = -40.0,
    t_ms: float = 100.0,
    hand_mps: tuple[float, float] | None = None,
    arm_mm2: float = 0.0,
    fingers_mm2: Sequence[float] | None = None,
    pushers: Sequence[int] = (),
) -> CardMotion:
    """Return a card that slid, by default below the near player's fingers."""
    made = made_motion(
        near_mm=near_mm, far_mm=500.0, number=number, centre_mm=(x_mm, 300.0), t_ms=t_ms, velocity_mps=None
    )
    near = made.approach[NEAR]
    fingers = np.where(near.gaps_mm < 0, 1500.0, 0.0) if fingers_mm2 is None else np.array(fingers_mm2)
    arm = np.full(len(near.times_ns), arm_mm2)
    approach = {
        NEAR: Approach(near.times_ns, near.gaps_mm, near.met_ns, arm, fingers),
        FAR: made.approach[FAR],
    }
    return replace(
        made,
        flew=False,
        slid_mm=np.array(slid_mm),
        approach=approach,
        any_hand_mps=None if hand_mps is None else np.array(hand_mps),
        pushers=pushers,
    )


def proof_of(*motions: CardMotion, is_steady: bool = True) -> dict[int, tuple[Proof, tuple[int, ...]]]:
    hands = dict.fromkeys((motion.number for motion in motions), NEAR)
    return disturbed(motions, hands, is_steady=is_steady)


def test_cards_that_one_hand_carries_along_alike_were_pressed() -> None:
    assert not proof_of(slide(1, (0.5, 0.4)), slide(2, (0.55, 0.35), x_mm=453.0))


def test_cards_that_jump_each_its_own_way_prove_nothing() -> None:
    found = proof_of(slide(1, (0.8, 0.0)), slide(2, (0.2, 0.6), x_mm=453.0))
    assert found == {1: (Proof.SHOCK, (NEAR,)), 2: (Proof.SHOCK, (NEAR,))}


def test_two_cards_that_happen_to_jump_alike_on_a_shaken_floor_prove_nothing() -> None:
    jumping = [
        slide(number, mm, x_mm=100.0 * number, near_mm=90.0)
        for number, mm in ((7, (0.4, 0.0)), (8, (0.0, -0.5)))
    ]
    alike = slide(1, (0.5, 0.4)), slide(2, (0.5, 0.4), x_mm=453.0)
    assert set(proof_of(*alike, *jumping)) == {1, 2, 7, 8}
    pressed = (*alike, slide(3, (0.5, 0.45), x_mm=347.0))
    assert set(proof_of(*pressed, *jumping)) == {7, 8}


def test_fingers_that_come_to_rest_on_a_card_and_take_it_their_way_pressed_it() -> None:
    come = 0.0, 600.0, 1500.0, 1700.0
    assert not proof_of(slide(1, (2.0, -1.0), hand_mps=(0.9, -0.5), fingers_mm2=come))
    assert proof_of(slide(1, (2.0, -1.0), hand_mps=(-0.9, 0.5), fingers_mm2=come))
    passing = 0.0, 600.0, 1500.0, 100.0
    assert proof_of(slide(1, (2.0, -1.0), hand_mps=(0.9, -0.5), fingers_mm2=passing))
    assert proof_of(slide(1, (1.0, -0.5), hand_mps=(0.9, -0.5), fingers_mm2=come))
    assert proof_of(slide(1, (2.0, -1.0), fingers_mm2=come))


def test_with_too_few_cards_to_tell_the_cameras_motion_a_small_slide_may_be_the_cameras() -> None:
    alike = slide(1, (0.5, 0.4)), slide(2, (0.5, 0.4), x_mm=453.0)
    assert set(proof_of(*alike, is_steady=False)) == {1, 2}
    assert not proof_of(slide(1, (6.0, 2.0), hand_mps=(0.9, 0.3)), is_steady=False)


def test_an_arm_without_fingers_over_a_card_is_cloth() -> None:
    found = proof_of(slide(1, (2.0, 0.0), arm_mm2=9000.0, fingers_mm2=[0.0] * 4))
    assert found == {1: (Proof.CLOTH, (NEAR,))}


def test_a_card_blown_aside_after_a_sweep_was_touched_by_nobody() -> None:
    swept = made_motion(near_mm=-40.0, far_mm=500.0, number=9, centre_mm=(350.0, 300.0), t_ms=60.0)
    assert proof_of(swept, slide(1, (6.0, 2.0), near_mm=60.0)) == {1: (Proof.AIR, ())}


def test_a_card_that_goes_far_with_fingers_that_stay_on_it_was_touched() -> None:
    assert not proof_of(slide(1, (6.0, 2.0)))
    assert not proof_of(slide(1, (6.0, 2.0), hand_mps=(0.9, 0.2)))
    assert proof_of(slide(1, (6.0, 2.0), hand_mps=(-0.9, 0.0))) == {1: (Proof.AIR, (NEAR,))}
    passing = 0.0, 600.0, 1500.0, 100.0
    carried = slide(1, (6.0, 2.0), hand_mps=(0.9, 0.2), fingers_mm2=passing)
    assert proof_of(carried) == {1: (Proof.AIR, (NEAR,))}


@pytest.mark.parametrize("slid_mm", [(6.0, 2.0), (-4.0, 8.0), (11.0, 0.0)])
@pytest.mark.parametrize("hand_mps", [(0.0, 0.02), (0.06, 0.0)], ids=["rests", "sways"])
def test_a_card_that_goes_far_below_a_resting_hand_proves_nothing(
    slid_mm: tuple[float, float], hand_mps: tuple[float, float]
) -> None:
    assert proof_of(slide(1, slid_mm, hand_mps=hand_mps)) == {1: (Proof.AIR, (NEAR,))}


def test_cards_below_fingers_that_go_unlike_far_at_once_were_blown() -> None:
    go = partial(slide, hand_mps=(0.9, 0.3))
    assert set(proof_of(go(1, (6.0, 2.0)), go(2, (9.0, 4.0), x_mm=453.0))) == {1, 2}
    assert not proof_of(go(1, (6.0, 2.0)), go(2, (6.2, 2.1), x_mm=453.0))
    assert not proof_of(go(1, (6.0, 2.0), pushers=(2,)), go(2, (9.0, 4.0), x_mm=453.0))


def test_a_card_that_drifts_off_slowly_after_a_sweep_was_blown() -> None:
    swept = made_motion(near_mm=-40.0, far_mm=500.0, number=9, centre_mm=(350.0, 300.0), t_ms=60.0)
    slow = slide(1, (0.0, 0.0), near_mm=4.0, fingers_mm2=[0.0] * 4)
    drifting = replace(slow, flew=True, slid_mm=None, velocity_mps=np.array([0.2, 0.0]))
    assert proof_of(swept, drifting) == {1: (Proof.AIR, (NEAR,))}
    assert not proof_of(drifting)
    assert not proof_of(swept, replace(drifting, velocity_mps=np.array([0.8, 0.0])))
