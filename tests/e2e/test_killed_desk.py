"""A killed desk resumes after a restart, and so do the pages that show it."""

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
from tests.e2e.served_program import Program

pytestmark = pytest.mark.browser
Open = Callable[..., Page]


@pytest.fixture
def interrupted(tmp_path: Path) -> Iterator[Program]:
    """A match that was interrupted after its first poem, gone on with by the real program."""
    layout = dealt_layout()
    target = layout.of(Side.FAR)[0].card
    assert target is not None
    settings = Settings(rules=replace(KYOGI, joka=False))
    with EventLog.create(tmp_path / "e2e.sqlite") as log:
        engine = Engine.begin(log, MatchOpened("e2e", Source.CAMERA, settings))
        for event in (
            FieldSettled(layout, 1),
            MemoriseStarted(2),
            MemoriseEnded(),
            PoemStarted(target, 10, 1),
            Touch(target, Side.NEAR, 20, 1),
            PoemFinished(),
        ):
            engine.submit(event, Origin.EYE)
    program = Program(tmp_path, "--resume", "e2e")
    yield program
    program.end()


def test_no_event_is_lost_or_doubled_when_the_desk_is_killed(
    interrupted: Program, open_window: Open, tmp_path: Path
) -> None:
    page = open_window(f"{interrupted.address}/?lang=en")
    page.locator('#line[data-line="connected"]').wait_for()
    expect(page.locator("#timeline li")).to_have_count(1)
    known = int(page.locator("html").get_attribute("data-seq") or 0)
    page.keyboard.press("p")
    page.locator("#resume-button").wait_for()

    interrupted.kill()
    page.locator('#line[data-line="lost"]').wait_for()
    interrupted.start("--resume", "e2e")
    page.locator('#line[data-line="connected"]').wait_for()
    expect(page.locator("#pause")).to_have_text("Paused by the operator")
    page.keyboard.press("p")
    page.locator("#pause-button").wait_for()
    page.keyboard.press("2")
    expect(page.locator("#pause")).to_have_text("Far appeals: look at the replay")

    seen = page.evaluate("window.seqs")
    interrupted.kill()
    with EventLog.open(tmp_path / "e2e.sqlite") as log:
        engine = Engine.resume(log)
    assert seen == list(range(known + 1, engine.last_seq + 1))
    told = [each.event for each in engine.history[known:]]
    assert sum(isinstance(event, Resume) for event in told) == 1
    assert sum(isinstance(event, Pause) for event in told) == 2
