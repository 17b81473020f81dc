"""Cards that one hand pushed into each other: the first card, and the order of touches."""

import numpy as np
import pytest

from referee.sides import Side
from tests.vision.contact.contested_card import see_no_motion, tell_causes
from tests.vision.painted_table import PaintedTable
from vision.contact.approach import Approach, Hands
from vision.contact.attribution import attributed
from vision.contact.facts import Proof
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.hands.frame_map import FAR, NEAR
from vision.launch.flight import Flight, Launch
from vision.launch.onset import Onset
from vision.launch.strikes import Strike

_SURE = 0.8


@pytest.fixture
def table() -> PaintedTable:
    return PaintedTable()


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
    field = FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
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
        fingers_mm2 = 900.0 if gap_mm < 0 else 0.0
        views = np.array([90e6, 100e6, 110e6])
        return Approach(views, np.full(3, gap_mm), np.zeros(3), np.zeros(3), np.full(3, fingers_mm2))

    monkeypatch.setattr("vision.contact.attribution.approach_of", seen)
    see_no_motion(monkeypatch)
    tell_causes(monkeypatch, 0.1, odds[1], {7: (0.99, odds[0])})
    departures = {number: Departure((slice(0), slice(0)), 95_000_000) for number in (7, 8)}
    found = dict(attributed(field, departures, [struck, pushed], Hands(field, [], 0.25)))
    (contact,) = found[pushed]
    assert contact.proof is Proof.PUSHED
    assert contact.side is player
    assert contact.confidence >= _SURE


@pytest.mark.parametrize("cards", [(7, 8), (7, 8, 9), (6, 7, 8, 9)], ids=["one", "two", "three"])
@pytest.mark.parametrize("mps", [0.15, 0.25])
def test_cards_that_a_shoved_row_pushes_along_were_not_blown(
    table: PaintedTable, monkeypatch: pytest.MonkeyPatch, cards: tuple[int, ...], mps: float
) -> None:
    """Fingers shove the first card slowly; each of the others sets off soon after the one behind it."""
    field = FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
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
        fingers_mm2 = 300.0 if gap_mm < 0 else 0.0
        views = np.array([80e6, 97e6, 114e6, 131e6, 148e6])
        return Approach(views, np.full(5, gap_mm), np.zeros(5), np.zeros(5), np.full(5, fingers_mm2))

    monkeypatch.setattr("vision.contact.attribution.approach_of", seen)
    see_no_motion(monkeypatch)
    tell_causes(monkeypatch, 0.1, 9.0, {cards[0]: (0.99, 9.0)})
    departures = {number: Departure((slice(0), slice(0)), 95_000_000) for number in cards}
    found = attributed(field, departures, strikes, Hands(field, [], 0.25))
    told = [[(one.side, one.proof) for one in contacts] for _, contacts in found]
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
    field = FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)
    strikes = []
    for number, t_ns in ((7, 98e6), (8, 1e8)):
        launch, way = Launch(t_ns, t_ns - 2e6, t_ns + 2e6), np.array([1.0, 0.0])
        flight = Flight(number, table.slots[number], t_ns, launch, way, 0.0, 0.6)
        strikes.append(Strike(number, Onset(t_ns, 4e6, 95_000_000, 104_000_000), flight))

    def seen(strike: Strike, *_: object, player: int, **__: object) -> Approach:
        gap_mm = -40.0 if strike.number == 8 or player == NEAR else 400.0
        views = np.array([90e6, 100e6, 110e6])
        return Approach(views, np.full(3, gap_mm), np.zeros(3), np.zeros(3), np.full(3, 900.0))

    monkeypatch.setattr("vision.contact.attribution.approach_of", seen)
    see_no_motion(monkeypatch)
    tell_causes(monkeypatch, chance, odds, {7: (0.99, 9.0)})
    departures = {number: Departure((slice(0), slice(0)), 95_000_000) for number in (7, 8)}
    found = dict(attributed(field, departures, strikes, Hands(field, [], 0.25)))
    assert found[strikes[1]][0].proof is proof
    assert found[strikes[1]][0].side is Side.NEAR
