"""Where every card, hand and body is while the shutter is open: from the simulator's episode to matrices.

The room here is right-handed: x as on the field, y towards the far player, z up, metres.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from referee.facts import Hand
from referee.sides import Side
from traced.shapes import CARD_THICK_M, Floats
from vision.simulator import SimulatedMatch
from vision.simulator.drawing.camera import Camera
from vision.simulator.drawing.paths import to_field
from vision.simulator.drawing.sensor import Shutter
from vision.simulator.hall.scene import Arm, Scene
from vision.simulator.play.field import Box, depths

MOMENTS = 3  # a thing is placed at the beginning, the middle and the end of the shutter's time
BENDS = 6  # fingers are drawn in so many steps from flat to drawn up
HIPS_AHEAD_M, HIPS_HEIGHT_M = -0.86, 0.24


@dataclass
class Shot:
    """One picture's scene."""

    t_s: float  # the middle of the middle row's exposure
    places: dict[str, Floats] = field(default_factory=dict)  # matrices (3, 4, 4) of each thing by name
    bends: dict[str, int] = field(default_factory=dict)  # step of each hand's fingers, 0 to `BENDS` - 1

    def shows_the_same(self, other: Shot) -> bool:
        """Tell whether another picture would look alike."""
        return (
            self.bends == other.bends
            and self.places.keys() == other.places.keys()
            and all(np.allclose(self.places[name], other.places[name], atol=2e-5) for name in self.places)
        )


def shutter_of(match: SimulatedMatch) -> Shutter:
    """Return the shutter that a match's truth tells."""
    conditions = match.truth["meta"]["conditions"]
    return Shutter(conditions["exposure_ms"] / 1000, conditions["readout_ms"] / 1000)


def shots(
    scene: Scene, shutter: Shutter, times_s: Sequence[float], tumble_rad_per_m: float
) -> Iterator[Shot]:
    """Yield the scene of each instant."""
    order = _stacking(scene)
    for t_s in times_s:
        shot = Shot(t_s)
        moments = [
            _people(scene, now_s) | _cards(scene, order, now_s, tumble_rad_per_m)
            for now_s in (t_s + np.linspace(-1, 1, MOMENTS) * shutter.reach_s).tolist()
        ]
        shot.places = {name: np.stack([moment[name] for moment in moments]) for name in moments[0]}
        for arm in scene.arms(t_s, scene.leans(t_s)):
            shot.bends[hand_name(arm.side, arm.hand)] = _bend(arm)
        yield shot


def hand_name(side: Side, hand: Hand) -> str:
    """Return the name of a hand as a thing."""
    return f"{side} {hand} hand"


def card_name(card: int) -> str:
    """Return the name of a card as a thing."""
    return f"card {card}"


def _bend(arm: Arm) -> int:
    """Return how far the fingers are drawn up: flat while pressed down, loose in the air."""
    flat_m, loose_m = 0.004, 0.06
    share = float(np.clip((arm.fingers[2] - flat_m) / (loose_m - flat_m), 0, 1))
    return round(share * (BENDS - 1))


def _up(place: Floats) -> Floats:
    """Return a place of the field as one of the room."""
    return np.array([place[0], -place[1], place[2]])


def turned(at: Floats, angle_rad: float, roll_rad: float = 0.0) -> Floats:
    """Return the matrix of a thing at a place, turned clockwise as seen from above, and rolled."""
    cos, sin, lean, rise = np.cos(angle_rad), np.sin(angle_rad), np.cos(roll_rad), np.sin(roll_rad)
    matrix = np.eye(4)
    matrix[:3, 0] = cos * lean, -sin * lean, rise
    matrix[:3, 1] = sin, cos, 0
    matrix[:3, 2] = -cos * rise, sin * rise, lean
    matrix[:3, 3] = at
    return matrix


def stretched(start: Floats, end: Floats) -> Floats:
    """Return the matrix of a thing one metre long ahead that reaches from a place to another."""
    way = end - start
    right = np.cross(way, [0.0, 0.0, 1.0])
    right /= max(float(np.linalg.norm(right)), 1e-9)
    up = np.cross(right, way)
    matrix = np.eye(4)
    matrix[:3] = np.column_stack([right, way, up / max(float(np.linalg.norm(up)), 1e-9), start])
    return matrix


def _people(scene: Scene, t_s: float) -> dict[str, Floats]:
    placed: dict[str, Floats] = {}
    leans = scene.leans(t_s)
    arms = scene.arms(t_s, leans)
    for arm in arms:
        over = np.array([0.0, 0.0, CARD_THICK_M])
        wrist, elbow, shoulder = (_up(joint) for joint in (arm.wrist, arm.elbow, arm.shoulder))
        placed[hand_name(arm.side, arm.hand)] = turned(_up(arm.fingers) + over, arm.angle)
        placed[f"{arm.side} {arm.hand} forearm"] = stretched(wrist + over, elbow)
        placed[f"{arm.side} {arm.hand} upper arm"] = stretched(elbow, shoulder)
    for side in Side:
        lean, facing = leans[side], 0.0 if side is Side.NEAR else np.pi
        hips = _up(np.array([*to_field(side, (0.0, HIPS_AHEAD_M)), HIPS_HEIGHT_M]))
        shoulders = np.mean([_up(arm.shoulder) for arm in arms if arm.side is side], axis=0)
        placed[f"{side} trunk"] = stretched(hips, np.asarray(shoulders, np.float64))
        placed[f"{side} head"] = turned(_up(scene.head(side, lean)), facing)
        placed[f"{side} hair"] = placed[f"{side} head"]
        placed[f"{side} legs"] = turned(hips * [1, 1, 0], facing)
    return placed


def _stacking(scene: Scene) -> list[int]:
    """Return the cards from the lowest to the topmost: those that never move, then as they began to."""
    moved = [*scene.episode.tracks]
    lying = [placed.card for placed in scene.episode.before if placed.card is not None]
    return [card for card in lying if card not in moved] + moved


def _cards(scene: Scene, order: Sequence[int], t_s: float, tumble_rad_per_m: float) -> dict[str, Floats]:
    poses = np.array([scene.card_pose(card, t_s) for card in order])
    boxes = [Box.of_card(pose) for pose in poses]
    lifts = np.zeros(len(order))
    low_m, most_roll_rad = 0.004, 1.2  # the roll as far as the simulator's own pictures show it
    for number, card in enumerate(order):
        if card in scene.episode.tracks and poses[number, 3] < low_m:
            below = [
                lifts[under]
                for under in range(number)
                if poses[under, 3] < low_m and min(depths(boxes[number], boxes[under])) > 0
            ]
            if below:
                lifts[number] = max(below) + 1.2 * CARD_THICK_M
    return {
        card_name(card): turned(
            np.array([x, -y, height + lift]), angle, min(tumble_rad_per_m * float(height), most_roll_rad)
        )
        for card, (x, y, angle, height), lift in zip(order, poses, lifts, strict=True)
    }


def camera_matrix(camera: Camera) -> tuple[Floats, float]:
    """Return a camera's matrix in the room (it looks along its own -z) and its focal length by its width."""
    lean, roll = camera.tilt_rad, camera.roll_rad
    right, down = np.array([1.0, 0.0, 0.0]), np.array([0.0, -np.cos(lean), -np.sin(lean)])
    forward = np.array([0.0, np.sin(lean), -np.cos(lean)])
    matrix = np.eye(4)
    matrix[:3, 0] = np.cos(roll) * right + np.sin(roll) * down
    matrix[:3, 1] = -(-np.sin(roll) * right + np.cos(roll) * down)
    matrix[:3, 2] = -forward
    y_m = camera.offset_m[1] + camera.height_m * np.tan(lean)
    matrix[:3, 3] = camera.offset_m[0], -y_m, camera.height_m
    return matrix, camera.height_m / np.cos(lean) / camera.across_m
