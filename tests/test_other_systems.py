"""What Windows and macOS do otherwise: paths, code pages, fonts, sound, processes; played here."""

import io
import os
import re
import sys
from multiprocessing import Pipe
from pathlib import Path, PureWindowsPath
from threading import Thread

import pytest

from calibration.decks.deck import DeckError, check_name
from calibration.files import folders
from calibration.finding import Status
from desk.commands.cli import main
from desk.commands.doctor import device_checks, machine_checks
from desk.machine import side_process, system_packages

ROOT = Path(__file__).parents[1]
ROOMS = ("calibration", "desk", "recitation", "referee", "vision")
OTHERS = ("darwin", "win32")


@pytest.mark.parametrize(
    "name", ["C:\\x", "C:x", "\\x", "/x", "\\\\server\\share\\x", "..\\x", "a\\..\\..\\x", "c:/x"]
)
def test_no_recording_leads_out_of_its_folder_on_windows(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(folders, "PurePath", PureWindowsPath)
    with pytest.raises(ValueError, match="lies outside"):
        folders.within(Path("r"), name)


@pytest.mark.parametrize("name", ["con", "NUL", "com1", "Aux"])
def test_no_deck_has_the_name_of_a_device(name: str) -> None:
    with pytest.raises(DeckError, match="device of Windows"):
        check_name(name)
    assert folders.is_device(f"{name}.zip")
    assert not folders.is_device(f"{name}ference")


def test_text_is_written_and_read_with_a_named_encoding() -> None:
    """Windows' own is a code page, and its line ends come by themselves where a file is opened as text."""
    bare = re.compile(r"\.read_text\(\)|\.write_text\([^,()]*\)|(?<!def )(?<![\w.])open\([^,()]*\)")
    unnamed = {
        f"{path.relative_to(ROOT)}: {found}"
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
        for found in bare.findall(path.read_text("utf-8"))
    }
    assert unnamed == set()


@pytest.mark.parametrize("code_page", ["cp1252", "cp932", "ascii"])
def test_a_console_of_any_code_page_is_written_to(monkeypatch: pytest.MonkeyPatch, code_page: str) -> None:
    console = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(console, encoding=code_page))
    monkeypatch.setattr(sys, "stdin", io.StringIO('{"pile": [28, 32]}\n'))
    assert main(["koikoi", "score"]) == 0
    assert b'"tsukimizake": 5' in console.getvalue()
    console = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(console, encoding=code_page))
    assert main(["koikoi", "rules"]) == 0
    written = console.getvalue().decode("utf-8")  # what programs read, whatever the console shows
    assert "\r" not in written
    assert "[yaku]" in written


def test_work_is_done_where_processes_cannot_be_nice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "nice")
    monkeypatch.setattr("desk.machine.side_process.signal.signal", lambda *_: None)
    ours, theirs = Pipe()
    ours.send_bytes(side_process.piece_of(os.getpid))
    work = Thread(target=side_process._work, args=(theirs, 19, False), daemon=True)
    work.start()
    assert ours.recv() == (os.getpid(), None)
    ours.close()
    work.join(5)
    assert not work.is_alive(), "it ends as the line is closed"
    theirs.close()


@pytest.mark.parametrize("system", OTHERS)
def test_nobody_is_sent_to_apt_elsewhere(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    monkeypatch.setattr("desk.machine.system_packages.sys.platform", system)
    advice = system_packages.missing_library_advice("PortAudio library not found")
    assert advice is not None
    assert "apt" not in advice
    assert "uv tool install --reinstall shinpan" in advice
    findings = [
        machine_checks.check_fonts(),
        machine_checks.check_browser(),
        device_checks.check_cameras(),
        device_checks.check_camera_pictures(),
    ]
    assert {finding.status for finding in findings} == {Status.OK}


def test_pages_name_japanese_fonts_of_every_system() -> None:
    style = (ROOT / "desk" / "panel" / "static" / "panel.css").read_text("utf-8")
    (stack,) = re.findall(r"--mincho: ([^;]+);", style)
    for font in ("Hiragino Mincho ProN", "Yu Mincho", "Noto Serif CJK JP"):
        assert f'"{font}"' in stack


def test_the_scripts_of_ci_run_in_the_old_bash_of_macos() -> None:
    for script in (ROOT / ".ci").iterdir():
        text = script.read_bytes()
        assert b"\r" not in text
        # words of bash 4 and later; BASHPID only with something in its place
        assert not re.search(rb"\bmapfile\b\s+-|declare -A|readarray|\$\{\w+,,\}|&>>|\$BASHPID", text), script
