"""The tables by source: simulated, recorded, and under a camera."""

from pathlib import Path

import numpy as np
import pytest
import soundfile

from desk.errors import DeskError
from desk.karuta.simulated_hall.source import SimulatorWish, simulated_table
from desk.karuta.simulated_hall.table import PoemRead
from desk.tables.camera_table import CameraTable
from desk.tables.film import TableFilm
from desk.tables.source_kind import Source
from desk.tables.table_opening import RecordedPoem, recorded_table
from tests.desk.shelf.test_excerpt import film
from vision.frames.frame import Frame
from vision.simulator import SimulatedMatch
from vision.simulator.hall.match import single_poem
from vision.simulator.hall.recorder import write_recording


@pytest.mark.parametrize("text", ["colour=red", "seed=x", "size=wide", "seed=-1", "speed=0", "cards"])
def test_a_wish_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(DeskError):
        SimulatorWish.parse(text)


def test_a_simulated_table_shows_pictures_and_tells_poems_before_them() -> None:
    table = simulated_table(SimulatorWish(5, 4, 30.0, (320, 240), 1000.0))
    assert (table.source, table.where) == (Source.SIMULATOR, "seed=5 cards=4 fps=30 size=320x240")
    latest_ns = -1
    for item in table.happenings():
        if isinstance(item, PoemRead):
            assert item.start.t_ns > latest_ns
            assert len(item.t_ku_ns) == 5
            break
        assert isinstance(item, Frame)
        table.show(item)
        latest_ns = item.t_ns
    table.close()
    assert table.clock() >= latest_ns


def test_a_recorded_table_plays_the_recording(tmp_path: Path) -> None:
    match = SimulatedMatch(5, 30, (320, 240), cards_per_side=4, scenario="own", restore=False)
    recording = write_recording(match, tmp_path / "game")
    table = recorded_table(recording, speed=1000.0)
    assert table.source is Source.VIDEO
    assert table.nominal_fps == 30_000.0
    items = list(table.happenings())
    poems = [item for item in items if isinstance(item, RecordedPoem)]
    assert [poem.start.poem for poem in poems] == [reading.poem for reading in match.readings]
    after = items[items.index(poems[0]) + 1]
    assert isinstance(after, Frame)
    assert after.t_ns >= poems[0].start.t_ns
    assert poems[0].decided([1]) is None
    table.close()


@pytest.mark.parametrize("start_s", [None, 0.5])
def test_the_sound_of_a_recording_is_given_on_its_films_clock(tmp_path: Path, start_s: float | None) -> None:
    """Where a microphone stood beside the field, it is heard, else the film's own sound."""
    recording = write_recording(single_poem("own", 2, 30, (320, 240), cards_per_side=4), tmp_path / "game")
    click_ns = 4_000_000_000
    head = (recording / "recording.toml").read_text("utf-8")
    if start_s is None:
        film(recording / "clicks.mp4")
        head = head.replace("video.mkv", "clicks.mp4")
    else:
        wave = np.zeros(6 * 48_000, np.float32)
        wave[round((click_ns / 1e9 - start_s) * 48_000) :][:900] = 0.5
        soundfile.write(recording / "beside.flac", wave, 48_000)
        head = f'audio = "beside.flac"\n{head}\n[microphone]\nstart_ms = {1000 * start_s}\n'
    (recording / "recording.toml").write_text(head, "utf-8")
    sound = recorded_table(recording).sound(click_ns - 1_000_000_000, click_ns + 500_000_000)
    assert sound is not None
    loudest = int(np.flatnonzero(np.abs(sound.wave) > 0.2)[0])
    assert sound.t_ns + loudest / 48_000 * 1e9 == pytest.approx(click_ns, abs=3e7)


def test_what_is_no_recording_or_no_camera_says_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(DeskError, match="is not a folder"):
        recorded_table(tmp_path / "nowhere")
    with pytest.raises(DeskError, match="no source"):
        CameraTable(str(tmp_path / "camera"))
    picture = tmp_path / "still"
    picture.mkdir()
    with pytest.raises(DeskError):
        CameraTable(str(picture))


@pytest.mark.parametrize(
    ("markers", "told"),
    [
        ({0, 1}, "marker 2, bottom right; marker 3, bottom left not found"),
        ({0, 1, 2, 3}, "elsewhere than size in"),
        (set(), "four markers"),
    ],
)
def test_a_film_of_no_table_says_which_markers_are_missing(markers: set[int], told: str) -> None:
    film = TableFilm(Path("film.mkv"), None, [])
    with pytest.raises(DeskError, match=told):
        film.end(table_was_seen=False, markers=markers)
