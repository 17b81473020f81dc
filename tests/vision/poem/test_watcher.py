"""A poem watched from the first hand to the last: who touched which card when, and what proves nothing."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from referee.facts import Contact as ContactKind
from referee.facts import Gap, Testimony, Touch, Unprovable
from referee.sides import Side
from tests.vision.painted_table import CARD_PX, FLOOR, Arm, PaintedTable, Pose
from vision.contact.facts import Contact
from vision.departures.departure import Departure
from vision.departures.outcome import End
from vision.field.slots import Sight
from vision.frames.frame import Gray
from vision.frames.shutter import Readout, RowClock
from vision.launch.strikes import Strike
from vision.poem.inquiry import Inquiry
from vision.poem.watcher import PoemWatcher

Scene = Callable[[float], Gray]
FPS = 120.0
MS = 1_000_000


def watch(
    table: PaintedTable, scene: Scene, until_ms: float = 400.0, times_ms: Iterable[float] | None = None
) -> PoemWatcher:
    watcher = PoemWatcher(table.slots, table.resting())
    for t_ms in np.arange(0.0, until_ms, 1000 / FPS) if times_ms is None else times_ms:
        watcher.feed(table.frame(float(t_ms), scene(float(t_ms))))
    return watcher


def touches(watcher: PoemWatcher) -> dict[int | None, Touch]:
    return {fact.card: fact for fact in watcher.finish() if isinstance(fact, Touch)}


def touches_in(facts: Iterable[Testimony]) -> list[Touch]:
    return [fact for fact in facts if isinstance(fact, Touch)]


def fact_of(fact: Testimony) -> int | None:
    return None if isinstance(fact, Gap) else fact.card


def reaching(t_ms: float, x: float, y: float, side: Side, *, at_ms: float, leave_ms: float) -> list[Arm]:
    """An arm that comes in, is over (x, y) from `at_ms` to `leave_ms`, and goes back."""
    edge_y = 540.0 if side is Side.NEAR else 0.0
    share = np.clip(min(1 - (at_ms - t_ms) / 80.0, 1 - (t_ms - leave_ms) / 80.0), 0.0, 1.0)
    return [] if share == 0 else [Arm(side, (x, edge_y + (y - edge_y) * float(share)), x, 50.0)]


def reaching_two(t_ms: float, x: float, y: float, side: Side, *, at_ms: float, leave_ms: float) -> list[Arm]:
    """The same with a hand that lies over the next card, too, 54 mm to the right."""
    arms = reaching(t_ms, x + 27.0, y, side, at_ms=at_ms, leave_ms=leave_ms)
    return [replace(arm, width=60.0) for arm in arms]


def test_a_table_at_rest_has_no_facts(table: PaintedTable) -> None:
    assert watch(table, lambda _: table.gray(), 100).finish() == []
    assert PoemWatcher(table.slots, table.resting()).finish() == []


@pytest.mark.parametrize("side", [Side.NEAR, Side.FAR])
def test_a_hand_over_cards_proves_nothing(table: PaintedTable, side: Side) -> None:
    x, y = table.slots[8].centre_px if side is Side.NEAR else table.slots[3].centre_px

    def scene(t_ms: float) -> Gray:
        return table.gray(arms=reaching(t_ms, x, y, side, at_ms=120, leave_ms=260), shade=0.8, shade_from_x=x)

    assert touches(watch(table, scene)) == {}


@pytest.mark.parametrize(("number", "side"), [(9, Side.NEAR), (4, Side.FAR), (10, Side.FAR)])
def test_a_pressed_card_is_touched_when_it_begins_to_slide(
    table: PaintedTable, number: int, side: Side
) -> None:
    x, y = table.slots[number - 1].centre_px
    tip_y = y + (20.0 if side is Side.NEAR else -20.0)
    pressed_ms = 133.0

    def scene(t_ms: float) -> Gray:
        share = float(np.clip((t_ms - pressed_ms) / 15.0, 0.0, 1.0))
        slid = 0.9 * share**3 * (10 - 15 * share + 6 * share**2)
        pressed = dict.fromkeys((number, number + 1), Pose(slid * 0.7, slid * -0.7))
        return table.gray(pressed, reaching_two(t_ms, x, tip_y, side, at_ms=130, leave_ms=260))

    found = touches(watch(table, scene))
    assert set(found) == {number, number + 1}
    touch = found[number]
    assert touch.player is side
    assert touch.territory is table.slots[number - 1].side
    assert abs(touch.t_ns / 1e6 - pressed_ms) <= touch.t_unc_ns / 1e6 <= 12.0
    assert touch.confidence > 0.9


def test_a_time_that_was_borrowed_is_that_of_the_row_it_was_seen_in(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, lender = 8, 3  # slots of the near and of the far territory
    (x, y), top_to_bottom_ns = table.slots[own].centre_px, 10e6
    watcher = PoemWatcher(table.slots, table.resting(), RowClock(Readout(top_to_bottom_ns, 0.2e6)))
    for t_ms in np.arange(0.0, 400.0, 1000 / FPS):
        arms = reaching_two(float(t_ms), x, y + 20, Side.NEAR, at_ms=130, leave_ms=260)
        slid = 0.9 * float(np.clip((t_ms - 133) / 15.0, 0.0, 1.0))
        pressed = dict.fromkeys((own + 1, own + 2), Pose(slid, -slid))
        watcher.feed(table.frame(float(t_ms), table.gray(pressed, arms)))
    by_itself = touches(watcher)[own + 1]
    found = Inquiry.contacts

    def lent(
        self: Inquiry, moved: Mapping[int, Departure], sights: Mapping[int, Sequence[Sight]]
    ) -> list[tuple[Strike, list[Contact]]]:
        told = found(self, moved, sights)
        return [(replace(strike, timed_by=lender), contacts) for strike, contacts in told]

    monkeypatch.setattr(Inquiry, "contacts", lent)
    watcher.feed(table.frame(400.0, table.gray(pressed)))
    by_another = touches(watcher)[own + 1]
    rows = (table.slots[lender].centre_px[1] - y) / table.gray().shape[0]
    assert by_another.t_ns - by_itself.t_ns == pytest.approx(rows * top_to_bottom_ns, abs=0.01e6)


@pytest.mark.parametrize("side", [Side.NEAR, Side.FAR])
def test_a_hand_that_waits_beside_the_field_is_seen_before_it_strikes(
    table: PaintedTable, side: Side
) -> None:
    """What moves outside the territories wakes nobody: the last frame at rest shows the hand already."""
    number, struck_ms = (9, 188.0) if side is Side.NEAR else (4, 188.0)
    (x, y), sign = table.slots[number - 1].centre_px, 1.0 if side is Side.NEAR else -1.0
    watcher = PoemWatcher(table.slots, table.resting())
    for t_ms in np.arange(0.0, 400.0, 1000 / 60):
        way = 2.0 * (float(t_ms) - struck_ms)  # of the fingertip from the card's edge on
        flown = max(0.0, way)
        tip_y = y + sign * (CARD_PX[1] / 2 - min(way, 90.0) + 25.0)
        arms = [Arm(side, (x, tip_y), x, 50.0)] if way > -20.0 and t_ms < 330 else []
        picture = table.gray({number: Pose(0.0, -sign * flown, 0.5 * flown)}, arms)
        watcher.feed(table.frame(float(t_ms), picture), at_rest=bool(t_ms < struck_ms))
    # the trees do not rule out that something unseen pushed it, too
    (touch,) = (fact for fact in touches_in(watcher.finish()) if fact.contact is ContactKind.TOUCH)
    assert (touch.card, touch.player) == (number, side)
    assert abs(touch.t_ns / 1e6 - struck_ms) <= touch.t_unc_ns / 1e6 < 12.0


@pytest.mark.parametrize("speed", [1.5, 4.0])
def test_a_struck_card_is_traced_back_to_its_launch(table: PaintedTable, speed: float) -> None:
    number, struck_ms = 12, 137.0
    x, y = table.slots[number - 1].centre_px

    def scene(t_ms: float) -> Gray:
        pictures = []
        for instant_ms in (t_ms - 1.0, t_ms, t_ms + 1.0):  # the exposure takes two milliseconds
            flown = max(0.0, instant_ms - struck_ms)
            arm = Arm(Side.NEAR, (x - 60 + speed * (instant_ms - struck_ms), y), x - 60, 50.0)
            arms = [arm] if instant_ms > 90 else []
            pictures.append(table.gray({number: Pose(speed * flown, 0.0, 0.3 * flown)}, arms))
        return np.asarray(np.mean(pictures, axis=0), np.uint8)

    touch = touches(watch(table, scene, until_ms=250))[number]
    assert touch.player is Side.NEAR
    assert abs(touch.t_ns / 1e6 - struck_ms) <= 3.0
    assert abs(touch.t_ns / 1e6 - struck_ms) <= touch.t_unc_ns / 1e6


def test_a_card_no_hand_was_near_is_nobodys_touch(table: PaintedTable) -> None:
    def scene(t_ms: float) -> Gray:
        arms = reaching(t_ms, 250, 420, Side.NEAR, at_ms=120, leave_ms=260)
        return table.gray({6: Pose(2.0 if t_ms > 150 else 0.0, 0.0)}, arms)

    watcher = watch(table, scene)
    assert touches(watcher) == {}
    unexplained = [fact for fact in watcher.finish() if isinstance(fact, Unprovable)]
    assert [(fact.card, fact.player, fact.reason) for fact in unexplained] == [(6, None, "floor_shock")]


def test_a_card_that_leaves_between_two_pictures_is_not_missed(table: PaintedTable) -> None:
    """Nothing was ever seen over it, and where it lay is bare floor."""
    watcher = watch(table, lambda t_ms: table.gray({10: Pose(absent=t_ms > 150)}))
    facts = [fact for fact in watcher.finish() if isinstance(fact, Unprovable)]
    assert [(fact.card, fact.player, fact.reason) for fact in facts] == [(10, None, "no_hand_seen")]
    assert abs(facts[0].t_ns - 150e6) <= facts[0].t_unc_ns < 20e6


def test_a_card_covered_by_another_is_hidden_not_moved(table: PaintedTable) -> None:
    """Card 9 flies onto card 10, which never moves."""
    x, y = table.slots[8].centre_px

    def scene(t_ms: float) -> Gray:
        flown = float(np.clip((t_ms - 137.0) * 2.0, 0.0, 54.0))
        arms = reaching(t_ms, x, y + 20, Side.NEAR, at_ms=130, leave_ms=200)
        return table.gray({10: Pose(), 9: Pose(flown, 0.0)}, arms, order=(10, 9))

    facts = watch(table, scene).finish()
    assert {fact.card for fact in facts if isinstance(fact, Touch)} == {9}
    hidden = [fact for fact in facts if isinstance(fact, Unprovable) and fact.reason == "view_blocked"]
    assert [(fact.card, fact.player) for fact in hidden] == [(10, Side.NEAR)]


def test_who_was_at_a_hidden_card_is_not_known_where_both_players_were_near(table: PaintedTable) -> None:
    x, y = table.slots[8].centre_px

    def scene(t_ms: float) -> Gray:
        flown = float(np.clip((t_ms - 137.0) * 2.0, 0.0, 54.0))
        arms = reaching(t_ms, x, y + 20, Side.NEAR, at_ms=130, leave_ms=200)
        arms += reaching(t_ms, x + 100, y - 60, Side.FAR, at_ms=130, leave_ms=200)
        return table.gray({10: Pose(), 9: Pose(flown, 0.0)}, arms, order=(10, 9))

    hidden = [
        fact
        for fact in watch(table, scene).finish()
        if isinstance(fact, Unprovable) and fact.reason == "view_blocked"
    ]
    assert [(fact.card, fact.player) for fact in hidden] == [(10, None)]


def test_a_card_that_flew_off_has_left_though_another_one_lies_in_its_place(table: PaintedTable) -> None:
    """Card 11 pushes card 12 out of the picture, and comes to lie where that lay."""
    x, y = table.slots[10].centre_px

    def scene(t_ms: float) -> Gray:
        gone = max(0.0, t_ms - 137.0)
        pushed = float(np.clip(2.0 * gone, 0.0, 54.0))
        arm = Arm(Side.NEAR, (x - 50 + min(2.0 * (t_ms - 137.0), 40.0), y + 10), x - 60, 50.0)
        arms = [arm] if 90 < t_ms < 300 else []
        return table.gray({12: Pose(2.2 * gone), 11: Pose(pushed)}, arms, order=(12, 11))

    facts = [fact for fact in watch(table, scene, until_ms=600).finish() if fact_of(fact) == 12]
    assert facts
    assert not any(isinstance(fact, Unprovable) and fact.reason == "view_blocked" for fact in facts)
    assert all(abs(fact.t_ns / 1e6 - 137.0) < 10.0 for fact in facts if isinstance(fact, Unprovable))


def test_a_hand_as_gray_as_the_floor_over_a_card_is_not_the_floor(table: PaintedTable) -> None:
    x, y = table.slots[9].centre_px

    def scene(t_ms: float) -> Gray:
        tip_y = 540.0 - (540.0 - y + 30) * float(np.clip((t_ms - 60.0) / 80.0, 0.0, 1.0))
        arms = [] if t_ms > 400 else [Arm(Side.NEAR, (x, tip_y), x, 70.0, gray=FLOOR + 12)]
        return table.gray(arms=arms)

    watcher = watch(table, scene, until_ms=400)
    assert 9 in watcher.veiled()
    assert touches(watcher) == {}
    assert all(one.end is not End.GONE for one in watcher.ends)
    for t_ms in np.arange(400.0, 500.0, 1000 / FPS):
        watcher.feed(table.frame(float(t_ms), scene(float(t_ms))))
    assert watcher.veiled() == []
    assert {fact.reason for fact in watcher.finish() if isinstance(fact, Unprovable)} == {"fingers_rested"}


def test_a_hand_over_a_card_when_a_film_ends_is_not_the_floor(table: PaintedTable) -> None:
    x, y = table.slots[9].centre_px

    def scene(t_ms: float) -> Gray:
        arms = [
            Arm(Side.NEAR, (x, y - 30), x, 70.0, gray=FLOOR + 5),
            Arm(Side.NEAR, (x + 18, y - 30), x + 18, 22.0),
        ]
        return table.gray(arms=arms if t_ms > 150 else [])

    watcher = watch(table, scene, until_ms=400)

    def reasons(*, hands_left: bool) -> list[str]:
        facts = [fact for fact in watcher.finish(hands_left=hands_left) if isinstance(fact, Unprovable)]
        return [fact.reason for fact in facts if fact.reason != "fingers_rested"]  # over a card beside it

    assert reasons(hands_left=True) == ["no_hand_seen"]  # the floor shows: it moved
    assert reasons(hands_left=False) == ["view_blocked"]


def test_a_card_whose_place_was_seen_bare_has_left_though_another_one_lies_there(table: PaintedTable) -> None:
    x, y = table.slots[9].centre_px

    def scene(t_ms: float) -> Gray:
        share = float(np.clip(min((t_ms - 60) / 80, (330 - t_ms) / 80), 0.0, 1.0))
        arms = [Arm(Side.NEAR, (x - 16, 540 - (540 - y - 40) * share), x - 16, 30.0)] if share else []
        came = -54.0 * float(np.clip((t_ms - 192) / 25, 0.0, 1.0))
        return table.gray({10: Pose(absent=t_ms > 150), 11: Pose(came)}, arms, order=(11,))

    facts = [fact for fact in watch(table, scene, until_ms=600).finish() if fact_of(fact) == 10]
    assert [type(fact) for fact in facts] == [Touch]


def test_lost_frames_in_which_nothing_changed_are_no_gap(table: PaintedTable) -> None:
    times_ms = [*np.arange(0, 100, 8.0), *np.arange(600, 700, 8.0)]
    assert watch(table, lambda _: table.gray(), times_ms=times_ms).finish() == []


def test_a_card_that_left_in_lost_frames_with_nobody_near_is_a_gap(table: PaintedTable) -> None:
    def scene(t_ms: float) -> Gray:
        return table.gray({10: Pose(absent=t_ms > 150)})

    times_ms = [*np.arange(0, 97, 8.0), *np.arange(840, 1000, 8.0)]
    facts = watch(table, scene, times_ms=times_ms).finish()
    assert [fact for fact in facts if isinstance(fact, Gap)] == [Gap(96 * MS, 840 * MS, "dropped_frames")]
    assert [fact_of(fact) for fact in facts if isinstance(fact, Unprovable)] == [10]
    assert touches_in(facts) == []


@pytest.mark.parametrize(
    ("sides", "lost_ms", "told"),
    [
        ([Side.NEAR], 24, False),
        ([Side.NEAR], 200, True),
        ([Side.NEAR, Side.FAR], 24, True),
        ([Side.NEAR, Side.FAR], 8, False),
    ],
    ids=["one hand", "another one may have come and gone", "two hands", "none is missing"],
)
def test_lost_frames_hide_who_else_may_have_been_at_a_card_that_left(
    table: PaintedTable, sides: Sequence[Side], lost_ms: float, *, told: bool
) -> None:
    """The far hand comes 60 px from the card, which is 40 mm: it may have been there first."""
    x, y = table.slots[9].centre_px

    def scene(t_ms: float) -> Gray:
        arms = reaching(t_ms, x, y, Side.NEAR, at_ms=130, leave_ms=230)
        if Side.FAR in sides:
            arms += reaching(t_ms, x - 60, y - 60, Side.FAR, at_ms=130, leave_ms=230)
        return table.gray({10: Pose(absent=t_ms > 165)}, arms)

    times_ms = [*np.arange(0, 161, 8.0), *np.arange(160 + lost_ms, 400, 8.0)]
    facts = watch(table, scene, times_ms=times_ms).finish()
    assert any(isinstance(fact, Gap) for fact in facts) is told
    assert 10 in map(fact_of, facts)
