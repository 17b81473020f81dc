"""Scenarios of a poem by name, and how often each happens in a match."""

from __future__ import annotations

from collections.abc import Callable

from vision.simulator.play import mistakes, takes
from vision.simulator.play.script import Script, Stage

Scenario = Callable[[Stage], Script]

_ALL: tuple[Scenario, ...] = (
    takes.own,
    takes.opp,
    takes.harai,
    takes.press,
    takes.race,
    takes.late,
    mistakes.hover,
    takes.feint,
    mistakes.dead_none,
    mistakes.dead_touch,
    mistakes.dead_both,
    mistakes.otetsuki,
    mistakes.otetsuki_take,
    mistakes.torison,
    mistakes.both_fault,
    takes.pushout,
    takes.head,
    takes.two_hands,
    takes.support,
    takes.card_lands_on_other,
    mistakes.still_touch,
)
SCENARIOS: dict[str, Scenario] = {scenario.__name__: scenario for scenario in _ALL}  # every scenario by name

LIVE_WEIGHTS = {
    "own": 20,
    "opp": 14,
    "harai": 16,
    "press": 8,
    "race": 12,
    "late": 10,
    "feint": 5,
    "otetsuki": 4,
    "otetsuki_take": 6,
    "torison": 2,
    "both_fault": 2,
    "pushout": 6,
    "head": 4,
    "two_hands": 3,
    "support": 2,
    "card_lands_on_other": 4,
}
"""How often each happens in a match when the poem's card is on the field."""
DEAD_WEIGHTS = {"dead_none": 70, "dead_touch": 16, "dead_both": 6, "both_fault": 8}  # the same for karafuda
ALONE_LIVE_WEIGHTS = {"own": 50, "harai": 20, "press": 20, "hover": 4}
"""Frequencies for a player who practises alone; a hand that stops in the air takes nothing."""
ALONE_DEAD_WEIGHTS = {"dead_none": 80, "dead_touch": 20}  # the same for karafuda
