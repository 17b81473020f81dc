"""How sure it can be at most whose hand touched a card, with hands that met and between coarse pictures."""

from collections.abc import Generator

import numpy as np
import pytest
from painted_table import PaintedTable

from referee.sides import Side
from vision.approach import Approach, Hands
from vision.card_spots import Spot
from vision.contacts import contacts
from vision.departure import Departure
from vision.driver import Evidence
from vision.field_model import FieldModel
from vision.hands import FAR, NEAR
from vision.motion import Flight, Launch
from vision.onset import Onset
from vision.slots import SlotGrid
from vision.strikes import Strike

_SURE, STILL_NS = 0.8, 95_000_000


@pytest.fixture
def table() -> PaintedTable:
    return PaintedTable()


def sure_of(
    monkeypatch: pytest.MonkeyPatch,
    table: PaintedTable,
    step_ns: int,
    spots: tuple[Spot, ...] = (),
    *,
    met_ns: float = 0.0,
    far_mps: float = 1.0,
    hidden_ns: int = 0,
    unc_ns: float = 4e6,
    slid: bool = False,
    far_mm: tuple[float, float, float] = (10.0, 10.0, 10.0),
) -> bool:
    """Tell whether the near hand is sure at card 8, which flew off under it with the far one beside it.

    It set off between two pictures `step_ns` apart, was seen at `spots`, and the hands had met for `met_ns`;
    the far one moved at `far_mps`. Fingers hid it for `hidden_ns`, and when it set off is known to `unc_ns`.
    """
    field = FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
    launch = Launch(1e8, 98e6, 102e6)
    flight = Flight(7, table.slots[7], 1e8, launch, np.array([1.0, 0.0]), 0.0, 0.6, spots)
    strike = Strike(7, Onset(1e8, unc_ns, STILL_NS, STILL_NS + step_ns), None if slid else flight)
    views, ones = 1e8 + np.array([-0.5, 0.5, 1.5]) * step_ns, np.ones(3)

    def seen(*_: object, player: int, **__: object) -> Approach:
        gaps_mm = -50.0 * ones if player == NEAR else np.array(far_mm)
        return Approach(views, gaps_mm, met_ns * ones, 0 * ones, 900 * ones)

    def evident(*_: object) -> Generator[None, None, dict[int, Evidence]]:
        yield
        return {7: Evidence(strike, 6.0, speeds={NEAR: 1.0, FAR: far_mps})}

    monkeypatch.setattr("vision.contacts.approach_of", seen)
    monkeypatch.setattr("vision.contacts.evidence_steps", evident)
    departure = Departure((slice(0), slice(0)), STILL_NS)
    departure.seen_gone_ns = STILL_NS + step_ns + hidden_ns
    ((_, found),) = contacts(field, {7: departure}, [strike], Hands(field, [], 0.25))
    assert found[0].side is Side.NEAR
    return found[0].confidence >= _SURE


@pytest.mark.parametrize(("unseen_mm2", "sure"), [(0.0, True), (5000.0, False)])
def test_of_hands_that_met_and_look_like_the_floor_nothing_is_sure(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, unseen_mm2: float, *, sure: bool
) -> None:
    monkeypatch.setattr("vision.card_case.unseen_mm2", lambda *_: unseen_mm2)
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
    assert sure_of(monkeypatch, table, 33_000_000, slid=True, unc_ns=50e6, far_mm=far_mm) is sure
    assert not sure_of(monkeypatch, table, 33_000_000, far_mm=far_mm)  # struck cards: it went on


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
