"""Places of all cards, hands and heads at an instant of an episode."""

from dataclasses import dataclass

import numpy as np

from referee.facts import Hand
from referee.sides import BySide, Side
from vision.simulator.drawing.body import FOREARM_M, UPPER_ARM_M, WRIST_BEHIND_M
from vision.simulator.drawing.paths import Floats, from_field, to_field
from vision.simulator.play import moves
from vision.simulator.play.episode import Episode
from vision.simulator.play.field import lying_pose
from vision.simulator.play.moving_cards import Track


@dataclass(frozen=True)
class Arm:
    """One arm: fingers, wrist, elbow and shoulder as x, y, height in metres; angle of the fingers."""

    side: Side
    hand: Hand
    fingers: Floats
    angle: float
    wrist: Floats
    elbow: Floats
    shoulder: Floats

    @property
    def joints(self) -> Floats:
        """Rows from fingers to shoulder, (4, 3)."""
        return np.stack([self.fingers, self.wrist, self.elbow, self.shoulder])


class Scene:
    """Tells where things are during one episode."""

    def __init__(self, episode: Episode, sway_m: float = 0.0) -> None:
        self.episode = episode
        self._sway_m = sway_m
        self._motions = {card: _spans(track) for card, track in episode.tracks.items()}

    def moving_cards(self, from_s: float, to_s: float) -> list[int]:
        """Return the cards that move at any time in a stretch, in stacking order."""
        return [
            card
            for card, spans in self._motions.items()
            if any(start < to_s and end > from_s for start, end in spans)
        ]

    def moved_before(self, t_s: float) -> list[int]:
        """Return the cards that have begun to move before `t_s`."""
        return [card for card, spans in self._motions.items() if spans and spans[0][0] < t_s]

    def card_pose(self, card: int, t_s: float) -> Floats:
        """Return x, y, angle in the picture and height of a card, (4,)."""
        track = self.episode.tracks.get(card)
        if track is None:
            placed = self.episode.before.find(card)
            if placed is None:
                raise ValueError(f"torifuda {card} is not on the field")
            return lying_pose(placed)
        return np.array([np.interp(t_s, track.t_s, column) for column in track.pose.T])

    def leans(self, t_s: float) -> BySide[float]:
        """Return how far each player leans over the field."""
        return BySide.of(lambda side: self._lean(side, t_s))

    def arms(self, t_s: float, leans: BySide[float]) -> list[Arm]:
        return [
            self._arm(side, hand, t_s, leans[side])
            for side in (Side.FAR, Side.NEAR)
            for hand in (Hand.LEFT, Hand.RIGHT)
        ]

    def _arm(self, side: Side, hand: Hand, t_s: float, lean: float) -> Arm:
        pose = self.episode.paths[side, hand].at(np.array([t_s]))[0]
        fingers, angle = pose[:3], float(pose[3])
        if self._sway_m:
            fingers = fingers + self._sway(side, hand, fingers, t_s)
        back = np.array([-np.sin(angle), np.cos(angle)])
        wrist = np.array([*(fingers[:2] + back * WRIST_BEHIND_M), fingers[2] + 0.035])
        handed = moves.handed(hand)
        right, ahead = handed * moves.SHOULDER[0], moves.SHOULDER[1] + 0.3 * lean
        shoulder_height_m = 0.40
        shoulder = np.array([*to_field(side, (right, ahead)), shoulder_height_m - 0.08 * lean])
        # The elbow bends outwards, since the two bones are longer than the distance.
        way = shoulder - wrist
        spare = max(0.0, (FOREARM_M + UPPER_ARM_M) ** 2 - float(way @ way))
        bend = min(0.5 * np.sqrt(spare), 0.16)
        sideways = np.array([*to_field(side, (handed, 0.0)), 0.0])
        share = FOREARM_M / (FOREARM_M + UPPER_ARM_M)
        elbow = wrist + way * share + sideways * bend * 0.8
        return Arm(side, hand, fingers, angle, wrist, elbow, shoulder)

    def _sway(self, side: Side, hand: Hand, fingers: Floats, t_s: float) -> Floats:
        """Let a waiting hand wander; a working hand follows its path exactly."""
        ahead = from_field(side, float(fingers[0]), float(fingers[1]))[1]
        waiting_ahead_m = -0.31  # hands farther back than this wait
        share = min(max((waiting_ahead_m - ahead) / 0.02, 0.0), 1.0)
        phase = 2.0 * (side is Side.NEAR) + moves.handed(hand)
        way = np.array([np.sin(5.1 * t_s + phase), np.sin(3.7 * t_s + 2 * phase), 0.0])
        return np.asarray(self._sway_m * share * way)

    def _lean(self, side: Side, t_s: float) -> float:
        """Return how far a player leans, 0..1, smooth in time."""
        around = t_s + np.linspace(-0.18, 0.18, 9)
        sign = -1.0 if side is Side.NEAR else 1.0
        reach = [sign * self.episode.paths[side, hand].at(around)[:, 1] for hand in Hand]
        # how far a body leans for a hand that reaches this far ahead
        lean = float(np.clip((np.maximum(*reach) - moves.REST_AHEAD_M) / 0.75, 0.0, 0.85).mean())
        episode = self.episode
        if episode.lean[side] > 0:
            ramp_s = 0.3
            up, down = (t_s - episode.lean_s[0]) / ramp_s, (episode.lean_s[1] - t_s) / ramp_s
            share = min(max(min(up, down), 0.0), 1.0)
            lean = max(lean, episode.lean[side] * share * share * (3 - 2 * share))
        return lean

    def head(self, side: Side, lean: float) -> Floats:
        """Return the centre of a player's head: x, y, height."""
        ahead = moves.SHOULDER[1] - 0.04 + 0.44 * lean
        head_height_m = 0.50
        return np.array([*to_field(side, (0.02, ahead)), head_height_m - 0.12 * lean])


def _spans(track: Track) -> list[tuple[float, float]]:
    t_s, pose = track.t_s, track.pose
    if len(t_s) < 2:
        return []
    changes = (np.abs(np.diff(pose, axis=0)) > 1e-9).any(axis=1)
    spans: list[tuple[float, float]] = []
    pause_s = 0.006  # samples of a track farther apart than this, with the same pose, are a rest
    for index in np.flatnonzero(changes):
        start, end = float(t_s[index]), float(t_s[index + 1])
        if spans and start - spans[-1][1] <= pause_s:
            spans[-1] = spans[-1][0], end
        else:
            spans.append((start, end))
    return spans
