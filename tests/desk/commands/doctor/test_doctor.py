"""The doctor looks at a real machine: this one, in an empty home."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from calibration.finding import Finding, Status
from desk.commands.doctor import command as doctor
from desk.commands.doctor import machine_checks
from desk.commands.doctor.command import describe
from desk.commands.doctor.machine_checks import examine
from referee.sentence import Sentence

LINES = len(machine_checks.CHECKS)


def run_doctor(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "desk", "doctor", *arguments],
        env={"PATH": os.environ["PATH"], "HOME": str(home)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=Path(doctor.__file__).parents[3],
    )


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    home = tmp_path_factory.mktemp("home")
    done = run_doctor(home, "--json")
    assert done.stderr == ""
    assert done.returncode in (0, 1)
    assert not (home / ".local").exists(), "looking makes no data folder"
    return {finding["name"]: finding for finding in json.loads(done.stdout)}


def test_one_line_per_check(tmp_path: Path) -> None:
    done = run_doctor(tmp_path)
    lines = done.stdout.splitlines()
    assert len(lines) == LINES
    assert all(line[:6] in ("ok    ", "warn  ", "fail  ") for line in lines)


def test_every_check_is_reported_once(findings: dict[str, dict[str, str]]) -> None:
    assert len(findings) == LINES
    assert all("broke" not in finding["found"] for finding in findings.values())


def test_what_is_not_well_comes_with_advice(findings: dict[str, dict[str, str]]) -> None:
    for finding in findings.values():
        assert finding["status"] in ("ok", "warn", "fail")
        assert bool(finding["advice"]) == (finding["status"] != "ok"), finding


@pytest.mark.parametrize("name", ["python", "packages", "opencv", "video", "clock", "event log", "disk"])
def test_what_the_tests_themselves_run_on_is_well(findings: dict[str, dict[str, str]], name: str) -> None:
    assert findings[name]["status"] == "ok", findings[name]


OPTIONAL = (
    "portaudio",
    "sound devices",
    "sound latency",
    "cameras",
    "camera pictures",
    "measured cameras",
    "japanese fonts",
    "browser",
)


@pytest.mark.parametrize("name", OPTIONAL)
def test_what_is_optional_never_fails(findings: dict[str, dict[str, str]], name: str) -> None:
    assert findings[name]["status"] in ("ok", "warn")


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


def test_a_busy_port_is_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    with socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        monkeypatch.setattr(machine_checks, "PANEL_PORT", busy.getsockname()[1])
        assert machine_checks.check_port().status is Status.WARN
    assert machine_checks.check_port().status is Status.OK


def test_a_check_that_breaks_is_a_finding_and_the_others_still_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def check_tea_pot() -> Finding:
        raise RuntimeError("short and stout")

    checks = {Sentence("tea pot"): check_tea_pot, Sentence("python"): machine_checks.check_python}
    monkeypatch.setattr(machine_checks, "CHECKS", checks)
    broken, python = machine_checks.examine()
    assert (broken.name, broken.status) == ("tea pot", Status.FAIL)
    assert "RuntimeError: short and stout" in broken.found
    assert python.status is Status.OK


def test_the_exit_code_says_whether_something_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import argparse

    def exit_code(status: Status) -> int:
        monkeypatch.setattr(
            machine_checks, "CHECKS", {Sentence("tea"): lambda: Finding("", status, "cold", "brew")}
        )
        return doctor.run(argparse.Namespace(json=None, camera=[]))

    assert [exit_code(status) for status in (Status.OK, Status.WARN, Status.FAIL)] == [0, 0, 1]
    assert capsys.readouterr().out.splitlines()[2] == "fail  tea: cold -> brew"


def test_findings_are_told_in_the_language_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    finding = Finding("disk", Status.WARN, Sentence("{free:.1f} GB free for {folder}", free=1.0, folder="a"))
    assert describe(finding) == "warn  disk: 1.0 GB free for a"
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    assert describe(finding) == "warn  ディスク: aの空きは1.0 GB"
    japanese = re.compile("[ぁ-んァ-ヶ一-龠]")
    bad = [finding for finding in examine() if finding.status is not Status.OK]
    assert [each for each in bad if not japanese.search(describe(each).partition(" -> ")[2])] == []
