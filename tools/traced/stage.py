"""A hall with its people and cards, built for the path tracer."""

from __future__ import annotations

import numpy as np

from referee.facts import Hand
from referee.sides import Side
from traced import floors, shapes
from traced.choreography import BENDS, Shot, camera_matrix, card_name, hand_name, shutter_of
from traced.hall import Hall, Person
from traced.rectangles import Box, Light
from traced.tracer import Stuff, Tracer
from vision.simulator import SimulatedMatch
from vision.simulator.hall.table import card_sprite


class TracedStage:
    """One match's hall; a process has one at a time.

    `samples`: light paths for each pixel, before the denoiser.
    """

    def __init__(self, match: SimulatedMatch, hall: Hall, samples: int) -> None:
        self._hall, shutter = hall, shutter_of(match)
        open_share = shutter.exposure_s / (shutter.exposure_s + shutter.readout_s)
        tracer = Tracer(match.size, samples, open_share, hall.seed % 2**31)
        self._tracer = tracer
        tracer.camera(*camera_matrix(match.camera))
        tracer.sky(hall.ambient)
        for tube in hall.tubes:
            tracer.tube(tube.at, tube.size_m, tube.power_w)
        rng = np.random.default_rng([hall.seed, 664])
        blue_first = hall.floor_colour[2], hall.floor_colour[1], hall.floor_colour[0]
        colour, relief = floors.FLOORS[hall.floor](blue_first, rng)
        tracer.material("floor", Stuff(picture=colour, relief=relief, rough=0.65, relief_m=0.0012))
        tracer.material("beyond", Stuff(hall.floor_colour, rough=0.8))
        _lay(tracer, "floor", floors.SIZE_M, 0.0)
        _lay(tracer, "beyond", (6.0, 6.0), -0.002)
        if hall.stripes is not None:
            tracer.sun(*hall.stripes)
            _hang_blind(tracer, hall.stripes[0], hall.stripes[1])
        for side, person in hall.people.items():
            _seat(tracer, side, person)
        tracer.material("back", Stuff((0.03, 0.075, 0.025), rough=0.5))
        for placed in match.start:
            if placed.card is not None:
                self._print(tracer, placed.card, rng)

    def show(self, shot: Shot) -> None:
        """Put everything where it is in a shot."""
        for name, bend in shot.bends.items():
            self._tracer.put(name, f"{name} {bend}")
        for name, matrices in shot.places.items():
            self._tracer.place(name, matrices)

    def draw(self, box: Box | None = None, *, coarse: bool = False) -> Light:
        """Return the linear light (height, width, 3) of a box, of the whole, or of the whole coarsely."""
        return self._tracer.draw(box, coarse=coarse)

    def _print(self, tracer: Tracer, card: int, rng: np.random.Generator) -> None:
        """Make a card, bent as its years bent it."""
        px_per_m = 3000.0
        sprite = card_sprite(card, self._hall.style, px_per_m, in_colour=True)
        middle = np.array(sprite.origin_px) + 0.5
        half = np.array(shapes.CARD_HALF_M) * px_per_m
        (left, top), (right, bottom) = np.rint(middle - half).astype(int), np.rint(middle + half).astype(int)
        face = np.ascontiguousarray(sprite.colour[top:bottom, left:right])
        name = card_name(card)
        tracer.material(name, Stuff(picture=face, rough=self._hall.gloss, coat=0.25))
        sag_m, twist_m = float(rng.normal(0, 0.0006)), float(abs(rng.normal(0, 0.0004)))
        points, faces, uv, kinds = shapes.card(sag_m, twist_m)
        tracer.mesh(name, points, faces, [name, "back"], uv=uv, kinds=kinds)
        tracer.put(name, name)


def _lay(tracer: Tracer, name: str, size_m: tuple[float, float], height_m: float) -> None:
    x, y = size_m[0] / 2, size_m[1] / 2
    points = np.array([[-x, -y, height_m], [x, -y, height_m], [x, y, height_m], [-x, y, height_m]])
    uv = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    tracer.mesh(name, points, [(0, 1, 2, 3)], [name], uv=uv)
    tracer.put(name, name)


def _hang_blind(tracer: Tracer, azimuth_rad: float, height_rad: float) -> None:
    """Hang a blind with gaps between the sun and the field, farther off than any camera sees."""
    way = np.array([np.cos(azimuth_rad), np.sin(azimuth_rad), np.tan(height_rad)])
    across = np.array([-np.sin(azimuth_rad), np.cos(azimuth_rad), 0.0])
    up = np.array([0.0, 0.0, 1.0])
    pitch_m, slat_m, half_m = 0.22, 0.15, 2.0
    points: list[np.typing.NDArray[np.float64]] = []
    faces = []
    for row in range(-9, 10):
        low = way * 1.6 + up * (row * pitch_m)
        high = low + up * slat_m
        faces.append(tuple(range(len(points), len(points) + 4)))
        points += [
            low - across * half_m,
            low + across * half_m,
            high + across * half_m,
            high - across * half_m,
        ]
    tracer.material("blind", Stuff((0.5, 0.5, 0.48)))
    tracer.mesh("blind", np.array(points), faces, ["blind"])
    tracer.put("blind", "blind")


def _seat(tracer: Tracer, side: Side, person: Person) -> None:
    """Make one player's meshes."""
    skin, cloth, hair = f"{side} skin", f"{side} cloth", f"{side} hair"
    tracer.material(skin, Stuff(person.skin, rough=0.5, tinted=True, under=0.12))
    tracer.material(cloth, Stuff(person.cloth, rough=0.9, sheen=0.3))
    tracer.material(hair, Stuff(person.hair, rough=0.4))
    for hand in Hand:
        name = hand_name(side, hand)
        for bend in range(BENDS):
            parts = shapes.hand(person.build, bend / (BENDS - 1), is_left=hand is Hand.LEFT)
            points, faces = tracer.grown_together(parts, 0.0022)
            tracer.mesh(
                f"{name} {bend}", points, faces, [skin], tint=shapes.skin_tint(points, parts, person.skin)
            )
        tracer.put(name, f"{name} 0")
        _dress(tracer, f"{side} {hand}", person, skin, cloth, wears_watch=person.watch and hand is Hand.LEFT)
    body = (("trunk", shapes.trunk(), cloth), ("legs", shapes.legs(), cloth), ("head", shapes.head(), skin))
    for part, capsules, stuff in body:
        points, faces = tracer.grown_together(capsules, 0.014)
        tint = np.tile(np.array(person.skin), (len(points), 1))
        tracer.mesh(f"{side} {part}", points, faces, [stuff], tint=tint)
        tracer.put(f"{side} {part}", f"{side} {part}")
    points, faces = tracer.grown_together(shapes.hair(), 0.006)
    tracer.mesh(hair, points, faces, [hair])
    tracer.put(hair, hair)


def _dress(tracer: Tracer, arm: str, person: Person, skin: str, cloth: str, *, wears_watch: bool) -> None:
    """Make a forearm and an upper arm with their sleeves."""
    for part, ends in (("forearm", (0.025, 0.04)), ("upper arm", (0.042, 0.052))):
        name = f"{arm} {part}"
        points, faces = tracer.grown_together(shapes.limb(*ends), 0.01)
        kinds, stuffs = [0] * len(faces), [skin, cloth]
        tint = np.tile(np.array(person.skin), (len(points), 1))
        worn = shapes.worn(person.sleeve, part, seed=len(arm))
        if wears_watch and part == "forearm":
            worn = [*worn, shapes.ring(0.08, 0.031)]
        for more, sides in worn:
            faces = faces + [tuple(len(points) + k for k in side) for side in sides]
            kinds += [1] * len(sides)
            points = np.vstack([points, more])
            tint = np.vstack([tint, np.zeros((len(more), 3))])
        tracer.mesh(name, points, faces, stuffs, kinds=np.array(kinds), tint=tint)
        tracer.put(name, name)
