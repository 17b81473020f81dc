"""Which of two hands sent a card off: the one that moves with it, not the one that hovers nearer."""

from collections.abc import Callable, Generator
from dataclasses import replace

import numpy as np
import pytest

from referee.facts import Touch, Unprovable
from referee.sides import Side
from tests.vision.painted_table import SIZE, Arm, PaintedTable, Pose
from vision.contact.approach import Approach, Hands
from vision.contact.attribution import contact_steps
from vision.contact.contact import Proof
from vision.contact.driver import Contest, Evidence, evidence_steps, signs, with_company
from vision.contact.stroke import Strokes
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.frames.frame import Gray
from vision.hands.frame_map import FAR, NEAR
from vision.launch.flight import Flight, Launch, finished
from vision.launch.onset import Onset
from vision.launch.strikes import Strike
from vision.poem.watcher import PoemWatcher

FPS = 120.0
_STRUCK_MS = 150.0
_PX_PER_MS = 1.4


@pytest.fixture
def table() -> PaintedTable:
    return PaintedTable()


def facts_of(table: PaintedTable, scene: Callable[[float], Gray]) -> list[Touch | Unprovable]:
    watcher = PoemWatcher(table.slots, table.resting())
    for t_ms in np.arange(0.0, 420.0, 1000 / FPS):
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
        for side, tip_x, gray in ((striker.opponent, x - 10, 120), (striker, x - 55 + min(along, 160), 85)):
            edge_y = float(SIZE[1]) if side is Side.NEAR else 0.0
            reach = y + 30 if side is Side.NEAR else y - 30
            share = into * (1 - out)
            if share > 0:
                tip = (tip_x, edge_y + (reach - edge_y) * share)
                arms.append(Arm(side, tip, tip_x - 15, 44.0, gray))
        return table.gray({12: Pose(off, absent=off > 300)}, arms)

    return scene


@pytest.mark.parametrize("striker", list(Side))
def test_the_hand_that_moves_with_a_card_struck_it(table: PaintedTable, striker: Side) -> None:
    seen = [fact for fact in facts_of(table, struck_by(table, striker)) if fact.card == 12]
    touches = [fact for fact in seen if isinstance(fact, Touch)]
    assert touches, seen
    surest = max(touches, key=lambda touch: touch.confidence)
    assert surest.player is striker
    assert surest.confidence > 0.5
    # the hand that hovered is told, but as nothing that is proven
    others = [fact for fact in seen if fact.player is striker.opponent and isinstance(fact, Touch)]
    assert all(touch.confidence < surest.confidence for touch in others)


def weighed(t_ms: float, odds: float, number: int = 0) -> Evidence:
    onset = Onset(t_ms * 1e6, 4e6, round(t_ms * 1e6) - 1, round(t_ms * 1e6) + 1)
    return Evidence(Strike(number, onset, None), odds)


@pytest.mark.parametrize(
    ("after_ms", "told", "number", "odds"),
    [
        (0.0, 1.0, 1, 0.8),
        (0.0, -1.0, 1, -0.8),
        (0.0, 9.0, 1, 1.0),  # no card tells more than a clear one
        (8.0, 2.0, 1, 0.0),  # another hand's, or this one's a moment later: it tells nothing
        (0.0, 2.0, 5, 0.0),  # a hand's length away
    ],
)
def test_what_sets_off_at_once_was_struck_by_one_hand(
    table: PaintedTable, after_ms: float, told: float, number: int, odds: float
) -> None:
    field = FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
    one, other = weighed(100.0, 0.0), weighed(100.0 + after_ms, told, number)
    assert with_company(field, one, [one, other]) == pytest.approx(odds, abs=0.01)


def test_cards_that_tell_alike_of_the_same_hands_count_less_than_each_for_itself(table: PaintedTable) -> None:
    field = FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
    one, beside = weighed(100.0, 0.0), weighed(100.0, 2.0, 1)
    alone = with_company(field, one, [one, beside])
    several = with_company(field, one, [one, beside, beside, beside])
    assert several == pytest.approx(3**0.5 * alone, abs=0.05)


def test_cards_that_others_time_weigh_with_them_as_far_as_their_time_is_known(table: PaintedTable) -> None:
    field = FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
    one, other = weighed(100.0, 0.0), weighed(100.0, 2.0, 1)
    flight = flight_of(field, 1)
    later = replace(flight, launch=replace(flight.launch, t_ns=other.strike.onset.t_ns + 1e6))
    vague = replace(other.strike.onset, t_unc_ns=13e6)
    told = replace(other, strike=replace(other.strike, onset=vague, flight=later))
    assert told.strike.is_timed_by_others
    assert 0.5 < with_company(field, one, [one, told]) < with_company(field, one, [one, other])


def test_hands_that_hang_over_a_pushed_card_tell_nothing_of_its_pusher(table: PaintedTable) -> None:
    field = FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
    one, pushed = weighed(100.0, 0.5), replace(weighed(100.0, -1.0, 1), passed_on=0.0)
    assert with_company(field, one, [one, pushed.touched_by(0.0)]) == one.odds
    halfway = with_company(field, one, [one, pushed.touched_by(0.5)])
    assert with_company(field, one, [one, pushed.touched_by(1.0)]) < halfway < one.odds


@pytest.mark.parametrize("winner", [NEAR, FAR])
@pytest.mark.parametrize(
    ("hands_mps", "card_mps", "sign"),
    [
        (((2.4, 0.1), (0.2, 0.1)), (1.2, 0.0), "behind"),
        (((1.0, 0.0), (1.4, 0.7)), (0.9, 0.0), "across"),
        (((2.4, 0.1), (0.2, 0.1)), None, "faster_unseen"),
    ],
    ids=["one hovers", "one still comes down", "the card was not seen"],
)
def test_the_hand_that_suits_the_card_s_way_speaks_for_its_player(
    monkeypatch: pytest.MonkeyPatch,
    winner: int,
    hands_mps: tuple[tuple[float, float], tuple[float, float]],
    card_mps: tuple[float, float] | None,
    sign: str,
) -> None:
    velocities = {winner: np.array(hands_mps[0]), NEAR + FAR - winner: np.array(hands_mps[1])}
    monkeypatch.setattr("vision.contact.driver.hand_velocities", lambda *_: velocities)
    table = PaintedTable()
    field = FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
    strike = Strike(5, Onset(100e6, 4e6, 95_000_000, 104_000_000), flight_of(field))
    there = Approach(np.array([0.0, 200e6]), np.full(2, -30.0), *np.zeros((3, 2)))
    contest = Contest(strike, Departure((slice(0), slice(0)), 0), {NEAR: there, FAR: there})
    card = None if card_mps is None else np.array(card_mps)
    seen = signs(field, contest, card, Hands(field, [], 0.25))
    assert sign in seen
    assert (seen[sign] > 0) is (winner == NEAR)


@pytest.mark.parametrize("hoverer", [NEAR, FAR])
def test_how_near_a_hand_is_counts_only_as_far_as_it_was_fast_enough(
    monkeypatch: pytest.MonkeyPatch, hoverer: int
) -> None:
    """One hand covers the card and hardly moves; the other one comes at it from two fingers' width away."""
    striker = NEAR + FAR - hoverer
    table = PaintedTable()
    field = FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
    strike = Strike(5, Onset(100e6, 4e6, 95_000_000, 104_000_000), replace(flight_of(field), strength=0.0))
    times_ns, nothing = np.array([0.0, 200e6]), np.zeros((3, 2))
    gaps = {
        hoverer: Approach(times_ns, np.full(2, -30.0), *nothing),
        striker: Approach(times_ns, np.full(2, 35.0), *nothing),
    }
    contest = Contest(strike, Departure((slice(0), slice(0)), 0), gaps)
    monkeypatch.setattr("vision.contact.driver.card_velocity", lambda *_: np.array([1.6, 0.0]))
    for hovers_mps, drove in (((0.2, -0.2), striker), ((1.7, 0.0), hoverer)):
        moved = {hoverer: np.array(hovers_mps), striker: np.array([1.8, -0.5])}
        monkeypatch.setattr("vision.contact.driver.hand_velocities", lambda *_, moved=moved: moved)
        found = finished(evidence_steps(field, [contest], Hands(field, [], 0.25), strokes_of(field, strike)))
        assert (found[5].odds > 0) is (drove == NEAR)


@pytest.mark.parametrize(
    ("launch_ns", "gap_mm", "step_ms", "told"),
    [(100e6, -5.0, 24.0, 1.0), (100e6, 41.0, 24.0, 0.0), (60e6, -5.0, 24.0, 0.0), (100e6, -5.0, 26.0, 0.0)],
    ids=["at it", "not at it yet", "the card may have gone before", "pictures are too far apart"],
)
@pytest.mark.parametrize("player", [NEAR, FAR])
def test_a_hand_that_goes_on_drove_only_a_card_that_it_was_at(
    monkeypatch: pytest.MonkeyPatch,
    player: int,
    launch_ns: float,
    gap_mm: float,
    *,
    step_ms: float,
    told: float,
) -> None:
    sign = 1.0 if player == NEAR else -1.0
    monkeypatch.setattr("vision.contact.driver.goes_on", lambda *_: sign)
    table = PaintedTable()
    field = FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
    flight = replace(flight_of(field), launch=Launch(launch_ns, launch_ns - 2e6, launch_ns + 2e6))
    strike = Strike(5, Onset(100e6, 4e6, 95_000_000, 104_000_000), flight)
    gaps_mm = {player: gap_mm, NEAR + FAR - player: -20.0}
    hands_at = {
        one: Approach(np.array([95e6, 95e6 + step_ms * 1e6]), np.full(2, mm), *np.zeros((3, 2)))
        for one, mm in gaps_mm.items()
    }
    contest = Contest(strike, Departure((slice(0), slice(0)), 0), hands_at)
    found = finished(evidence_steps(field, [contest], Hands(field, [], 0.25), strokes_of(field, strike)))[5]
    assert found.goes_on == told * sign


@pytest.mark.parametrize(("strength", "least"), [(0.5, 1.0), (0.2, 1.0), (0.05, 0.5)])
def test_a_card_s_own_path_tells_how_it_moved(
    monkeypatch: pytest.MonkeyPatch, strength: float, least: float
) -> None:
    fast, slow = np.array([2.0, 0.0]), np.array([0.3, 0.0])
    monkeypatch.setattr("vision.contact.driver.hand_velocities", lambda *_: {NEAR: fast, FAR: slow})
    monkeypatch.setattr("vision.contact.driver.hand_speeds", lambda *_: {NEAR: 2.0, FAR: 0.3})
    monkeypatch.setattr("vision.contact.driver.card_velocity", lambda *_: None)
    table = PaintedTable()
    field = FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
    flight = replace(flight_of(field), even_px=np.array([2.0, 0.0]), strength=strength)
    strike = Strike(5, Onset(100e6, 4e6, 95_000_000, 104_000_000), flight)
    there = Approach(np.array([0.0, 200e6]), np.full(2, -30.0), *np.zeros((3, 2)))
    contest = Contest(strike, Departure((slice(0), slice(0)), 0), {NEAR: there, FAR: there})
    found = finished(evidence_steps(field, [contest], Hands(field, [], 0.25), strokes_of(field, strike)))[5]
    assert found.odds > least  # only the fast hand can have driven so fast a card
    assert found.speeds == {NEAR: pytest.approx(2.0), FAR: pytest.approx(0.3)}


def strokes_of(field: FieldModel, *strikes: Strike) -> Strokes:
    return Strokes(field, strikes, {one.number: Departure((slice(0), slice(0)), 0) for one in strikes})


def test_hands_over_a_pushed_card_tell_its_neighbours_nothing_but_how_they_move(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fast, slow = np.array([2.0, 0.0]), np.array([0.1, 0.0])
    monkeypatch.setattr("vision.contact.driver.hand_velocities", lambda *_: {NEAR: fast, FAR: slow})
    speeds = {NEAR: float(np.hypot(*fast)), FAR: float(np.hypot(*slow))}
    monkeypatch.setattr("vision.contact.driver.hand_speeds", lambda *_: speeds)
    table = PaintedTable()
    field = FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
    times_ns, none = np.array([0.0, 200e6]), np.zeros((3, 2))
    near, far = Approach(times_ns, np.full(2, 60.0), *none), Approach(times_ns, np.full(2, -30.0), *none)
    departure = Departure((slice(0), slice(0)), 0)
    strikes = [
        Strike(number, Onset(1e8, 4e6, 95_000_000, 104_000_000), flight_of(field, number))
        for number in (6, 7)
    ]
    contests = [Contest(one, departure, {NEAR: near, FAR: far}) for one in strikes]
    hands = Hands(field, [], 0.25)
    found = finished(evidence_steps(field, contests, hands, strokes_of(field, *strikes)))
    assert found[6].passed_on is None  # it was driven by a hand, and where the hands were counts
    assert found[7].passed_on is not None
    assert found[7].odds < found[7].passed_on
    assert with_company(field, found[6], list(found.values())) > found[6].odds


@pytest.mark.parametrize("passes", [NEAR, FAR])
def test_how_much_of_a_card_an_arm_covers_does_not_speak_for_its_player(
    monkeypatch: pytest.MonkeyPatch, passes: int
) -> None:
    monkeypatch.setattr("vision.contact.driver.hand_velocities", lambda *_: {})
    table = PaintedTable()
    field = FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
    times_ns, none, ones = np.array([0.0, 200e6]), np.zeros(2), np.ones(2)
    arm = Approach(times_ns, -60.0 * ones, none, 9000.0 * ones, none)
    hand = Approach(times_ns, -10.0 * ones, none, none, none)
    strike = Strike(5, Onset(1e8, 4e6, 95_000_000, 104_000_000), None)
    contest = Contest(strike, Departure((slice(0), slice(0)), 0), {passes: arm, NEAR + FAR - passes: hand})
    seen = signs(field, contest, None, Hands(field, [], 0.25))
    assert seen["gap_pressed"] == 0.0
    assert (seen["arm_pressed"] > 0) is (seen["past"] > 0) is (passes == FAR)


def test_how_a_hidden_card_went_is_told_where_the_card_ahead_shows_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("vision.contact.driver.hand_velocities", lambda *_: {NEAR: np.array([2.0, 0.0])})
    monkeypatch.setattr("vision.contact.driver.card_velocity", lambda *_: None)
    table = PaintedTable()
    field = FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
    there = Approach(np.array([0.0, 200e6]), np.full(2, -30.0), *np.zeros((3, 2)))
    onset = Onset(1e8, 4e6, 95_000_000, 104_000_000)
    struck, ahead = (
        Strike(number, onset, replace(flight_of(field, number), strength=strength))
        for number, strength in ((6, 0.0), (7, 0.9))
    )
    contest = Contest(struck, Departure((slice(0), slice(0)), 0), {NEAR: there, FAR: there})
    hands = Hands(field, [], 0.25)
    alone = finished(evidence_steps(field, [contest], hands, strokes_of(field, struck)))[6]
    found = finished(evidence_steps(field, [contest], hands, strokes_of(field, struck, ahead)))[6]
    assert found.odds > alone.odds  # only the near hand moves as the card did


def flight_of(field: FieldModel, number: int = 5) -> Flight:
    launch = Launch(100e6, 98e6, 102e6)
    return Flight(number, field.slots[number], 100e6, launch, np.array([1.0, 0.0]), 0.0, 0.5)


@pytest.mark.parametrize("far_mm", [(60.0, 30.0, 0.0, -30.0), (-30.0, -30.0, -30.0, -30.0)])
@pytest.mark.parametrize(("odds", "proof"), [(1.5, Proof.HOVER), (1.3, Proof.RIVAL)])
def test_a_hand_that_comes_later_or_lies_there_is_no_rival_of_the_one_whose_motion_the_card_took_on(
    monkeypatch: pytest.MonkeyPatch, odds: float, proof: Proof, far_mm: tuple[float, ...]
) -> None:
    table = PaintedTable()
    field = FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
    strike = Strike(5, Onset(100e6, 4e6, 95_000_000, 104_000_000), flight_of(field))
    times_ns = np.array([90e6, 100e6, 110e6, 120e6])
    gaps_mm = {NEAR: np.full(4, -50.0), FAR: np.array(far_mm)}
    none, fingers = np.zeros(4), np.full(4, 900.0)
    seen = {player: Approach(times_ns, gaps, none, none, fingers) for player, gaps in gaps_mm.items()}
    monkeypatch.setattr("vision.contact.attribution.approach_of", lambda *_, player, **__: seen[player])

    def sure(*_: object) -> Generator[None, None, dict[int, Evidence]]:
        yield
        return {5: Evidence(strike, odds)}

    monkeypatch.setattr("vision.contact.attribution.evidence_steps", sure)
    departure = Departure((slice(0), slice(0)), 95_000_000)
    ((_, found),) = finished(contact_steps(field, {5: departure}, [strike], Hands(field, [], 0.25)))
    assert [one.side for one in found] == [Side.NEAR, Side.FAR]
    assert found[1].proof is proof


@pytest.mark.parametrize(("slid", "sides"), [(True, [Side.NEAR]), (False, [Side.NEAR, Side.FAR])])
def test_a_card_that_slid_is_no_hand_over_itself(
    monkeypatch: pytest.MonkeyPatch, slid: bool, sides: list[Side]
) -> None:
    """It differs from the resting picture since; where its own print is seen there was no far hand."""
    table = PaintedTable()
    field = FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
    strike = Strike(5, Onset(100e6, 4e6, 95_000_000, 104_000_000), None if slid else flight_of(field))
    times_ns, none = np.array([90e6, 100e6, 110e6, 120e6]), np.zeros(4)

    def seen(*_: object, player: int, without_shade: bool = False) -> Approach:
        far_mm = np.array([60.0, 60.0, 60.0, 30.0 if without_shade else -30.0])
        return Approach(times_ns, np.full(4, -50.0) if player == NEAR else far_mm, none, none, none + 900.0)

    def sure(*_: object) -> Generator[None, None, dict[int, Evidence]]:
        yield
        return {5: Evidence(strike, 3.0)}

    monkeypatch.setattr("vision.contact.attribution.approach_of", seen)
    monkeypatch.setattr("vision.contact.attribution.evidence_steps", sure)
    departure = Departure((slice(0), slice(0)), 95_000_000)
    ((_, found),) = finished(contact_steps(field, {5: departure}, [strike], Hands(field, [], 0.25)))
    assert [one.side for one in found] == sides


@pytest.mark.parametrize(("over_mm", "players"), [(-50.0, {Side.NEAR, Side.FAR}), (30.0, {Side.NEAR})])
def test_a_card_that_nothing_pushed_was_touched_by_the_hand_that_lies_on_it(
    monkeypatch: pytest.MonkeyPatch, over_mm: float, players: set[Side]
) -> None:
    """The near hand seems to have moved it without being over it; that it was the other one is not out."""
    table = PaintedTable()
    field = FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
    strike = Strike(5, Onset(100e6, 4e6, 95_000_000, 104_000_000), None)
    times_ns, none = np.array([90e6, 100e6, 110e6, 120e6]), np.zeros(4)

    def seen(*_: object, player: int, **__: object) -> Approach:
        return Approach(times_ns, np.full(4, 5.0 if player == NEAR else over_mm), none, none, none)

    def sure(*_: object) -> Generator[None, None, dict[int, Evidence]]:
        yield
        return {5: Evidence(strike, 3.0)}

    monkeypatch.setattr("vision.contact.attribution.approach_of", seen)
    monkeypatch.setattr("vision.contact.attribution.evidence_steps", sure)
    monkeypatch.setattr("vision.contact.attribution.chance_touched", lambda *_, **__: 0.01)
    departure = Departure((slice(0), slice(0)), 95_000_000)
    ((_, found),) = finished(contact_steps(field, {5: departure}, [strike], Hands(field, [], 0.25)))
    assert {one.side for one in found} == players
    assert all(one.confidence <= 0.5 for one in found if one.side is Side.FAR)


@pytest.mark.parametrize("arm", [True, False])
def test_a_hand_over_a_pushed_card_is_not_known_to_have_driven_it_where_an_arm_lies_over_its_pusher(
    monkeypatch: pytest.MonkeyPatch, arm: bool
) -> None:
    """Card 7 pushes card 8; over it lies the near player's arm, or the end of his hand."""
    table = PaintedTable()
    field = FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
    onset = Onset(100e6, 4e6, 95_000_000, 104_000_000)
    pusher, pushed = (Strike(number, onset, flight_of(field, number)) for number in (6, 7))
    times_ns, none = np.array([90e6, 100e6, 110e6, 120e6]), np.zeros(4)

    def seen(strike: Strike, *_: object, player: int, **__: object) -> Approach:
        beyond_mm2 = none + 9000.0 * (arm and player == NEAR and strike is pusher)
        return Approach(times_ns, np.full(4, -60.0 if player == NEAR else 240.0), none, beyond_mm2, none)

    monkeypatch.setattr("vision.contact.attribution.approach_of", seen)
    monkeypatch.setattr("vision.contact.attribution.chance_touched", lambda *_, **__: 0.1)
    departures = {number: Departure((slice(0), slice(0)), 95_000_000) for number in (6, 7)}
    found = dict(finished(contact_steps(field, departures, [pusher, pushed], Hands(field, [], 0.25))))
    ((along,),) = [found[strike] for strike in found if strike is pushed]
    assert along.side is Side.NEAR
    assert (along.confidence < 0.6) is arm
