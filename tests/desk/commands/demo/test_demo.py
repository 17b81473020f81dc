"""`shinpan demo` as a user calls it: processes, files and a real browser's requests."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import desk
from desk.karuta.engine.engine import Engine
from desk.karuta.engine.minutes import read_minutes
from desk.log.event_log import EventLog
from desk.tables.source_kind import Source
from referee.karuta.flow.state import Phase

pytestmark = pytest.mark.live

ROOT = Path(desk.__file__).parent.parent
SMALL = ("--cards", "4", "--fps", "30", "--size", "960x540")
SHORT_SEED = 26
"""Five poems: two cards of the field are taken, one by a sweep; of three dead ones two are touched."""


def shinpan(home: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "desk", *arguments],
        env={"PATH": os.environ["PATH"], "HOME": str(home), "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
    )


def test_a_small_match_is_refereed_from_its_pixels_and_its_log_leads_to_the_same_end(tmp_path: Path) -> None:
    report_file = tmp_path / "report.json"
    process = shinpan(
        tmp_path, "demo", "--headless", "--seed", str(SHORT_SEED), *SMALL, "--json", str(report_file)
    )
    out, err = process.communicate(timeout=300)
    report = json.loads(report_file.read_text())
    poems = report["poems"]
    assert (err, process.returncode) == ("", 0)
    assert report["winner"] in ("near", "far")
    lines = [line for line in out.splitlines() if "truth: " in line]
    assert len(lines) == len(poems) == sum(report["counts"].values()) >= 4
    for line, poem in zip(lines, poems, strict=True):
        assert re.match(rf" *{poem['order']} +{poem['poem']} ", line)
        assert re.search(rf"  {poem['verdict']}( \(|$)", line)
    assert sum(poem["right"] for poem in poems) >= 0.7 * len(poems)
    (path,) = tmp_path.rglob("*.sqlite")
    with EventLog.open(path) as log:
        engine = Engine.resume(log)
        assert (engine.opened.source, engine.opened.seed) == (Source.SIMULATOR, SHORT_SEED)
        assert (engine.state.phase, engine.state.winner) == (Phase.ENDED, report["winner"])
        assert len(engine.state.records) == len(poems)


@pytest.fixture
def busy_port() -> Iterator[int]:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


def fetch(url: str, body: dict[str, Any] | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", "Origin": url.split("/api", maxsplit=1)[0]}
    request = urllib.request.Request(url, data, headers)
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.loads(answer.read())


@pytest.mark.slow
def test_the_panel_shows_the_match_as_it_is_played(tmp_path: Path, busy_port: int) -> None:
    process = shinpan(tmp_path, "demo", "--seed", "7", *SMALL, "--speed", "4", "--port", str(busy_port))
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == f"port {busy_port} is in use, taking {busy_port + 1}\n"
        url = process.stdout.readline().removeprefix("panel: ").strip()
        assert url == f"http://127.0.0.1:{busy_port + 1}"
        view = wait_for(url, lambda view: bool(view["poems"]))
        assert view["sides"]["near"]["count"] <= 8
        with urllib.request.urlopen(f"{url}/", timeout=10) as page:
            assert "<html" in page.read().decode()
        assert fetch(f"{url}/api/commands", {"name": "pause"})["seq"] > 0
        paused = wait_for(url, lambda view: view["paused"])
        fetch(f"{url}/api/commands", {"name": "resume"})
        wait_for(url, lambda view: view["seq"] > paused["seq"] + 1)
    finally:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert err == ""
    assert process.returncode == 0
    assert "decided right" in out
    (log_file,) = tmp_path.rglob("*.sqlite")
    with EventLog.open(log_file) as log:
        assert read_minutes(Engine.resume(log).history)


def wait_for(url: str, condition: Any, seconds: float = 60) -> Any:
    end_s = time.monotonic() + seconds
    while time.monotonic() < end_s:
        try:
            view = fetch(f"{url}/api/view?lang=en")
        except (ConnectionError, urllib.error.URLError):
            time.sleep(0.2)
            continue
        if condition(view):
            return view
        time.sleep(0.2)
    raise AssertionError(f"it did not come within {seconds} s; the last view was {view}")
