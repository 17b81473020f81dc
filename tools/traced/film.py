"""Draw a match picture by picture: only where it differs from the hall at rest, and only once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from traced import rectangles
from traced.choreography import Shot, shots, shutter_of
from traced.hall import Hall
from traced.rectangles import COARSER, Box, Light
from vision.simulator import SimulatedMatch
from vision.simulator.drawing.sensor import frame_times
from vision.simulator.drawing.sprites import Pixels
from vision.simulator.hall.scene import Scene


class Stage(Protocol):
    """What draws a scene: `traced.stage.TracedStage`, or a test's."""

    def show(self, shot: Shot) -> None:
        """Put everything where it is in a shot."""

    def draw(self, box: Box | None = None, *, coarse: bool = False) -> Light:
        """Return the linear light (height, width, 3) of a box, of the whole, or of the whole coarsely."""


class Film:
    """The pictures of a match in a hall.

    `folder`: where the light of finished pictures is kept, so that a film broken off goes on. `staged`:
    builds the stage; called once there is a picture to draw.
    """

    def __init__(self, match: SimulatedMatch, hall: Hall, folder: Path, staged: Callable[[], Stage]) -> None:
        self._match, self._hall, self._folder, self._staged = match, hall, folder, staged
        self._drawn: tuple[Stage, Light, Light] | None = None

    @cached_property
    def shots(self) -> list[Shot]:
        """Return the scene of each picture."""
        (episode,) = self._match.episodes()
        rng = np.random.default_rng([self._hall.seed, 662])
        times, shutter = [], shutter_of(self._match)
        for t_s in frame_times(self._match.fps, self._hall.style, shutter, rng):
            if t_s >= episode.end_s:
                break
            times.append(t_s)
        return [*shots(Scene(episode), shutter, times, self._hall.style.tumble_rad_per_m)]

    def pictures(self) -> Iterator[tuple[int, Pixels]]:
        """Yield instant, nanoseconds, and picture, blue, green, red, drawing what is not drawn yet."""
        self._folder.mkdir(parents=True, exist_ok=True)
        rng = np.random.default_rng([self._hall.seed, 663])
        gain, last, light = 0.0, None, None
        for number, shot in enumerate(self.shots):
            if last is None or light is None or not shot.shows_the_same(last):
                light = self._light(number, shot)
            gain = gain or self._hall.webcam.gain(light)
            last = shot
            yield round(shot.t_s * 1e9), self._hall.webcam.expose(light, gain, shot.t_s, rng)

    def _light(self, number: int, shot: Shot) -> Light:
        """Return a picture's light, drawn now or before."""
        place = self._folder / f"{number:04}.png"
        if place.exists():
            return unpacked(np.asarray(cv2.imread(str(place), cv2.IMREAD_UNCHANGED), np.uint16))
        light = self.draw(shot)
        unfinished = place.with_suffix(".part.png")
        cv2.imwrite(str(unfinished), packed(light))
        unfinished.replace(place)
        return light

    def draw(self, shot: Shot) -> Light:
        """Draw one picture."""
        if self._drawn is None:
            stage = self._staged()
            stage.show(self.shots[0])
            self._drawn = stage, stage.draw(), stage.draw(coarse=True)
        # Both pictures hold each place as it was when it was last drawn finely.
        stage, fine, coarse = self._drawn
        stage.show(shot)
        now = stage.draw(coarse=True)
        fresh = [(box, stage.draw(box)) for box in rectangles.changed_boxes(now, coarse)]
        picture = rectangles.pasted(rectangles.relit(fine, now, coarse), fresh)
        for (left, top, right, bottom), part in fresh:
            fine[top:bottom, left:right] = part
            across, down = (slice(a // COARSER, -(-b // COARSER)) for a, b in ((left, right), (top, bottom)))
            coarse[down, across] = now[down, across]
        return picture


def packed(light: Light) -> NDArray[np.uint16]:
    """Return light as 16 bits, finer where it is dark."""
    return np.asarray(np.clip(np.rint(np.sqrt(np.maximum(light, 0) / 16) * 65535), 0, 65535), np.uint16)


def unpacked(bits: NDArray[np.uint16]) -> Light:
    """Return the light that was packed."""
    return np.asarray((bits.astype(np.float32) / 65535) ** 2 * 16, np.float32)


def told(hall: Hall, truth: Path) -> None:
    """Add the hall to a recording's truth."""
    known = json.loads(truth.read_text("utf-8"))
    known["meta"]["set"] = "traced"
    known["meta"]["conditions"] |= {
        "style": "traced",
        "hall": hall.seed,
        "floor": hall.floor,
        "sleeves": [hall.people.near.sleeve, hall.people.far.sleeve],
        "sunny": hall.stripes is not None,
        "lamps": len(hall.tubes),
    }
    truth.write_text(json.dumps(known, ensure_ascii=False), encoding="utf-8")
