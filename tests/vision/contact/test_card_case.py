"""Whether and when the other player's hand may also have reached a card that moved."""

from typing import Any

import numpy as np
import pytest

from referee.sides import Side
from tests.vision.contact.contested_card import STILL_NS, found_at, sure_of
from tests.vision.painted_table import PaintedTable
from vision.contact.contact import Proof
from vision.hands.frame_map import FAR, NEAR
from vision.launch.onset import Onset
from vision.launch.strikes import Strike


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
    seen: dict[str, Any] = {"near_mm": near_mm, "far_mm": far_mm, "views_ms": views_ms}
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
    monkeypatch.setattr("vision.contact.attribution.pushers_of", lambda *_: [other])
    monkeypatch.setattr("vision.contact.attribution._pushed_by", lambda *_: (driver, sure))
    assert sure_of(monkeypatch, table, 8_000_000, touched=0.85) is told


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
    ("far_mm", "odds", "told"),
    [(30.0, 1.0, [Proof.MOTION, Proof.HOVER]), (70.0, 1.0, [Proof.MOTION]), (30.0, 4.0, [Proof.MOTION])],
    ids=["beside it", "farther away", "surely the other one's"],
)
def test_a_hand_beside_a_card_of_which_it_is_not_sure_whose_it_was_is_told(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, far_mm: float, odds: float, told: list[Proof]
) -> None:
    found = found_at(monkeypatch, table, 16_000_000, odds=odds, far_mm=(far_mm,) * 3, far_mm2=0.0)
    assert [one.proof for one in found] == told


@pytest.mark.parametrize(
    ("hand_px", "card_px", "lain_ms"), [(0.1, 0.2, 16.0), (2.0, 0.2, 0.0), (0.1, 2.0, 0.0)]
)
def test_fingers_that_push_a_card_off_slowly_may_have_lain_on_it_since_they_came(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, hand_px: float, card_px: float, *, lain_ms: float
) -> None:
    """The hand came over it 16 ms before it set off, in pictures taken at -24, -16 and 8 ms."""
    monkeypatch.setattr("vision.contact.measurement.hand_velocity", lambda *_: np.array([hand_px, 0.0]))
    came: dict[str, Any] = {"near_mm": (30.0, 5.0, -50.0), "views_ms": (-24.0, -16.0, 8.0)}
    found = found_at(monkeypatch, table, 24_000_000, card_px_per_ms=card_px, far_mm=(300.0,) * 3, **came)
    earliest_ms, latest_ms = ((found[0].t_ns + sign * found[0].t_unc_ns) / 1e6 for sign in (-1, 1))
    assert (earliest_ms, latest_ms) == pytest.approx((96.0 - lain_ms, 104.0))
