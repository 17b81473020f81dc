"""A camera in front of a field: what is wrong with it is named, and what is right is left in peace."""

from itertools import islice

import cv2
import numpy as np
import pytest

from calibration.clocks import timing
from calibration.finding import Finding, Status
from vision.frames.frame import Frame, Gray
from vision.match import camera_check
from vision.match.camera_check import check_camera
from vision.simulator.drawing.camera import Camera
from vision.simulator.hall.match import SimulatedMatch
from vision.sources.source import CameraFormat, exposure_number, exposure_seconds

SIZE = (1280, 720)


@pytest.fixture(scope="module")
def frames() -> list[Frame]:
    return list(islice(SimulatedMatch(3, 60, SIZE, "tatami", 12), 16))


def by_name(frames: list[Frame], camera: CameraFormat | None = None) -> dict[str, Finding]:
    return {finding.name: finding for finding in check_camera(frames, camera)}


def changed(frames: list[Frame], change: object) -> list[Frame]:
    assert callable(change)
    return [Frame(change(frame.gray), frame.t_ns, frame.t_unc_ns, frame.index) for frame in frames]


def camera(**values: object) -> CameraFormat:
    known = {"width": 1280, "height": 720, "fps": 60.0, "fourcc": "MJPG", "exposure_s": 0.003}
    return CameraFormat(**{**known, **values})  # type: ignore[arg-type]


def test_a_good_camera_has_nothing_to_mend(frames: list[Frame]) -> None:
    findings = check_camera(frames, camera())
    assert [finding for finding in findings if finding.status is not Status.OK or finding.advice] == []
    assert {finding.name for finding in findings} == {
        "fps", "frames", "exposure", "light", "grain", "focus", "steadiness", "field", "resolution", "view",
        "angle",
    }  # fmt: skip


def dark(gray: Gray) -> Gray:
    return np.asarray(gray * 0.12, np.uint8)


def bright(gray: Gray) -> Gray:
    return np.asarray(np.clip(gray * 1.7, 0, 255), np.uint8)


def soft(gray: Gray) -> Gray:
    return np.asarray(cv2.GaussianBlur(gray, (0, 0), 3.0), np.uint8)


def grainy(gray: Gray) -> Gray:
    noise = np.random.default_rng(int(gray[0, 0])).normal(0, 9, gray.shape)
    return np.clip(gray + noise, 0, 255).astype(np.uint8)


def cut_off(gray: Gray) -> Gray:
    return np.array(gray[:, 130:], np.uint8)


def small(gray: Gray) -> Gray:
    return cv2.resize(gray, (640, 360), interpolation=cv2.INTER_AREA).astype(np.uint8)


@pytest.mark.parametrize(
    ("change", "name", "advice"),
    [
        (dark, "light", camera_check.Advice.TOO_DARK),
        (bright, "light", camera_check.Advice.TOO_BRIGHT),
        (soft, "focus", camera_check.Advice.SOFT),
        (grainy, "grain", camera_check.Advice.GRAINY),
        (cut_off, "view", camera_check.Advice.CUT_OFF),
        (small, "resolution", camera_check.Advice.FEW_PIXELS),
        (np.zeros_like, "field", camera_check.Advice.NO_FIELD),
    ],
)
def test_what_is_wrong_is_named_with_its_mend(
    frames: list[Frame], change: object, name: str, advice: str
) -> None:
    finding = by_name(changed(frames, change), camera())[name]
    assert finding.status is not Status.OK
    assert finding.advice == advice


@pytest.mark.parametrize(("tilt_deg", "status"), [(3, Status.OK), (22, Status.WARN), (32, Status.FAIL)])
def test_a_slanted_view_is_told(frames: list[Frame], tilt_deg: float, status: Status) -> None:
    straight = Camera(*SIZE, across_m=1.2, height_m=1.5)
    slanted = Camera(*SIZE, across_m=1.2, height_m=1.5, tilt_rad=float(np.deg2rad(tilt_deg)))
    corners_px = np.array([[300, 200], [980, 200], [980, 520], [300, 520]], np.float64)
    floor_m = straight.to_floor(corners_px)
    seen_px = slanted.to_image(np.column_stack([floor_m, np.zeros(4)]))
    matrix = cv2.getPerspectiveTransform(corners_px.astype(np.float32), seen_px.astype(np.float32))
    seen = changed(frames, lambda gray: cv2.warpPerspective(gray, matrix, SIZE))
    assert by_name(seen)["angle"].status is status


def test_no_picture_is_a_finding() -> None:
    (finding,) = check_camera([])
    assert (finding.status, finding.advice) == (Status.FAIL, timing.NO_FRAMES)


def test_exposure_numbers_mean_what_each_interface_says() -> None:
    assert exposure_seconds(cv2.CAP_V4L2, 39) == pytest.approx(0.0039)
    assert exposure_seconds(cv2.CAP_DSHOW, -8) == pytest.approx(1 / 256)
    assert exposure_seconds(cv2.CAP_AVFOUNDATION, 5) is None
    assert exposure_seconds(cv2.CAP_V4L2, 0) is None
    assert exposure_number(cv2.CAP_V4L2, 0.004) == 40
    assert exposure_number(cv2.CAP_MSMF, 0.004) == -8  # the next shorter power of two
    assert exposure_number(cv2.CAP_AVFOUNDATION, 0.004) is None
    with pytest.raises(ValueError, match="exposure_s must be positive"):
        exposure_number(cv2.CAP_V4L2, 0)
