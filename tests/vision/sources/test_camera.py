"""Live cameras, played by a scripted one."""

import threading
from collections.abc import Iterable
from typing import Any

import cv2
import numpy as np
import pytest

from referee.facts import Gap
from vision.frames.frame import Frame, Gray
from vision.sources import live_source as live
from vision.sources.camera import CameraFeed, camera_source
from vision.sources.live_source import LiveSource
from vision.sources.source import CameraWish, SourceError

MJPG = cv2.VideoWriter.fourcc(*"MJPG")
MS = 1_000_000


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "STALL_S", 0.05)
    monkeypatch.setattr(live, "RETRY_S", 0.01)


class ScriptedCamera:
    """A camera that delivers the given (driver time in ms, picture) and then fails.

    Opened again after that, it plays its `later` scripts one by one; without one it cannot be opened.
    """

    def __init__(
        self,
        shots: Iterable[tuple[float, Any]],
        *later: Iterable[tuple[float, Any]],
        fps: float = 100.0,
        fourcc: int = MJPG,
    ) -> None:
        self.scripts = [list(shots), *(list(each) for each in later)]
        self.shots: list[tuple[float, Any]] = []
        self.properties: dict[int, float] = {cv2.CAP_PROP_FPS: fps, cv2.CAP_PROP_FOURCC: fourcc}
        self.asked: list[int] = []
        self.opened_by: list[int] = []
        self.t_ms = 0.0
        self.opened = False
        self.releases = 0
        self.allowed = threading.Semaphore(1_000_000)
        """How many more reads return; the next one waits."""

    def open(self, _: int | str, backend: int) -> "ScriptedCamera":
        self.opened_by.append(backend)
        self.opened = bool(self.scripts)
        if self.scripts:
            self.shots = self.scripts.pop(0)
        return self

    def isOpened(self) -> bool:  # noqa: N802 - the name of cv2.VideoCapture
        return self.opened

    def set(self, propId: int, value: float) -> bool:  # noqa: N803
        self.asked.append(propId)
        self.properties.setdefault(propId, value)
        return True

    def get(self, propId: int) -> float:  # noqa: N803
        return self.t_ms if propId == cv2.CAP_PROP_POS_MSEC else self.properties.get(propId, 0.0)

    def read(self) -> tuple[bool, Any]:
        self.allowed.acquire(timeout=5)
        if not self.shots:
            return False, None
        self.t_ms, picture = self.shots.pop(0)
        return True, picture

    def release(self) -> None:
        self.releases += 1


def gray(level: int, height: int = 24) -> Gray:
    return np.full((height, 32), level, np.uint8)


def jpeg(level: int, height: int = 24) -> Gray:
    return cv2.imencode(".jpg", gray(level, height))[1].reshape(1, -1).astype(np.uint8)


def open_camera(camera: ScriptedCamera, now_ms: float = 1000.0, **options: Any) -> LiveSource:
    wish = CameraWish(width=32, height=24, fps=100.0)
    options = {"give_up_s": 0.1, **options}
    return camera_source(
        3, wish, opener=camera.open, backends=(cv2.CAP_V4L2,), clock_ns=lambda: round(now_ms * 1e6), **options
    )


def items_of(source: LiveSource) -> list[Frame | Gap]:
    """Return what comes before the camera is given up."""
    items: list[Frame | Gap] = []
    with pytest.raises(SourceError, match="camera 3"):  # noqa: PT012 - the last step raises
        for item in source:
            items.append(item)  # noqa: PERF402 - the list must hold what came before the error
    return items


def frames_of(source: LiveSource) -> list[Frame]:
    return [item for item in items_of(source) if isinstance(item, Frame)]


def test_mjpeg_keeps_its_bytes_and_the_drivers_time() -> None:
    shots = [(960.0, jpeg(30)), (970.0, jpeg(90)), (980.0, jpeg(150))]
    with open_camera(ScriptedCamera(shots)) as source:
        frames = frames_of(source)
    assert [frame.t_ns for frame in frames] == [960 * MS, 970 * MS, 980 * MS]
    assert [frame.jpeg for frame in frames] == [shot.tobytes() for _, shot in shots]
    assert [int(frame.gray.mean().round()) for frame in frames] == [30, 90, 150]
    assert source.counters.delivered == 3
    assert source.counters.late_ns == 20 * MS
    assert source.counters.most_late_ns == 40 * MS


def test_asks_for_mjpeg_first_and_reads_back_what_it_got() -> None:
    camera = ScriptedCamera([], fps=30.0)
    camera.properties[cv2.CAP_PROP_EXPOSURE] = 157.0
    with open_camera(camera) as source:
        assert camera.asked[0] == cv2.CAP_PROP_FOURCC
        assert source.format.fourcc == "MJPG"
        assert source.format.fps == 30.0
        assert (source.format.width, source.format.height) == (32, 24)
        assert source.format.exposure_s == pytest.approx(0.0157)
        assert source.format.backend == "V4L2"
    assert camera.releases >= 1


@pytest.mark.parametrize(
    "picture",
    [
        gray(77),
        np.dstack([gray(77), gray(128)]),
        np.dstack([gray(77)] * 3),
        np.vstack([gray(77), gray(128)[:12]]),
        np.dstack([gray(77), gray(128)]).reshape(1, -1),
    ],
    ids=["gray", "yuyv", "bgr", "nv12", "yuyv in a row"],
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
        wait_until(lambda: source.counters.lost == 1)  # the listener sleeps until the camera is done
        frames = frames_of(source)
    assert [frame.t_ns for frame in frames] == [940 * MS]
    assert source.counters.overflowed == 2
    assert source.counters.missed == 2  # at 920 and 930 ms
    assert source.counters.damaged == 1
    assert source.counters.delivered == 1


def wait_until(is_so: Any) -> None:
    for _ in range(500):
        if is_so():
            return
        threading.Event().wait(0.01)
    raise AssertionError("waited in vain")


def test_a_hole_that_the_slow_listener_made_is_a_gap() -> None:
    camera = ScriptedCamera([(900.0 + 10 * number, jpeg(number)) for number in range(10)])
    camera.allowed = threading.Semaphore(1)
    with open_camera(camera, ring=1) as source:
        items = iter(source)
        first = next(items)
        camera.allowed.release(20)  # nine pictures come while the listener does something else
        wait_until(lambda: source.counters.lost == 1)
        gap, last = next(items), next(items)
    assert isinstance(first, Frame)
    assert isinstance(last, Frame)
    assert (first.t_ns, last.t_ns) == (900 * MS, 990 * MS)
    assert gap == Gap(900 * MS, 990 * MS, "dropped_frames")
    assert source.counters.overflowed == 8


def test_an_unplugged_camera_is_told_at_once_and_as_a_whole_when_it_is_back() -> None:
    camera = ScriptedCamera([(900.0, jpeg(1))])
    with open_camera(camera, give_up_s=None) as source:
        items = iter(source)
        assert isinstance(next(items), Frame)
        told = next(items)
        assert told == Gap(900 * MS, 1000 * MS, "camera_lost")
        assert source.problem is not None
        assert "is it plugged in" in source.problem
        camera.scripts.append([(1000.0, jpeg(2))])  # plugged in again
        whole, back = next(items), next(items)
        assert whole == Gap(900 * MS, 1000 * MS, "camera_lost")
        assert isinstance(back, Frame)
        assert back.index == 1
        assert source.counters.lost >= 1


def test_a_camera_that_stands_still_is_told() -> None:
    camera = ScriptedCamera([(900.0, jpeg(1)), (1000.0, jpeg(2))])
    camera.allowed = threading.Semaphore(1)
    with open_camera(camera, give_up_s=None) as source:
        items = iter(source)
        assert isinstance(next(items), Frame)
        assert next(items) == Gap(900 * MS, 1000 * MS, "camera_stalled")
        camera.allowed.release()
        assert next(items) == Gap(900 * MS, 1000 * MS, "dropped_frames")
        assert isinstance(next(items), Frame)
        camera.allowed.release(10)


def test_a_listener_is_released_when_the_camera_is_closed() -> None:
    camera = ScriptedCamera([(900.0, jpeg(1))])
    camera.allowed = threading.Semaphore(0)
    source = open_camera(camera, give_up_s=None)

    def close() -> None:
        camera.allowed.release(10)
        source.close()

    closer = threading.Timer(0.05, close)
    closer.start()
    assert sum(isinstance(item, Frame) for item in source) <= 1
    closer.join()
    assert camera.releases >= 1


class ExposingCamera(ScriptedCamera):
    """A camera whose driver has chosen an exposure of 15.7 ms by itself, and how light its pictures then are.

    `refused` are the properties that it does not set. By hand it is as light as its number says, unless its
    driver returns to a number of its own, `kept`.
    """

    def __init__(self, *refused: int, kept: float | None = None) -> None:
        super().__init__([(8.0 * index, None) for index in range(5)])
        self.properties |= {cv2.CAP_PROP_AUTO_EXPOSURE: 3.0, cv2.CAP_PROP_EXPOSURE: 157.0}
        self.properties |= {cv2.CAP_PROP_AUTOFOCUS: 1.0, cv2.CAP_PROP_AUTO_WB: 1.0}
        self.refused, self.kept = refused, kept

    def set(self, propId: int, value: float) -> bool:  # noqa: N803
        self.asked.append(propId)
        if propId not in self.refused:
            self.properties[propId] = value
        return propId not in self.refused

    def read(self) -> tuple[bool, Any]:
        done, _ = super().read()
        number = self.properties[cv2.CAP_PROP_EXPOSURE] if self.kept is None else self.kept
        by_hand = self.properties[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0
        return done, jpeg(round(99 * number / 157.0) if by_hand else 99)


@pytest.mark.parametrize(
    ("camera", "automatic", "mode"),
    [
        (ExposingCamera(), (), 1.0),
        (ExposingCamera(cv2.CAP_PROP_AUTOFOCUS), ("focus",), 1.0),
        (
            ExposingCamera(cv2.CAP_PROP_AUTO_EXPOSURE, cv2.CAP_PROP_AUTO_WB),
            ("exposure", "white_balance"),
            3.0,
        ),
        (ExposingCamera(kept=40.0), ("exposure",), 3.0),
    ],
)
def test_the_camera_of_a_match_holds_what_it_has_found_and_the_light_stays(
    camera: ExposingCamera, automatic: tuple[str, ...], mode: float
) -> None:
    now_ns = iter([0, *(2_000_000_000 * count for count in range(1, 6))])
    camera.open(0, cv2.CAP_V4L2)
    feed = CameraFeed(camera, CameraWish(holds=True), cv2.CAP_V4L2, "camera 0", lambda: next(now_ns))
    feed.read()
    feed.read()
    assert cv2.CAP_PROP_AUTOFOCUS not in camera.asked, "a lens may still move"
    feed.read()
    before = feed.format
    assert before.automatic is None, "the pictures of the held exposure are still to come"
    feed.read()
    assert feed.format.automatic == automatic
    assert camera.get(cv2.CAP_PROP_AUTO_EXPOSURE) == mode
    assert camera.get(cv2.CAP_PROP_EXPOSURE) == 157.0


def test_an_exposure_is_asked_for_by_hand() -> None:
    camera = ScriptedCamera([])
    wish = CameraWish(exposure_s=0.003)
    source = camera_source(3, wish, opener=camera.open, backends=(cv2.CAP_V4L2,), give_up_s=0.1)
    source.close()
    assert camera.properties[cv2.CAP_PROP_AUTO_EXPOSURE] == 1.0  # V4L2: manual
    assert camera.properties[cv2.CAP_PROP_EXPOSURE] == 30
