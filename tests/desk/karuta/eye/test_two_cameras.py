"""A recording with a second camera's video, from its folder to the ruling."""

from __future__ import annotations

from pathlib import Path

import pytest

from desk.karuta.eye.recorded_match import judge_recording
from vision.recordings.recording import RecordingError, load_recording
from vision.simulator.drawing.sensor import Flash
from vision.simulator.hall.clip import single_poem
from vision.simulator.hall.recorder import write_recording
from vision.simulator.hall.second_camera import SecondCamera

OFFSET_MS = 350.0


def filmed(folder: Path, size: tuple[int, int]) -> Path:
    match = single_poem("own", 2, 30, size, "tatami", cards_per_side=8, flash=Flash(0.2, 0.15))
    second = SecondCamera(fps=60, size=size, stand="right", clock_s=OFFSET_MS / 1e3)
    return write_recording(match, folder, second=second)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return filmed(tmp_path_factory.mktemp("clip"), (320, 180))


def head(folder: Path) -> str:
    return (folder / "recording.toml").read_text("utf-8")


@pytest.mark.slow
def test_a_second_camera_narrows_what_the_first_one_saw(tmp_path: Path) -> None:
    folder = filmed(tmp_path, (960, 540))
    both = judge_recording(folder)
    told = both["stats"]["second_camera"]
    assert (told["poems"], told["problem"]) == (1, None)
    assert abs(told["offset_ms"] - OFFSET_MS) <= told["offset_unc_ms"]
    (folder / "recording.toml").write_text(head(folder).replace('second = "second.mkv"\n', ""), "utf-8")
    alone = judge_recording(folder)
    assert "second_camera" not in alone["stats"]
    known = {(touch["card"], touch["player"]): touch for touch in both["poems"][0]["touches"]}
    common = [(touch, known.get((touch["card"], touch["player"]))) for touch in alone["poems"][0]["touches"]]
    assert all(other is not None and other["t_unc_ms"] < touch["t_unc_ms"] for touch, other in common)
    assert both["poems"][0]["ruling"]["taken_by"] == alone["poems"][0]["ruling"]["taken_by"]


def test_where_the_clocks_are_apart_by_nobody_knows_what_the_first_camera_judges_alone(
    folder: Path, tmp_path: Path
) -> None:
    other = single_poem("dead_none", 9, 30, (320, 180), "tatami", cards_per_side=8)
    apart = write_recording(other, tmp_path / "apart")
    (apart / "second.mkv").write_bytes((folder / "video.mkv").read_bytes())
    (apart / "recording.toml").write_text(
        head(apart).replace('video = "video.mkv"', 'video = "video.mkv"\nsecond = "second.mkv"'), "utf-8"
    )
    recording = load_recording(apart)
    assert recording.second is not None
    from desk.karuta.eye.second_film import SecondFilm
    from vision.sources.video_file import VideoSource

    film = SecondFilm(recording.second, VideoSource(recording.video))
    assert film.witness is None
    film.show_until(10**9)
    assert film.told()["poems"] == 0
    assert "flash a lamp" in film.told()["problem"]


def test_the_second_video_and_a_known_offset_are_read(folder: Path) -> None:
    text = head(folder)
    second = load_recording(folder).second
    assert second is not None
    assert (second.path.name, second.fps_nominal, second.offset_ns) == ("second.mkv", 60.0, None)
    try:
        (folder / "recording.toml").write_text(text + "offset_ms = 350.5\noffset_unc_ms = 2\n", "utf-8")
        second = load_recording(folder).second
        assert second is not None
        assert (second.offset_ns, second.offset_unc_ns) == (350_500_000, 2_000_000)
        (folder / "recording.toml").write_text(text + 'offset_ms = "soon"\n', "utf-8")
        with pytest.raises(RecordingError, match="takes offset_ms and offset_unc_ms"):
            load_recording(folder)
        (folder / "recording.toml").write_text(text.replace("fps = 60", "fps = 0"), "utf-8")
        with pytest.raises(RecordingError, match=r"\[second_camera\] fps must be a number above 0"):
            load_recording(folder)
        (folder / "recording.toml").write_text(text.replace('"second.mkv"', '"gone.mkv"'), "utf-8")
        with pytest.raises(RecordingError, match=r"gone\.mkv is missing"):
            load_recording(folder)
    finally:
        (folder / "recording.toml").write_text(text, "utf-8")
