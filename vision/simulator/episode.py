"""One poem from its first sound to the restored field: movements, exact truth, and where everything is when."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from referee.facts import Hand
from referee.layout import Layout
from referee.sides import BySide, Side
from vision.simulator import truth
from vision.simulator.paths import HandPath
from vision.simulator.physics import CARD_HALF_M, Boxes, Play, Track, lying_pose, overlap, play
from vision.simulator.scenarios import SCENARIOS, Script, Stage, resting_paths
from vision.simulator.tidy import tidy

_ATTEMPTS = 10
_LIES_ON_M = 0.008
_TOUCH_SEEN_MM = 0.25
"""A card that other cards moved less than this is not called displaced."""


@dataclass(frozen=True)
class Episode:
    """One poem.

    Attributes
    ----------
    poem, t_s : the poem and the instant of its first sound.
    scenario : name of the script that was played.
    before, after : the layouts around it.
    paths : all four hands from the episode's beginning to its end.
    tracks : of the cards that moved, in the order in which they began to.
    outcome : who took it and who sends.
    truth : the poem as `truth.json` writes it, without `layout_before`.
    lean : how far each head comes over the field at most, 0..1, and from when to when.
    start_s, end_s : the stretch of time that the episode fills.
    """

    poem: int
    t_s: float
    scenario: str
    before: Layout
    after: Layout
    paths: dict[tuple[Side, Hand], HandPath]
    tracks: dict[int, Track]
    outcome: truth.Outcome
    truth: dict[str, Any]
    lean: BySide[float]
    lean_from_s: float
    lean_to_s: float
    start_s: float
    end_s: float
    gone: int | None = None
    """The card that leaves the game."""


@dataclass(frozen=True)
class Timing:
    """Seconds: `lead` from the episode's beginning to the first sound, `settle` from the last movement on."""

    start_s: float
    lead_s: float
    settle_s: float
    restore: bool = True


def stage_episode(
    scenario: str,
    poem: int,
    layout: Layout,
    timing: Timing,
    rng: np.random.Generator,
    turn_deg: float,
    visible_m: tuple[float, float],
    gap_s: float | None = None,
) -> Episode:
    """Play a scenario until it comes out as its script wants, and read the truth off the play.

    The last attempt counts as it came out: its truth is what happened, not what was planned.

    Raises
    ------
    ValueError
        When there is no such scenario, or the layout has no room for it.
    """
    if scenario not in SCENARIOS:
        raise ValueError(f"no scenario {scenario!r}; choose one of: {', '.join(SCENARIOS)}")
    t_s = timing.start_s + timing.lead_s
    for attempt in range(_ATTEMPTS):
        chance = np.random.default_rng(rng.integers(2**63))
        stage = Stage(layout, poem, t_s + float(chance.uniform(0.42, 0.7)), chance, gap_s)
        script = SCENARIOS[scenario](stage)
        paths = _paths(script, timing.start_s)
        to_s = max(path.end.t_s for path in paths.values())
        played = play(layout, list(paths.values()), chance, from_s=t_s, to_s=to_s, jumping=script.jumping)
        outcome = truth.judge(poem, layout, played.contacts, played.pushed_out)
        if _as_wanted(script, stage, played, outcome) or attempt == _ATTEMPTS - 1:
            break
    return _finish(
        scenario, poem, layout, timing, t_s, script, paths, played, outcome, rng, turn_deg, visible_m
    )


def _paths(script: Script, start_s: float) -> dict[tuple[Side, Hand], HandPath]:
    """Lead the hands from rest into their actions and home again."""
    paths = resting_paths(start_s)
    for key, action in script.actions.items():
        path = paths[key]
        ordered = sorted(action, key=lambda moment: moment.t_s)
        still = replace(path.end, t_s=max(ordered[0].t_s - 0.24, start_s + 0.01))
        back = replace(path.end, t_s=ordered[-1].t_s + 0.42)
        paths[key] = path.then([still, *ordered, back])
    return paths


def _as_wanted(script: Script, stage: Stage, played: Play, outcome: truth.Outcome) -> bool:
    if outcome.taken_by is not script.taken_by or outcome.faults != script.faults:
        return False
    if script.pushed and stage.poem not in {push.card for push in played.pushed_out}:
        return False
    return not script.lands_on_other or _rests_on_another(stage, played)


def _rests_on_another(stage: Stage, played: Play) -> bool:
    if stage.poem not in played.tracks:
        return False
    ends = {placed.card: lying_pose(placed) for placed in stage.layout}
    ends |= {card: track.pose[-1] for card, track in played.tracks.items()}
    own = ends.pop(stage.poem)
    others = np.array(list(ends.values()))
    mine = np.broadcast_to(own, others.shape)
    depth = overlap(
        Boxes(mine[:, :2], mine[:, 2], CARD_HALF_M), Boxes(others[:, :2], others[:, 2], CARD_HALF_M)
    ).min(axis=0)
    return bool((depth > _LIES_ON_M).any())


def _finish(
    scenario: str,
    poem: int,
    layout: Layout,
    timing: Timing,
    t_s: float,
    script: Script,
    paths: dict[tuple[Side, Hand], HandPath],
    played: Play,
    outcome: truth.Outcome,
    rng: np.random.Generator,
    turn_deg: float,
    visible_m: tuple[float, float],
) -> Episode:
    acted = max((paths[key].end.t_s for key in script.actions), default=t_s + 0.7)
    quiet_s = max(acted, played.still_s, t_s + 0.7)
    tracks = dict(played.tracks)
    gone = poem if outcome.taken_by is not None else None
    after, end_s = layout, quiet_s
    if timing.restore:
        poses = {card: track.pose[-1] for card, track in tracks.items()}
        tidied = tidy(
            layout, poses, gone, outcome.taken_by, outcome.sends, quiet_s + 0.1, rng, turn_deg, visible_m
        )
        for side, moments in tidied.moments.items():
            paths[side, Hand.RIGHT] = paths[side, Hand.RIGHT].then(moments)
        tracks = _joined(tracks, tidied.tracks)
        after, end_s = tidied.layout, tidied.end_s
    return Episode(
        poem=poem,
        t_s=t_s,
        scenario=scenario,
        before=layout,
        after=after,
        paths=paths,
        tracks=tracks,
        outcome=outcome,
        truth=_poem_json(scenario, poem, t_s, layout, played, outcome),
        lean=script.lean,
        lean_from_s=t_s + 0.05,
        lean_to_s=quiet_s,
        start_s=timing.start_s,
        end_s=end_s + timing.settle_s,
        gone=gone if timing.restore else None,
    )


def _joined(first: dict[int, Track], second: dict[int, Track]) -> dict[int, Track]:
    joined = dict(first)
    for card, track in second.items():
        if card in joined:
            earlier = joined.pop(card)  # a carried card comes to lie on top of those that only slid
            track = Track(np.concatenate([earlier.t_s, track.t_s]), np.vstack([earlier.pose, track.pose]))
        joined[card] = track
    return joined


def _poem_json(
    scenario: str, poem: int, t_s: float, layout: Layout, played: Play, outcome: truth.Outcome
) -> dict[str, Any]:
    home = layout.side_of(poem)
    first: dict[tuple[int, Side], Any] = {}
    for contact in played.contacts:
        first.setdefault((contact.card, contact.player), contact)
    touched = {contact.card for contact in played.contacts}
    out = {push.card for push in played.pushed_out}
    moved_mm = {card: round(played.moved_m(card) * 1000, 2) for card in played.tracks}
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
            if card not in touched | out and moved > _TOUCH_SEEN_MM
        ],
        "ruling": {
            "taken_by": None if outcome.taken_by is None else str(outcome.taken_by),
            "faults": {str(side): count for side, count in outcome.faults.items()},
            "sends": {str(side): count for side, count in outcome.sends.items()},
        },
        "scenario": scenario,
    }
    if scenario == "race":
        met = sorted(contact.t_s for (card, _), contact in first.items() if card == poem)
        told["gap_ms"] = round((met[1] - met[0]) * 1000, 3) if len(met) == 2 else None
    return told
