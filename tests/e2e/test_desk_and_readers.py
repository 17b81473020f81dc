"""A killed desk loses nothing, whoever reads its log, and its pages go on; no second desk opens its log."""

import json
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.events import MatchOpened
from desk.log.event_log import EventLog
from desk.tables.source_kind import Source
from referee.facts import FieldSettled, PoemStarted, Touch
from referee.karuta.flow.events import MemoriseEnded, MemoriseStarted, Pause, PoemFinished, Resume
from referee.karuta.flow.state import Settings
from referee.karuta.ruleset import KYOGI
from referee.sides import Side
from tests.desk.panel.panel_port import dealt_layout
from tests.e2e.served_program import PATIENCE_S, Program

pytestmark = pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
READERS = (
    ("log", "export", "{log}", "--jsonl", "{out}.jsonl", "--replace"),
    ("log", "check", "{log}"),
    ("log", "check", "{log}", "--repair", "{out}.sqlite"),
    ("log", "show", "{log}"),
    ("log", "forget", "{log}", "--evidence"),
    ("replay", "{log}", "--json", "{out}.json", "--replace"),
    ("book", "--matches", "{folder}"),
    ("book", "--matches", "{folder}", "--rebuild"),
)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Program]:
    """A match that was interrupted after its first poem, gone on with by the real program."""
    folder, layout = tmp_path / "matches", dealt_layout()
    target = layout.of(Side.FAR)[0].card
    assert target is not None
    with EventLog.create(folder / "m.sqlite") as log:
        engine = Engine.begin(
            log, MatchOpened("m", Source.CAMERA, Settings(rules=replace(KYOGI, joka=False)))
        )
        for event in (
            FieldSettled(layout, 1),
            MemoriseStarted(2),
            MemoriseEnded(),
            PoemStarted(target, 10, 1),
            Touch(target, Side.NEAR, 20, 1),
            PoemFinished(),
        ):
            engine.submit(event, Origin.EYE)
    program = Program(folder, "--resume", "m")
    yield program
    program.end()


def shinpan(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "desk", *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )


def commanded(desk: Program, name: str) -> int:
    """Send a command and return the number of its event, which the desk has confirmed."""
    request = urllib.request.Request(
        f"{desk.address}/api/commands",
        data=json.dumps({"name": name}).encode(),
        headers={"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
        return int(json.load(answer)["seq"])


def looked_at(desk: Program, page: str) -> None:
    with urllib.request.urlopen(f"{desk.address}{page}", timeout=PATIENCE_S) as answer:
        answer.read()


def files_without_a_name(desk: Program) -> list[str]:
    links = (str(each.readlink()) for each in Path(f"/proc/{desk.pid}/fd").iterdir())
    return [link for link in links if "(deleted)" in link and "sqlite" in link]


def test_nothing_is_lost_while_others_read(desk: Program, tmp_path: Path) -> None:
    log = desk.folder / "m.sqlite"
    confirmed = 0
    for number, words in enumerate(READERS):
        for page in ("/matches", "/matches/m/", "/book", "/home"):
            looked_at(desk, page)
        confirmed = commanded(desk, ("pause", "resume")[number % 2])
        read = shinpan(
            *(word.format(log=log, folder=desk.folder, out=tmp_path / str(number)) for word in words)
        )
        assert read.returncode == 0, read.stderr
        assert files_without_a_name(desk) == []
        assert log.with_name("m.sqlite-wal").exists()
    looked_at(desk, "/matches")
    second = Program(desk.folder)
    looked_at(second, "/matches")
    looked_at(second, "/matches/m/")
    second.end()
    confirmed = commanded(desk, "pause")
    assert files_without_a_name(desk) == []
    desk.kill()
    with EventLog.read(log) as left:
        assert left.last_seq >= confirmed


def test_a_second_desk_says_where_the_match_is_open(desk: Program) -> None:
    second = shinpan(
        "serve", "--matches", str(desk.folder), "--port", desk.address.rpartition(":")[2], "--resume", "m"
    )
    assert second.returncode == 2
    assert f"is already open at {desk.address} (process {desk.pid})" in second.stderr
    assert second.stderr.count("\n") == 1
    assert commanded(desk, "pause")
    desk.kill()  # what it leaves beside the log is no running desk
    assert (desk.folder / "m.sqlite-lock").exists()
    desk.start("--resume", "m")
    assert commanded(desk, "resume")


@pytest.mark.browser
def test_no_event_is_lost_or_doubled_by_killing_it(desk: Program, open_window: Callable[..., Page]) -> None:
    page = open_window(f"{desk.address}/?lang=en")
    page.locator('#line[data-line="connected"]').wait_for()
    expect(page.locator("#timeline li")).to_have_count(1)
    known = int(page.locator("html").get_attribute("data-seq") or 0)
    page.keyboard.press("p")
    page.locator("#resume-button").wait_for()

    desk.kill()
    page.locator('#line[data-line="lost"]').wait_for()
    desk.start("--resume", "m")
    page.locator('#line[data-line="connected"]').wait_for()
    expect(page.locator("#pause")).to_have_text("Paused by the operator")
    page.keyboard.press("p")
    page.locator("#pause-button").wait_for()
    page.keyboard.press("2")
    expect(page.locator("#pause")).to_have_text("Far appeals: look at the replay")

    seen = page.evaluate("window.seqs")
    desk.kill()
    with EventLog.open(desk.folder / "m.sqlite") as log:
        engine = Engine.resume(log)
    assert seen == list(range(known + 1, engine.last_seq + 1))
    told = [each.event for each in engine.history[known:]]
    assert sum(isinstance(event, Resume) for event in told) == 1
    assert sum(isinstance(event, Pause) for event in told) == 2
