"""The scenes: in each of them one thing lacks."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Self

import cv2
import numpy as np

from benchmarks.degradation.film import Pictures
from desk.karuta.eye.microphone import HitEar
from desk.karuta.readers.human_reader import HumanReader
from desk.karuta.readers.reader import NoReader, Reader, Sound
from desk.karuta.readers.recital import Recital
from desk.panel.reciter.port import SOUND_LOST
from recitation.playback.stream_clock import StreamClock
from recitation.sound.clip import Wave
from vision.simulator.drawing.disturbances import (
    Bystander,
    Disturbance,
    Dusk,
    Hunting,
    Knock,
    Ripple,
    disturbed,
)

BEGINS_S = 1.0
"""From then on something lacks; the first poem is read at 1.5 s."""
FPS = 60.0


@dataclass(frozen=True)
class Scene:
    """Something lacks.

    Attributes
    ----------
    name : for the table.
    says : the warnings of which the page has to show one.
    spoil : what becomes of the pictures.
    fps, filmed_fps : what the camera promises, and at which rate the match is filmed.
    script : cards in a hand that nobody can read.
    reader, ear : makes who reads, and who listens for hits, where that is what lacks.
    starved : so many other programs work on the only core; the camera waits for nobody.
    begins_s : when it begins.
    """

    name: str
    says: frozenset[str]
    spoil: Callable[[Pictures], Pictures] = lambda pictures: pictures
    fps: float = FPS
    filmed_fps: float = FPS
    script: bool = False
    reader: Callable[[], Reader] = NoReader
    ear: Callable[[], HitEar] | None = None
    starved: int = 0
    begins_s: float = BEGINS_S


def spoilt(*what: Disturbance) -> Callable[[Pictures], Pictures]:
    """Return what lets these disturbances spoil pictures."""
    return partial(disturbed, disturbances=what)


def every(step: int, pictures: Pictures) -> Pictures:
    """Leave out all pictures but each `step`th."""
    return (each for number, each in enumerate(pictures) if number % step == 0)


def small(pictures: Pictures, width_px: int = 640) -> Pictures:
    """Shrink pictures of 16:9 to a width."""
    size_px = width_px, width_px * 9 // 16
    for t_ns, picture in pictures:
        yield t_ns, np.asarray(cv2.resize(picture, size_px, interpolation=cv2.INTER_AREA), np.uint8)


class Silence:
    """A microphone that is pulled out a second after it was opened; see `SoundIn`."""

    overflows = 0

    def __init__(self) -> None:
        self.clock = StreamClock()
        self._begins_s = time.monotonic() + BEGINS_S

    @property
    def problem(self) -> str | None:
        """Why nothing is heard."""
        return "the microphone is gone" if time.monotonic() > self._begins_s else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None: ...

    def blocks(self, timeout_s: float = 0.0) -> list[Wave]:
        """Wait for a while and return nothing."""
        time.sleep(min(timeout_s, 0.05))
        return []


class LostLoudspeaker(NoReader):
    """A reader whose sound device is pulled out; the poems come with the film."""

    def __init__(self) -> None:
        self._begins_s = time.monotonic() + BEGINS_S

    def sounds(self) -> Sequence[Sound]:
        """Return nothing, and notice that the device is gone."""
        if time.monotonic() > self._begins_s:
            self.problem = SOUND_LOST
        return ()


SCENES = (
    Scene("nothing lacks", frozenset()),
    Scene("10 pictures a second", frozenset({"few_pictures"}), partial(every, 6), fps=10.0),
    Scene("640 x 360", frozenset({"small_cards"}), small),
    Scene("dim light", frozenset({"dark"}), spoilt(Dusk(BEGINS_S, 0.25, 6.0))),
    Scene("flicker of 50 Hz mains", frozenset({"unsteady_light"}), spoilt(Ripple(BEGINS_S, 100.0, 0.3))),
    Scene(
        "flicker of 60 Hz mains, 50 a second",
        frozenset({"unsteady_light"}),
        spoilt(Ripple(BEGINS_S, 120.0, 0.3)),
        fps=50.0,
        filmed_fps=50.0,
    ),
    Scene(
        "slow beat, lamps 0.1 Hz beside the camera",
        frozenset({"unsteady_light"}),
        spoilt(Ripple(BEGINS_S, 119.9, 0.3)),
    ),
    Scene("hunting autofocus", frozenset({"blurred"}), spoilt(Hunting(BEGINS_S, 2.5, 4.0))),
    Scene(
        "bumped camera", frozenset({"camera_moved"}), spoilt(Knock(4.1, (0.012, -0.008), 0.8)), begins_s=4.1
    ),
    Scene("blocked view", frozenset({"view_blocked"}), spoilt(Bystander(BEGINS_S, 60.0, 0.45))),
    Scene("cards that cannot be read", frozenset({"no_card_read"}), script=True),
    Scene("no sound", frozenset({"reader_lost"}), reader=LostLoudspeaker),
    Scene(
        "no microphone, a person reads",
        frozenset({"reader_unheard"}),
        reader=lambda: HumanReader(Silence(), Recital(0.9, joka=False)),
    ),
    Scene("no microphone for hits", frozenset({"no_ear"}), ear=lambda: HitEar(Silence())),
    Scene("one starved core", frozenset({"late", "low_fps", "few_pictures", "drops"}), starved=6),
)
