"""A film that is edited while it is watched, and the clips to edit."""

from __future__ import annotations

import json
import zlib
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from benchmarks.disturbances.field import Field
from benchmarks.disturbances.scene import KINDS, Edit, Scene
from benchmarks.places import CACHE, SHARED
from vision.frames.frame import Frame, Gray
from vision.simulator import SCENARIOS, single_poem, write_recording
from vision.sources.video_file import VideoSource

FIRST_SEED = 610_000  # of the fresh simulated clips; every clip after the first has the next one


class EditedFilm(VideoSource):
    """A film whose pictures are edited before anybody sees them.

    `edit`: what is done to each picture; None for nothing. `every`: only every n-th picture comes.
    """

    edit: Edit | None = None
    every = 1

    def __iter__(self) -> Iterator[Frame]:
        for index, frame in enumerate(super().__iter__()):
            self.glances = False  # an edited picture has no glance
            if index % self.every == 0:
                gray = frame.gray if self.edit is None else self.edit(frame.gray, frame.t_ns)
                yield replace(frame, picture=gray, jpeg=None, render_colour=None)
            self.glances = False


class Clip:
    """A recording of one poem.

    Attributes
    ----------
    folder : where it lies.
    every : only every n-th of its pictures is used.
    truth : what truly happens.
    """

    def __init__(self, folder: Path, every: int = 1) -> None:
        self.folder, self.every = folder, every
        self.truth = json.loads((folder / "truth.json").read_text("utf-8"))
        self.truth["meta"]["fps"] /= every

    @classmethod
    def at_rates(cls, folder: Path, rates: Sequence[float]) -> Sequence[Clip]:
        """Return a recording seen at each of some rates that its pictures give, or else at its own."""
        whole = cls(folder)
        fps = whole.truth["meta"]["fps"]
        found = [cls(folder, round(fps / rate)) for rate in rates if fps % rate == 0]
        return found or [whole]

    @property
    def name(self) -> str:
        """Its folder, the folder around it, and its rate."""
        return f"{self.folder.parent.name}/{self.folder.name}@{self.truth['meta']['fps']:.0f}"

    def edit(self, kind: str, strength: float) -> Edit | None:
        """Return an edit for it; None if there is nothing to edit in this way."""
        seed = zlib.crc32(f"{self.name} {kind} {strength}".encode())
        return KINDS[kind].make(replace(_scene(self.folder), dice=np.random.default_rng(seed)), strength)


@lru_cache(maxsize=4)  # a scene holds some tens of pictures
def _scene(folder: Path) -> Scene:
    """Look at a recording as it is."""
    film = folder / "video.mkv"
    field = Field.of(json.loads((folder / "truth.json").read_text("utf-8")), VideoSource(film))
    begins_ns = field.starts_ns if field.first_ns is None else field.first_ns - 60_000_000
    ends_ns = begins_ns + (1_500_000_000 if field.first_ns is None else 320_000_000)
    step_ns, action = 33_000_000, list[Frame]()
    last = deque[Gray](maxlen=4)
    for frame in VideoSource(film):
        last.append(frame.gray)
        if begins_ns <= frame.t_ns <= ends_ns and (not action or frame.t_ns - action[-1].t_ns >= step_ns):
            action.append(frame)
    return Scene(field, action, np.mean(last, axis=0).astype(np.float32), np.random.default_rng(0))


def recorded(folders: Sequence[str]) -> Iterator[Path]:
    """Yield the recordings of one poem in folders of the shared test data."""
    for folder in folders:
        for path in sorted((SHARED / folder).glob("*/truth.json")):
            if len(json.loads(path.read_text("utf-8"))["poems"]) == 1:
                yield path.parent


def simulated(count: int, style: str = "holdout", first_seed: int = FIRST_SEED) -> Iterator[Path]:
    """Yield recordings of the product's own simulator, scenario by scenario; they are made once."""
    names = list(SCENARIOS)
    for number in range(count):
        scenario, fps = names[number % len(names)], (60, 30, 120)[number % 3]
        folder = CACHE / "disturbances" / f"{first_seed + number}-{scenario}-{fps}"
        if not (folder / "truth.json").exists():
            write_recording(single_poem(scenario, first_seed + number, fps=fps, style=style), folder)
        yield folder
