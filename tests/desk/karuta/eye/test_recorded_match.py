"""`shinpan judge`: recordings in, rulings out, and clear words for what is wrong with a recording."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from desk.archive.recordings import HouseRules, key_of
from desk.commands.cli import main
from desk.karuta.eye.recorded_match import watch_recording
from desk.machine import camera_records
from referee.facts import Gap
from referee.karuta.risk import risk_of
from referee.karuta.ruleset import KYOGI
from tests.desk.filmed import filmed
from tests.slow_case import slow_case
from vision.frames.frame import Frame
from vision.poem.watcher import PoemWatcher
from vision.simulator import single_poem, write_recording
from vision.sources.video_file import VideoSource

CLIPS = {"opp": 3, "dead_none": 4, "hover": 5, "dead_touch": 7}


class Clips(dict[str, Path]):
    """Recordings by their scenario, each filmed when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __missing__(self, name: str) -> Path:
        film = single_poem(name, CLIPS[name], fps=60, size=(640, 360), cards_per_side=8)
        self[name] = write_recording(film, self._folder / name)
        return self[name]


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Clips:
    return Clips(tmp_path_factory.mktemp("recordings"))


@pytest.mark.parametrize("name", ["opp", "dead_none", slow_case("hover")])
def test_clip_is_judged_as_it_happened(clips: Clips, name: str, tmp_path: Path) -> None:
    out = tmp_path / "rulings.json"
    assert main(["judge", str(clips[name]), "--json", str(out)]) == 0
    judged = json.loads(out.read_text(encoding="utf-8"))
    truth = json.loads((clips[name] / "truth.json").read_text(encoding="utf-8"))
    assert {card["card"] for card in judged["layout"]} == {card["card"] for card in truth["layout"]}
    (poem,), (expected,) = judged["poems"], truth["poems"]
    assert poem["poem"] == expected["poem"]
    assert poem["t_ms"] == pytest.approx(expected["t_ms"], abs=0.01)
    for key in ("taken_by", "faults", "sends"):
        assert poem["ruling"][key] == expected["ruling"][key]
    assert poem["ruling"]["status"] == "decided"
    assert 0 <= poem["ruling"]["confidence"] <= 1
    assert poem["ruling"]["reasons"]
    for touch in poem["touches"]:
        assert touch["kind"] in {"touch", "pushed_out"}
        assert touch["t_unc_ms"] > 0
    assert judged["stats"]["frames"] > 0
    assert judged["risk"] == risk_of(KYOGI).to_json()


def test_a_lamp_that_dims_while_a_card_is_taken_leaves_the_poem_to_a_person(clips: Clips) -> None:
    truth = json.loads((clips["opp"] / "truth.json").read_text(encoding="utf-8"))
    touched_ns = round(1e6 * min(one["t_ms"] for one in truth["poems"][0]["touches"]))

    class Dimmed(VideoSource):
        def __iter__(self) -> Iterator[Frame]:
            for frame in super().__iter__():
                self.glances = False
                dims = -100_000_000 < frame.t_ns - touched_ns < 150_000_000
                light = 0.6 if dims else 1.0
                yield replace(frame, picture=(frame.gray * light).astype(np.uint8), jpeg=None)
                self.glances = False

    watched = watch_recording(clips["opp"], opened=Dimmed)
    (poem,) = watched.seen.values()
    assert [fact.reason for fact in poem.facts if isinstance(fact, Gap)] == ["light_changed"]
    assert watched.judged["poems"][0]["ruling"]["status"] == "review"


def test_the_hall_of_the_camera_that_filmed_is_heeded(
    clips: Clips, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(camera_records, "records_folder", lambda: tmp_path)
    folder, out = clips["dead_touch"], tmp_path / "rulings.json"
    command = ["judge", str(folder), "--json", str(out), "--replace", "--camera", "0"]
    assert main(command) == 2
    assert "no trials were measured with camera 0" in capsys.readouterr().err
    ruled, keys = [], []
    for floor_mm in (None, 3.4):
        camera_records.keep("camera 0", "hall", {"floor_mm": floor_mm})
        assert main(command) == 0
        (poem,) = json.loads(out.read_text("utf-8"))["poems"]
        shocks = sum(one["reason"] == "floor_shock" for one in poem["not_provable"])
        ruled.append((poem["ruling"]["status"], len(poem["touches"]), shocks))
        keys.append(key_of(folder, HouseRules(filmed_by="camera 0")))
    (status, touches, shocks), (then, fewer, more) = ruled
    assert (status, then) == ("decided", "review")
    assert fewer < touches
    assert more > shocks, "what slid less than the floor moves cards is no proof"
    assert keys[0] != keys[1], "an archive judges it anew"


@pytest.fixture
def broken(clips: Clips, tmp_path: Path) -> Path:
    folder = tmp_path / "clip"
    shutil.copytree(clips["dead_none"], folder)
    return folder


def complaint(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["judge", str(folder)]) == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1, "one line says what is wrong"
    return lines[0]


@pytest.mark.parametrize(
    ("file", "holds", "why"),
    [
        ("video.mkv", None, "video.mkv is missing"),
        ("video.mkv", "this is no video at all", "cannot be opened as a video"),
        ("reading.jsonl", '{"t_ms": 800.0, "poem": 17\n', "reading.jsonl line 1 is not JSON"),
        ("reading.jsonl", '{"t_ms": 800.0, "poem": 101}\n', "0..100"),
        ("recording.toml", 'format = 1\ngame = "poker"\nvideo = "video.mkv"\n', "poker"),
        ("", None, "does not exist"),
    ],
)
def test_what_is_wrong_with_a_recording_is_one_line(
    broken: Path, capsys: pytest.CaptureFixture[str], file: str, holds: str | None, why: str
) -> None:
    if not file:
        shutil.rmtree(broken)
    elif holds is None:
        (broken / file).unlink()
    else:
        (broken / file).write_text(holds, encoding="utf-8")
    assert why in complaint(broken, capsys)


def test_video_without_cards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    floor = np.full((180, 320), 120, np.uint8)
    assert "no karuta cards were found" in complaint(filmed(tmp_path, [floor] * 20), capsys)


def test_a_film_that_shows_pictures_twice_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = single_poem("own", 3, fps=30, size=(640, 360), cards_per_side=8)
    twice = (frame.gray for frame in match for _ in range(2))
    assert main(["judge", str(filmed(tmp_path, twice))]) == 0
    told = capsys.readouterr()
    assert "show the one before once more" in told.err
    stats = json.loads(told.out)["stats"]
    assert stats["repeated_frames"] > 10
    assert stats["frames"] + stats["repeated_frames"] == 2 * len(list(match))


def test_a_poem_at_which_the_eye_fails_goes_to_a_person(
    clips: Clips, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(self: PoemWatcher, **how: bool) -> list[object]:
        raise IndexError("a bug")

    monkeypatch.setattr(PoemWatcher, "finish", broken)
    out = tmp_path / "rulings.json"
    assert main(["judge", str(clips["opp"]), "--json", str(out)]) == 0
    judged = json.loads(out.read_text(encoding="utf-8"))
    assert judged["poems"][0]["ruling"]["status"] == "review"
    assert judged["poems"][0]["ruling"]["doubts"] == ["gap"]
    assert len(judged["stats"]["eye_failed"]) == 1
    assert "the eye failed, a person decides a poem: a bug (IndexError" in capsys.readouterr().err
