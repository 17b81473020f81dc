"""A card that moved with both players' hands at it, for tests of whose hand it was."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.painted_table import PaintedTable
from vision.contact.approach import Approach, Hands
from vision.contact.attribution import attributed
from vision.contact.evidence import CardMotion
from vision.contact.facts import Contact
from vision.departures.departure import Departure
from vision.field.model import FieldModel
from vision.field.slots import SlotGrid
from vision.hands.frame_map import NEAR
from vision.launch.flight import Flight, Launch
from vision.launch.onset import Onset
from vision.launch.strikes import Strike
from vision.sightings.spots import Spot

Floats = NDArray[np.float64]

SURE, STILL_NS = 0.8, 95_000_000


def tell_causes(
    monkeypatch: pytest.MonkeyPatch,
    touched: float,
    odds: float = 9.0,
    but: Mapping[int, tuple[float, float]] | None = None,
) -> None:
    """Let hands have touched every card so likely, the near one by so many odds (natural logarithm).

    `but` says otherwise of single slots, by their numbers.
    """

    def chances(motions: Sequence[CardMotion]) -> NDArray[np.float64]:
        told = [(but or {}).get(one.number, (touched, odds)) for one in motions]
        near = [chance / (1 + np.exp(-odd)) for chance, odd in told]
        rows = zip(near, told, strict=True)
        return np.array([[mine, chance - mine, 1 - chance] for mine, (chance, _) in rows]).reshape(-1, 3)

    monkeypatch.setattr("vision.contact.attribution.causes", chances)
    if touched < SURE:  # then something else may have moved it
        monkeypatch.setattr("vision.contact.evidence.is_loose_before", lambda *_, **__: True)


def field_of(table: PaintedTable) -> FieldModel:
    return FieldModel(SlotGrid(table.slots, table.resting(2)).picture, table.slots)


def hand(views_ns: Sequence[float] | Floats, gap_mm: object, fingers_mm2: float = 900.0) -> Approach:
    """Return a hand that is so far from a card in some views; its fingers cover so much of it."""
    none = np.zeros(len(views_ns))
    return Approach(np.array(views_ns), none + np.array(gap_mm), none, none, none + fingers_mm2)


def attributed_to(
    monkeypatch: pytest.MonkeyPatch,
    field: FieldModel,
    strikes: Sequence[Strike],
    seen: Callable[..., Approach],
    departure: Departure | None = None,
) -> dict[Strike, list[Contact]]:
    """Return the hands at cards that moved; `seen` says how near each player's hand was to a card."""
    monkeypatch.setattr("vision.contact.attribution.approach_of", seen)
    monkeypatch.setattr("vision.contact.attribution.hand_velocities", lambda *_: {})
    left = {one.number: departure or Departure((slice(0), slice(0)), STILL_NS) for one in strikes}
    return dict(attributed(field, left, strikes, Hands(field, [], 0.25)))


def found_at(
    monkeypatch: pytest.MonkeyPatch,
    table: PaintedTable,
    step_ns: int,
    spots: tuple[Spot, ...] = (),
    *,
    met_ns: float | tuple[float, ...] = 0.0,
    far_met_ns: float | None = None,
    hidden_ns: int = 0,
    unc_ns: float = 4e6,
    slid: bool = False,
    odds: float = 6.0,
    touched: float = 0.99,
    near_mm: tuple[float, ...] = (-50.0,),
    far_mm: tuple[float, ...] = (10.0, 10.0, 10.0),
    far_mm2: float | tuple[float, ...] = 900.0,
    far_beyond_mm2: float = 0.0,
    views_ms: tuple[float, ...] | None = None,
    strength: float = 0.6,
    card_px_per_ms: float = 1.0,
) -> list[Contact]:
    """Return the hands at card 8, which flew off under the near one with the far one beside it.

    It set off between two pictures `step_ns` apart, was seen at `spots`, and the hands had met for `met_ns`;
    the near one covered `near_mm` of it, the far one was `far_mm` away in the pictures, its end covered
    `far_mm2`, and `far_beyond_mm2` of it reached beyond; what is seen speaks for the near one by `odds`, and
    a hand `touched` it with that chance. Fingers hid it for `hidden_ns`, and when it set off is known to
    `unc_ns`. The pictures were taken at `views_ms` from then on, or half a step beside it. What was seen of
    its path is of this `strength`, and it was `card_px_per_ms` fast.
    """
    launch = Launch(1e8, 98e6, 102e6)
    flight = Flight(7, table.slots[7], 1e8, launch, np.array([card_px_per_ms, 0.0]), 0.0, strength, spots)
    strike = Strike(7, Onset(1e8, unc_ns, STILL_NS, STILL_NS + step_ns), None if slid else flight)
    after_ns = np.array([-0.5, 0.5, 1.5]) * step_ns if views_ms is None else np.array(views_ms) * 1e6
    views, ones = 1e8 + after_ns, np.ones(len(after_ns))

    def seen(*_: object, player: int, **__: object) -> Approach:
        gaps_mm = np.array(near_mm if player == NEAR else far_mm) * ones
        met = met_ns if player == NEAR or far_met_ns is None else far_met_ns
        fingers_mm2 = np.array(900.0 if player == NEAR else far_mm2)
        beyond_mm2 = 0.0 if player == NEAR else far_beyond_mm2
        return Approach(views, gaps_mm, np.array(met) * ones, beyond_mm2 * ones, fingers_mm2 * ones)

    tell_causes(monkeypatch, touched, odds)
    departure = Departure((slice(0), slice(0)), STILL_NS, seen_gone_ns=STILL_NS + step_ns + hidden_ns)
    return attributed_to(monkeypatch, field_of(table), [strike], seen, departure)[strike]
