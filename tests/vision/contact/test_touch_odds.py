"""Whether a card was touched when it set off, or pushed: what each sign says about it."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.vision.painted_table import SIZE, Arm, PaintedTable
from vision.contact.approach import Approach, Hands
from vision.contact.card_case import TOUCHED_CHANCE
from vision.contact.touch_odds import chance_ever, chance_touched, signs
from vision.departures.departure import Departure, View
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.hands.frame_map import NEAR
from vision.hands.player_map import PlayerMap
from vision.launch.flight import Flight, Launch
from vision.launch.onset import Onset
from vision.launch.strikes import Strike

_MS = 1_000_000
_AT = round(100 * _MS)
_ALIKE: dict[str, Any] = {"seen": None, "pusher_slid": True, "pressed": 1}  # two slid beside one another
_BESIDE: dict[str, Any] = {"seen": None, "pusher_slid": True, "gap_mm": -10.0, "fingers_mm2": 0.0}
_LOOSE: dict[str, Any] = {"seen": None, "loose": True, "gap_mm": -10.0, "fingers_mm2": 100.0}


@pytest.fixture(scope="module")
def field() -> FieldModel:
    table = PaintedTable()
    return FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)


@pytest.fixture(autouse=True)
def _slow_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let all hands move by two pixels a millisecond."""
    monkeypatch.setattr("vision.contact.touch_odds.hand_velocity", lambda *_: np.array([2.0, 0.0]))


def strike(field: FieldModel, number: int, seen: float | None) -> Strike:
    onset = Onset(_AT, 3 * _MS, _AT - 8 * _MS, _AT)
    if seen is None:
        return Strike(number, onset, None)
    launch = Launch(_AT, _AT - 2 * _MS, _AT + 2 * _MS)
    return Strike(
        number, onset, Flight(number, field.slots[number], _AT, launch, np.array([1.0, 0.0]), 0.0, seen)
    )


def approach(
    gap_mm: float, fingers_mm2: float, beyond_mm2: float = 0.0, later_mm2: float | None = None
) -> Approach:
    """Return a hand in three pictures: ten milliseconds before a card set off, ten after and thirty after."""
    times_ns = np.array([90.0, 110.0, 130.0]) * _MS
    fingers = np.full(3, fingers_mm2)
    fingers[2] = fingers_mm2 if later_mm2 is None else later_mm2
    return Approach(times_ns, np.full(3, gap_mm), np.zeros(3), np.full(3, beyond_mm2), fingers)


def chance(
    field: FieldModel,
    gap_mm: float = -40.0,
    fingers_mm2: float = 1000.0,
    *,
    seen: float | None = 0.3,
    pusher: float | None = 0.3,
    pusher_slid: bool = False,
    pusher_before_ns: int = 0,
    slid_mm: float = 1.0,
    loose: bool = False,
    strayed: bool = False,
    beyond_mm2: float = 0.0,
    later_mm2: float | None = None,
    own_ns: int = _AT,
    hidden_ns: int = 8 * _MS,
    unc_ns: int = 0,
    flown: bool = True,
    pressed: int = 0,
    nudged: bool = True,
    alone: bool = False,
    first: bool = True,
) -> float:
    """Return the chance of a touch.

    `own_ns`: when its own pictures say that it set off, give or take `unc_ns`; `hidden_ns`: for how long it
    was not seen.
    """
    departure = Departure((slice(0, 9), slice(0, 9)), _AT - 8 * _MS)
    departure.final_shift_px = np.array([slid_mm, 0.0])
    departure.settled_ns = departure.still_ns + hidden_ns
    pushers = [] if pusher is None else [strike(field, 6, None if pusher_slid else pusher)]
    pushers = [
        replace(each, onset=replace(each.onset, t_ns=each.onset.t_ns - pusher_before_ns)) for each in pushers
    ]
    one = strike(field, 7, seen)
    if one.flight is not None:
        one = replace(one, flight=replace(one.flight, launch=Launch(own_ns, own_ns - _MS, own_ns + _MS)))
    one = replace(one, onset=replace(one.onset, t_unc_ns=unc_ns or one.onset.t_unc_ns))
    hand = approach(gap_mm, fingers_mm2, beyond_mm2, later_mm2)
    return chance_touched(
        field.slots[7],
        one,
        departure,
        hand,
        pushers,
        loose=loose,
        strayed=strayed,
        flown=flown,
        pressed=pressed,
        nudged=nudged,
        alone=alone,
        first=first,
        amid_flights=loose or any(one.flight is not None for one in pushers),
    )


def test_nothing_but_a_hand_can_have_struck_a_card_that_no_other_card_lay_behind(field: FieldModel) -> None:
    assert chance(field, 20.0, 0.0, pusher=None, later_mm2=300.0) == 1.0
    assert chance(field, -60.0, 900.0, pusher=None) == 1.0


def test_a_hand_that_passes_beside_a_card_and_never_comes_over_its_place_did_not_strike_it(
    field: FieldModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert chance(field, 4.0, 0.0, pusher=None) == 1.0  # the card goes the hand's way
    monkeypatch.setattr("vision.contact.touch_odds.hand_velocity", lambda *_: np.array([0.3, 2.0]))
    assert chance(field, 4.0, 0.0, pusher=None) < 0.3
    unhit = chance(field, 4.0, 0.0, pusher=None, flown=False)  # there was no card to hit it either
    assert 0.7 < unhit < TOUCHED_CHANCE
    assert chance(field, 4.0, 0.0, pusher=None, later_mm2=300.0) == 1.0


def test_what_slid_as_the_card_beside_it_flew_was_pushed_by_it(field: FieldModel) -> None:
    assert chance(field, -40.0, 1600.0, **_ALIKE) > TOUCHED_CHANCE  # one hand pressed both
    nudged = chance(field, -40.0, 1600.0, seen=None, pusher_slid=True)  # perhaps
    assert 0.3 < nudged < TOUCHED_CHANCE
    farther = chance(field, -40.0, 1600.0, seen=None, pusher_slid=True, nudged=False)  # it slid less itself
    assert TOUCHED_CHANCE < farther < 1.0
    assert chance(field, -40.0, 1600.0, seen=None) < 0.3
    assert chance(field, -40.0, 1600.0, seen=None, loose=True) < 0.3
    long_past = chance(field, -40.0, 1600.0, seen=None, pusher_before_ns=60 * _MS)
    assert long_past == pytest.approx(nudged)


def test_what_slid_where_no_card_moves_another_was_touched_by_the_hand_that_came_to_its_edge(
    field: FieldModel,
) -> None:
    edge: dict[str, Any] = {"seen": None, "pusher": None, "flown": False, "fingers_mm2": 0.0}
    assert chance(field, 5.0, **edge) > 0.9
    assert chance(field, 40.0, **edge) < 0.3  # that hand did not come
    assert chance(field, 5.0, **edge | {"flown": True}) < 0.3  # some card may have come down on it
    assert chance(field, 5.0, beyond_mm2=9000.0, **edge) < 0.3  # its fingers are elsewhere
    assert chance(field, 5.0, unc_ns=70 * _MS, **edge) < 0.3  # in so long a time the other player's may have
    assert chance(field, 5.0, unc_ns=70 * _MS, alone=True, **edge) > 0.9


def test_what_slid_where_a_flying_card_may_have_come_is_no_sure_touch(field: FieldModel) -> None:
    under: dict[str, Any] = {"seen": None, "pusher": None, "fingers_mm2": 1024.0, "slid_mm": 1.0}
    assert chance(field, loose=False, **under) == 1.0
    assert chance(field, loose=True, **under) < 0.5


@pytest.mark.parametrize(
    ("by_others", "most"),
    [({"pusher": 0.3}, 0.5), ({"strayed": True}, 0.5), ({"fingers_mm2": 64.0}, 0.5), ({}, TOUCHED_CHANCE)],
    ids=["beside a card", "one that nobody saw fly may have come", "below one finger", "below fingers alone"],
)
def test_what_slid_far_after_cards_had_flown_was_no_sure_touch(
    field: FieldModel, by_others: dict[str, Any], most: float
) -> None:
    far: dict[str, Any] = {"seen": None, "pusher": None, "pusher_slid": True, "pressed": 2, "slid_mm": 6.0}
    far |= by_others
    assert most - 0.3 < chance(field, **far) < most
    assert chance(field, flown=False, **far) > TOUCHED_CHANCE
    assert chance(field, **far | {"slid_mm": 3.0, "strayed": False}) > TOUCHED_CHANCE


def test_what_a_card_that_nobody_saw_fly_may_have_hit_is_no_sure_touch_without_fingers_on_it(
    field: FieldModel,
) -> None:
    hit: dict[str, Any] = {"pusher": None, "strayed": True, "first": False}
    assert chance(field, 4.0, 0.0, **hit) < 0.7
    assert chance(field, 4.0, 80.0, **hit) < 0.7  # of one finger
    assert chance(field, 4.0, 80.0, pusher=None) == 1.0
    assert chance(field, 4.0, 200.0, **hit) == 1.0
    assert 0.8 < chance(field, 4.0, 0.0, **hit | {"first": True}) < 1.0  # nothing moved before that could hit


def test_a_shoulder_hides_the_fingers_that_struck_the_first_card_to_go(field: FieldModel) -> None:
    below: dict[str, Any] = {"gap_mm": -60.0, "fingers_mm2": 0.0, "pusher": None}
    assert TOUCHED_CHANCE < chance(field, **below) < 1.0
    assert chance(field, first=False, **below) < 0.7
    arm: dict[str, Any] = below | {"beyond_mm2": 9000.0}
    assert chance(field, **arm) < 0.3  # they are seen to be elsewhere
    assert chance(field, **arm | {"fingers_mm2": 40.0}) < 0.9  # and so they are where a cell or less is seen
    assert chance(field, **arm | {"fingers_mm2": 60.0}) == 1.0
    assert chance(field, **below | {"pusher": 0.3}) < 0.5  # another card may have hit it
    hidden: dict[str, Any] = below | {"hidden_ns": 100 * _MS, "unc_ns": 40 * _MS}
    assert TOUCHED_CHANCE < chance(field, **hidden) < 1.0
    assert chance(field, first=False, **hidden) < 0.7


def test_a_hand_that_was_still_on_its_way_did_not_strike_for_sure_what_a_flying_card_may_have_hit(
    field: FieldModel,
) -> None:
    coming: dict[str, Any] = {"gap_mm": 60.0, "pusher": None}
    assert chance(field, fingers_mm2=25.0, **coming) < TOUCHED_CHANCE
    assert chance(field, fingers_mm2=25.0, flown=False, **coming) == 1.0
    assert chance(field, fingers_mm2=100.0, **coming) == 1.0
    assert chance(field, 30.0, 25.0, pusher=None) == 1.0


def test_of_a_card_hidden_for_so_long_that_it_does_not_tell_its_time_no_touch_is_sure(
    field: FieldModel,
) -> None:
    known: dict[str, Any] = {"pusher": None, "fingers_mm2": 170.0, "first": False}
    assert chance(field, unc_ns=50 * _MS, hidden_ns=100 * _MS, **known) < 0.7
    assert chance(field, unc_ns=50 * _MS, hidden_ns=40 * _MS, **known) == 1.0
    assert chance(field, own_ns=_AT + 90 * _MS, hidden_ns=330 * _MS, **known) < 0.7
    assert chance(field, own_ns=_AT + 90 * _MS, hidden_ns=40 * _MS, **known) == 1.0
    assert chance(field, hidden_ns=330 * _MS, **known) == 1.0
    assert chance(field, own_ns=_AT + 90 * _MS, hidden_ns=330 * _MS, pusher=None) == 1.0  # under fingers


@pytest.mark.parametrize(("beyond_mm2", "sure"), [(0.0, True), (9000.0, False)])
def test_what_a_flown_card_may_have_hit_under_an_arm_was_not_touched_for_sure(
    field: FieldModel, beyond_mm2: float, *, sure: bool
) -> None:
    hit: dict[str, Any] = {"pusher": None, "loose": True, "seen": 0.0, "fingers_mm2": 1024.0}
    assert (chance(field, -57.0, beyond_mm2=beyond_mm2, **hit) > TOUCHED_CHANCE) is sure


@pytest.mark.parametrize(
    ("loose", "hidden_ms", "sure"), [(True, 200, False), (True, 40, True), (False, 200, True)]
)
def test_what_lay_below_fingers_for_long_may_have_been_hit_by_what_came_down_there(
    field: FieldModel, hidden_ms: int, *, loose: bool, sure: bool
) -> None:
    hidden: dict[str, Any] = {"unc_ns": 40 * _MS, "hidden_ns": hidden_ms * _MS, "seen": 0.0}
    assert (chance(field, loose=loose, fingers_mm2=1024.0, **hidden) > TOUCHED_CHANCE) is sure


@pytest.mark.parametrize(
    ("gap_mm", "beyond_mm2", "least", "most"),
    [(-60.0, 9000.0, 0.0, 0.3), (90.0, 0.0, 0.7, 0.8), (-60.0, 0.0, 0.5, 0.75)],
    ids=["an arm lies over it", "the hand is far", "a palm lies over it"],
)
def test_a_card_no_fingers_came_to_is_no_sure_touch(
    field: FieldModel, gap_mm: float, beyond_mm2: float, least: float, most: float
) -> None:
    assert least < chance(field, gap_mm, 0.0, pusher=None, beyond_mm2=beyond_mm2, first=False) < most


def test_what_slides_under_a_palm_and_nothing_else_moved_was_pressed_by_it(field: FieldModel) -> None:
    assert chance(field, -60.0, 0.0, seen=None, pusher=None) > 0.8
    assert chance(field, -60.0, 0.0, seen=None, pusher=None, beyond_mm2=9000.0) < 0.8  # an arm
    assert chance(field, -60.0, 0.0, seen=None, pusher=None, beyond_mm2=9000.0, flown=False) < 0.8
    arm_and_hand: dict[str, Any] = {"beyond_mm2": 9000.0, "pressed": 1}  # two cards alike
    assert chance(field, -60.0, 0.0, seen=None, pusher=None, flown=False, **arm_and_hand) > 0.8
    assert chance(field, -60.0, 0.0, seen=None, pusher=None, **arm_and_hand) < 0.8
    assert chance(field, -60.0, 0.0, seen=None, pusher=None, slid_mm=8.0) < 0.8
    assert chance(field, -60.0, 0.0, seen=None) < 0.8


def test_the_farther_the_hand_was_the_likelier_a_card_was_pushed(field: FieldModel) -> None:
    chances = [chance(field, gap_mm, 0.0) for gap_mm in (-10.0, 20.0, 50.0)]
    assert chances == sorted(chances, reverse=True)
    assert chances[-1] < 0.3
    assert chance(field, 50.0, 1000.0) < 0.3  # what seems to be fingers there is the card on its way


@pytest.mark.parametrize(
    ("less", "more"),
    [
        ({"fingers_mm2": 0.0}, {"fingers_mm2": 900.0}),
        ({"seen": 0.8}, {"seen": 0.1}),
        ({"pusher": 0.3}, {"pusher": 0.0}),
        (_ALIKE | {"fingers_mm2": 0.0}, _ALIKE | {"fingers_mm2": 900.0}),
        (_BESIDE | {"pressed": 0}, _BESIDE | {"pressed": 1}),
        (_BESIDE | {"pressed": 1}, _BESIDE | {"pressed": 2}),
        (_LOOSE | {"slid_mm": 8.0}, _LOOSE | {"slid_mm": 1.0}),
        (_ALIKE | {"loose": True}, _ALIKE | {"loose": False}),
        ({"beyond_mm2": 9000.0}, {"beyond_mm2": 0.0}),
        (
            _ALIKE | {"loose": True, "fingers_mm2": 100.0, "beyond_mm2": 9000.0},
            _ALIKE | {"loose": True, "fingers_mm2": 100.0},
        ),
    ],
    ids=[
        "fingers",
        "fingers hide what they strike",
        "and the pusher",
        "pressed",
        "one slid alike",
        "two slid alike",
        "far slide",
        "loose",
        "arm",
        "loose under an arm",
    ],
)
def test_signs_of_a_touch(field: FieldModel, less: dict[str, float], more: dict[str, float]) -> None:
    assert chance(field, **less) < chance(field, **more)  # type: ignore[arg-type]  # of both kinds


def test_a_hand_goes_on_as_fast_as_it_came(field: FieldModel) -> None:
    departure = Departure((slice(0, 9), slice(0, 9)), _AT - 8 * _MS)
    found = signs(field.slots[7], strike(field, 7, 0.3), departure, approach(40.0, 0.0), [], loose=False)
    assert found["left"] == pytest.approx(2.0, abs=0.05)  # 40 mm less ten milliseconds at 2 mm/ms


def test_fingers_reach_some_pushed_cards_later() -> None:
    assert chance_ever(0.0) == 0.0
    assert chance_ever(1.0) == 1.0
    assert 0.5 < chance_ever(0.5) < 0.8


def test_only_the_far_end_of_an_arm_bears_fingers(field: FieldModel) -> None:
    table = PaintedTable()
    x, y = table.slots[2].centre_px
    players = PlayerMap(table.resting(), field.floor, 1.0)
    arm = Arm(table.slots[8].side, (x, y), x, 50.0)
    gray = table.gray({}, [arm])
    view = View(_AT, gray, (slice(0, SIZE[1]), slice(0, SIZE[0])), players.feed(gray, _AT))
    hands = Hands(field, [], players.scale)
    reach_y = hands.cells(view, NEAR).points_px[hands.ends(view, NEAR)][:, 1]
    assert reach_y.min() < y < reach_y.max() < table.slots[8].centre_px[1]


def test_an_arm_that_passes_over_a_card_does_not_reach_it() -> None:
    times_ns = np.array([90.0, 100.0, 110.0]) * _MS
    gaps_mm, beyond_mm2 = np.array([50.0, -30.0, -30.0]), np.array([0.0, 9000.0, 0.0])
    passing = Approach(times_ns, gaps_mm, np.zeros(3), beyond_mm2, np.zeros(3))
    reaching = Approach(times_ns, gaps_mm, np.zeros(3), np.zeros(3), np.zeros(3))
    assert passing.arrival(80.0 * _MS) == (100.0 * _MS, 5.0 * _MS)
    reached = reaching.arrival(80.0 * _MS)
    assert reached is not None
    assert reached[0] == pytest.approx(96.25 * _MS)
    assert Approach(times_ns, gaps_mm, np.zeros(3), np.full(3, 9e3), np.zeros(3)).arrival(0.0) is None
