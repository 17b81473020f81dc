"""Film episodes: one camera's pictures of what a script says, on that camera's own clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from referee.layout import Layout
from vision.simulator.drawing.camera import Camera
from vision.simulator.drawing.sensor import Flash, Sensor, frame_times
from vision.simulator.drawing.shutter import Shutter
from vision.simulator.drawing.sprites import Pixels
from vision.simulator.drawing.style import Style
from vision.simulator.hall.renderer import Renderer
from vision.simulator.hall.scene import Scene
from vision.simulator.play.episode import Episode


def draw_shutter(hall: Style, fps: float, dice: np.random.Generator) -> Shutter:
    """Draw a random shutter that a camera with this frame rate can have."""
    # Largest exposure and read-out, as shares of a frame's time.
    longest_open = 0.9
    return Shutter(
        min(float(dice.uniform(*hall.exposure_s)), longest_open / fps),
        min(float(dice.uniform(*hall.readout_s)), longest_open / fps),
    )


@dataclass(frozen=True)
class Filming:
    """One camera in a hall."""

    hall: Style
    camera: Camera
    shutter: Shutter
    fps: float  # nominal frames a second
    # random generator of the floor's pattern, the same for all cameras of a hall
    floor: Callable[[], np.random.Generator]
    # noise, rhythm: random generators of the sensor and of the frames' times
    noise: Callable[[], np.random.Generator]
    rhythm: Callable[[], np.random.Generator]
    flash: Flash | None = None
    clock_s: float = 0.0  # time on the camera's clock when the match begins

    def pictures(
        self, start: Layout, episodes: Iterable[Episode], *, in_colour: bool
    ) -> Iterator[tuple[int, Pixels]]:
        """Yield instant, nanoseconds, and picture of each frame: gray, or blue-green-red."""
        size = self.camera.width_px, self.camera.height_px
        renderer = Renderer(self.hall, self.camera, self.shutter, self.floor(), in_colour=in_colour)
        sensor = Sensor(self.hall, size, self.shutter, self.noise(), in_colour=in_colour, flash=self.flash)
        times = frame_times(self.fps, self.hall, self.shutter, self.rhythm())
        renderer.lay(start)
        t_s = next(times)
        for episode in episodes:
            scene = Scene(episode, self.hall.sway_m)
            while t_s < episode.end_s:
                shown_ns = round((t_s + self.clock_s) * 1e9)
                if shown_ns >= 0:  # before that the camera was not running yet
                    yield shown_ns, sensor.expose(renderer.draw(scene, t_s), t_s)
                t_s = next(times)
            if episode.gone is not None:
                renderer.remove(episode.gone)
