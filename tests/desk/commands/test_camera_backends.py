"""Each system's camera interface, simulated as OpenCV behaves on it, from the command line to the figures.

What is played was read from OpenCV's own sources. DirectShow takes a new rate by setting the device up anew
and forgets the pixel format over it, decodes by itself and stamps nothing; Media Foundation hands out the
camera's bytes and counts from the stream's beginning; AVFoundation takes a size, decodes, and says no more.
"""

import json
import time
from typing import Any

import cv2
import numpy as np
import pytest

from desk.commands import cli

pytestmark = pytest.mark.live

MJPG, YUY2 = (cv2.VideoWriter.fourcc(*letters) for letters in ("MJPG", "YUY2"))
JPEG = cv2.imencode(".jpg", np.full((48, 64), 99, np.uint8))[1].reshape(1, -1)
BGR = np.full((48, 64, 3), 99, np.uint8)


class PlayedCamera:
    """A camera that promises 60 pictures a second and makes 30, behind one of OpenCV's interfaces."""

    is_there: tuple[int, ...] = ()
    true_fps = 30.0

    def __init__(self, _: int | str, backend: int) -> None:
        self.backend = backend
        self.told = {cv2.CAP_PROP_FPS: 30.0, cv2.CAP_PROP_FOURCC: float(YUY2)}
        self.began_s = self.due_s = time.perf_counter()

    def isOpened(self) -> bool:  # noqa: N802 - the name of cv2.VideoCapture
        return self.backend in self.is_there

    def set(self, propId: int, value: float) -> bool:  # noqa: N803
        if self.backend == cv2.CAP_AVFOUNDATION:
            return propId in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
        if self.backend == cv2.CAP_DSHOW and propId == cv2.CAP_PROP_FPS:
            self.told[cv2.CAP_PROP_FOURCC] = float(YUY2)
        self.told[propId] = value
        return True

    def get(self, propId: int) -> float:  # noqa: N803
        since_ms = 1e3 * (self.due_s - self.began_s)
        if propId in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT):
            return 64.0 if propId == cv2.CAP_PROP_FRAME_WIDTH else 48.0
        if self.backend == cv2.CAP_AVFOUNDATION:
            return 0.0
        if propId == cv2.CAP_PROP_POS_MSEC:
            of = {cv2.CAP_DSHOW: -1.0, cv2.CAP_MSMF: since_ms, cv2.CAP_V4L2: 1e3 * self.due_s}
            return of[self.backend]
        return self.told.get(propId, -1.0)

    def read(self) -> tuple[bool, Any]:
        self.due_s += 1 / self.true_fps
        time.sleep(max(0.0, self.due_s - time.perf_counter()))
        return True, BGR if self.backend in (cv2.CAP_DSHOW, cv2.CAP_AVFOUNDATION) else JPEG

    def release(self) -> None:
        pass


@pytest.mark.parametrize(
    ("system", "true_fps"),
    [
        (("linux", cv2.CAP_V4L2, "driver", True), 30.0),
        (("linux", cv2.CAP_V4L2, "driver", True), 60.0),
        (("win32", cv2.CAP_DSHOW, "arrival", True), 30.0),
        (("win32", cv2.CAP_MSMF, "sender", True), 30.0),
        (("darwin", cv2.CAP_AVFOUNDATION, "arrival", False), 30.0),
    ],
    ids=["V4L2", "kept", "DirectShow", "Media Foundation", "AVFoundation"],
)
def test_a_false_promise_of_the_driver_is_caught_on_every_system(
    system: tuple[str, int, str, bool],
    true_fps: float,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Any,
    capsys: pytest.CaptureFixture[str],
) -> None:
    platform, backend, clock, claims = system
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("vision.sources.camera.sys.platform", platform)
    monkeypatch.setattr(PlayedCamera, "is_there", (backend,))
    monkeypatch.setattr(PlayedCamera, "true_fps", true_fps)
    monkeypatch.setattr(cv2, "VideoCapture", PlayedCamera)
    assert cli.main(["calibrate", "0", "--timing", "--seconds", "1.5", "--json"]) == 0
    timing = json.loads(capsys.readouterr().out)["timing"]
    is_false = claims and true_fps < 60
    assert timing["fps"] == pytest.approx(true_fps, rel=0.03)
    assert timing["clock"] == clock
    assert (timing["claimed_fps"], timing["claim_is_false"]) == (60.0 if claims else 0.0, is_false)
    assert timing["fourcc"] == ("MJPG" if claims else "")
    assert cli.main(["calibrate", "--list"]) == 0
    told = capsys.readouterr().out
    assert ("not the 60 that were promised" in told, "as promised" in told) == (
        is_false,
        claims and not is_false,
    )
