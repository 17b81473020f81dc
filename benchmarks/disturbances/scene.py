"""What moves a card besides a hand, or seems to: done to the pictures of a clip, its truth unchanged."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from benchmarks.disturbances.field import Field, Floats, Place, Pose, most_covered
from vision.frames.frame import Frame, Gray

Edit = Callable[[Gray, int], Gray]
"""Takes a picture and its instant, nanoseconds; pictures come in order of time."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A clip to be edited."""

    field: Field  # its cards at rest
    action: Sequence[Frame]  # pictures of its play, a few of each tenth of a second
    after: Floats  # the mean of its last pictures
    dice: np.random.Generator  # decides what is left to chance

    @property
    def impact_ns(self) -> int:
        """When the floor is struck: at the first touch, or where a hand is farthest over the cards."""
        if self.field.first_ns is not None:
            return self.field.first_ns
        return self.hidden[0][2] if self.hidden else self.field.starts_ns + 500_000_000

    @property
    def hidden(self) -> list[tuple[float, int, int]]:
        """The untouched cards that a hand comes over, the most covered first; see `most_covered`."""
        least_share = 0.12
        found = most_covered(self.field, self.action, self.field.still)
        return [one for one in found if one[0] >= least_share]


def _moving(field: Field, poses_at: Callable[[int], Mapping[int, Pose]]) -> Edit:
    return lambda gray, t_ns: field.moved_by(gray, poses_at(t_ns))


def _shifted(gray: Gray, warp: Place) -> Gray:
    size, rim = (gray.shape[1], gray.shape[0]), cv2.BORDER_REPLICATE
    return np.asarray(cv2.warpAffine(gray, warp, size, flags=cv2.INTER_CUBIC, borderMode=rim), np.uint8)


def _step(since_ns: float, takes_ns: float) -> float:
    phase = float(np.clip(since_ns / takes_ns, 0.0, 1.0))
    return phase * phase * (3 - 2 * phase)


def _any_way(dice: np.random.Generator) -> Place:
    angle = dice.uniform(0, 2 * np.pi)
    return np.array([np.cos(angle), np.sin(angle)])


def shock(scene: Scene, size_mm: float) -> Edit | None:
    """Let every card within 250 mm of a slap jump, less with distance, each its own way, within 15 ms."""
    field, dice, t_ns = scene.field, scene.dice, scene.impact_ns
    reach_mm, takes_ns, late_ns = 250.0, 12e6, 6e6
    struck = [card for card in field.moved if card in field.corners_px] or [one[1] for one in scene.hidden]
    if not struck:
        return None
    at_mm = np.mean([field.centre_mm(card) for card in struck[:3]], axis=0)
    jumps = {}
    for card in field.still:
        away_mm = float(np.hypot(*(field.centre_mm(card) - at_mm)))
        if away_mm < reach_mm:
            length_mm = size_mm * (1 - away_mm / reach_mm) * dice.uniform(0.7, 1.0)
            way, begins_ns = _any_way(dice), t_ns + dice.uniform(0, late_ns)
            jumps[card] = way * length_mm, begins_ns
    return _moving(
        field,
        lambda now_ns: {
            card: Pose(*(float(mm) for mm in way_mm * _step(now_ns - begins_ns, takes_ns)))
            for card, (way_mm, begins_ns) in jumps.items()
        },
    )


def _below_a_hand(scene: Scene) -> tuple[int, int] | None:
    """Return one untouched card below a hand, preferably one whose touch would matter, and when; or None."""
    field, hidden = scene.field, scene.hidden
    if not hidden:
        return None
    matters = [one for one in hidden if field.sides[one[1]] != field.target_side or one[1] == field.poem]
    among = (matters or hidden)[:3]
    return among[int(scene.dice.integers(len(among)))][1:]


def shift(scene: Scene, size_mm: float) -> Edit | None:
    """Shift one untouched card that lies below a hand."""
    found, dice = _below_a_hand(scene), scene.dice
    if found is None:
        return None
    card, t_ns = found
    way_mm, begins_ns, takes_ns = _any_way(dice) * size_mm, t_ns - dice.uniform(0, 30e6), 15e6

    def poses(now_ns: int) -> dict[int, Pose]:
        x_mm, y_mm = (float(mm) for mm in way_mm * _step(now_ns - begins_ns, takes_ns))
        return {card: Pose(x_mm, y_mm)}

    return _moving(scene.field, poses)


def _around(field: Field, card: int) -> list[int]:
    """Return the untouched cards of a card's side, the nearest first, and itself before them."""

    def away_mm(other: int) -> float:
        return float(np.hypot(*(field.centre_mm(other) - field.centre_mm(card))))

    return sorted((one for one in field.still if field.sides[one] == field.sides[card]), key=away_mm)


def wrinkle(scene: Scene, size_mm: float) -> Edit | None:
    """Let a wrinkle of the mat, pulled by a knee, take two or three cards below a hand along, all alike."""
    found, dice = _below_a_hand(scene), scene.dice
    if found is None:
        return None
    cards = _around(scene.field, found[0])[: int(dice.integers(2, 4))]
    way_mm, begins_ns, takes_ns = _any_way(dice) * size_mm, found[1] - dice.uniform(0, 30e6), 30e6

    def poses(now_ns: int) -> dict[int, Pose]:
        x_mm, y_mm = (float(mm) for mm in way_mm * _step(now_ns - begins_ns, takes_ns))
        return dict.fromkeys(cards, Pose(x_mm, y_mm))

    return _moving(scene.field, poses)


def tug(scene: Scene, size_mm: float) -> Edit | None:
    """Let a knee tug a corner of the mat: the cards around a hand turn together about a point beside it."""
    found, field, dice = _below_a_hand(scene), scene.field, scene.dice
    if found is None:
        return None
    reach_mm, pivot_mm, takes_ns = 150.0, 230.0, 70e6
    at_mm = field.centre_mm(found[0])
    pivot, begins_ns = at_mm + _any_way(dice) * pivot_mm, found[1] - dice.uniform(0, 60e6)
    away_mm = {card: field.centre_mm(card) - pivot for card in _around(field, found[0])}
    away_mm = {card: one for card, one in away_mm.items() if np.hypot(*(one + pivot - at_mm)) < reach_mm}

    def poses(now_ns: int) -> dict[int, Pose]:
        turn = size_mm / pivot_mm * _step(now_ns - begins_ns, takes_ns)
        back = np.array([[np.cos(turn) - 1, -np.sin(turn)], [np.sin(turn), np.cos(turn) - 1]])
        slid_mm = {card: back @ one for card, one in away_mm.items()}
        return {
            card: Pose(float(x_mm), float(y_mm), float(-np.rad2deg(turn)))
            for card, (x_mm, y_mm) in slid_mm.items()
        }

    return _moving(field, poses)


def creep(scene: Scene, size_mm: float) -> Edit:
    """Let one player's mat creep with all its cards for most of a second around the first touch."""
    field, dice = scene.field, scene.dice
    side = ("near", "far")[int(dice.integers(2))]
    way_px, takes_ns = _any_way(dice) * size_mm * field.px_per_mm, 800e6
    begins_ns = scene.impact_ns - dice.uniform(0.2, 0.8) * takes_ns
    rows = slice(field.middle_px, None) if side == "near" else slice(None, field.middle_px)

    def edit(gray: Gray, now_ns: int) -> Gray:
        # whatever lies over the mat moves with it: by no more than two millimetres
        x_px, y_px = way_px * _step(now_ns - begins_ns, takes_ns)
        seen = gray.copy()
        seen[rows] = _shifted(gray, np.array([[1.0, 0.0, x_px], [0.0, 1.0, y_px]]))[rows]
        return seen

    return edit


def blast(scene: Scene, size_mm: float) -> Edit | None:
    """Blow up to three untouched cards along in the wake of a hand, with a turn."""
    field, dice = scene.field, scene.dice
    struck = [card for card in field.moved if card in field.corners_px]
    if not struck:
        return None
    reach_mm = 170.0
    near = [
        card
        for card in field.still
        if min(float(np.hypot(*(field.centre_mm(card) - field.centre_mm(one)))) for one in struck) < reach_mm
    ]
    if not near:
        return None
    way, takes_ns, blown = _any_way(dice), 110e6, {}
    for card in dice.permutation(near)[:3].tolist():
        length_mm, turn_deg = size_mm * dice.uniform(0.5, 1.0), size_mm * dice.uniform(-0.8, 0.8)
        blown[int(card)] = (way * length_mm, turn_deg, scene.impact_ns + dice.uniform(15e6, 70e6))

    def poses(now_ns: int) -> dict[int, Pose]:
        found = {}
        for card, (way_mm, turn_deg, begins_ns) in blown.items():
            phase = float(np.clip((now_ns - begins_ns) / takes_ns, 0.0, 1.0))
            share = 1 - (1 - phase) ** 2  # a gust that friction brakes
            x_mm, y_mm = (float(mm) for mm in way_mm * share)
            found[card] = Pose(x_mm, y_mm, turn_deg * share)
        return found

    return _moving(field, poses)


def still(scene: Scene, left_mm: float) -> Edit | None:
    """Let fingers press their cards without moving them, or by no more than this."""
    field, slides = scene.field, []
    for card, t_ns in field.pressed_ns.items():
        ended, back = field.ended(scene.after, card)
        slid_mm = float(np.hypot(back.x_mm, back.y_mm))
        share = 1 - min(1.0, left_mm / max(slid_mm, 1e-6))
        slides.append((t_ns, ended, card, Pose(share * back.x_mm, share * back.y_mm, share * back.turn_deg)))
    if not slides:
        return None
    slid_ns = 10_000_000  # about half of the way of a press

    def edit(gray: Gray, now_ns: int) -> Gray:
        for t_ns, ended, card, back in slides:
            if now_ns > t_ns + slid_ns:
                gray = ended.moved_by(gray, {card: back})
        return gray

    return edit


def stranger(scene: Scene, size_mm: float) -> Edit | None:
    """Let somebody reach over the field from the left or right and push a card that nobody plays."""
    field, dice = scene.field, scene.dice
    aside = [card for card in field.still if card != field.poem]
    if not aside:
        return None
    card = int(aside[int(dice.integers(len(aside)))])
    centre_px, width = field.corners_px[card].mean(axis=0), field.rest.shape[1]
    edge_px = np.array([0.0 if centre_px[0] < width / 2 else width, centre_px[1] + dice.uniform(-60, 60)])
    t_ns, way_mm = scene.impact_ns + dice.uniform(-150e6, 250e6), _any_way(dice) * size_mm
    come_ns, lie_ns, leave_ns = 110e6, 150e6, 150e6
    skin, wide_mm, hand_mm = 0.55 * float(np.median(field.rest)), 70.0, 45.0

    def edit(gray: Gray, now_ns: int) -> Gray:
        x_mm, y_mm = (float(mm) for mm in way_mm * _step(now_ns - t_ns, 20e6))
        seen = field.moved_by(gray, {card: Pose(x_mm, y_mm)})
        share = min(_step(now_ns - t_ns + come_ns, come_ns), 1 - _step(now_ns - t_ns - lie_ns, leave_ns))
        if share <= 0:
            return seen
        tip = tuple(int(px) for px in np.rint(edge_px + (centre_px - edge_px) * share))
        arm = seen.copy()
        root = (int(edge_px[0]), int(edge_px[1]))
        cv2.line(arm, root, tip, skin, round(wide_mm * field.px_per_mm), cv2.LINE_AA)
        cv2.circle(arm, tip, round(hand_mm * field.px_per_mm), skin, -1, cv2.LINE_AA)
        return np.asarray(cv2.blur(arm, (3, 3)), np.uint8)

    return edit


def tremble(scene: Scene, size_mm: float) -> Edit:
    """Let the camera tremble after the first impact, at 3 to 25 Hz, fading soon or only after a while."""
    field, dice, t_ns = scene.field, scene.dice, scene.impact_ns
    hz, fades_s = (8.0, 0.08) if dice.uniform() < 0.5 else (dice.uniform(3, 25), dice.uniform(0.08, 0.6))
    way_px, turn_deg_per_mm = _any_way(dice) * size_mm * field.px_per_mm, dice.uniform(-0.03, 0.03)
    height, width = field.rest.shape

    def edit(gray: Gray, now_ns: int) -> Gray:
        since_s = (now_ns - t_ns) / 1e9
        if since_s <= 0:
            return gray
        swing = float(np.sin(2 * np.pi * hz * since_s) * np.exp(-since_s / fades_s))
        warp = cv2.getRotationMatrix2D((width / 2, height / 2), turn_deg_per_mm * size_mm * swing, 1.0)
        warp = warp + np.column_stack([np.zeros((2, 2)), way_px * swing])
        return _shifted(gray, np.asarray(warp, np.float64))

    return edit


def ripple(scene: Scene, share: float) -> Edit:
    """Let the lamps ripple at nearly 120 Hz, seen row by row."""
    readout_s = scene.field.readout_s or 0.0086
    hz, phase = 119.6, scene.dice.uniform(0, 2 * np.pi)

    def edit(gray: Gray, now_ns: int) -> Gray:
        rows_s = now_ns / 1e9 + (np.arange(len(gray)) / len(gray) - 0.5) * readout_s
        light = 1 + share * np.sin(2 * np.pi * hz * rows_s + phase)
        return np.asarray(np.clip(gray * light.astype(np.float32)[:, None], 0, 255), np.uint8)

    return edit


def smear(_: Scene, share: float) -> Edit:
    """Mix each picture with those before it, as a camera does that takes noise away over time."""
    kept: list[Floats] = []

    def edit(gray: Gray, _: int) -> Gray:
        mixed = gray.astype(np.float32) if not kept else share * kept.pop() + (1 - share) * gray
        kept.append(np.asarray(mixed, np.float32))
        return np.clip(np.rint(mixed), 0, 255).astype(np.uint8)

    return edit


@dataclass(frozen=True, slots=True)
class Kind:
    """A way of editing, with its strengths and their unit."""

    make: Callable[[Scene, float], Edit | None]
    unit: str
    strengths: tuple[float, ...]


KINDS: Final[Mapping[str, Kind]] = {
    "shock": Kind(shock, "mm", (0.25, 0.5, 0.8, 1.0, 2.0)),
    "shift": Kind(shift, "mm", (0.25, 0.4, 0.8, 1.0, 2.0)),
    "still": Kind(still, "mm", (0.0, 0.05, 0.1, 0.15, 0.2)),
    "stranger": Kind(stranger, "mm", (0.5, 1.0, 2.0, 6.0, 15.0)),
    "wrinkle": Kind(wrinkle, "mm", (0.5, 0.8, 1.0, 2.0, 3.0)),
    "tug": Kind(tug, "mm", (0.8, 1.4, 2.0, 3.0, 4.0)),
    "tremble": Kind(tremble, "mm", (0.2, 0.5, 0.93, 1.4, 2.0)),
    "creep": Kind(creep, "mm", (0.2, 0.4, 0.8, 1.2, 2.0)),
    "blast": Kind(blast, "mm", (0.5, 1.0, 3.0, 7.0, 15.0)),
    "ripple": Kind(ripple, "share", (0.05, 0.1, 0.18, 0.25, 0.35)),
    "smear": Kind(smear, "share", (0.3, 0.5, 0.65, 0.75, 0.85)),
}
"""Every edit by name."""
