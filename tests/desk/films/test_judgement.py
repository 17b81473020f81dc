"""Films from phones without any notes: the poems are heard, seen, or asked for."""

import csv
import json
import shutil
import sys
from pathlib import Path

import cv2
import judge_phone_film
import numpy as np
import pytest

from desk.commands.cli import main
from desk.errors import DeskError
from desk.films import game, judgement
from desk.films.film import Ask, Film, OpenQuestionError, Progress, Stage, open_film
from desk.films.judgement import FilmHints, corrected, judge_again, judge_film
from desk.films.reading import FilmReading, Look
from desk.films.sound import FilmSound, HeardReading
from desk.karuta.evidence.poem_json import judged_poem
from desk.karuta.eye.recorded_match import WatchedRecording, judge_recording, rules_named
from recitation.listening.listener import Suggestion
from referee.facts import ASSUMED, DISAGREEING, Gap
from referee.layout import Layout
from tests.desk.films.spoken_film import phone_film, reading_sound
from vision.recordings.recording import load_recording
from vision.simulator import single_poem, write_recording
from vision.torifuda.prior_knowledge import NOTHING_KNOWN

TIMES = 8  # 240 pictures a second, played as 30


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    match = single_poem("own", 2, 30, (640, 360), cards_per_side=6)
    folder = write_recording(match, tmp_path_factory.mktemp("match") / "clip")
    (reading,) = load_recording(folder).readings
    sound = reading_sound([(reading.t_ms / 1e3, reading.poem)], 6.5)
    phone_film(folder, folder / "spoken.mp4", sound)
    phone_film(folder, folder / "silent.mp4")
    phone_film(folder, folder / "slow.mp4", slower=TIMES)
    return folder


@pytest.fixture
def poem(folder: Path) -> int:
    return load_recording(folder).readings[0].poem


def test_a_film_with_its_sound_is_judged_and_its_recording_gives_the_same_again(
    folder: Path, tmp_path: Path
) -> None:
    (truth,) = json.loads((folder / "truth.json").read_text("utf-8"))["poems"]
    told: list[Progress] = []
    film = judge_film(folder / "spoken.mp4", FilmHints(), keep=tmp_path / "kept", tell=told.append)
    (judged,) = film.judged["poems"]
    assert (film.game, judged["poem"]) == ("karuta", truth["poem"])
    assert judged["t_ms"] == pytest.approx(truth["t_ms"], abs=film.readings[0].t_unc_ns / 1e6)
    assert {key: judged["ruling"][key] for key in truth["ruling"]} == truth["ruling"]
    assert judged["ruling"]["status"] == "decided"
    assert {progress.stage for progress in told} == {Stage.LISTENING, Stage.JUDGING}
    again = judge_recording(tmp_path / "kept")
    assert (again["poems"], again["layout"]) == (film.judged["poems"], film.judged["layout"])
    assert {path.name for path in tmp_path.iterdir()} == {"kept"}
    assert [progress.share for progress in told if progress.stage is Stage.LISTENING][-1] > 0.5


def test_a_poem_that_is_judged_again_is_ruled_as_it_was_and_looks_are_compared_again(folder: Path) -> None:
    (truth,) = json.loads((folder / "truth.json").read_text("utf-8"))["poems"]
    told = round(truth["t_ms"] * 1e6)
    film, rules = open_film(folder / "silent.mp4"), rules_named(None)
    assumed = FilmReading(told, 20_000_000, 1, ASSUMED, seen=Look(Layout(()), ()))  # it had seen nothing
    reading, seen = judge_again(film, [corrected(assumed, poem=truth["poem"])], 0, rules, NOTHING_KNOWN)
    assert seen is not None
    ruling = judged_poem(seen.start, seen, rules)["ruling"]
    assert {key: ruling[key] for key in ("taken_by", "faults", "sends")} == {
        key: truth["ruling"][key] for key in ("taken_by", "faults", "sends")
    }
    assert reading.doubt == DISAGREEING
    assert ruling["status"] == "review"
    assert DISAGREEING in {fact.reason for fact in seen.facts if isinstance(fact, Gap)}


def test_the_card_that_left_a_silent_film_is_assumed_and_nothing_is_decided(
    folder: Path, poem: int, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["judge", str(folder / "silent.mp4"), "--json", str(tmp_path / "out.json")]) == 0
    (judged,) = json.loads((tmp_path / "out.json").read_text("utf-8"))["poems"]
    assert (judged["poem"], judged["ruling"]["status"]) == (poem, "review")
    assert judged["reading_doubt"] == "poem_assumed"
    out, said = capsys.readouterr()
    assert "(gap, poem_assumed)" in out
    assert "it has no sound" in said
    assert "assumed from the cards that left" in said
    assert f"--poems {poem}\n" in said


def test_slow_motion_without_a_rate_is_asked_about_and_judged_once_it_is_told(
    folder: Path, poem: int
) -> None:
    slow = folder / "slow.mp4"
    with pytest.raises(OpenQuestionError, match="more slowly in it than in play") as asked:
        judge_film(slow, FilmHints(poems=(poem,)))
    assert asked.value.ask is Ask.RATE
    (judged,) = judge_film(slow, FilmHints(poems=(poem,), filmed_fps=30.0)).judged["poems"]
    (truth,) = json.loads((folder / "truth.json").read_text("utf-8"))["poems"]
    assert judged["ruling"]["status"] == "decided"
    assert judged["ruling"]["taken_by"] == truth["ruling"]["taken_by"]
    assert min(abs(touch["t_ms"] - truth["touches"][0]["t_ms"]) for touch in judged["touches"]) < 40


def test_what_is_wrong_with_a_film_or_its_options_is_told_in_one_line(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    film, text = str(folder / "spoken.mp4"), tmp_path / "notes.mp4"
    text.write_text("no film at all", encoding="utf-8")
    bare = tmp_path / "floor.avi"
    writer = cv2.VideoWriter(str(bare), cv2.VideoWriter.fourcc(*"MJPG"), 30, (320, 240))
    for _ in range(5):
        writer.write(np.full((240, 320, 3), 90, np.uint8))
    writer.release()
    for words, said in (
        ([str(tmp_path / "gone.mp4")], "does not exist"),
        ([str(text)], "cannot be opened as a video"),
        ([str(bare)], "neither karuta cards nor the markers of a card table were found"),
        ([str(bare)], "(--game)"),
        ([str(folder), "--poems", "17"], "--poems is for a film"),
        ([film, "--poems", "17,x"], "expected the numbers of poems in order, such as 17,46,3"),
        ([film, "--fps", "0"], "above 0, got 0"),
        ([film, "--unread", "foo"], "--unread: expected numbers"),
        ([film, "--save", str(folder)], "is not empty"),
        ([film, "--game", "koikoi"], "with which deck"),
        ([film, "--rules", "odd"], "--rules odd: there is no ruleset 'odd'; presets: "),
    ):
        assert main(["judge", *words]) == 2, words
        error = capsys.readouterr().err
        assert said in error
        assert error.count("\n") == 1 + error.count("%\n")  # beside how far it is


def test_of_a_film_without_a_sound_picture_nobody_asks_for_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game, "_glances", lambda _: iter(()))
    with pytest.raises(DeskError, match=r"film\.mp4 are damaged: copy the film anew") as told:
        game.game_of(Film(Path("film.mp4"), None, 60, 1, 10**10))
    assert not isinstance(told.value, OpenQuestionError)


def test_nothing_is_left_where_a_film_cannot_be_kept(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    heard = HeardReading(0.9, (Suggestion(1, 1.0),))
    monkeypatch.setattr(judgement, "listen_to", lambda *_: FilmSound((heard,)))
    judged = WatchedRecording({"poems": [{"ruling": {"doubts": [], "reasons": []}}]}, {})
    monkeypatch.setattr(judgement, "watch_recording", lambda *_: judged)
    monkeypatch.setattr(shutil, "copyfile", full)
    monkeypatch.setattr("os.link", full)
    with pytest.raises(OSError, match="No space left"):
        judge_film(folder / "spoken.mp4", FilmHints(game="karuta"), keep=tmp_path / "kept")
    assert list(tmp_path.iterdir()) == []


def test_the_example_writes_a_table_of_the_rulings(
    folder: Path, poem: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tmp_path / "rulings.csv"
    words = ["judge_phone_film.py", str(folder / "silent.mp4"), str(table), "--poems", str(poem)]
    monkeypatch.setattr(sys, "argv", words)
    assert judge_phone_film.main() == 0
    (row,) = csv.DictReader(table.read_text("utf-8-sig").splitlines())
    (truth,) = json.loads((folder / "truth.json").read_text("utf-8"))["poems"]
    assert (row["poem"], row["taken by"]) == (str(poem), truth["ruling"]["taken_by"])
    monkeypatch.setattr(sys, "argv", ["judge_phone_film.py", str(folder / "nowhere.mp4"), str(table)])
    with pytest.raises(SystemExit, match=r"nowhere.mp4"):
        judge_phone_film.main()
