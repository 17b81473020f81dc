"""Pictures that are looked at before anybody asks: they show what would be seen in the end."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest

from referee.sides import Side
from tests.vision.aide import Aide
from tests.vision.painted_table import Arm, PaintedTable, Pose
from vision.contact import velocities
from vision.contact.approach import Hands
from vision.contact.velocities import hand_velocities
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.hands.player_map import PlayerMap
from vision.launch.flight import finished
from vision.launch.onset import Onset
from vision.launch.strikes import Strike
from vision.poem.foresight import Foresight, LooksErrand

_NUMBER = 10
BOTH = Side.NEAR, Side.FAR
_STEP_NS = 8_333_333
_STILL_NS = 100_000_000


def places(departure: Departure) -> set[object]:
    """Return the instants of the pictures in which a card was looked for."""
    keys = (key for key in departure.looks if isinstance(key, tuple))
    return {key[1] for key in keys if key[0] == "place"}


def departed(
    table: PaintedTable, field: FieldModel, sides: tuple[Side, ...], pictures: int = 14
) -> tuple[Departure, PlayerMap]:
    """Film a card that slides to the right from the third picture on, below a hand of each of `sides`."""
    x, y = table.slots[_NUMBER].centre_px
    players = PlayerMap(table.resting(2), field.floor, field.px_per_mm)
    departure = Departure((slice(0, 540), slice(0, 960)), _STILL_NS)
    for number in range(-2, pictures - 2):
        moved = 0.8 * max(0.0, number * _STEP_NS / 1e6)
        tips = {Side.NEAR: (x - 30 + moved, y + 25), Side.FAR: (x + 20.0, y - 30)}
        arms = [Arm(side, tips[side], tips[side][0], 30.0) for side in sides]
        gray = table.gray({_NUMBER + 1: Pose(moved)}, arms)
        frame = table.frame((_STILL_NS + number * _STEP_NS) / 1e6, gray)
        if number == 2:
            departure.seen_gone_ns = frame.t_ns
        departure.add(frame, players.feed(gray, frame.t_ns))
    return departure, players


def kinds(looks: Mapping[object, object]) -> set[object]:
    return {key[0] for key in looks if isinstance(key, tuple)}


def test_what_is_looked_at_is_what_is_asked_for(
    table: PaintedTable, field: FieldModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    departure, players = departed(table, field, BOTH)
    other = replace(departure, _found={})
    other.take_over(finished(LooksErrand(field, _NUMBER, departure.as_it_is(), 0).steps({})))
    assert kinds(other.looks) == {"place", "print", "moved", "origins"}
    onset = Onset(_STILL_NS + 2e6, 3e6, _STILL_NS, _STILL_NS + 2 * _STEP_NS)
    strike = Strike(_NUMBER, onset, None)
    expected = hand_velocities(field, strike, departure, Hands(field, [], players.scale))

    def again(*_: object) -> None:
        pytest.fail("it was looked for again")

    monkeypatch.setattr(velocities, "_origins", again)
    found = hand_velocities(field, strike, other, Hands(field, [], players.scale))
    np.testing.assert_equal(found, expected)


def test_of_a_card_below_one_players_hand_nothing_is_looked_at(
    table: PaintedTable, field: FieldModel
) -> None:
    departure, _ = departed(table, field, (Side.NEAR,))
    aide = Aide()
    Foresight(field, aide).go_on({_NUMBER: departure})
    assert not aide.asked  # the helper waits for its trail


def test_an_idle_helper_looks_at_each_picture_once(table: PaintedTable, field: FieldModel) -> None:
    first, _ = departed(table, field, BOTH)
    later = replace(first, still_ns=first.still_ns + 1, _found={})
    aide = Aide()
    foresight = Foresight(field, aide)
    foresight.go_on({3: later, _NUMBER: first})
    foresight.go_on({3: later, _NUMBER: first})
    assert len(aide.asked) == 2
    assert not first.looks
    while aide.load:
        aide.work()
        foresight.go_on({3: later, _NUMBER: first})
    # the one that was last seen in place before the other, and a few pictures at a time
    assert [errand.number for errand in aide.asked] == [_NUMBER] * (len(aide.asked) // 2) + [3] * (
        len(aide.asked) // 2
    )
    assert max(len(errand.departure.views) for errand in aide.asked) <= 6
    for departure in (first, later):
        assert places(departure) == {view.t_ns for view in departure.after()}


def test_of_a_card_that_slid_its_print_is_looked_at_below_any_hand(
    table: PaintedTable, field: FieldModel
) -> None:
    departure, _ = departed(table, field, (Side.NEAR,))
    departure.proof_shift_px = np.array([2.0, 0.0])
    aide = Aide()
    foresight = Foresight(field, aide)
    foresight.go_on({_NUMBER: departure})
    aide.work()
    foresight.take_over()
    assert kinds(departure.looks) == {"place", "print", "moved"}  # no other hand's motion beside it


def test_a_helper_with_trails_to_follow_is_not_asked(table: PaintedTable, field: FieldModel) -> None:
    departure, _ = departed(table, field, BOTH)
    aide = Aide()
    aide.others = 1
    Foresight(field, aide).go_on({_NUMBER: departure})
    assert not aide.asked


def test_pictures_that_may_be_dropped_again_are_not_looked_at(table: PaintedTable, field: FieldModel) -> None:
    whole, _ = departed(table, field, BOTH)
    early = replace(whole, _closed=False, _early=6, _found={})
    aide = Aide()
    foresight = Foresight(field, aide)

    def all_seen() -> set[object]:
        foresight.go_on({_NUMBER: early})
        while aide.load:
            aide.work()
            foresight.go_on({_NUMBER: early})
        return places(early)

    assert all_seen() == {view.t_ns for view in whole.views[3:6]}
    early._closed = True
    assert all_seen() == {view.t_ns for view in whole.after()}


def test_cards_that_were_only_covered_are_forgotten(table: PaintedTable, field: FieldModel) -> None:
    departure, _ = departed(table, field, BOTH)
    aide = Aide()
    foresight = Foresight(field, aide)
    foresight.go_on({_NUMBER: departure})
    aide.work()
    foresight.go_on({})  # it is seen in its place again
    foresight.go_on({_NUMBER: departure})
    before, after = ([errand.departure.views for errand in some] for some in (aide.asked[:2], aide.asked[2:]))
    assert before == after  # nothing is known of it, nor are its pictures kept


def test_what_is_lost_is_not_waited_for(table: PaintedTable, field: FieldModel) -> None:
    departure, _ = departed(table, field, BOTH)
    aide = Aide()
    foresight = Foresight(field, aide)
    foresight.go_on({_NUMBER: departure})
    for errand in aide.asked:
        errand.is_lost = True
    foresight.go_on({_NUMBER: departure})
    assert not departure.looks
    lost, later = (errand.departure.views for errand in aide.asked[1:3])
    assert later[:2] == lost[-2:]  # it goes on with the next ones; the eye finds those by itself
