"""Live cameras, played by a scripted one."""

import threading
from collections.abc import Iterable
from typing import Any

import cv2
import numpy as np
import pytest

from vision.frames import Frame, Gray
from vision.sources.camera import CameraError, CameraSource

MJPG = cv2.VideoWriter.fourcc(*"MJPG")


class ScriptedCamera:
    """A camera that delivers the given (driver time in ms, picture) and then fails."""

    def __init__(
        self, shots: Iterable[tuple[float, Any]], opened: bool = True, fps: float = 100.0, fourcc: int = MJPG
    ) -> None:
        self.shots = list(shots)
        self.opened = opened
        self.properties: dict[int, float] = {cv2.CAP_PROP_FPS: fps, cv2.CAP_PROP_FOURCC: fourcc}
        self.asked: list[int] = []
        self.t_ms = 0.0
        self.released = False
        self.go = threading.Event()
        self.go.set()

    def isOpened(self) -> bool:  # noqa: N802 - the name of cv2.VideoCapture
        return self.opened

    def set(self, propId: int, value: float) -> bool:  # noqa: N803
        self.asked.append(propId)
        self.properties.setdefault(propId, value)
        return True

    def get(self, propId: int) -> float:  # noqa: N803
        return self.t_ms if propId == cv2.CAP_PROP_POS_MSEC else self.properties.get(propId, 0.0)

    def read(self) -> tuple[bool, Any]:
        self.go.wait(5)
        if not self.shots:
            return False, None
        self.t_ms, picture = self.shots.pop(0)
        return True, picture

    def release(self) -> None:
        self.released = True


def gray(level: int) -> Gray:
    return np.full((24, 32), level, np.uint8)


def jpeg(level: int) -> Gray:
    return cv2.imencode(".jpg", gray(level))[1].reshape(1, -1).astype(np.uint8)


def open_camera(camera: ScriptedCamera, now_ms: float = 1000.0, **options: Any) -> CameraSource:
    return CameraSource(3, opener=lambda _: camera, clock_ns=lambda: round(now_ms * 1e6), **options)


def frames_of(source: CameraSource) -> list[Frame]:
    """Return what the scripted camera delivers before it has nothing more."""
    frames = []
    delivered = iter(source)
    with pytest.raises(CameraError, match="camera 3 stopped delivering"):  # noqa: PT012 - the last step raises
        while True:
            frames.append(next(delivered))
    return frames


def test_mjpeg_keeps_its_bytes_and_the_drivers_time() -> None:
    shots = [(960.0, jpeg(30)), (970.0, jpeg(90)), (980.0, jpeg(150))]
    with open_camera(ScriptedCamera(shots)) as source:
        frames = frames_of(source)
    assert [frame.t_ns for frame in frames] == [960_000_000, 970_000_000, 980_000_000]
    assert [frame.jpeg for frame in frames] == [shot.tobytes() for _, shot in shots]
    assert [int(frame.gray.mean().round()) for frame in frames] == [30, 90, 150]
    assert source.counters.delivered == 3
    assert source.counters.late_ns == 20_000_000


def test_asks_for_mjpeg_first_and_reads_back_what_it_got() -> None:
    camera = ScriptedCamera([], fps=30.0)
    with open_camera(camera, width=1920, height=1080, fps=120) as source:
        assert camera.asked[0] == cv2.CAP_PROP_FOURCC
        assert source.format.fourcc == "MJPG"
        assert source.format.fps == 30.0
        assert (source.format.width, source.format.height) == (1920, 1080)
    assert camera.released


def test_a_foreign_drivers_clock_is_not_believed() -> None:
    with open_camera(ScriptedCamera([(0.0, jpeg(30))], fps=50.0), now_ms=9000.0) as source:
        (frame,) = frames_of(source)
    assert frame.t_ns == 9_000_000_000
    assert frame.t_unc_ns == 20_000_000  # one frame: nobody said when within it


@pytest.mark.parametrize(
    "picture",
    [
        gray(77),
        np.dstack([gray(77), gray(128)]),
        np.dstack([gray(77)] * 3),
    ],
    ids=["gray", "yuyv", "bgr"],
)
def test_other_pixel_formats_become_gray(picture: Gray) -> None:
    with open_camera(ScriptedCamera([(960.0, picture)], fourcc=0)) as source:
        (frame,) = frames_of(source)
    np.testing.assert_array_equal(frame.gray, gray(77))
    assert frame.jpeg is None


def test_what_is_lost_is_counted() -> None:
    shots = [(900.0, jpeg(1)), (910.0, jpeg(2)), (940.0, jpeg(3)), (950.0, np.zeros((1, 9), np.uint8))]
    camera = ScriptedCamera(shots)
    with open_camera(camera, ring=2) as source:
        source._thread.join(5)  # the listener sleeps until the camera is done
        frames = frames_of(source)
    assert [frame.t_ns for frame in frames] == [940_000_000]
    assert source.counters.overflowed == 2
    assert source.counters.missed == 2  # at 920 and 930 ms
    assert source.counters.damaged == 1
    assert source.counters.delivered == 1


def test_a_listener_is_released_when_the_camera_is_closed() -> None:
    camera = ScriptedCamera([(900.0, jpeg(1))])
    camera.go.clear()
    source = open_camera(camera)

    def close() -> None:
        camera.go.set()
        source.close()

    closer = threading.Timer(0.05, close)
    closer.start()
    assert len(list(source)) <= 1
    closer.join()
    assert camera.released


def test_a_camera_that_does_not_open_is_named() -> None:
    with pytest.raises(CameraError, match="camera 3 cannot be opened"):
        open_camera(ScriptedCamera([], opened=False))


def test_a_ring_holds_at_least_one_frame() -> None:
    with pytest.raises(ValueError, match="ring must hold at least one frame"):
        open_camera(ScriptedCamera([]), ring=0)
