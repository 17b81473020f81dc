"""The doctor's findings on real picture sources, and on simulated sound devices."""

import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.clocks.timing import TOO_SLOW
from calibration.finding import Status
from desk.commands import cli
from desk.commands.doctor import device_checks
from desk.machine.sound_device import keep_latency, latencies_path
from desk.panel.words import words
from recitation.playback.stream_clock import Latency
from tests.vision.sources.http_camera import Script, at_rate, http_camera


@pytest.fixture(autouse=True)
def _home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def jpeg() -> bytes:
    return cv2.imencode(".jpg", np.full((60, 80), 90, np.uint8))[1].tobytes()


@pytest.mark.live
def test_a_slow_camera_is_a_warning_with_a_mend() -> None:
    with http_camera(Script([at_rate([jpeg()] * 40, 15)])) as url:
        finding = device_checks.check_source(url)
    assert (finding.status, finding.advice) == (Status.WARN, TOO_SLOW)
    assert re.search(r" 1[456]\.\d fps", finding.found)
    said = words("ja").complaint(finding.found)
    assert "コマ欠落" in said
    assert "時刻は到着時" in said
    assert "lost" not in said
    assert words("ja").complaint(finding.advice).startswith("画像を小さくするか")


def test_the_doctor_measures_a_camera_by_its_address(capsys: pytest.CaptureFixture[str]) -> None:
    with http_camera(Script([at_rate([jpeg()] * 150, 100)])) as url:
        cli.main(["doctor", "--json", "--camera", url])
    findings = [each for each in json.loads(capsys.readouterr().out) if each["name"] == "camera pictures"]
    assert len(findings) == 2  # this machine's own, and the one that was named
    assert url in findings[1]["found"]


@pytest.fixture
def loudspeaker(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    device = {"name": "Speaker", "default_low_output_latency": 0.012}
    stand_in = SimpleNamespace(query_devices=lambda: [device], default=SimpleNamespace(device=(-1, 0)))
    monkeypatch.setitem(sys.modules, "sounddevice", stand_in)
    return device


def test_a_loudspeaker_that_was_never_measured_is_told(loudspeaker: dict[str, Any]) -> None:
    finding = device_checks.check_sound_latency()
    assert finding.status is Status.WARN
    assert finding.found == "Speaker: 12 ms promised, never measured"
    keep_latency(latencies_path(), "Speaker", Latency(34_000_000, 2_000_000, 12, 12))
    measured = device_checks.check_sound_latency()
    assert measured.status is Status.OK
    assert "34 +- 2.0 ms later than that measured" in measured.found
    loudspeaker["default_low_output_latency"] = 0.2
    assert "wired" in device_checks.check_sound_latency().advice
