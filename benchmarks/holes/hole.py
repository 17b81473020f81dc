"""Stretches that are cut out of films, as a camera or a recorder that falters leaves them."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from unittest.mock import patch

from vision.frames.frame import Frame
from vision.sources.video_file import VideoSource

SHORTEST_MS, LONGEST_MS = 12.0, 3000.0


@dataclass(frozen=True, slots=True)
class Hole:
    """A stretch of a film whose pictures are left out; all others keep their instants."""

    from_ms: float
    to_ms: float

    @property
    def length_ms(self) -> float:
        """How long it is."""
        return self.to_ms - self.from_ms

    def swallows(self, t_ns: int) -> bool:
        """Tell whether a picture taken at an instant is left out."""
        return self.from_ms * 1e6 <= t_ns < self.to_ms * 1e6


def hole_within(from_ms: float, to_ms: float, dice: random.Random) -> Hole:
    """Return a hole at a random place between two instants of a film.

    Short ones are as frequent as long ones: lengths are even as logarithms.
    """
    longest_ms = min(LONGEST_MS, to_ms - from_ms)
    length_ms = math.exp(dice.uniform(math.log(SHORTEST_MS), math.log(longest_ms)))
    begins_ms = dice.uniform(from_ms, to_ms - length_ms)
    return Hole(begins_ms, begins_ms + length_ms)


class CutVideo(VideoSource):
    """A video without the pictures of some holes."""

    holes: Sequence[Hole] = ()

    def _frames(self) -> Iterator[Frame]:
        for frame in super()._frames():
            if not any(hole.swallows(frame.t_ns) for hole in self.holes):
                yield frame


def cut(reader: str, holes: Sequence[Hole]) -> AbstractContextManager[object]:
    """Return what lets a module read its films with holes in them.

    Parameters
    ----------
    reader : the module's name, which opens films by the name `VideoSource`.
    holes : what is left out of them.
    """
    made = type("CutVideo", (CutVideo,), {"holes": tuple(holes)})
    return patch(f"{reader}.VideoSource", partial(made))
