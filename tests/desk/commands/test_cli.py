"""The command line answers fast, loads no picture library for its help, and reports errors in one line."""

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from unicodedata import east_asian_width

import pytest

from desk.commands import cli
from referee.sentence import Sentence

HEAVY = ("cv2", "numpy", "scipy", "fastapi", "pydantic", "sounddevice", "av", "sqlite3", "asyncio")


def run_shinpan(*arguments: str, home: Path) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C"}
    return subprocess.run(
        [sys.executable, "-m", "desk", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=Path(cli.__file__).parents[2],
    )


def test_help_names_every_command(tmp_path: Path) -> None:
    done = run_shinpan("--help", home=tmp_path)
    assert done.returncode == 0
    assert done.stderr == ""
    for command in cli.COMMANDS:
        assert re.search(rf"\n    {command.name}\s", done.stdout)


def test_help_imports_nothing_heavy() -> None:
    probe = (
        "import sys\nfrom desk.commands.cli import build_parser\nbuild_parser().format_help()\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("command", [command.name for command in cli.COMMANDS])
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main([command, "--help"])
    assert left.value.code == 0
    assert f"usage: shinpan {command}" in capsys.readouterr().out


def test_version(tmp_path: Path) -> None:
    done = run_shinpan("--version", home=tmp_path)
    assert done.returncode == 0
    assert done.stdout.startswith("shinpan 0.")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (["--help"], ["使い方：shinpan [-h]", "judge     動画や録画を判定し", "オプション:"]),
        (
            ["koikoi", "--help"],
            ["こいこいの点数計算・判定・準備。", "    score     取り札をJSONで一行ずつ読み"],
        ),
        (["koikoi", "score", "--help"], ["使い方：shinpan koikoi score [-h]"]),
        (["judge"], ["次の引数が必要です：FILM"]),
        (["serve", "--port", "x"], ["--port：整数ではありません：'x'"]),
        (["koikoi", "dance"], ["'dance'は選べません（"]),
        (["hall", "read"], ["shinpan hall read: 次の引数が必要です：--hall"]),
        (["demo", "--cards", "99"], ["shinpan demo: --cards：一人の枚数は4～25枚ですが、'99'でした"]),
        (["watch", "--fps"], ["値が一つ必要です"]),
        (["doctor", "--umpire"], ["知らない引数です：--umpire"]),
    ],
)
def test_the_call_is_explained_in_the_language_of_the_terminal(
    call: list[str], said: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    with pytest.raises(SystemExit):
        cli.main(call)
    printed = "".join(capsys.readouterr())
    for text in said:
        assert text in printed
    assert printed.count("使い方：") == 1


def helps_of(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Iterate over the texts of a command's help, and of the help of its actions."""
    for group in parser._action_groups:
        yield from filter(None, (group.title, group.description))
        for action in group._group_actions:
            if isinstance(action, argparse._SubParsersAction):
                yield from (choice.help or f"{choice.dest} has no help" for choice in action._choices_actions)
                for chosen in action.choices.values():
                    yield from helps_of(chosen)
            else:
                yield action.help or f"{parser.prog} {action.dest} has no help"


@pytest.mark.parametrize("command", [command.name for command in cli.COMMANDS])
def test_every_option_is_explained_in_japanese(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    actions = cli.build_parser(command)._actions
    (commands,) = (action for action in actions if isinstance(action, argparse._SubParsersAction))
    texts = [*helps_of(commands.choices[command])]
    assert len(texts) > 2
    in_japanese = {text: cli.in_terminal_language(Sentence(text)) for text in texts}
    assert [text for text, said in in_japanese.items() if not re.search("[ぁ-んァ-ヶ一-龠]", said)] == []


def test_a_line_of_japanese_fits_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    monkeypatch.setenv("COLUMNS", "60")
    with pytest.raises(SystemExit):
        cli.main(["recite", "--help"])
    for line in capsys.readouterr().out.splitlines():
        assert sum(1 + (east_asian_width(letter) in "FW") for letter in line) <= 60
        assert not re.match(r"\s*[、。：；）」]", line), line


def test_no_command_shows_the_help_and_fails(tmp_path: Path) -> None:
    done = run_shinpan(home=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "COMMAND" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [["umpire"], ["--umpire"], ["doctor", "--umpire"]],
    ids=["unknown command", "unknown option", "unknown option of a command"],
)
def test_a_wrong_call_is_one_line_on_stderr(arguments: list[str], tmp_path: Path) -> None:
    done = run_shinpan(*arguments, home=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "umpire" in done.stderr
    assert "--help" in done.stderr


def command_that_raises(monkeypatch: pytest.MonkeyPatch, source: str, tmp_path: Path) -> None:
    """Offer a real command module on disk whose `run` is `source`."""
    (tmp_path / "umpire_command.py").write_text(
        f"def add_arguments(parser): pass\ndef run(arguments):\n    {source}\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "umpire_command", raising=False)
    monkeypatch.setattr(
        cli, "COMMANDS", (cli.Command("umpire", "call 100 % of the balls", "umpire_command"),)
    )


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "import desk.errors as e; raise e.DeskError('expected a tea,\\n  got coffee')",
            "expected a tea, got coffee",
        ),
        (
            "open('/no/such/folder/file')",
            "/no/such/folder/file: there is no such file or folder: check the name",
        ),
        ("raise ImportError('libGL.so.1: cannot open shared object file')", "sudo apt-get install libgl1"),
        ("raise OSError('PortAudio library not found')", "sudo apt-get install libportaudio2"),
    ],
)
def test_what_a_user_can_mend_is_one_line(
    source: str,
    expected: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    command_that_raises(monkeypatch, source, tmp_path)
    assert cli.main(["umpire"]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("shinpan umpire: ")
    assert expected in captured.err
    assert captured.err.count("\n") == 1


def test_an_error_of_ours_is_not_hidden(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    command_that_raises(monkeypatch, "raise ImportError('no module named shinpan_internals')", tmp_path)
    with pytest.raises(ImportError):
        cli.main(["umpire"])


def test_ctrl_c_leaves_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command_that_raises(monkeypatch, "raise KeyboardInterrupt", tmp_path)
    assert cli.main(["umpire"]) == 130
    assert capsys.readouterr().err == ""


def test_a_module_is_imported_only_for_its_own_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    command_that_raises(monkeypatch, "return 7", tmp_path)
    assert isinstance(cli.build_parser(), argparse.ArgumentParser)
    assert "umpire_command" not in sys.modules
    assert cli.main(["umpire"]) == 7


def test_a_command_keeps_the_picture_library_to_one_thread() -> None:
    probe = "from desk.commands import cli\ncli.main([])\nimport cv2\nprint(cv2.getNumThreads())\n"
    home = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    done = subprocess.run([sys.executable, "-c", probe], env=home, capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == "1"
