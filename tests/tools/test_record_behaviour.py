"""The record of the commands' outputs: the same in two runs, and a difference is named."""

import json
from pathlib import Path

import pytest
from record_behaviour import all_jobs, main, without_costs


def recorded(out: Path, shared: Path, only: str) -> Path:
    assert main(["record", str(out), "--shared", str(shared), "--only", only]) == 0
    return out


def test_two_records_are_the_same_and_a_difference_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = recorded(tmp_path / "old", tmp_path, "kendo/random-1")
    new = recorded(tmp_path / "new", tmp_path, "kendo/random-1")
    capsys.readouterr()
    assert main(["compare", str(old), str(new)]) == 0
    assert "1 answers are the same" in capsys.readouterr().out
    answer = new / "kendo" / "random-1.txt"
    answer.write_text(answer.read_text("utf-8").replace("seed-003", "seed-004"), "utf-8")
    assert main(["compare", str(old), str(new)]) == 1
    assert "kendo/random-1.txt, line 3:" in capsys.readouterr().out
    answer.unlink()
    assert main(["compare", str(old), str(new)]) == 1
    assert f"kendo/random-1.txt: not in {new}" in capsys.readouterr().out
    assert main(["compare", str(new), str(new)]) == 1, "nothing is no record"


def test_every_recording_photo_and_game_has_an_answer(tmp_path: Path) -> None:
    for name, deck in (("karuta", ""), ("table/round", '[deck]\nenrol = "deck"\n')):
        folder = tmp_path / name
        folder.mkdir(parents=True)
        (folder / "recording.toml").write_text(f'format = 1\nvideo = "video.mkv"\n{deck}', "utf-8")
    names = [name for name, _ in all_jobs(tmp_path)]
    assert names[:3] == ["judge/karuta", "judge/table/round", "identify/table/round"]
    assert {name.split("/")[0] for name in names} == {"judge", "identify", "koikoi", "kendo", "recite"}


def test_costs_are_left_out_at_any_depth() -> None:
    answer = {"poems": [{"t_ms": 3, "wall_s": 1.0}], "stats": {"cpu_s": 0.1, "frames": 2}}
    assert without_costs(json.loads(json.dumps(answer))) == {"poems": [{"t_ms": 3}], "stats": {"frames": 2}}
