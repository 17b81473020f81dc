"""The simulator's own small arithmetic of who takes and who sends: a cross-check of the rules in `referee/`.

The rules of taking, faults and sending are deliberately written a second time here: `vision/` never imports
the referee's own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from referee.layout import Layout
from referee.sides import BySide, Side
from vision.simulator.play.physics import CardContact, Play, PushOut


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a poem: `sends[p]` is how many cards p hands over."""

    taken_by: Side | None
    faults: BySide[int]
    sends: BySide[int]


def judge(
    poem: int, layout: Layout, contacts: Iterable[CardContact], pushed_out: Iterable[PushOut]
) -> Outcome:
    """Decide from exact contacts who took the card and who owes cards."""
    contacts = tuple(contacts)
    home = layout.side_of(poem)
    taker = None
    if home is not None:
        claims = [
            (touch.t_s, touch.player is not home, touch.player) for touch in contacts if touch.card == poem
        ]
        claims += [
            (push.t_s, push.player is not home, push.player) for push in pushed_out if push.card == poem
        ]
        # The owner of the territory wins a tie, hence the second key.
        taker = min(claims, key=lambda claim: claim[:2])[2] if claims else None
    wrong = {
        (touch.player, territory)
        for touch in contacts
        if (territory := layout.side_of(touch.card)) is not None and territory is not home
    }
    faults = BySide.of(lambda side: sum(player is side for player, _ in wrong))
    right = BySide.of(lambda side: faults[side.opponent] + int(taker is side and home is side.opponent))
    left = layout.counts()
    if taker is not None and home is not None:
        left = left.replaced(home, left[home] - 1)
    owed = BySide.of(lambda side: max(0, right[side] - right[side.opponent]))
    return Outcome(taker, faults, BySide.of(lambda side: min(owed[side], left[side])))


def layout_json(layout: Layout) -> list[dict[str, Any]]:
    """Return all places as in `truth.json`, in millimetres, near first, row by row."""
    return [
        {
            "card": placed.card,
            "side": str(placed.side),
            "row": placed.row,
            "x_mm": round(placed.x_m * 1000, 2),
            "y_mm": round(placed.y_m * 1000, 2),
        }
        for placed in sorted(layout, key=lambda placed: (placed.side is Side.FAR, placed.row, placed.x_m))
    ]


def poem_json(poem: int, t_s: float, layout: Layout, played: Play, outcome: Outcome) -> dict[str, Any]:
    """Return a poem as in `truth.json`, with the earliest contact of each player with each card."""
    first: dict[tuple[int, Side], CardContact] = {}
    for contact in played.contacts:
        first.setdefault((contact.card, contact.player), contact)
    reached = {contact.card for contact in played.contacts} | {push.card for push in played.pushed_out}
    moved_mm = {card: round(played.moved_m(card) * 1000, 2) for card in played.tracks}
    home = layout.side_of(poem)
    displaced_mm = 0.25  # a card that other cards moved less than this is not called displaced
    told: dict[str, Any] = {
        "poem": poem,
        "t_ms": round(t_s * 1000, 3),
        "target_side": None if home is None else str(home),
        "touches": [
            {
                "card": contact.card,
                "player": str(contact.player),
                "hand": str(contact.hand),
                "t_ms": round(contact.t_s * 1000, 3),
                "moved_mm": moved_mm.get(contact.card, 0.0),
            }
            for contact in first.values()
        ],
        "pushed_out": [
            {
                "card": push.card,
                "player": str(push.player),
                "t_ms": round(push.t_s * 1000, 3),
                "moved_mm": moved_mm[push.card],
            }
            for push in played.pushed_out
        ],
        "displaced": [
            {"card": card, "moved_mm": moved}
            for card, moved in moved_mm.items()
            if card not in reached and moved > displaced_mm
        ],
        "ruling": {
            "taken_by": None if outcome.taken_by is None else str(outcome.taken_by),
            "faults": {str(side): count for side, count in outcome.faults.items()},
            "sends": {str(side): count for side, count in outcome.sends.items()},
        },
        "layout_before": layout_json(layout),
    }
    met = sorted(contact.t_s for (card, _), contact in first.items() if card == poem)
    if len(met) > 1:  # both reached it
        told["gap_ms"] = round((met[1] - met[0]) * 1000, 3)
    return told
