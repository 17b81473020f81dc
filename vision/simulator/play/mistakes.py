"""Scenarios in which hands go wrong or stop in time, or a dead poem is read."""

from __future__ import annotations

from referee.facts import Hand
from referee.sides import BySide, Side
from vision.simulator.play import moves
from vision.simulator.play.script import NO_FAULTS, Script, Stage, seen_by
from vision.simulator.play.takes import press_on, sweep_away

_AGAIN_S = 0.65  # time before a hand that came down can come down elsewhere


def hover(stage: Stage) -> Script:
    """Rush a hand over a card, stop it in the air, and leave the card alone."""
    player = stage.side()
    at = seen_by(player, stage.target if stage.is_live else stage.card_of(stage.side()))
    script = Script()
    height_m, hold_s = stage.uniform(0.03, 0.07), stage.uniform(0.1, 0.3)
    script.act(player, moves.hover(stage.t_s, at, height_m, hold_s=hold_s))
    return script


def still_touch(stage: Stage) -> Script:
    """Lay fingers on a card and lift them again without moving it."""
    player = stage.side()
    placed = stage.target if stage.is_live else stage.card_of(stage.side())
    right, ahead = seen_by(player, placed)
    at = right + stage.uniform(-0.012, 0.012), ahead - stage.uniform(0.0, 0.02)
    script = Script(taken_by=player) if stage.is_live else Script(faults=NO_FAULTS.replaced(player, 1))
    script.act(player, moves.lie(stage.t_s, at, hold_s=stage.uniform(0.04, 0.25)))
    return script


def dead_none(stage: Stage) -> Script:
    """Read a karafuda that fools nobody; sometimes a hand starts and stops."""
    script = Script()
    if stage.happens(0.4):
        player = stage.side()
        at = seen_by(player, stage.card_of(player))
        script.act(player, moves.hover(stage.t_s, at, stage.uniform(0.05, 0.09), hold_s=0.12))
    return script


def dead_touch(stage: Stage) -> Script:
    """Read a karafuda while one player touches a territory."""
    player, territory = stage.side(), stage.side()
    script = Script(faults=NO_FAULTS.replaced(player, 1))
    script.act(player, press_on(stage, player, stage.card_of(territory), stage.t_s))
    return script


def dead_both(stage: Stage) -> Script:
    """Read a karafuda while one player touches both territories, with one hand or both."""
    player = stage.side()
    script = Script(faults=NO_FAULTS.replaced(player, 2))
    script.act(player, press_on(stage, player, stage.card_of(player.opponent), stage.t_s))
    mine = stage.card_of(player)
    if seen_by(player, mine)[0] < -0.05 and stage.happens(0.6):
        script.act(player, press_on(stage, player, mine, stage.t_s + 0.03, hand=Hand.LEFT), Hand.LEFT)
    else:
        script.act(player, press_on(stage, player, mine, stage.t_s + _AGAIN_S))
    return script


def otetsuki(stage: Stage) -> Script:
    """Let one player barely touch a card of the wrong territory and the other take."""
    return _fault_and_take(stage, aside_m=0.002)


def otetsuki_take(stage: Stage) -> Script:
    """Let one player touch the wrong territory and the other take."""
    return _fault_and_take(stage, aside_m=0.02)


def _fault_and_take(stage: Stage, aside_m: float) -> Script:
    player = stage.side()
    taker = player.opponent
    script = Script(taken_by=taker, faults=NO_FAULTS.replaced(player, 1))
    wrong = stage.card_of(stage.target.side.opponent)
    script.act(player, press_on(stage, player, wrong, stage.t_s, aside_m=aside_m))
    script.act(taker, sweep_away(stage, taker, stage.t_s + stage.uniform(-0.08, 0.15)))
    return script


def torison(stage: Stage) -> Script:
    """Let a player touch the wrong territory and still take the card."""
    player = stage.side()
    script = Script(taken_by=player, faults=NO_FAULTS.replaced(player, 1))
    script.act(player, press_on(stage, player, stage.card_of(stage.target.side.opponent), stage.t_s))
    script.act(player, press_on(stage, player, stage.target, stage.t_s + _AGAIN_S))
    return script


def both_fault(stage: Stage) -> Script:
    """Let both touch wrong cards; a card on the field is then taken by its owner."""
    script = Script(faults=BySide(1, 1))
    for player in Side:
        # With the target on the field a fault is only possible in the other territory.
        territory = stage.target.side.opponent if stage.is_live else stage.side()
        t_s = stage.t_s + stage.uniform(0, 0.12)
        script.act(player, press_on(stage, player, stage.card_of(territory), t_s))
    if stage.is_live:
        script.taken_by = stage.target.side
        script.act(
            script.taken_by, press_on(stage, script.taken_by, stage.target, stage.t_s + _AGAIN_S + 0.1)
        )
    return script
