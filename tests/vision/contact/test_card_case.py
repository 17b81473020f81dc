"""How sure it can be at most whose hand touched a card, with hands that met and between coarse pictures."""

from typing import Any

import numpy as np
import pytest

from referee.sides import Side
from tests.vision.contact.contested_card import STILL_NS, SURE, found_at, sure_of
from tests.vision.painted_table import PaintedTable
from vision.contact.attribution import _Touch
from vision.contact.contact import Proof
from vision.hands.frame_map import FAR, NEAR
from vision.launch.onset import Onset
from vision.launch.strikes import Strike
from vision.sightings.spots import Spot


@pytest.fixture
def table() -> PaintedTable:
    return PaintedTable()


@pytest.mark.parametrize(
    ("far_mm", "proof"),
    [
        ((10.0, -20.0, -20.0), Proof.RIVAL),
        ((-20.0, -20.0, -20.0), Proof.HOVER),
        ((60.0, 30.0, -20.0), Proof.HOVER),
    ],
    ids=["came as it set off", "hung over it", "came later"],
)
def test_a_hand_that_comes_with_the_other_one_may_have_struck_the_card(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, far_mm: tuple[float, float, float], proof: Proof
) -> None:
    found = found_at(monkeypatch, table, 16_000_000, far_mm=far_mm)
    assert [(one.side, one.proof) for one in found] == [(Side.NEAR, Proof.MOTION), (Side.FAR, proof)]


@pytest.mark.parametrize(
    ("near_mm", "far_mm", "is_sure"),
    [
        ((-50.0, -50.0, -50.0, -50.0), (90.0, 10.0, 10.0, 10.0), False),
        ((-50.0, -50.0, -50.0, -50.0), (90.0, 40.0, 40.0, 40.0), True),
        ((60.0, -50.0, -50.0, -50.0), (90.0, 10.0, 10.0, 10.0), True),
    ],
    ids=["fingers may be below it", "they end beside it", "it came down a moment ago"],
)
def test_a_hand_that_lay_over_a_card_for_long_may_hide_the_other_one(
    table: PaintedTable,
    monkeypatch: pytest.MonkeyPatch,
    near_mm: tuple[float, ...],
    far_mm: tuple[float, ...],
    *,
    is_sure: bool,
) -> None:
    views: dict[str, Any] = {"views_ms": (-130.0, -60.0, -8.0, 8.0)}
    scene: dict[str, Any] = {"near_mm": near_mm, "far_mm": far_mm, "slid": True}
    assert sure_of(monkeypatch, table, 16_000_000, **scene, **views) is is_sure


@pytest.mark.parametrize(
    ("came_ms", "of_card", "proofs"),
    [
        (60.0, {"strength": 0.0}, [Proof.HOVER]),
        (60.0, {"strength": 0.0, "far_mm": (1000.0, 1000.0, 20.0, -20.0)}, []),
        (60.0, {"strength": 0.0, "empty_ms": 20.0}, []),
        (60.0, {"strength": 0.0, "empty_ms": 40.0}, [Proof.HOVER]),
        (120.0, {"strength": 0.6}, []),
        (120.0, {"strength": 0.0}, [Proof.HOVER]),
        (230.0, {"strength": 0.0}, []),
    ],
    ids=[
        "soon",
        "from far off",
        "place seen empty",
        "just seen empty",
        "seen to fly",
        "may lie below it",
        "long after",
    ],
)
def test_a_hand_that_comes_when_the_card_has_flown_off_misses_it(
    table: PaintedTable,
    monkeypatch: pytest.MonkeyPatch,
    came_ms: float,
    of_card: dict[str, Any],
    proofs: list[Proof],
) -> None:
    came: dict[str, Any] = {"far_mm": (50.0, 50.0, 20.0, -20.0)}
    came["views_ms"] = -4.0, 4.0, came_ms - 8, came_ms + 8
    found = found_at(monkeypatch, table, 8_000_000, **{**came, **of_card})
    assert [one.proof for one in found[1:]] == proofs


@pytest.mark.parametrize(
    ("goes_on", "proof"),
    [(1.0, Proof.HOVER), (0.2, Proof.RIVAL), (-1.0, Proof.RIVAL)],
    ids=["stays", "may go on", "goes on"],
)
def test_a_hand_that_comes_with_the_other_one_and_stays_behind_did_not_strike_the_card(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, goes_on: float, proof: Proof
) -> None:
    came: dict[str, Any] = {"far_mm": (10.0, -20.0, -20.0), "odds": 9.0}
    found = found_at(monkeypatch, table, 16_000_000, goes_on=goes_on, **came)
    assert [(one.side, one.proof) for one in found] == [(Side.NEAR, Proof.MOTION), (Side.FAR, proof)]


@pytest.mark.parametrize(("goes_on", "sure"), [(1.0, True), (0.2, False), (-1.0, False)])
def test_the_hand_that_goes_on_with_a_card_is_told_from_the_other_one_between_coarse_pictures(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, goes_on: float, *, sure: bool
) -> None:
    assert sure_of(monkeypatch, table, 33_000_000, odds=9.0, goes_on=goes_on) is sure


@pytest.mark.parametrize(
    ("odds", "unc_ns", "sure"), [(0.3, 8e6, True), (0.3, 26e6, False), (1.5, 26e6, True)]
)
def test_a_hand_that_goes_on_with_a_card_may_have_come_to_it_on_its_way(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, odds: float, unc_ns: float, *, sure: bool
) -> None:
    assert sure_of(monkeypatch, table, 16_000_000, odds=odds, unc_ns=unc_ns, goes_on=1.0) is sure


@pytest.mark.parametrize(
    ("odds", "step_ns", "far_mm2", "sure"),
    [
        (1.0, 16_000_000, 900.0, False),
        (2.0, 16_000_000, 900.0, True),
        (1.0, 8_000_000, 900.0, True),
        (1.0, 16_000_000, 100.0, True),
    ],
    ids=["perhaps", "other signs agree", "it was seen to come", "no fingers"],
)
def test_fingers_that_lay_on_a_card_may_have_come_before_the_hand_that_goes_on_with_it(
    table: PaintedTable,
    monkeypatch: pytest.MonkeyPatch,
    odds: float,
    step_ns: int,
    far_mm2: float,
    *,
    sure: bool,
) -> None:
    below: dict[str, Any] = {"far_mm": (-20.0,) * 3, "far_mm2": far_mm2, "goes_on": 1.0}
    assert sure_of(monkeypatch, table, step_ns, odds=odds, **below) is sure


@pytest.mark.parametrize(
    ("far_mm", "unc_ns", "told"),
    [(30.0, 26e6, [Proof.MOTION, Proof.HOVER]), (70.0, 26e6, [Proof.MOTION]), (30.0, 4e6, [Proof.MOTION])],
)
def test_a_hand_beside_a_card_of_which_it_is_not_sure_whose_it_was_is_told(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, far_mm: float, unc_ns: float, told: list[Proof]
) -> None:
    found = found_at(monkeypatch, table, 16_000_000, unc_ns=unc_ns, far_mm=(far_mm,) * 3, far_mm2=0.0)
    assert [one.proof for one in found] == told


@pytest.mark.parametrize(
    ("far_mps", "before_mm", "proof"),
    [(1.0, 10.0, Proof.RIVAL), (0.1, 10.0, Proof.HOVER), (0.1, 45.0, Proof.RIVAL)],
    ids=["it moves", "it rests", "the flow lost it"],
)
def test_a_hand_that_rests_beside_a_card_did_not_come_as_it_set_off(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, far_mps: float, before_mm: float, proof: Proof
) -> None:
    """A head that leans in, or a hand on the floor: cards fly below it, and its outline flickers."""
    near_mm, far_mm = (90.0, 40.0, -50.0, -50.0), (before_mm, 10.0, -8.0, -8.0)
    seen: dict[str, Any] = {"near_mm": near_mm, "far_mm": far_mm, "views_ms": (-24.0, -8.0, 8.0, 24.0)}
    found = found_at(monkeypatch, table, 16_000_000, far_mps=far_mps, unc_ns=8e6, **seen)
    assert [one.proof for one in found[1:]] == [proof]


@pytest.mark.parametrize(
    ("far_mm", "far_mps", "from_ms", "proof"),
    [
        ((8.0, -24.0, -24.0, -24.0), 0.1, -48.0, Proof.RIVAL),
        ((-24.0, -24.0, -24.0, -24.0), 0.1, -48.0, Proof.RIVAL),
        ((8.0, -24.0, -24.0, -24.0, -24.0, -24.0, -24.0), 0.1, -96.0, Proof.HOVER),
        ((8.0, -50.0, -50.0, -50.0), 0.1, -48.0, Proof.RIVAL),
        ((8.0, -24.0, -24.0, -24.0), 1.0, -48.0, Proof.HOVER),
        ((8.0, -4.0, -4.0, -4.0), 0.1, -48.0, Proof.HOVER),
        ((8.0, -60.0, -60.0, -60.0), 0.1, -48.0, Proof.HOVER),
    ],
    ids=["tips", "nothing was there before", "lies long", "whole fingers", "sweeps", "at its edge", "palm"],
)
def test_fingers_that_came_to_rest_on_a_card_just_before_may_have_pressed_it_first(
    table: PaintedTable,
    monkeypatch: pytest.MonkeyPatch,
    far_mm: tuple[float, ...],
    *,
    far_mps: float,
    from_ms: float,
    proof: Proof,
) -> None:
    views_ms = tuple(from_ms + 16 * number for number in range(len(far_mm)))
    near_mm = tuple(-50.0 if t_ms > -20 else 80.0 for t_ms in views_ms)
    seen: dict[str, Any] = {"near_mm": near_mm, "far_mm": far_mm, "views_ms": views_ms, "goes_on": 1.0}
    found = found_at(monkeypatch, table, 16_000_000, far_mps=far_mps, **seen)
    assert [(one.side, one.proof) for one in found] == [(Side.NEAR, Proof.MOTION), (Side.FAR, proof)]


@pytest.mark.parametrize(
    ("driver", "sure", "told"),
    [(NEAR, 0.99, True), (NEAR, 0.55, False), (FAR, 0.99, False)],
    ids=["the same hand", "either", "the other hand"],
)
def test_a_card_that_was_touched_or_pushed_tells_no_hand_where_another_one_may_have_driven_its_pusher(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, driver: int, sure: float, *, told: bool
) -> None:
    other = Strike(6, Onset(1e8, 4e6, STILL_NS, STILL_NS + 8_000_000), None)
    monkeypatch.setattr(
        "vision.contact.attribution._touch", lambda *_: _Touch(0.85, 0, (other,), loose=False)
    )
    monkeypatch.setattr("vision.contact.attribution._pushed_by", lambda *_: (driver, sure))
    assert sure_of(monkeypatch, table, 8_000_000) is told


@pytest.mark.parametrize(("far_mps", "rivals"), [(1.0, 1), (0.1, 0)], ids=["near enough", "too slow"])
def test_where_hands_meet_as_a_card_sets_off_the_other_one_may_have_come_to_it(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, far_mps: float, rivals: int
) -> None:
    """The picture in which they met does not tell which of them is where."""
    found = found_at(monkeypatch, table, 16_000_000, met_ns=(0.0, 0.0, 16e6), far_mps=far_mps)
    assert [one.proof for one in found[1:]] == [Proof.RIVAL] * rivals


@pytest.mark.parametrize(
    ("before_mm", "beyond_mm2", "met_ns", "rivals"),
    [(45.0, 0.0, 0.0, 1), (12.0, 0.0, 0.0, 0), (45.0, 9000.0, 0.0, 0), (45.0, 0.0, 40e6, 0)],
    ids=["fast enough", "too slow", "an arm to elsewhere", "they had met before"],
)
def test_a_hand_that_came_nearer_fast_may_have_come_to_the_card_though_the_flow_lost_it(
    table: PaintedTable,
    monkeypatch: pytest.MonkeyPatch,
    *,
    before_mm: float,
    beyond_mm2: float,
    met_ns: float,
    rivals: int,
) -> None:
    """What is seen of the other hand beside the card need not touch it in the picture in which they met."""
    met: dict[str, Any] = {"met_ns": (0.0, met_ns, 0.0, 16e6), "far_met_ns": 0.0, "far_mps": 0.1}
    views = (before_mm, 10.0, 10.0, 10.0)
    found = found_at(
        monkeypatch,
        table,
        16_000_000,
        far_mm=views,
        far_beyond_mm2=beyond_mm2,
        unc_ns=6e6,
        views_ms=(-20.0, -4.0, 12.0, 28.0),
        **met,
    )
    assert [one.proof for one in found[1:]] == [Proof.RIVAL] * rivals


@pytest.mark.parametrize(("far_mm2", "proofs"), [(0.0, []), (900.0, [Proof.HOVER])], ids=["arm", "fingers"])
def test_an_arm_that_passes_over_a_pressed_card_touches_it_not(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, far_mm2: float, proofs: list[Proof]
) -> None:
    pressed: dict[str, Any] = {"slid": True, "far_mm": (-20.0, -30.0, -40.0), "far_mm2": far_mm2}
    found = found_at(monkeypatch, table, 16_000_000, **pressed)
    assert [one.proof for one in found[1:]] == proofs


@pytest.mark.parametrize(
    ("came_ms", "proofs"), [(150.0, []), (40.0, [Proof.HOVER])], ids=["on its way home", "soon after"]
)
def test_fingers_over_a_card_that_had_long_been_pressed_touched_it_not(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, came_ms: float, proofs: list[Proof]
) -> None:
    views: dict[str, Any] = {"views_ms": (-8.0, 8.0, 30.0, came_ms, 170.0), "far_mm2": (0, 0, 0, 900, 900)}
    found = found_at(monkeypatch, table, 16_000_000, slid=True, far_mm=(60, 60, 60, -20, -20), **views)
    assert [one.proof for one in found[1:]] == proofs


@pytest.mark.parametrize(
    ("beyond_mm2", "fingers_mm2", "sure"),
    [(9000.0, 0.0, True), (2000.0, 0.0, False), (9000.0, (0.0, 900.0, 0.0), False)],
    ids=["beyond it", "at it", "with a finger on it"],
)
@pytest.mark.parametrize("doubt", [{"unc_ns": 30e6}, {"met_ns": 90e6}], ids=["coarse", "met"])
def test_a_hand_that_is_seen_beyond_a_card_leaves_no_doubt_of_the_other_one(
    table: PaintedTable,
    monkeypatch: pytest.MonkeyPatch,
    doubt: dict[str, Any],
    beyond_mm2: float,
    fingers_mm2: float | tuple[float, ...],
    *,
    sure: bool,
) -> None:
    arm: dict[str, Any] = {"far_mm": (-20.0,) * 3, "far_beyond_mm2": beyond_mm2, "far_mm2": fingers_mm2}
    assert sure_of(monkeypatch, table, 16_000_000, **arm, **doubt) is sure


@pytest.mark.parametrize(
    ("slid", "near_mm", "driver", "sure"),
    [(False, 110.0, Side.NEAR, True), (False, 240.0, Side.FAR, False), (True, 110.0, Side.FAR, False)],
    ids=["flew", "flew far from the other hand", "slid"],
)
def test_a_card_that_flew_below_an_arm_was_driven_by_the_other_player(
    table: PaintedTable,
    monkeypatch: pytest.MonkeyPatch,
    near_mm: float,
    driver: Side,
    *,
    slid: bool,
    sure: bool,
) -> None:
    arm: dict[str, Any] = {"far_mm": (-50.0,) * 3, "far_beyond_mm2": 9000.0, "far_mm2": 0.0}
    found = found_at(monkeypatch, table, 8_000_000, near_mm=(near_mm,), slid=slid, **arm)
    assert found[0].side is driver
    assert (found[0].confidence >= SURE) is sure


@pytest.mark.parametrize(("unseen_mm2", "sure"), [(0.0, True), (5000.0, False)])
def test_a_hand_that_met_another_may_be_that_one_though_no_other_is_near(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, unseen_mm2: float, *, sure: bool
) -> None:
    monkeypatch.setattr("vision.contact.card_case.unseen_mm2", lambda *_: unseen_mm2)
    assert sure_of(monkeypatch, table, 9_000_000, met_ns=20e6, far_met_ns=0.0) is sure


@pytest.mark.parametrize(("unseen_mm2", "sure"), [(0.0, True), (5000.0, False)])
def test_of_hands_that_met_and_look_like_the_floor_nothing_is_sure(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, unseen_mm2: float, *, sure: bool
) -> None:
    monkeypatch.setattr("vision.contact.card_case.unseen_mm2", lambda *_: unseen_mm2)
    assert sure_of(monkeypatch, table, 9_000_000, met_ns=20e6) is sure


@pytest.mark.parametrize(
    ("step_ns", "spots", "sure"),
    [(8_000_000, 0, True), (33_000_000, 0, False), (33_000_000, 1, False), (33_000_000, 2, True)],
)
def test_between_coarse_pictures_only_a_cards_own_path_tells_two_hands_apart(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, step_ns: int, spots: int, *, sure: bool
) -> None:
    places = (np.array([5.0 * one, 0.0]) for one in range(spots))
    shown = tuple(Spot(STILL_NS + (one + 1) * step_ns, place) for one, place in enumerate(places))
    assert sure_of(monkeypatch, table, step_ns, shown) is sure


@pytest.mark.parametrize(
    ("far_mm", "sure"),
    [((10.0, 10.0, 10.0), True), ((10.0, 10.0, -20.0), False), ((10.0, -20.0, 10.0), False)],
    ids=["beside it in every picture", "over it later", "over it when it set off"],
)
def test_a_hand_that_pressed_a_card_lies_over_it_in_a_picture(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, far_mm: tuple[float, float, float], *, sure: bool
) -> None:
    seen: dict[str, Any] = {"unc_ns": 50e6, "far_mm": far_mm, "odds": 2.0}
    assert sure_of(monkeypatch, table, 33_000_000, slid=True, **seen) is sure
    assert not sure_of(monkeypatch, table, 33_000_000, far_mm=far_mm)  # struck cards: it went on


@pytest.mark.parametrize("doubt", [{"unc_ns": 50e6, "far_mm": (10.0, -20.0, -20.0)}, {"met_ns": 90e6}])
@pytest.mark.parametrize(("odds", "sure"), [(6.0, True), (2.0, False)])
def test_whose_hand_clearly_pressed_a_card_is_known_though_hands_had_met(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, doubt: dict[str, Any], odds: float, *, sure: bool
) -> None:
    assert sure_of(monkeypatch, table, 33_000_000, slid=True, odds=odds, **doubt) is sure


@pytest.mark.parametrize(("far_mps", "sure"), [(1.0, False), (0.1, True)])
def test_a_hand_that_rests_was_not_at_a_card_between_coarse_pictures(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, far_mps: float, *, sure: bool
) -> None:
    assert sure_of(monkeypatch, table, 33_000_000, far_mps=far_mps) is sure


@pytest.mark.parametrize(
    ("far_mps", "unc_ns", "sure"), [(0.1, 17e6, True), (1.0, 17e6, False), (0.1, 40e6, False)]
)
def test_a_hand_that_rests_did_not_come_while_it_is_not_known_when_the_card_set_off(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, far_mps: float, unc_ns: float, *, sure: bool
) -> None:
    assert sure_of(monkeypatch, table, 33_000_000, far_mps=far_mps, unc_ns=unc_ns) is sure


def test_a_card_that_fingers_hide_for_long_is_no_coarse_picture(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sure_of(monkeypatch, table, 8_000_000, hidden_ns=200_000_000)
