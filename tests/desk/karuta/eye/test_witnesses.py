"""A recording with a second camera's video, or with the sound of the table, from its folder to the ruling."""

from pathlib import Path

import numpy as np
import pytest
import soundfile

from desk.errors import DeskError
from desk.karuta.eye.recorded_match import judge_recording
from desk.karuta.eye.second_film import SecondFilm
from tests.vision.sources.written_video import write_video
from vision.recordings.recording import RecordingError, SecondVideo, load_recording
from vision.simulator.drawing.sensor import Flash
from vision.simulator.hall.match import single_poem
from vision.simulator.hall.recorder import write_recording
from vision.simulator.hall.second_camera import SecondCamera
from vision.sources.video_file import VideoSource

OFFSET_MS = 350.0


def filmed(folder: Path, size: tuple[int, int]) -> Path:
    match = single_poem("own", 2, 30, size, "tatami", cards_per_side=8, flash=Flash(0.2, 0.15))
    second = SecondCamera(fps=60, size=size, stand="right", clock_s=OFFSET_MS / 1e3)
    return write_recording(match, folder, second=second)


@pytest.fixture
def two(tmp_path: Path) -> Path:
    return filmed(tmp_path / "two", (320, 180))


def reworded(folder: Path, old: str = "", new: str = "", more: str = "") -> Path:
    head = folder / "recording.toml"
    head.write_text(head.read_text("utf-8").replace(old, new) + more, "utf-8")
    return folder


@pytest.mark.slow
def test_a_second_camera_narrows_what_the_first_one_saw(tmp_path: Path) -> None:
    folder = filmed(tmp_path, (960, 540))
    both = judge_recording(folder)
    told = both["stats"]["second_camera"]
    assert (told["poems"], told["problem"]) == (1, None)
    assert abs(told["offset_ms"] - OFFSET_MS) <= told["offset_unc_ms"]
    alone = judge_recording(reworded(folder, 'second = "second.mkv"\n'))
    assert "second_camera" not in alone["stats"]
    known = {(touch["card"], touch["player"]): touch for touch in both["poems"][0]["touches"]}
    common = [(touch, known.get((touch["card"], touch["player"]))) for touch in alone["poems"][0]["touches"]]
    assert all(other is not None and other["t_unc_ms"] < touch["t_unc_ms"] for touch, other in common)
    assert both["poems"][0]["ruling"]["taken_by"] == alone["poems"][0]["ruling"]["taken_by"]


def test_where_nobody_knows_the_clocks_the_first_camera_judges_alone(two: Path, tmp_path: Path) -> None:
    other = single_poem("dead_none", 9, 30, (320, 180), "tatami", cards_per_side=8)
    apart = write_recording(other, tmp_path / "apart")
    (apart / "second.mkv").write_bytes((two / "video.mkv").read_bytes())
    video = 'video = "video.mkv"'
    recording = load_recording(reworded(apart, video, f'{video}\nsecond = "second.mkv"'))
    assert recording.second is not None
    film = SecondFilm(recording.second, VideoSource(recording.video))
    assert film.witness is None
    film.show_until(10**9)
    assert film.told()["poems"] == 0
    assert "flash a lamp" in film.told()["problem"]


def test_the_second_video_and_a_known_offset_are_read(two: Path) -> None:
    second = load_recording(two).second
    assert second is not None
    assert (second.path.name, second.fps_nominal, second.offset_ns) == ("second.mkv", 60.0, None)
    known = load_recording(reworded(two, more="offset_ms = 350.5\noffset_unc_ms = 2\n")).second
    assert known is not None
    assert (known.offset_ns, known.offset_unc_ns) == (350_500_000, 2_000_000)


@pytest.mark.parametrize(("quantiser", "shown"), [("24", 20), ("46", 0)])
def test_a_second_film_that_is_compressed_too_coarsely_bears_no_witness(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quantiser: str, shown: int
) -> None:
    dice = np.random.default_rng(5)
    pictures = [(33 * at, dice.integers(80, 170, (96, 128), np.uint8)) for at in range(20)]
    options = {"qp": quantiser, "preset": "ultrafast"}
    video = write_video(tmp_path / "second.mkv", pictures, "libx264", encoder=options)
    second = SecondFilm(SecondVideo(video, offset_ns=0), VideoSource(video))
    seen: list[int] = []
    assert second.witness is not None
    monkeypatch.setattr(second.witness, "feed", lambda frame: seen.append(frame.t_ns))
    second.show_until(10**9)
    assert len(seen) == shown


@pytest.fixture
def heard(tmp_path: Path) -> Path:
    match = single_poem("own", 2, 60, (960, 540), "tatami", cards_per_side=8)
    return write_recording(match, tmp_path, with_sound=True)


def test_a_touch_is_timed_by_its_sound(heard: Path) -> None:
    timed = judge_recording(heard)["poems"][0]["touches"]
    (heard / "sound.flac").rename(heard / "other.flac")
    seen = judge_recording(reworded(heard, 'audio = "sound.flac"\n'))["poems"][0]["touches"]
    assert {touch["card"] for touch in timed} == {touch["card"] for touch in seen}
    assert min(touch["t_unc_ms"] for touch in timed) < 1.5 < min(touch["t_unc_ms"] for touch in seen)


def test_the_microphones_place_and_start_are_read_and_what_is_wrong_with_the_sound_is_named(
    tmp_path: Path,
) -> None:
    match = single_poem("own", 2, 30, (320, 180), "tatami", cards_per_side=4)
    folder = write_recording(match, tmp_path, with_sound=True)
    (folder / "sound.flac").write_bytes(b"no sound at all")
    with pytest.raises(DeskError, match=r"sound\.flac"):
        judge_recording(folder)
    soundfile.write(folder / "sound.flac", np.zeros(8000, np.float32), 8000)
    with pytest.raises(DeskError, match="too dull"):
        judge_recording(folder)
    audio = load_recording(
        reworded(folder, more="\n[microphone]\nstart_ms = 12.5\ndistance_mm = 700\n")
    ).audio
    assert audio is not None
    assert (audio.start_ns, audio.distance_m) == (12_500_000, 0.7)
    with pytest.raises(RecordingError, match="takes start_ms and distance_mm"):
        load_recording(reworded(folder, "start_ms = 12.5", 'start_ms = "soon"'))
    with pytest.raises(RecordingError, match=r"gone\.flac is missing"):
        load_recording(reworded(folder, "sound.flac", "gone.flac"))
