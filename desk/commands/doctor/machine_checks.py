"""The checks of `shinpan doctor`: each examines one thing of this machine and says what to do about it."""

import importlib
import importlib.metadata
import importlib.resources
import os
import platform
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

from calibration.finding import Finding, Status, fail, ok, warn
from desk.commands.doctor.device_checks import (
    check_camera_pictures,
    check_cameras,
    check_measurements,
    check_portaudio,
    check_sound_devices,
    check_sound_latency,
)
from desk.errors import DeskError, EventLogError
from desk.karuta.house.settings import load_house_settings, settings_file
from desk.log.event_log import EventLog, LogEntry
from desk.machine.config import PANEL_HOST, PANEL_PORT, data_path, is_free
from desk.machine.system_packages import check_import, is_linux
from referee.complaint import sentence_of
from referee.sentence import Sentence

DISK_WARN_BYTES = 2_000_000_000
DISK_FAIL_BYTES = 100_000_000
CLOCK_WARN_NS = 100_000  # a coarser clock would matter beside the eye's own uncertainty of about 1 ms
COMMIT_WARN_MS = 50.0


def check_python() -> Finding:
    """Report the version of Python and the machine; packaging already refuses a Python that is too old."""
    found = Sentence(
        "{version} on {system}, {n} CPUs",
        version=platform.python_version(),
        system=platform.platform(terse=True),
        n=os.cpu_count(),
    )
    return ok(found)


def check_packages() -> Finding:
    required = importlib.metadata.requires("shinpan") or []
    names = [re.split(r"[^A-Za-z0-9._-]", text, maxsplit=1)[0] for text in required if "extra ==" not in text]
    versions = {name: _version(name) for name in names}
    missing = [name for name, version in versions.items() if version is None]
    if missing:
        advice = Sentence("install shinpan again: pip install shinpan (in a checkout: uv sync)")
        return fail(Sentence("missing: {names}", names=", ".join(missing)), advice)
    found = ", ".join(f"{name} {version}" for name, version in versions.items())
    return ok(found)


def check_opencv() -> Finding:
    return check_import(
        "cv2", Sentence("reinstall it: {command}", command="pip install --force-reinstall opencv-python")
    )


def check_video() -> Finding:
    problem = check_import(
        "av", Sentence("reinstall it: {command}", command="pip install --force-reinstall av")
    )
    if problem.status is not Status.OK:
        return problem
    codecs = importlib.import_module("av.codec").codecs_available
    wanted = ("h264", "hevc", "mjpeg", "ffv1", "vp9")
    missing = [name for name in wanted if name not in codecs]
    if missing:
        advice = Sentence("recordings in these formats cannot be judged; install another build of av")
        return warn(Sentence("no decoder for {formats}", formats=", ".join(missing)), advice)
    return ok(Sentence("{library} decodes {formats}", library=problem.found, formats=", ".join(wanted)))


def check_weights() -> Finding:
    folder = importlib.resources.files("vision") / "weights"
    files = [file.name for file in folder.iterdir() if file.is_file()] if folder.is_dir() else []
    weights = sorted(name for name in files if not name.endswith((".py", ".md", ".toml")))
    if weights:
        return ok(", ".join(weights))
    advice = Sentence("install shinpan again: the wheel brings them (in a checkout: git status)")
    return fail(Sentence("nothing in {folder}", folder=folder), advice)


def check_voices() -> Finding:
    folder = importlib.resources.files("recitation") / "packs"
    packs = sorted(file.name for file in folder.iterdir()) if folder.is_dir() else []
    voices = [name.removesuffix(".zip") for name in packs if name.endswith(".zip")]
    if voices:
        return ok(", ".join(voices))
    advice = Sentence(
        "install shinpan again: the wheel brings them; without them poems are shown and not heard"
    )
    return warn(Sentence("nothing in {folder}", folder=folder), advice)


def check_port() -> Finding:
    address = f"{PANEL_HOST}:{PANEL_PORT}"
    if is_free(PANEL_HOST, PANEL_PORT):
        return ok(Sentence("{address} is free", address=address))
    advice = Sentence("the next free port will be taken, or name one with --port")
    return warn(Sentence("{address} is in use (perhaps by shinpan itself)", address=address), advice)


def check_disk() -> Finding:
    """Check that there is room for match logs and evidence, in a folder that this user may write to."""
    folder = data_path()
    existing = _existing(folder)
    if not os.access(existing, os.W_OK):
        advice = Sentence("make {folder} writable, or set XDG_DATA_HOME to a folder that is", folder=existing)
        return fail(Sentence("{folder} cannot be written to", folder=folder), advice)
    free_bytes = shutil.disk_usage(existing).free
    found = Sentence("{free:.1f} GB free for {folder}", free=free_bytes / 1e9, folder=folder)
    if free_bytes < DISK_FAIL_BYTES:
        return fail(found, Sentence("make room: a match with its evidence takes about 0.1 GB"))
    if free_bytes < DISK_WARN_BYTES:
        return warn(found, Sentence("make room before a long day of matches"))
    return ok(found)


def check_event_log() -> Finding:
    """Measure how long it takes until an event is safely on the disk."""
    commits = 20
    # on the disk of the logs, because the folder of temporary files is often in memory
    try:
        with (
            tempfile.TemporaryDirectory(dir=_existing(data_path())) as folder,
            EventLog.create(Path(folder) / "probe.sqlite") as log,
        ):
            begin_ns = time.perf_counter_ns()
            for seq in range(1, commits + 1):
                log.append([LogEntry(seq, seq, "", "doctor", "probe", 1, {})])
            each_ms = (time.perf_counter_ns() - begin_ns) / commits / 1e6
    except (OSError, EventLogError) as error:
        advice = Sentence(
            "a match needs its log: make room and {folder} writable, or set XDG_DATA_HOME", folder=data_path()
        )
        return fail(Sentence("no log can be written: {why}", why=sentence_of(error)), advice)
    found = Sentence("{each:.2f} ms per durable event", each=each_ms)
    if each_ms > COMMIT_WARN_MS:
        advice = Sentence("this disk is slow: rulings will appear late; keep the data folder on another one")
        return warn(found, advice)
    return ok(found)


def check_clock() -> Finding:
    """Check that the clock is fine enough for touches a millisecond apart and never runs backwards."""
    readings_ns = [time.perf_counter_ns() for _ in range(2000)]
    steps_ns = [later - earlier for earlier, later in pairwise(readings_ns)]
    smallest_ns = min((step for step in steps_ns if step > 0), default=0)
    found = Sentence("smallest step {step} ns", step=smallest_ns)
    if smallest_ns == 0 or min(steps_ns) < 0 or not time.get_clock_info("perf_counter").monotonic:
        return fail(found, Sentence("this machine's clock is not monotonic; use another one"))
    if smallest_ns > CLOCK_WARN_NS:
        advice = Sentence("touches will be told apart less finely; use a machine with a finer clock")
        return warn(found, advice)
    return ok(found)


def check_fonts() -> Finding:
    if not is_linux():
        return ok(Sentence("the system brings Hiragino or Yu Gothic along"))
    advice = Sentence(
        "sudo apt-get install fonts-noto-cjk (not needed where the panel is shown on another machine)"
    )
    program = shutil.which("fc-list")
    if program is None:
        return warn(Sentence("fc-list is not installed, cannot tell"), advice)
    listed = subprocess.run(  # noqa: S603 -- a fixed program with fixed arguments
        [program, ":lang=ja", "family"], capture_output=True, text=True, timeout=20, check=False
    )
    families = {line for line in listed.stdout.splitlines() if line}
    if not families:
        return warn(Sentence("none"), advice)
    return ok(Sentence("{n} families", n=len(families)))


def check_browser() -> Finding:
    if not is_linux():
        return ok(Sentence("the system brings one along"))
    names = ("chromium", "chromium-browser", "google-chrome", "firefox")
    found = next((path for path in map(shutil.which, names) if path), None)
    if found is None:
        advice = Sentence(
            "only needed to show the panel on this machine and for the tests: sudo apt-get install chromium"
        )
        return warn(Sentence("none"), advice)
    return ok(found)


def check_settings() -> Finding:
    try:
        settings = load_house_settings()
    except DeskError as error:
        return fail(sentence_of(error), Sentence("correct or remove what is named there"))
    path = settings_file()
    missing = Sentence("everything by default, for there is no {path}", path=path)
    found = Sentence(
        "{where}; rules {rules}, takes {takes}, faults {faults}",
        where=path if path.is_file() else missing,
        rules=settings.rules,
        takes=settings.policies.take,
        faults=settings.policies.fault,
    )
    return ok(found)


CHECKS: Mapping[Sentence, Callable[[], Finding]] = MappingProxyType(
    {
        Sentence("python"): check_python,
        Sentence("packages"): check_packages,
        Sentence("settings"): check_settings,
        Sentence("opencv"): check_opencv,
        Sentence("video"): check_video,
        Sentence("weights"): check_weights,
        Sentence("voices"): check_voices,
        Sentence("portaudio"): check_portaudio,
        Sentence("sound devices"): check_sound_devices,
        Sentence("sound latency"): check_sound_latency,
        Sentence("cameras"): check_cameras,
        Sentence("camera pictures"): check_camera_pictures,
        Sentence("measured cameras"): check_measurements,
        Sentence("panel port"): check_port,
        Sentence("disk"): check_disk,
        Sentence("event log"): check_event_log,
        Sentence("clock"): check_clock,
        Sentence("japanese fonts"): check_fonts,
        Sentence("browser"): check_browser,
    }
)
"""Every check by its name, which stays English in JSON."""


def examine() -> Iterator[Finding]:
    """Run every check. A check that breaks is itself a finding; the others still run."""
    for name, check in CHECKS.items():
        try:
            found = check()
        except Exception as error:  # noqa: BLE001 -- any error of a check is a finding
            why = Sentence("the check itself broke: {why}", why=f"{type(error).__name__}: {error}")
            found = fail(why, Sentence("please report this line"))
        yield replace(found, name=str(name))


def _existing(folder: Path) -> Path:
    return next(parent for parent in (folder, *folder.parents) if parent.exists())


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None
