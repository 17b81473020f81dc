"""A network camera over a mat on which nothing moves, until somebody plays there."""

import threading
from collections.abc import Iterable, Iterator
from itertools import count

import cv2

from tests.vision.sources.http_camera import Part
from vision.frames.frame import Frame


class WaitingMat:
    """What such a camera sends; `Script` of `http_camera` takes it as a connection.

    Parameters
    ----------
    pictures : of one poem, and what comes after.
    poem_ms : when the poem begins on their clock.
    fps : pictures a second that are sent.
    """

    def __init__(self, pictures: Iterable[Frame], poem_ms: float, fps: float) -> None:
        jpegs = [(f.t_ns / 1e6, cv2.imencode(".jpg", f.gray)[1].tobytes()) for f in pictures]
        self._rest = [jpeg for t_ms, jpeg in jpegs if t_ms < poem_ms]
        self._play = [jpeg for t_ms, jpeg in jpegs if t_ms >= poem_ms]
        self._fps = fps
        self.is_played = threading.Event()
        """Set it, and the play begins."""

    def __iter__(self) -> Iterator[Part]:
        number = count()
        while not self.is_played.is_set():
            for jpeg in (*self._rest, *self._rest[-2:0:-1]):  # back and forth: no picture comes twice
                if not self.is_played.is_set():
                    yield Part(next(number) / self._fps, jpeg)
        for jpeg in self._play:
            yield Part(next(number) / self._fps, jpeg)
        while True:
            for jpeg in (*self._play[-20:], *self._play[-2:-20:-1]):
                yield Part(next(number) / self._fps, jpeg)
