"""Cards that one hand pushed into each other, or hit by a flying card: touched, pushed out or swept."""

import numpy as np
import pytest

from referee.facts import Touch, Unprovable
from referee.sides import Side
from tests.vision.contact.contested_card import attributed_to, field_of, hand, tell_causes
from tests.vision.painted_table import Arm, PaintedTable, Pose
from vision.contact.approach import Approach
from vision.contact.facts import Proof
from vision.frames.frame import Gray
from vision.hands.frame_map import FAR, NEAR
from vision.launch.flight import Flight, Launch
from vision.launch.onset import Onset
from vision.launch.strikes import Strike
from vision.poem.watcher import PoemWatcher

_SURE = 0.8


@pytest.mark.parametrize(
    ("near_mm", "far_mm", "odds", "player"),
    [
        ((-50.0, 20.0), (400.0, 400.0), (9.0, 9.0), Side.NEAR),
        ((-50.0, 90.0), (400.0, 5.0), (9.0, -9.0), Side.NEAR),
        ((90.0, 90.0), (-50.0, 5.0), (-9.0, -9.0), Side.FAR),
    ],
    ids=["the only hand", "the other hand is over it", "the other hand pushed"],
)
def test_whose_hand_drove_the_pusher_tells_who_pushed(
    table: PaintedTable,
    monkeypatch: pytest.MonkeyPatch,
    near_mm: tuple[float, float],
    far_mm: tuple[float, float],
    *,
    odds: tuple[float, float],
    player: Side,
) -> None:
    """Card 8 is struck and pushes card 9; hands are `near_mm` and `far_mm` away, `odds` for the near one."""
    field = field_of(table)
    flown = [
        Flight(number, table.slots[number], 1e8, Launch(1e8, 98e6, 102e6), np.array([1.0, 0.0]), 0.0, 0.6)
        for number in (7, 8)
    ]
    struck, pushed = (
        Strike(flight.number, Onset(1e8, 4e6, 95_000_000, 104_000_000), flight) for flight in flown
    )
    gaps_mm = {NEAR: near_mm, FAR: far_mm}

    def seen(strike: Strike, *_: object, player: int, **__: object) -> Approach:
        gap_mm = gaps_mm[player][strike.number - 7]
        return hand([90e6, 100e6, 110e6], gap_mm, 900.0 if gap_mm < 0 else 0.0)

    tell_causes(monkeypatch, 0.1, odds[1], {7: (0.99, odds[0])})
    (contact,) = attributed_to(monkeypatch, field, [struck, pushed], seen)[pushed]
    assert contact.proof is Proof.PUSHED
    assert contact.side is player
    assert contact.confidence >= _SURE


@pytest.mark.parametrize("cards", [(7, 8), (7, 8, 9), (6, 7, 8, 9)], ids=["one", "two", "three"])
@pytest.mark.parametrize("mps", [0.15, 0.25])
def test_cards_that_a_shoved_row_pushes_along_were_not_blown(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, cards: tuple[int, ...], mps: float
) -> None:
    """Fingers shove the first card slowly; each of the others sets off soon after the one behind it."""
    field = field_of(table)
    met_ns, way = 5e6, np.array([mps, 0.0])
    strikes = [
        Strike(
            number,
            Onset(at_ns := 1e8 + place * met_ns, 8e6, round(at_ns - 9e6), round(at_ns + 8e6)),
            Flight(number, table.slots[number], at_ns, Launch(at_ns, at_ns, at_ns), way, 0.0, 0.6),
        )
        for place, number in enumerate(cards)
    ]

    def seen(strike: Strike, *_: object, player: int, **__: object) -> Approach:
        place = cards.index(strike.number)
        gap_mm = 900.0 if player == FAR else -15.0 if place == 0 else 53.0 * place - 2
        return hand([80e6, 97e6, 114e6, 131e6, 148e6], gap_mm, 300.0 if gap_mm < 0 else 0.0)

    tell_causes(monkeypatch, 0.1, 9.0, {cards[0]: (0.99, 9.0)})
    found = attributed_to(monkeypatch, field, strikes, seen)
    told = [[(one.side, one.proof) for one in contacts] for contacts in found.values()]
    assert told == [[(Side.NEAR, Proof.MOTION)], *[[(Side.NEAR, Proof.PUSHED)]] * (len(cards) - 1)]


@pytest.mark.parametrize(
    ("chance", "odds", "proof"),
    [
        (0.6, -0.1, Proof.PUSHED),
        (0.6, 2.0, Proof.MOTION),
        (0.85, 0.1, Proof.MOTION),
        (0.4, 2.0, Proof.PUSHED),
    ],
    ids=["either hand", "likelier one of them", "touched for sure", "rather pushed"],
)
def test_where_it_is_open_whose_hand_was_at_a_card_the_one_behind_it_is_what_is_known(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, chance: float, odds: float, proof: Proof
) -> None:
    """Both hands are over card 9; the near one's struck card 8, behind it."""
    field = field_of(table)
    strikes = []
    for number, t_ns in ((7, 98e6), (8, 1e8)):
        launch, way = Launch(t_ns, t_ns - 2e6, t_ns + 2e6), np.array([1.0, 0.0])
        flight = Flight(number, table.slots[number], t_ns, launch, way, 0.0, 0.6)
        strikes.append(Strike(number, Onset(t_ns, 4e6, 95_000_000, 104_000_000), flight))

    def seen(strike: Strike, *_: object, player: int, **__: object) -> Approach:
        return hand([90e6, 100e6, 110e6], -40.0 if strike.number == 8 or player == NEAR else 400.0)

    tell_causes(monkeypatch, chance, odds, {7: (0.99, 9.0)})
    found = attributed_to(monkeypatch, field, strikes, seen)
    assert found[strikes[1]][0].proof is proof
    assert found[strikes[1]][0].side is Side.NEAR


@pytest.mark.parametrize(("card", "reach_px"), [(8, 60.0), (11, -45.0)])
def test_a_pushed_card_whose_path_leads_not_out_was_swept_along(
    table: PaintedTable, card: int, reach_px: float
) -> None:
    """A card flies against the next; in the end the floor lies bare there."""
    fact = facts_of_pushed(table, card, reach_px)[0]
    assert isinstance(fact, Unprovable)
    assert (fact.player, fact.reason) == (Side.NEAR, "swept_along")


@pytest.mark.parametrize(("way_px", "reason"), [(5.0, "pushed_by_card"), (60.0, "swept_along")])
def test_a_nudged_card_was_not_swept_along(table: PaintedTable, way_px: float, reason: str) -> None:
    (fact,) = facts_of_pushed(table, 11, -45.0, way_px=way_px)
    assert isinstance(fact, Unprovable)
    assert (fact.player, fact.reason) == (Side.NEAR, reason)


def facts_of_pushed(
    table: PaintedTable, card: int, reach_px: float, way_px: float = np.inf
) -> list[Touch | Unprovable]:
    """Return all that is told of the card next to one that flies against it.

    It comes to rest after `way_px`, in sight, or else flies off with the other one.
    """
    x, y = table.slots[card - 1].centre_px
    everywhere = np.array([[-9e3, -9e3], [9e3, -9e3], [9e3, 9e3], [-9e3, 9e3]])

    def scene(t_ms: float) -> Gray:
        flown = max(0.0, t_ms - 137.0) * 2.0
        tip = min(x - 60 + flown, x + reach_px)
        mine = Arm(Side.NEAR, (tip, y), x - 40, 60.0)
        arms = [mine] if 20.0 < t_ms < 240.0 else []
        gone = flown > 300
        pushed = Pose(float(np.clip(0.3 * (flown - 2.0), 0.0, way_px)), absent=gone and way_px == np.inf)
        poses = {card: Pose(flown, absent=gone), card + 1: pushed}
        return table.gray(poses, arms)

    watcher = PoemWatcher(table.slots, table.resting(), None, dict.fromkeys(Side, everywhere))
    for t_ms in np.arange(0.0, 320.0, 1000 / 120):
        watcher.feed(table.frame(float(t_ms), scene(float(t_ms))))
    return [
        fact for fact in watcher.finish() if isinstance(fact, Touch | Unprovable) and fact.card == card + 1
    ]
