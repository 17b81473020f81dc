"""`shinpan log` on real files."""

import subprocess
from pathlib import Path

import pytest

from desk.commands.cli import main
from desk.log.event_log import EventLog
from tests.desk.karuta.karuta_script import begin, play, whole_match


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "match.sqlite"
    engine = begin(path)
    play(engine, whole_match())
    engine._log.close()
    return path


def test_show_replays_and_lists_the_rulings(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["log", "show", str(log)]) == 0
    first, *rulings, last = capsys.readouterr().out.splitlines()
    assert "simulator, rules kyogi" in first
    assert [line.split()[1] for line in rulings] == ["1", "50", "3"]
    assert rulings[2].endswith("near takes, near sends 1  ruled")
    assert last == "the winner is near"


def test_a_log_travels_as_text(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, copy = tmp_path / "match.jsonl", tmp_path / "copy.sqlite"
    assert main(["log", "export", str(log), "--jsonl", str(text)]) == 0
    assert main(["log", "import", str(text), str(copy)]) == 0
    capsys.readouterr()
    assert main(["log", "export", str(copy)]) == 0
    assert capsys.readouterr().out == text.read_text(encoding="utf-8")
    with EventLog.open(log) as first, EventLog.open(copy) as second:
        assert list(first.entries()) == list(second.entries())


def test_pictures_are_forgotten_and_rulings_are_not(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = log.with_suffix(".evidence")
    folder.mkdir()
    (folder / "0a.zip").write_bytes(bytes(2_000_000))
    main(["log", "show", str(log)])
    before = capsys.readouterr().out
    assert main(["log", "forget", str(log)]) == 2
    assert "--evidence deletes its pictures and keeps its rulings" in capsys.readouterr().err
    assert main(["log", "forget", str(tmp_path / "none"), "--evidence"]) == 2
    assert list(folder.iterdir()) == [folder / "0a.zip"]
    capsys.readouterr()
    assert main(["log", "forget", str(log), "--evidence"]) == 0
    assert capsys.readouterr().out == f"{log}: 1 file with pictures deleted (2.0 MB), its rulings stay\n"
    assert not list(folder.glob("*.zip"))
    main(["log", "show", str(log)])
    assert capsys.readouterr().out == before
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "data/shinpan/matches").mkdir(parents=True)
    log.rename(tmp_path / "data/shinpan/matches/match.sqlite")
    assert main(["log", "forget", "match", "--evidence"]) == 0
    assert "no pictures are kept" in capsys.readouterr().out


def test_a_copy_of_a_running_match_is_told_which_file_belongs_with_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    running, copy = tmp_path / "m.sqlite", tmp_path / "copy.sqlite"
    engine = begin(running)
    play(engine, whole_match()[:-2])
    assert main(["log", "check", str(running)]) == 0
    assert "belongs with it" not in capsys.readouterr().out  # it is there
    subprocess.run(["cp", running, copy], check=True)
    assert main(["log", "check", str(copy)]) == 0
    assert f"copy.sqlite-wal belongs with it, at {copy}-wal" in capsys.readouterr().out
