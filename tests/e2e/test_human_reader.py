"""A person reads at a live match: the machine listens through PortAudio, and officials have the last word."""

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import soundfile
from playwright.sync_api import Page, expect

from desk.karuta.engine.engine import Engine
from desk.karuta.engine.events import PoemCorrected, PoemNamed
from desk.log.event_log import EventLog
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import SAMPLE_RATE, samples
from recitation.reading.rhythm import DEFAULT
from recitation.sound.clip import Wave
from recitation.voices.catalogue import find_voice
from referee.facts import KimarijiCompleted, PoemStarted
from tests.desk.waiting_mat import WaitingMat
from tests.e2e.served_program import Program
from tests.null_sink import NullSink
from tests.vision.sources.http_camera import Script, http_camera
from vision.simulator import SimulatedMatch

pytestmark = [pytest.mark.browser, pytest.mark.live]
FPS = 30
DEAD = 66  # a poem whose card is not on the field
TWINS = (15, 50)  # their first ku are the same: きみがため
PAUSE = np.zeros(samples(1.0), np.float32)


class Mat(WaitingMat):
    """Somebody plays on the first poem whose card is on the field."""

    def __init__(self) -> None:
        match = SimulatedMatch(2, fps=FPS, size=(640, 360), cards_per_side=4)
        reading, following = match.readings[3], match.readings[4]
        self.poem = reading.poem
        pictures = (frame for frame in match if reading.t_ms - 700 <= frame.t_ns / 1e6 < following.t_ms)
        super().__init__(pictures, reading.t_ms, FPS)


@pytest.fixture
def mat() -> Mat:
    return Mat()


@pytest.fixture
def program(tmp_path: Path, null_sink: NullSink, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    for name, value in null_sink.environment.items():
        monkeypatch.setenv(name, value)
    running = Program(tmp_path / "matches")
    yield running
    assert running.end() == 0


def begin_to_read(folder: Path, wave: Wave) -> subprocess.Popen[bytes]:
    """Begin to read aloud; a context that ends when all was read."""
    path = folder / "read.wav"
    soundfile.write(path, wave, SAMPLE_RATE)
    return subprocess.Popen(["paplay", path], env=os.environ)


def upper(poem: int) -> Wave:
    return find_voice("high", DEFAULT).clip(Phrase(poem, Half.KAMI)).wave


def first_ku(poem: int) -> Wave:
    clip = find_voice("high", DEFAULT).clip(Phrase(poem, Half.KAMI))
    return clip.wave[: clip.moras[5].sample]


def lower(poem: int) -> Wave:
    return find_voice("high", DEFAULT).clip(Phrase(poem, Half.SHIMO)).wave


@pytest.mark.slow
def test_a_person_reads_and_officials_have_the_last_word(
    program: Program, open_window: Callable[..., Page], mat: Mat, tmp_path: Path
) -> None:
    with http_camera(Script([mat])) as camera:
        page = open_window(f"{program.address}/set-up?lang=en")
        page.get_by_role("radio", name="Camera").check()
        page.locator('[name="camera"]').fill(camera)
        page.get_by_role("button", name="Open").click()
        expect(page.locator("#field .card")).to_have_count(8)
        page.locator('[name="memorise_min"]').fill("0")
        page.locator('[name="rules"][value="seed-000"]').check()
        page.locator('[name="voice"]').select_option("person")
        expect(page.locator('[name="rhythm"]')).to_be_hidden()
        page.locator('[name="certainty"]').select_option("when the ear is 90 % sure")
        page.get_by_role("button", name="Start the match").click()
        expect(page.locator("#name-poem")).to_be_visible()

        with begin_to_read(tmp_path, upper(mat.poem)):
            expect(page.locator("#sentence")).to_have_text("Poem 1")  # the ear is certain
            mat.is_played.set()
            expect(page.locator("#sentence")).to_contain_text("takes")

        for poem, sentence in ((DEAD, "fault"), (mat.poem, "takes")):  # it is refereed anew
            page.keyboard.press("x")
            page.locator("#rename-filter").fill(str(poem))
            page.locator("#rename-filter").press("Enter")
            expect(page.locator("#sentence")).to_contain_text(sentence)
        expect(page.locator("#timeline li")).to_have_count(1)
        expect(page.locator("#replay")).to_be_visible()

        # who stops after the first ku has read one of two poems
        with begin_to_read(tmp_path, np.concatenate([lower(mat.poem), PAUSE, first_ku(TWINS[0])])):
            suggestions = page.locator("#suggested button")
            expect(suggestions).to_have_count(2)
            names = [suggestions.nth(place).get_attribute("title") for place in range(2)]
            assert sorted(int((name or "").split()[-1]) for name in names) == sorted(TWINS)
            page.keyboard.press("2")
            expect(page.locator("#sentence")).to_have_text("Poem 2")
    assert program.end() == 0
    check_log(program.folder, mat.poem)


def check_log(folder: Path, poem: int) -> None:
    """What was heard and said is kept, and the match runs again from it."""
    (path,) = folder.glob("*.sqlite")
    with EventLog.open(path) as log:
        engine = Engine.resume(log)
    events = [each.event for each in engine.history]
    starts = [event for event in events if isinstance(event, PoemStarted)]
    assert [start.poem for start in starts[:3]] == [poem, DEAD, poem]
    assert starts[3].poem in TWINS
    corrected = [event for event in events if isinstance(event, PoemCorrected)]
    assert corrected == [PoemCorrected(poem, DEAD), PoemCorrected(DEAD, poem)]
    assert [event for event in events if isinstance(event, PoemNamed)] == [PoemNamed(starts[3].poem)]
    said = [event for event in events if isinstance(event, KimarijiCompleted) and event.poem == poem]
    assert said, "the end of the kimariji was heard"
    assert all(0.5e9 < one.t_ns - starts[0].t_ns < 1.5e9 for one in said)
    assert starts[3].t_unc_ns < 0.05e9, "by the second poem the stream's clock is known well"
