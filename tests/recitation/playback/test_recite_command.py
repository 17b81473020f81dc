"""`shinpan recite`, as a user calls it."""

import io
import itertools
import json
import wave
from pathlib import Path
from typing import Any

import pytest

from desk.commands.cli import main
from desk.reciter.card_sets import keep_order, last_reading_path, sets_path, write_sets

pytestmark = pytest.mark.live


@pytest.fixture(autouse=True)
def no_own_voices(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))


def recite(*words: str) -> int:
    return main(["recite", *words])


def cues(folder: Path) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = json.loads((folder / "cues.json").read_text("utf-8"))["cues"]
    return told


@pytest.mark.parametrize(("rhythm", "apart_s"), [("4-3-1-5", 8), ("5-3-1-6", 9)])
def test_a_rendered_match(tmp_path: Path, rhythm: str, apart_s: int) -> None:
    folder = tmp_path / "out"
    assert recite("--render", str(folder), "--seed", "7", "--rhythm", rhythm, "--poems", "3") == 0
    told = cues(folder)
    assert [(cue["poem"], cue["half"]) for cue in told[:3]] == [(0, "kami"), (0, "shimo"), (0, "shimo")]
    poems = [cue["poem"] for cue in told[3:]]
    assert len(set(poems)) == 3
    for before, after in itertools.pairwise(told[2:]):
        if (before["half"], after["half"]) == ("shimo", "kami"):
            assert after["sample"] - before["sample"] == apart_s * 48_000
    with wave.open(str(folder / "match.wav")) as sound:
        assert (sound.getnchannels(), sound.getframerate()) == (1, 48_000)
        assert sound.getnframes() >= told[-1]["sample"] + told[-1]["samples"]
    assert told[0]["moras"][0] == {"kana": "ナ", "sample": told[0]["sample"]}


@pytest.mark.parametrize(
    ("words", "read"),
    [
        ("--again --mode kami-only --joka 2", [(0, "shimo"), (99, "kami"), (3, "kami")]),
        ("--cards weak,99 --order number --no-joka --mode 1/", [(4, "kami"), (17, "kami"), (99, "kami")]),
        ("--cards 3 --mode beginner --no-joka --wait 2 --voice low", [(3, "kami"), (3, "shimo")]),
        (
            "--cards 31 --karafuda 1 --confusable 1 --no-joka --mode kami-only --order number",
            [(31, "kami"), (64, "kami")],
        ),
    ],
)  # fmt: skip
def test_what_is_wished_is_read(tmp_path: Path, words: str, read: list[tuple[int, str]]) -> None:
    keep_order(last_reading_path(), (99, 3))
    write_sets(sets_path(), {"weak": frozenset({17, 4})})
    recite("--render", str(tmp_path), *words.split())
    assert [(cue["poem"], cue["half"]) for cue in cues(tmp_path)] == read


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--rhythm 4-3-1", "four lengths"),
        ("--voice nobody", "the voices are: high, low"),
        ("--order backwards", "expected an order"),
        ("--wait -1", "wait_s must be"),
    ],
)
def test_what_is_wrong_is_told_before_anything_is_written(
    tmp_path: Path, words: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "out"
    assert recite("--render", str(folder), *words.split()) == 2
    assert told in capsys.readouterr().err
    assert not folder.exists()


@pytest.mark.slow
def test_reading_without_sound_on_the_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert recite("--silent", "--seed", "1", "--no-joka", "--cards", "17", "--mode", "kami-only") == 0
    out = capsys.readouterr().out
    assert "seed 1" in out
    assert "ちはやぶる 神代も聞かず 竜田川" in out
    assert "end of the reading" in out
