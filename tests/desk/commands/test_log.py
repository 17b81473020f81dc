"""`shinpan log` on real files."""

import subprocess
import sys
from dataclasses import replace
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


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "missing.sqlite"], "expected the file of a match log, but there is none"),
        (["import", "missing.jsonl", "new.sqlite"], "missing.jsonl: there is no such file or folder"),
        (["judge"], "invalid choice: 'judge'"),
        ([], "the following arguments are required: ACTION"),
    ],
)
def test_what_is_wrong_is_one_line(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        code = main(["log", *arguments])
    except SystemExit as left:
        code = int(left.code or 0)
    err = capsys.readouterr().err
    assert code == 2
    assert message in err
    assert err.count("\n") == 1


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


def test_a_log_where_it_was_written_lacks_nothing_though_its_desk_was_killed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "m.sqlite"
    killed = (
        "import os, signal, sys; from pathlib import Path\n"
        "from tests.desk.karuta.karuta_script import begin, play, whole_match\n"
        "play(begin(Path(sys.argv[1])), whole_match()[:-2]); os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", killed, log], check=False)
    for _ in range(2):  # the first takes in the file beside it
        assert main(["log", "check", str(log)]) == 0
    assert "belongs with it" not in capsys.readouterr().out


def test_an_imported_match_lacks_nothing_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, log = tmp_path / "m.jsonl", tmp_path / "imported.sqlite"
    play(begin(tmp_path / "m.sqlite"), whole_match()[:-2])
    main(["log", "export", str(tmp_path / "m.sqlite"), "--jsonl", str(text)])
    main(["log", "import", str(text), str(log)])
    assert main(["log", "check", str(log)]) == 0
    assert "belongs with it" not in capsys.readouterr().out
    with EventLog.open(log) as opened:
        opened.append([replace(next(opened.entries()), seq=opened.last_seq + 1)])
        assert log.with_name("imported.sqlite-wal").is_file()


def test_a_match_that_is_over_lacks_nothing(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["log", "check", str(log)])
    assert "belongs with it" not in capsys.readouterr().out
