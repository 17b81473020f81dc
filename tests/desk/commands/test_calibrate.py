"""`shinpan calibrate`: measured on real streams and files, kept by camera, and honest where it fails."""

import json
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from desk.commands import cli
from desk.machine import camera_records
from tests.vision.sources.http_camera import Script, at_rate, http_camera
from vision.simulator.hall.match import SimulatedMatch

pytestmark = pytest.mark.live


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path


def said(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def gray_jpeg(level: int) -> bytes:
    return cv2.imencode(".jpg", np.full((60, 80), level, np.uint8))[1].tobytes()


def test_a_streams_rhythm_is_measured_and_kept(capsys: pytest.CaptureFixture[str]) -> None:
    with http_camera(Script([at_rate([gray_jpeg(9)] * 110, 50)])) as url:
        assert cli.main(["calibrate", url, "--timing", "--seconds", "1.6", "--json"]) == 0
    timing = said(capsys)["timing"]
    assert timing["fps"] == pytest.approx(50, rel=0.02)
    assert timing["clock"] == "arrival"
    assert timing["t_unc_ns"] > 0
    assert (timing["width_px"], timing["height_px"]) == (80, 60)
    assert camera_records.record_of(url)["timing"]["frames"] == timing["frames"]
    assert cli.main(["calibrate", "--list"]) == 0
    listed = capsys.readouterr().out
    assert url in listed
    assert "pictures a second" in listed
    assert "timed by their arrival, for there are no stamps" in listed


def test_a_field_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "shots"
    folder.mkdir()
    for number, frame in enumerate(islice(SimulatedMatch(3, 60, (960, 540), "tatami", 8), 12)):
        cv2.imwrite(str(folder / f"shot_{number * 1000 / 60:.1f}ms.png"), frame.gray)
    assert cli.main(["calibrate", str(folder), "--check", "--json"]) == 0
    findings = {finding["name"]: finding for finding in said(capsys)["check"]}
    assert findings["field"]["status"] == "ok"
    assert findings["fps"]["status"] == "ok"
    assert all(bool(finding["advice"]) == (finding["status"] != "ok") for finding in findings.values())


def test_what_cannot_be_measured_says_why_and_how(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"gray{number}.png"), np.full((120, 160), 128, np.uint8))
    pattern = str(tmp_path / "gray*.png")
    words = ["calibrate", pattern, "--timing", "--lens", "--marks", "900", "500", "--shutter"]
    assert cli.main([*words, "--json"]) == 1
    told = said(capsys)
    assert set(told) == {"timing", "lens", "marks", "shutter"}
    assert all(figures["failed"] and figures["hint"] for figures in told.values())
    assert not list(camera_records.records_folder().glob("*"))
    assert cli.main([*words]) == 1
    assert capsys.readouterr().out.count(": not measured: ") == 4


def test_a_recorded_video_has_no_latency(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(tmp_path / "one.png"), np.zeros((60, 80), np.uint8))
    assert cli.main(["calibrate", str(tmp_path / "one.png"), "--latency"]) == 2
    assert "needs a live camera" in capsys.readouterr().err


@pytest.mark.parametrize("words", [[], ["--lens"], ["--marks", "900", "500"], ["--shutter"]])
@pytest.mark.parametrize("later", [(60, 80), (80, 60)])
def test_pictures_of_two_sizes_are_refused_in_plain_words(
    words: list[str], later: tuple[int, int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(12):
        size = (90, 120) if number < 9 else later
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full(size, 128, np.uint8))
    assert cli.main(["calibrate", str(tmp_path), *words]) == 2
    told = capsys.readouterr().err
    assert f"picture 10 is {later[1]} x {later[0]} pixels, those before it are 120 x 90" in told
    assert "pictures of one size" in told
    assert told.count("\n") == 1


def test_nobody_says_that_photos_come_too_slowly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(12):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((120, 160), 128, np.uint8))
    assert cli.main(["calibrate", str(tmp_path), "--check", "--json"]) == 1
    names = {finding["name"] for finding in said(capsys)["check"]}
    assert "light" in names
    assert not names & {"fps", "frames"}
