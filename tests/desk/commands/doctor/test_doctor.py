"""The doctor looks at a real machine: this one, in an empty home."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from calibration.finding import Finding, Status
from desk.commands.doctor import command as doctor
from desk.commands.doctor import machine_checks
from referee.sentence import Sentence

WELL = {"python", "packages", "opencv", "video", "clock", "event log", "disk"}


def test_every_check_is_reported_once_and_what_is_not_well_comes_with_advice(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "desk", "doctor", "--json"],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=Path(doctor.__file__).parents[3],
    )
    assert (done.stderr, done.returncode in (0, 1)) == ("", True)
    assert not (tmp_path / ".local").exists(), "looking makes no data folder"
    findings = {finding["name"]: finding for finding in json.loads(done.stdout)}
    assert findings.keys() == set(map(str, machine_checks.CHECKS))
    for name, finding in findings.items():
        assert "broke" not in finding["found"]
        assert finding["status"] == "ok" if name in WELL else finding["status"] in ("ok", "warn", "fail")
        assert bool(finding["advice"]) == (finding["status"] != "ok"), finding


def test_a_data_folder_that_cannot_be_written_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/proc/sys/kernel")
    finding = machine_checks.check_disk()
    if os.access("/proc/sys/kernel", os.W_OK):
        pytest.skip("this user may write anywhere")
    assert finding.status is Status.FAIL
    assert "writable" in finding.advice


def test_settings_that_cannot_be_fail(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_text("prot = 9000")
    monkeypatch.setenv("SHINPAN_CONFIG", str(file))
    finding = machine_checks.check_settings()
    assert finding.status is Status.FAIL
    assert "prot" in finding.found
    file.write_text("port = 9000")
    assert machine_checks.check_settings().status is Status.OK


def test_a_check_that_breaks_is_a_finding_and_the_others_still_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def check_tea_pot() -> Finding:
        raise RuntimeError("short and stout")

    checks = {Sentence("tea pot"): check_tea_pot, Sentence("python"): machine_checks.check_python}
    monkeypatch.setattr(machine_checks, "CHECKS", checks)
    broken, python = machine_checks.examine()
    assert (broken.name, broken.status) == ("tea pot", Status.FAIL)
    assert "RuntimeError: short and stout" in broken.found
    assert python.status is Status.OK
