"""Which of two hands moved a card: the one that moves with it, not the one that hovers nearer."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from referee.facts import Touch, Unprovable
from referee.sides import Side
from tests.vision.contact.contested_card import attributed_to, field_of, found_at, hand, tell_causes
from tests.vision.painted_table import SIZE, Arm, PaintedTable, Pose
from vision.contact.approach import Approach
from vision.contact.facts import Proof
from vision.departures.departure import Departure, View
from vision.field.model import FieldModel
from vision.frames.frame import Gray
from vision.hands.frame_map import FAR, NEAR, STRANGER
from vision.launch.flight import Flight, Launch
from vision.launch.onset import Onset
from vision.launch.strikes import Strike
from vision.poem.watcher import PoemWatcher

FPS = 120.0
_STRUCK_MS = 150.0
_PX_PER_MS = 1.4
_VIEWS_NS = (90e6, 100e6, 110e6, 120e6)


def facts_of(
    table: PaintedTable, scene: Callable[[float], Gray], fps: float = FPS
) -> list[Touch | Unprovable]:
    watcher = PoemWatcher(table.slots, table.resting())
    for t_ms in np.arange(0.0, 420.0, 1000 / fps):
        watcher.feed(table.frame(float(t_ms), scene(float(t_ms))))
    return [fact for fact in watcher.finish() if isinstance(fact, Touch | Unprovable)]


def struck_by(table: PaintedTable, striker: Side) -> Callable[[float], Gray]:
    """Sweep card 12 to the right by one hand; the other one rests with its fingers at the card's edge."""
    x, y = table.slots[11].centre_px

    def scene(t_ms: float) -> Gray:
        along = (t_ms - _STRUCK_MS) * _PX_PER_MS
        off = max(0.0, along)
        into = float(np.clip((t_ms - 60.0) / 60.0, 0.0, 1.0))
        out = float(np.clip((t_ms - 330.0) / 60.0, 0.0, 1.0))
        arms = []
        for side, tip_x, gray in ((striker.opponent, x + 30, 120), (striker, x - 55 + min(along, 160), 85)):
            edge_y = float(SIZE[1]) if side is Side.NEAR else 0.0
            reach = y + 30 if side is Side.NEAR else y - 30
            share = into * (1 - out)
            if share > 0:
                tip = (tip_x, edge_y + (reach - edge_y) * share)
                arms.append(Arm(side, tip, tip_x - 15, 44.0, gray))
        return table.gray({12: Pose(off, absent=off > 300)}, arms)

    return scene


@pytest.mark.parametrize("fps", [30.0, 60.0, FPS, 240.0])
@pytest.mark.parametrize("striker", list(Side))
def test_a_hand_that_rests_is_not_told_for_the_one_with_which_the_card_went(
    table: PaintedTable, striker: Side, fps: float
) -> None:
    """It covers more of the card, but a hand at rest sets no card flying: whose it was stays open at most."""
    seen = [fact for fact in facts_of(table, struck_by(table, striker), fps) if fact.card == 12]
    touches = [fact for fact in seen if isinstance(fact, Touch)]
    assert touches, seen
    assert all(touch.confidence <= 0.5 for touch in touches if touch.player is striker.opponent)


def flight_of(field: FieldModel, number: int = 5) -> Flight:
    launch = Launch(100e6, 98e6, 102e6)
    return Flight(number, field.slots[number], 100e6, launch, np.array([1.0, 0.0]), 0.0, 0.5)


@pytest.mark.parametrize("far_mm", [(60.0, 30.0, 0.0, -30.0), (-30.0, -30.0, -30.0, -30.0)])
@pytest.mark.parametrize(("odds", "proof"), [(1.8, Proof.HOVER), (1.6, Proof.RIVAL)])
def test_a_hand_that_comes_later_or_lies_there_is_no_rival_of_the_one_whose_motion_the_card_took_on(
    monkeypatch: pytest.MonkeyPatch, odds: float, proof: Proof, far_mm: tuple[float, ...]
) -> None:
    field = field_of(PaintedTable())
    strike = Strike(5, Onset(100e6, 4e6, 95_000_000, 104_000_000), flight_of(field))
    seen = {player: hand(_VIEWS_NS, gap_mm) for player, gap_mm in ((NEAR, -50.0), (FAR, far_mm))}
    tell_causes(monkeypatch, 0.99, odds)
    found = attributed_to(monkeypatch, field, [strike], lambda *_, player, **__: seen[player])[strike]
    assert [one.side for one in found] == [Side.NEAR, Side.FAR]
    assert found[1].proof is proof


@pytest.mark.parametrize(
    ("views_ms", "far_mm", "proofs"),
    [
        ((-42.0, -9.0, 24.0, 57.0), (72.0, 34.0, 3.0, 41.0), [Proof.MOTION, Proof.RIVAL]),
        ((-42.0, -9.0, 24.0, 57.0), (72.0, 34.0, 33.0, 72.0), [Proof.MOTION]),
        ((-12.0, -4.0, 4.0, 12.0), (42.0, 32.0, 22.0, 32.0), [Proof.MOTION]),
    ],
    ids=["reaches it", "turns before it", "is followed closely"],
)
def test_a_hand_that_may_have_come_between_two_pictures_is_a_rival(
    table: PaintedTable,
    monkeypatch: pytest.MonkeyPatch,
    views_ms: tuple[float, ...],
    far_mm: tuple[float, ...],
    proofs: list[Proof],
) -> None:
    step_ns = round((views_ms[1] - views_ms[0]) * 1e6)
    found = found_at(
        monkeypatch, table, step_ns, unc_ns=step_ns / 2, odds=1.2, views_ms=views_ms, far_mm=far_mm
    )
    assert [one.proof for one in found] == proofs


@pytest.mark.parametrize(("comes_ms", "proof"), [(160, Proof.STRANGER), (260, Proof.MOTION)])
def test_a_strangers_arm_may_have_moved_a_card_as_long_as_none_saw_it(
    monkeypatch: pytest.MonkeyPatch, comes_ms: int, proof: Proof
) -> None:
    """A player's hand hides the card from 100 ms on; at 200 ms it is seen to lie elsewhere."""
    field = field_of(PaintedTable())
    strike = Strike(5, Onset(105e6, 9e6, 95_000_000, 200_000_000), flight_of(field))
    times_ns = np.arange(80e6, 300e6, 20e6)
    gaps_mm = {NEAR: -30.0, FAR: 900.0, STRANGER: np.where(times_ns >= comes_ms * 1e6, 0.0, 900.0)}

    def seen(*_: object, player: int, **__: object) -> Approach:
        return hand(times_ns, gaps_mm[player])

    monkeypatch.setattr("vision.contact.evidence.hand_velocity", lambda *_: None)
    tell_causes(monkeypatch, 0.99, 6.0)
    departure = Departure((slice(0), slice(0)), 95_000_000, seen_gone_ns=200_000_000)
    over: Any = SimpleNamespace(players=np.full((2, 2), STRANGER, np.uint8))
    departure.views.append(View(280_000_000, np.zeros((0, 0), np.uint8), departure.window, over))
    assert attributed_to(monkeypatch, field, [strike], seen, departure)[strike][0].proof is proof


@pytest.mark.parametrize("slid", [True, False])
def test_a_card_that_moved_is_no_hand_over_itself(monkeypatch: pytest.MonkeyPatch, slid: bool) -> None:
    """It differs from the resting picture since; where its own print is seen there was no far hand."""
    field = field_of(PaintedTable())
    strike = Strike(5, Onset(100e6, 4e6, 95_000_000, 104_000_000), None if slid else flight_of(field))

    def seen(*_: object, player: int, without_shade: bool = False) -> Approach:
        far_mm = (60.0, 60.0, 60.0, 30.0 if without_shade else -30.0)
        return hand(_VIEWS_NS, -50.0 if player == NEAR else far_mm)

    tell_causes(monkeypatch, 0.99, 3.0)
    found = attributed_to(monkeypatch, field, [strike], seen)[strike]
    assert [one.side for one in found] == [Side.NEAR]


@pytest.mark.parametrize(
    ("hand_px", "card_px", "lain_ms"), [(0.1, 0.2, 16.0), (2.0, 0.2, 0.0), (0.1, 2.0, 0.0)]
)
def test_fingers_that_push_a_card_off_slowly_may_have_lain_on_it_since_they_came(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, hand_px: float, card_px: float, *, lain_ms: float
) -> None:
    """The hand came over it 16 ms before it set off, in pictures taken at -24, -16 and 8 ms."""
    monkeypatch.setattr("vision.contact.evidence.hand_velocity", lambda *_: np.array([hand_px, 0.0]))
    came: dict[str, Any] = {"near_mm": (30.0, 5.0, -50.0), "views_ms": (-24.0, -16.0, 8.0)}
    found = found_at(monkeypatch, table, 24_000_000, card_px_per_ms=card_px, far_mm=(300.0,) * 3, **came)
    earliest_ms, latest_ms = ((found[0].t_ns + sign * found[0].t_unc_ns) / 1e6 for sign in (-1, 1))
    assert (earliest_ms, latest_ms) == pytest.approx((96.0 - lain_ms, 104.0))


def test_a_card_that_nothing_is_known_to_have_pushed_is_no_surer_touched_than_it_looks(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = found_at(monkeypatch, table, 8_000_000, touched=0.85, far_mm=(300.0,) * 3)
    assert found[0].confidence == pytest.approx(0.85, abs=0.01)
