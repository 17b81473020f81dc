"""A practice before a camera as a player does it: the page, the reader, the eye and the log, by the clock."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from desk.errors import DeskError
from desk.practice.events import Attempt, Outcome
from desk.practice.plan import Plan
from referee.facts import KimarijiCompleted, PoemStarted
from tests.e2e.camera_stage import Scene, Stage, drawn, logged
from tests.vision.sources.http_camera import Script, http_camera

pytestmark = [pytest.mark.browser, pytest.mark.live]
PATIENCE_MS = 180_000  # the eye of a busy machine is slow to read the field
SEED, FPS, CARDS = 3, 15.0, 4


class Player:
    """Takes the card that is read: the camera's pictures of it begin with the poem.

    `folder`: of the practice's log, which says when a poem began.
    """

    def __init__(self, folder: Path) -> None:
        rest, self.scenes = drawn(SEED, FPS, CARDS, Plan(seed=SEED), most=1)
        self.stage = Stage(rest)
        self._folder = folder
        self._leaving = threading.Event()
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._leaving.set()
        self._thread.join()

    def _play(self) -> None:
        waiting: dict[int, Scene] = dict(self.scenes)
        while waiting and not self._leaving.wait(0.05):
            if not any(self._folder.glob("*.sqlite")):
                continue
            with suppress(DeskError):  # its first event is not written yet
                for event in logged(self._folder):
                    if isinstance(event, PoemStarted) and event.poem in waiting:
                        self.stage.begin(waiting.pop(event.poem), event.t_ns)


@pytest.fixture
def player(tmp_path: Path) -> Iterator[Player]:
    playing = Player(tmp_path)
    yield playing
    playing.close()


@pytest.fixture
def practice(player: Player, tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start `shinpan practise` before a network camera, as a user does; yields it and its page."""
    port = str(22_000 + os.getpid() % 18_000)
    words = [
        "practise",
        "--player",
        "Hana",
        "--seed",
        str(SEED),
        "--by-hand",
        "--port",
        port,
        "--matches",
        str(tmp_path),
    ]
    with http_camera(Script([player.stage])) as camera:
        process = subprocess.Popen(
            [sys.executable, "-m", "desk", *words, camera],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
        )
        assert process.stdout is not None
        page = next((line.split()[1] for line in process.stdout if line.startswith("page: ")), "")
        try:
            assert page, f"it ended with {process.wait()} and served nothing"
            yield process, page
        finally:
            process.kill()
            process.communicate()


def test_a_take_before_a_camera_is_timed_and_shown(
    practice: tuple[subprocess.Popen[str], str],
    player: Player,
    tmp_path: Path,
    open_window: Callable[..., Page],
) -> None:
    process, address = practice
    page = open_window(f"{address}?lang=en")
    start = page.locator("[data-act=start]")
    try:
        expect(start).to_be_enabled(timeout=PATIENCE_MS)  # the eye has read the cards
    except AssertionError as error:
        error.add_note(f"the page says: {page.locator('body').inner_text()}")
        raise
    start.click()
    with suppress(AssertionError):
        expect(page.locator("#last")).to_be_visible(timeout=PATIENCE_MS / 3)
    if not page.locator("#last").is_visible():
        # a busy machine lost the pictures of the take, so the eye waits for it; the page says how to go on
        expect(page.locator("#offer")).to_contain_text("'Next' reads on")
        page.locator("[data-act=next]").click()
    expect(page.locator("#last")).to_be_visible(timeout=PATIENCE_MS)
    ((poem, scene),) = player.scenes.items()
    events = logged(tmp_path)
    attempt = next(event for event in events if isinstance(event, Attempt))
    assert attempt.poem == poem
    if attempt.outcome is Outcome.UNCLEAR:  # the machine was too busy to see every picture, and says so
        assert "gap" in attempt.doubts
        expect(page.locator("#last")).to_contain_text("does not count")
    else:
        assert attempt.outcome is Outcome.TAKEN
        began_ns = next(event.t_ns for event in events if isinstance(event, PoemStarted))
        decided_ns = next(event.t_ns for event in events if isinstance(event, KimarijiCompleted))
        assert scene.contact_ns is not None
        assert attempt.reaction_ns is not None
        true_ns = began_ns + scene.contact_ns - decided_ns
        assert attempt.reaction_ns == pytest.approx(true_ns, abs=max(attempt.reaction_unc_ns or 0, 100e6))
        expect(page.locator("#time")).to_contain_text(f"{attempt.reaction_ns / 1e9:.2f}")

    page.once("dialog", lambda dialog: dialog.accept())
    page.locator("[data-act=end]").click()
    expect(page.locator("#over")).to_be_visible()
    page.reload()
    expect(page.locator("#over")).to_be_visible()  # the page stays until Ctrl-C
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 0
