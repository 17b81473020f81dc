"""One poem from its first sound to the restored field: movements, truth, and where everything is when."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from referee.facts import Hand
from referee.layout import Layout
from referee.sides import BySide, Side
from vision.simulator.drawing.paths import HandPath, Moment
from vision.simulator.drawing.style import chosen
from vision.simulator.play.field import Box, depths, lying_pose
from vision.simulator.play.field_restoration import HURRIED, Manner, Room, tidy
from vision.simulator.play.moving_cards import CALM, USUAL, Friction, Temper, Track
from vision.simulator.play.physics import Outcome, Play, judge, play, poem_json
from vision.simulator.play.scenarios import SCENARIOS
from vision.simulator.play.script import Script, Stage


@dataclass(frozen=True)
class Episode:
    """One poem."""

    # poem, t_s: the poem and the instant of its first sound
    poem: int
    t_s: float
    before: Layout
    after: Layout
    paths: dict[tuple[Side, Hand], HandPath]  # all four hands from the episode's beginning to its end
    tracks: dict[int, Track]  # those of the cards that moved, in the order in which they began to
    outcome: Outcome
    truth: dict[str, Any]  # the poem as in `truth.json`
    # how far each head deliberately leans over the field, 0..1, between the two instants `lean_s`
    lean: BySide[float]
    lean_s: tuple[float, float]
    start_s: float
    end_s: float
    as_scripted: bool  # whether it came out as its scenario wanted
    gone: int | None = None  # the card that leaves the game


@dataclass(frozen=True)
class Timing:
    """When an episode starts and how long it waits, in seconds."""

    start_s: float
    lead_s: float  # from the episode's beginning to the first sound
    settle_s: float  # from the last movement to the end
    restore: bool = True  # whether the field is restored
    # rearranged, straightened: how many cards each player puts elsewhere, or only straight, afterwards
    rearranged: int = 0
    straightened: int = 0
    manner: Manner = HURRIED
    wait_s: float = 0.0


def stage_episode(
    scenario: str,
    poem: int,
    layout: Layout,
    timing: Timing,
    rng: np.random.Generator,
    *,
    room: Room,
    gap_s: float | None = None,
    friction: Friction = USUAL,
    temper: Temper = CALM,
    alone: bool = False,
    known_s: float = 0.0,
) -> Episode:
    """Play a scenario until it comes out as its script wants, and take the truth from the play.

    The last attempt is accepted as it is: its truth is what happened, not what was planned. Hands act some
    half a second after `known_s`, which is counted from the first sound. Raises ValueError if there is no
    such scenario. Raises NoRoomError if the layout has no room for it.
    """
    staged = chosen("scenario", scenario, SCENARIOS)
    t_s = timing.start_s + timing.lead_s
    attempts = 10
    for _ in range(attempts):
        dice = np.random.default_rng(rng.integers(2**63))
        stage = Stage(
            layout, poem, t_s + known_s + float(dice.uniform(0.42, 0.7)), dice, gap_s, temper, alone
        )
        script = staged(stage)
        paths = script.paths(timing.start_s)
        if alone:  # the far player's hands are where no camera sees them
            away = Moment(timing.start_s, (0.0, -2.0), 0.0)
            paths |= {(Side.FAR, hand): HandPath(Side.FAR, hand, (away,)) for hand in Hand}
        acted_s = max((paths[key].end.t_s for key in script.actions), default=t_s)
        played = play(
            layout,
            [*paths.values()],
            dice,
            from_s=t_s,
            to_s=acted_s,
            jumping=script.jumping,
            friction=friction,
        )
        outcome = judge(poem, layout, played.contacts, played.pushed_out)
        if as_scripted := _as_wanted(script, stage, played, outcome):
            break
    least_quiet_s = 0.7  # least duration of a poem, even if nothing happens
    quiet_s = max(acted_s, played.still_s, t_s + least_quiet_s)
    tracks, after, end_s, gone = dict(played.tracks), layout, quiet_s, None
    if timing.restore:
        gone = None if outcome.taken_by is None else poem
        poses = {card: track.pose[-1] for card, track in tracks.items()}
        breath_s = 0.1  # from the end of the action to the restoring
        tidied = tidy(
            layout,
            poses,
            poem,
            outcome,
            start_s=quiet_s + breath_s + timing.wait_s,
            rng=rng,
            room=room,
            rearranged=timing.rearranged,
            straightened=timing.straightened,
            manner=timing.manner,
        )
        for side, moments in tidied.moments.items():
            paths[side, Hand.RIGHT] = paths[side, Hand.RIGHT].then(moments)
        for card, track in tidied.tracks.items():
            earlier = tracks.pop(card, None)  # a carried card comes to lie on top of those that only slid
            tracks[card] = track if earlier is None else earlier.then(track)
        after, end_s = tidied.layout, tidied.end_s
    return Episode(
        poem=poem,
        t_s=t_s,
        before=layout,
        after=after,
        paths=paths,
        tracks=tracks,
        outcome=outcome,
        truth=poem_json(poem, t_s, layout, played, outcome) | {"scenario": scenario},
        lean=script.lean,
        lean_s=(t_s + 0.05, quiet_s),
        start_s=timing.start_s,
        end_s=end_s + timing.settle_s,
        as_scripted=as_scripted,
        gone=gone,
    )


def _as_wanted(script: Script, stage: Stage, played: Play, outcome: Outcome) -> bool:
    if outcome.taken_by is not script.taken_by or outcome.faults != script.faults:
        return False
    if script.pushed_out and all(push.card != stage.poem for push in played.pushed_out):
        return False
    return not script.lands_on_other or _lies_on_another(stage, played)


def _lies_on_another(stage: Stage, played: Play) -> bool:
    ends = {placed.card: lying_pose(placed) for placed in stage.layout}
    ends |= {card: track.pose[-1] for card, track in played.tracks.items()}
    own = Box.of_card(ends.pop(stage.poem))
    lies_on_m = 0.008
    return any(min(depths(own, Box.of_card(pose))) > lies_on_m for pose in ends.values())
