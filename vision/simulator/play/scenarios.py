"""What can happen in a poem, by name, and how often each happens in a match."""

from collections.abc import Callable

import numpy as np

from referee.facts import Hand
from referee.layout import PlacedCard
from referee.sides import BySide, Side
from vision.simulator.drawing.paths import Moment, Place
from vision.simulator.play import moves
from vision.simulator.play.field import slot_of
from vision.simulator.play.physics import FINE_STEP_S
from vision.simulator.play.script import (
    NO_FAULTS,
    UPRIGHT,
    NoRoomError,
    Script,
    Stage,
    can_push_out,
    chain_of,
    seen_by,
)


def _outwards(stage: Stage, at: Place) -> Place:
    """Return the direction of a sweep: to the nearer side line, a little up or down the field."""
    sign = float(np.sign(at[0])) if abs(at[0]) > 0.06 else (1.0 if stage.happens(0.5) else -1.0)
    slant = stage.uniform(-0.25, 0.25)
    return sign * float(np.cos(slant)), float(np.sin(slant))


def sweep_away(stage: Stage, player: Side, t_s: float) -> list[Moment]:
    """Sweep the target away at about `t_s`."""
    at = seen_by(player, stage.target)
    return moves.strike(
        t_s,
        at,
        _outwards(stage, at),
        speed_mps=stage.speed_mps(1.6, 3.2),
        lead_m=0.085,
        through_m=stage.uniform(0.08, 0.16),
    )


def press_on(
    stage: Stage,
    player: Side,
    placed: PlacedCard,
    t_s: float,
    *,
    hand: Hand = Hand.RIGHT,
    aside_m: float = 0.012,
) -> list[Moment]:
    """Come down flat on a card at about `t_s`, at most `aside_m` to either side of its centre."""
    right, ahead = seen_by(player, placed)
    # Fingers come down on the half of the card nearer to the player, away from the other territory.
    at = right + stage.uniform(-aside_m, aside_m), ahead - stage.uniform(0.0, 0.02)
    slip_m, way = stage.uniform(0.0006, 0.0024), stage.uniform(0, 2 * np.pi)
    slip = slip_m * float(np.cos(way)), slip_m * float(np.sin(way))
    return moves.press(t_s, at, slip, hold_s=stage.uniform(0.08, 0.18), hand=hand)


def taking(stage: Stage, player: Side) -> Script:
    """Start the script in which a player sweeps the target away."""
    script = Script(taken_by=player)
    script.act(player, sweep_away(stage, player, stage.t_s))
    return script


def own(stage: Stage) -> Script:
    """Let the owner of the territory sweep the card away."""
    return taking(stage, stage.target.side)


def opp(stage: Stage) -> Script:
    """Let the opponent take the card out of the owner's territory."""
    return taking(stage, stage.target.side.opponent)


def harai(stage: Stage) -> Script:
    """Clear the card and its neighbours off the field with one hard sweep."""
    player = stage.side()
    script = Script(taken_by=player, jumping=0.8)
    at = seen_by(player, stage.target)
    script.act(
        player,
        moves.strike(
            stage.t_s,
            at,
            _outwards(stage, at),
            speed_mps=stage.speed_mps(3.2, 4.8),
            lead_m=stage.uniform(0.15, 0.26),
            through_m=stage.uniform(0.18, 0.3),
        ),
    )
    return script


def press(stage: Stage) -> Script:
    """Bring a hand down flat on the card, which hardly moves."""
    player = stage.side()
    script = Script(taken_by=player)
    script.act(player, press_on(stage, player, stage.target, stage.t_s))
    return script


def race(stage: Stage) -> Script:
    """Let both go for the card within milliseconds of each other."""
    first, home = stage.side(), stage.target.side
    gap_s = stage.uniform(0.0, 0.03) if stage.gap_s is None else stage.gap_s
    script = Script(taken_by=home if gap_s < FINE_STEP_S else first)
    # Each lands with his fingertips on the end of the card nearer to him and slips outwards.
    sign = 1.0 if stage.target.x_m > 0 else -1.0
    for player, t_s in ((first, stage.t_s), (first.opponent, stage.t_s + gap_s)):
        right, ahead = seen_by(player, stage.target)
        script.act(
            player,
            moves.strike(
                t_s,
                (right + stage.uniform(-0.012, 0.012), ahead - stage.uniform(0.026, 0.032)),
                (sign if player is Side.NEAR else -sign, 0.0),
                speed_mps=stage.speed_mps(0.7, 1.3),
                lead_m=0.0,
                through_m=stage.uniform(0.05, 0.09),
            ),
        )
    return script


def late(stage: Stage) -> Script:
    """Let the loser's hand arrive after the card is gone, where touches are no fault."""
    taker = stage.side()
    script = taking(stage, taker)
    loser = taker.opponent
    script.act(loser, press_on(stage, loser, stage.target, stage.t_s + stage.uniform(0.06, 0.16)))
    return script


def feint(stage: Stage) -> Script:
    """Let one hover over the wrong place while the other takes the card."""
    taker = stage.side()
    script = taking(stage, taker)
    at = seen_by(taker.opponent, stage.card_of(stage.side()))
    height_m, hold_s = stage.uniform(0.04, 0.07), stage.uniform(0.1, 0.25)
    script.act(taker.opponent, moves.hover(stage.t_s - 0.02, at, height_m, hold_s=hold_s))
    return script


def pushout(stage: Stage) -> Script:
    """Let a player push the card out of its territory with other cards (fuda-oshi).

    Raises NoRoomError if no card lies beside the target on its inner side.
    """
    if not can_push_out(stage.layout, stage.poem):
        raise NoRoomError("a push-out needs a target near the side line with a card on its inner side")
    slot = slot_of(stage.target)
    chain = chain_of(stage.layout, slot)
    player = stage.side()
    script = Script(taken_by=player, pushed_out=True, jumping=0.0)
    pushing = chain[min(int(stage.rng.integers(1, 3)), len(chain) - 1)]
    right, ahead = seen_by(player, pushing)
    sign = float(slot.x_sign if player is Side.NEAR else -slot.x_sign)
    cards_out = slot.column + 1
    # Fingertips on the inner half of the pushing card drag it against the row.
    script.act(
        player,
        moves.strike(
            stage.t_s,
            (right - sign * 0.034, ahead - stage.uniform(0.0, 0.012)),
            (sign, 0.0),
            speed_mps=stage.speed_mps(1.5, 2.0) + 0.12 * cards_out,
            lead_m=0.012,
            through_m=0.05 + 0.02 * cards_out,
            stop=0.5,
            lies_s=stage.temper.lies_s,
        ),
    )
    return script


def head(stage: Stage) -> Script:
    """Let a player lean in so far that a head covers part of the field while a card is taken."""
    script = taking(stage, stage.side())
    script.lean = UPRIGHT.replaced(stage.side(), stage.uniform(0.85, 1.0))
    return script


def two_hands(stage: Stage) -> Script:
    """Let the owner take while the other hand is over the field as well."""
    player = stage.target.side
    script = taking(stage, player)
    at = -stage.uniform(0.05, 0.3), -stage.uniform(0.1, 0.25)
    script.act(player, moves.hover(stage.t_s, at, 0.06, hold_s=0.25, hand=Hand.LEFT), Hand.LEFT)
    return script


def support(stage: Stage) -> Script:
    """Let a player take while leaning on a hand set down in the bare middle of the field."""
    player = stage.target.side.opponent
    script = taking(stage, player)
    at = (-0.02, -0.14)
    leaning = [
        Moment(stage.t_s - 0.25, at, moves.FLAT_HEIGHT_M, 0.3),
        Moment(stage.t_s + 0.3, at, moves.FLAT_HEIGHT_M, 0.3),
    ]
    script.act(player, leaning, Hand.LEFT)
    return script


def card_lands_on_other(stage: Stage) -> Script:
    """Flick the card up so that it comes to lie on another one.

    Raises NoRoomError if no other card lies at a suitable distance.
    """
    player = stage.side()
    at = seen_by(player, stage.target)
    others = [np.array(seen_by(player, placed)) - at for placed in stage.layout if placed.card != stage.poem]
    aims = [way for way in others if 0.14 < np.hypot(*way) < 0.6]
    if not aims:
        raise NoRoomError("this scenario needs another card 14 to 60 cm from the target")
    aim = aims[int(stage.rng.integers(len(aims)))]
    far_m = float(np.hypot(*aim))
    # Flight and sliding together carry a card about 0.2 s^2/m times the square of its speed.
    speed_mps = max(1.15, float(np.sqrt(far_m / 0.2)) * stage.uniform(0.9, 1.3))
    way = float(aim[0]) / far_m, float(aim[1]) / far_m
    script = Script(taken_by=player, jumping=1.0, lands_on_other=True)
    script.act(
        player, moves.strike(stage.t_s, at, way, speed_mps=speed_mps, lead_m=0.02, through_m=0.03, stop=0.7)
    )
    return script


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


Scenario = Callable[[Stage], Script]

_ALL: tuple[Scenario, ...] = (
    own,
    opp,
    harai,
    press,
    race,
    late,
    hover,
    feint,
    dead_none,
    dead_touch,
    dead_both,
    otetsuki,
    otetsuki_take,
    torison,
    both_fault,
    pushout,
    head,
    two_hands,
    support,
    card_lands_on_other,
    still_touch,
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
