"""A recording with the sound of the table: the instants come from the hits, all else from the picture."""

from pathlib import Path

import numpy as np
import pytest
import soundfile

from desk.errors import DeskError
from desk.karuta.eye.recorded_match import judge_recording
from vision.recordings.recording import RecordingError, load_recording
from vision.simulator.hall.clip import single_poem
from vision.simulator.hall.recorder import write_recording


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    match = single_poem("own", 2, 60, (960, 540), "tatami", cards_per_side=8)
    return write_recording(match, tmp_path_factory.mktemp("clip"), with_sound=True)


def head(folder: Path) -> str:
    return (folder / "recording.toml").read_text("utf-8")


def test_a_touch_is_timed_by_its_sound(folder: Path) -> None:
    heard = judge_recording(folder)["poems"][0]["touches"]
    text = head(folder)
    (folder / "recording.toml").write_text(text.replace('audio = "sound.flac"\n', ""), "utf-8")
    try:
        seen = judge_recording(folder)["poems"][0]["touches"]
    finally:
        (folder / "recording.toml").write_text(text, "utf-8")
    assert {touch["card"] for touch in heard} == {touch["card"] for touch in seen}
    assert min(touch["t_unc_ms"] for touch in heard) < 1.5 < min(touch["t_unc_ms"] for touch in seen)


def test_the_microphones_place_and_start_are_read(folder: Path) -> None:
    text = head(folder)
    try:
        placed = text + "\n[microphone]\nstart_ms = 12.5\ndistance_mm = 700\n"
        (folder / "recording.toml").write_text(placed, "utf-8")
        audio = load_recording(folder).audio
        assert audio is not None
        assert (audio.start_ns, audio.distance_m) == (12_500_000, 0.7)
        (folder / "recording.toml").write_text(text + '\n[microphone]\nstart_ms = "soon"\n', "utf-8")
        with pytest.raises(RecordingError, match="takes start_ms and distance_mm"):
            load_recording(folder)
        (folder / "recording.toml").write_text(text.replace("sound.flac", "gone.flac"), "utf-8")
        with pytest.raises(RecordingError, match=r"gone\.flac is missing"):
            load_recording(folder)
    finally:
        (folder / "recording.toml").write_text(text, "utf-8")


def test_sound_that_is_none_or_too_dull_is_named(folder: Path) -> None:
    kept = (folder / "sound.flac").read_bytes()
    try:
        (folder / "sound.flac").write_bytes(b"no sound at all")
        with pytest.raises(DeskError, match=r"sound\.flac"):
            judge_recording(folder)
        soundfile.write(folder / "sound.flac", np.zeros(8000, np.float32), 8000)
        with pytest.raises(DeskError, match="too dull"):
            judge_recording(folder)
    finally:
        (folder / "sound.flac").write_bytes(kept)
