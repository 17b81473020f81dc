"""The match of a trial: drawn once, kept in `benchmarks/cache`, and shown as a scene leaves it."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np

from benchmarks.places import CACHE
from calibration.files.storage import writing
from vision.simulator.art.glyphs import load_typeface
from vision.simulator.drawing.sprites import Pixels
from vision.simulator.hall import torifuda
from vision.simulator.hall.match import Pace, SimulatedMatch

Pictures = Iterator[tuple[int, Pixels]]
Film = list[tuple[int, Pixels]]
"""Instants in nanoseconds, and the bytes of each picture's JPEG, shape (bytes,), uint8."""
CARDS = 8


class FilmedMatch(SimulatedMatch):
    """A match that is drawn once, kept as JPEG, and shown as a scene leaves it.

    Attributes
    ----------
    film : its pictures.
    spoil : what the scene makes of them.
    """

    def __init__(self, seed: int, poems: int, fps: float, script: bool) -> None:
        super().__init__(seed, fps, cards_per_side=CARDS, pace=Pace(first_s=1.5))
        self.poems = self.poems[:poems]
        self.spoil: Callable[[Pictures], Pictures] = lambda pictures: pictures
        name = f"degradation-{seed}-{poems}-{fps:g}{'-script' if script else ''}"
        with _scrawled() if script else nullcontext():
            self.film = kept(name, super().pictures)

    def pictures(self) -> Pictures:
        """Yield the pictures of the scene."""
        return self.spoil(
            (t_ns, np.asarray(cv2.imdecode(jpeg, cv2.IMREAD_GRAYSCALE), np.uint8)) for t_ns, jpeg in self.film
        )


def kept(name: str, pictures: Callable[[], Pictures]) -> Film:
    """Return a film of `benchmarks/cache`, which a process of its own draws where it is not there.

    Its bytes stay on the disk until they are looked at.
    """
    jpeg, index = CACHE / f"{name}.npy", CACHE / f"{name}.npz"
    if not index.is_file():
        CACHE.mkdir(exist_ok=True)
        artist = multiprocessing.get_context("fork").Process(target=_draw, args=(jpeg, index, pictures))
        artist.start()
        artist.join()
    with np.load(index) as film:
        ends = np.cumsum(film["sizes"])
        return list(zip(film["t_ns"].tolist(), np.split(np.load(jpeg, "r"), ends[:-1]), strict=True))


def _draw(jpeg: Path, index: Path, pictures: Callable[[], Pictures]) -> None:
    drawn = [(t_ns, jpeg_of(picture)) for t_ns, picture in pictures()]
    with writing(jpeg) as file:
        np.save(file, np.frombuffer(b"".join(each for _, each in drawn), np.uint8))
    with writing(index) as file:
        np.savez(file, t_ns=[t_ns for t_ns, _ in drawn], sizes=[len(each) for _, each in drawn])


def jpeg_of(picture: Pixels) -> bytes:
    """Return a picture as JPEG."""
    done, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 92])
    assert done
    return jpeg.tobytes()


@contextmanager
def _scrawled() -> Iterator[None]:
    """Let the simulator draw kana as strokes that mean nothing."""

    def scrawl(name: str) -> dict[str, Any]:
        made = {}
        for kana, glyph in load_typeface(name).items():
            strokes = np.random.default_rng(ord(kana)).uniform(0.1, 0.9, (3, 4, 2))
            picture = np.zeros_like(glyph)
            points = np.rint(strokes * glyph.shape[0]).astype(np.int32)
            cv2.polylines(picture, list(points), False, 255, max(2, glyph.shape[0] // 12))
            made[kana] = picture
        return made

    torifuda.card_sprite.cache_clear()
    with patch.object(torifuda, "load_typeface", scrawl):
        yield
    torifuda.card_sprite.cache_clear()
