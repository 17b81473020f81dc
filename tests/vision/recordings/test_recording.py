"""Recordings: what a folder says, and clear words for what is wrong with it."""

from pathlib import Path

import pytest

from vision.recordings.recording import RecordingError, load_recording

HEAD = 'format = 1\ngame = "karuta"\nvideo = "video.mkv"\n\n[camera]\nfps = 120\n'
READING = '{"t_ms": 800.5, "poem": 17}\n{"t_ms": 4000, "poem": 0}\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "recording.toml").write_text(HEAD, encoding="utf-8")
    (tmp_path / "reading.jsonl").write_text(READING, encoding="utf-8")
    (tmp_path / "video.mkv").write_bytes(b"")
    return tmp_path


def test_reads_what_the_folder_says(folder: Path) -> None:
    recording = load_recording(folder)
    assert recording.game == "karuta"
    assert recording.video == folder / "video.mkv"
    assert recording.fps_nominal == 120.0
    assert [(reading.t_ms, reading.poem) for reading in recording.readings] == [(800.5, 17), (4000.0, 0)]
    assert recording.readings[0].t_ns == 800_500_000


def test_slow_motion_is_told_by_the_rate_it_was_filmed_at(folder: Path) -> None:
    assert load_recording(folder).filmed_fps is None
    (folder / "recording.toml").write_text(f"{HEAD}filmed_fps = 240\n", encoding="utf-8")
    assert load_recording(folder).filmed_fps == 240.0


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("format = 1", "format = 2", r"reads format = 1, got 2"),
        ("format = 1", "", r"reads format = 1, got None"),
        ("karuta", "my chess", r"game must be a name such as karuta, koikoi or kendo, got 'my chess'"),
        ('"video.mkv"', '"other.mkv"', r"other\.mkv is missing"),
        ('"video.mkv"', "3", r"video must name the video file, got 3"),
        ("fps = 120", "fps = -1", r"fps must be a number above 0, got -1"),
        ("fps = 120", "filmed_fps = 0", r"filmed_fps must be a number above 0, got 0"),
        ("fps = 120", 'fps = "fast"', r"fps must be a number above 0, got 'fast'"),
        ("fps = 120", "fps = inf", r"fps must be a number above 0, got inf"),
        ("fps = 120", "fps = 1e300", r"fps must be a number above 0, got 1e\+300"),
        ("format = 1", "format = ", r"cannot be read as TOML"),
        ("format = 1", "format = " + "[" * 5000, r"cannot be read as TOML: it is nested too deeply"),
        ('"video.mkv"', '"../video.mkv"', r"'\.\./video\.mkv' lies outside .*: copy the file into it"),
        ("\n\n", '\naudio = "/dev/zero"\n', r"'/dev/zero' lies outside"),
        ("\n\n", '\nsecond = "/etc/passwd"\n', r"'/etc/passwd' lies outside"),
    ],
)
def test_a_wrong_head_is_named(folder: Path, old: str, new: str, complaint: str) -> None:
    (folder / "recording.toml").write_text(HEAD.replace(old, new), encoding="utf-8")
    with pytest.raises(RecordingError, match=complaint):
        load_recording(folder)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"t_ms": 800, "poem": 17}\n{"t_ms": 9', r"reading\.jsonl line 2 is not JSON"),
        ("[1, 2]", r"line 1: t_ms must be a number"),
        ('{"t_ms": "now", "poem": 17}', r"line 1: t_ms must be a number"),
        ('{"t_ms": NaN, "poem": 17}', r"line 1 is not JSON .*NaN is not a number"),
        (f'{{"t_ms": 1{"0" * 400}, "poem": 17}}', r"line 1: t_ms must be a number"),
        (f'{{"t_ms": 1{"0" * 5000}, "poem": 17}}', r"line 1 is not JSON"),
        ("[" * 100_000, r"line 1 is not JSON"),
        ('{"t_ms": 800}', r"line 1: poem must be a whole number"),
        ('{"t_ms": 800, "poem": 17.5}', r"line 1: poem must be a whole number"),
        ('\n{"t_ms": 800, "poem": 101}', r"line 2: poem must lie in 0\.\.100 .* got 101"),
        ('{"t_ms": 800, "poem": -1}', r"line 1: poem must lie in 0\.\.100 .* got -1"),
        ("\n", r"is empty"),
        ('{"t_ms": 800, "poem": 1}\n{"t_ms": 700, "poem": 2}', r"poem 2 at 700\.0 ms comes after poem 1"),
    ],
)
def test_an_unreadable_reading_is_named_with_its_line(folder: Path, text: str, complaint: str) -> None:
    (folder / "reading.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(RecordingError, match=complaint):
        load_recording(folder)


@pytest.mark.parametrize("name", ["recording.toml", "reading.jsonl", "video.mkv"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(RecordingError, match=rf"{name} is missing"):
        load_recording(folder)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="is not a folder"):
        load_recording(tmp_path / "nowhere")
