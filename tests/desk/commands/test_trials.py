"""`shinpan trials` from a film to the camera's record and to a film to give away."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from desk.commands.cli import main
from desk.karuta.eye.prior_knowledge import known_of
from tests.vision.conftest import load_unseen
from vision.sources.video_file import VideoSource

FPS = 30


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A second and a half in which nobody moves, then a mat that creeps by 1.2 mm (at about 1 px per mm)."""
    gray, path = load_unseen("new-tegomin-720").gray, tmp_path_factory.mktemp("film") / "film.avi"
    dice, writer = (
        np.random.default_rng(5),
        cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FPS, (1280, 720)),
    )
    for index in range(3 * FPS):
        crept = gray.copy()
        way_px = 1.2 * float(np.clip((index / FPS - 2.0) / 0.4, 0, 1))
        warp = np.array([[1.0, 0.0, way_px], [0.0, 1.0, 0.0]])
        crept[360:] = cv2.warpAffine(gray, warp, (1280, 720), flags=cv2.INTER_CUBIC)[360:]
        seen = np.clip(np.rint(crept + dice.normal(0, 1.5, gray.shape)), 0, 255).astype(np.uint8)
        writer.write(cv2.cvtColor(seen, cv2.COLOR_GRAY2BGR))
    writer.release()
    return path


def listed(folder: Path, *lines: str) -> str:
    path = folder / "list.csv"
    path.write_text("\n".join(["at,trial", *lines]), "utf-8")
    return str(path)


def test_a_film_of_trials_becomes_a_table_and_the_hall_of_its_camera(
    home: Path, film: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = listed(home, "0.3,quiet", "1.6,kneel", "9,slap")
    told = home / "table.json"
    assert main(["trials", "table", str(film), calls, "--camera", "0", "--json", str(told)]) == 0
    said = capsys.readouterr().out
    assert "| pictures a second | 30.0 |" in said
    assert "| quiet | 1 | 0 | 0 | 1 |" in said
    assert "0 of 2 trials without a touch told as a touch: passes (at most 1 in 20)" in said
    assert "trials that begin after the film's end: 1" in said
    figures = json.loads(told.read_text("utf-8"))
    assert figures["creep_mm"] == pytest.approx(1.2, abs=0.15)
    assert figures["drift_mm"] < 0.1
    assert known_of(None, "camera 0").hall.floor_mm == pytest.approx(figures["floor_mm"])
    assert main(["calibrate", "--list"]) == 0
    assert "hall: cards that nobody touched moved by up to 0." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("99,quiet", ("ends at 0.7 s, before the first trial at 99.0 s", "より前に終わっています")),
        ("0.0,quiet", ("no trial in", "見られた試行がありません")),
        ("0.3,dance", ("a trial is one of quiet", "試行は次のどれか")),
    ],
)
def test_what_cannot_be_measured_is_told_in_both_languages(
    home: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    line: str,
    said: tuple[str, str],
) -> None:
    bare = home / "bare.avi"
    writer = cv2.VideoWriter(str(bare), cv2.VideoWriter.fourcc(*"MJPG"), FPS, (320, 180))
    for level in range(20):
        writer.write(np.full((180, 320, 3), 80 + level % 3, np.uint8))
    writer.release()
    for language, text in zip(("C", "ja_JP.UTF-8"), said, strict=True):
        monkeypatch.setenv("LC_ALL", language)
        assert main(["trials", "table", str(bare), listed(home, line)]) == 2
        error = capsys.readouterr().err.strip().splitlines()[-1]
        assert text in error


def test_a_film_is_packed_over_no_file(home: Path, film: Path, capsys: pytest.CaptureFixture[str]) -> None:
    packed = home / "packed"
    calls = listed(home, "0.3,quiet")
    assert main(["trials", "pack", str(film), str(packed), "--list", calls]) == 0
    assert "look at the film before you give it away" in capsys.readouterr().out
    assert sorted(path.name for path in packed.iterdir()) == ["trials.csv", "video.mp4"]
    height, width = next(iter(VideoSource(packed / "video.mp4"))).shape_px
    assert height < 720
    assert width < 1280
    assert main(["trials", "pack", str(film), str(packed)]) == 2
    assert "is not empty" in capsys.readouterr().err
    assert main(["trials", "pack", str(film), str(home / "other"), "--rim", "900"]) == 2
    assert "--rim: expected 0 to 300 mm, got 900" in capsys.readouterr().err
