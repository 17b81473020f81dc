"""The command line answers fast, loads no picture library for its help, and reports errors in one line."""

import argparse
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desk.commands import cli
from referee.sentence import Sentence

HEAVY = ("cv2", "numpy", "scipy", "fastapi", "pydantic", "sounddevice", "av", "sqlite3", "asyncio")


@pytest.mark.parametrize(
    ("words", "code", "out", "err"),
    [
        (["--help"], 0, "\n    koikoi ", None),
        (["--version"], 0, "shinpan 0.", None),
        ([], 2, None, "COMMAND"),
        (["umpire"], 2, None, "umpire"),
        (["--umpire"], 2, None, "umpire"),
        (["doctor", "--umpire"], 2, None, "umpire"),
    ],
)
def test_a_call_is_answered_on_the_right_stream(
    words: list[str], code: int, out: str | None, err: str | None, tmp_path: Path
) -> None:
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C"}
    command, folder = [sys.executable, "-m", "desk", *words], Path(cli.__file__).parents[2]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=60, check=False, cwd=folder
    )
    assert done.returncode == code
    for text, printed in ((out, done.stdout), (err, done.stderr)):
        assert text in printed if text else printed == ""
    assert not words or done.stderr.count("\n") <= 1


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


def test_ctrl_c_leaves_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command_that_raises(monkeypatch, "raise KeyboardInterrupt", tmp_path)
    assert cli.main(["umpire"]) == 130
    assert capsys.readouterr().err == ""


def test_a_command_keeps_the_picture_library_to_one_thread() -> None:
    probe = "from desk.commands import cli\ncli.main([])\nimport cv2\nprint(cv2.getNumThreads())\n"
    home = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    done = subprocess.run([sys.executable, "-c", probe], env=home, capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == "1"


WRONG_CALLS: list[tuple[str, str]] = [
    ("demo --cards 3", "expected 4..25 cards per side, got '3'"),
    ("demo --fps 0", "expected a number above 0, got '0'"),
    ("demo --size 720p", "expected WIDTHxHEIGHT of at least 240 pixels, such as 1280x720, got '720p'"),
    ("demo --speed nan", "expected a number above 0, got 'nan'"),
    ("demo --seed x", "argument --seed: invalid int value: 'x'"),
    ("demo --headless --json /no/such/folder/report.json", "there is no folder /no/such/folder"),
    ("demo --port 99999", "a port is a number from 1 to 65535, got 99999"),
    ("calibrate", "name a SOURCE"),
    ("calibrate nowhere --timing", "expected a camera's number"),
    ("calibrate nowhere --marks 0 5", "--marks are two distances"),
    ("calibrate 0 --seconds 0", "--seconds: expected more than 0, got 0"),
    ("watch nowhere", "expected a camera's number"),
    ("watch http://127.0.0.1:9/", "cannot be opened"),
    ("watch 0 --size large", "--size is a width and a height such as 1280x720, got 'large'"),
    ("watch 0 --fps 0", "--fps and --exposure-ms must be above 0"),
    ("watch 0 --reading gone.jsonl", "gone.jsonl is missing"),
    ("practise --no-page --player Hana nowhere", "nowhere"),
    ("practise --no-page --player Hana 'simulator cards=3'", "cards_per_side must be 4..25"),
    ("practise --no-page --player Hana simulator --karafuda 100", "--karafuda is 0..99"),
    ("practise --no-page --player Hana simulator --patience 0", "--patience is 0.5 to 60"),
    ("practise --no-page --player Hana 'simulator speed=fast'", "a simulation is named by"),
    ("hall up --folder hall --mats 0", "--mats: expected 1 to 9999, got 0"),
    ("hall up --folder hall --port 0", "--port: expected 1 to 65533, got 0"),
    ("hall up --folder hall --nodes 3 --hosts a,b", "--hosts: expected 3 addresses"),
    ("hall up --folder hall --certificate x.pem", "belong together"),
    ("hall up --folder hall --certificate x.pem --key y.pem", "x.pem is no PEM certificate"),
    ("hall up --folder hall --speakers mat-99", "there is no mat-99"),
    ("hall up --folder hall --nodes 3 --hosts a,b,c --days -5", "--days: expected 1 to 3650, got -5"),
    ("serve --deck nowhere", "there is no deck 'nowhere'"),
]


@pytest.mark.parametrize(("call", "told"), WRONG_CALLS)
def test_a_wrong_call_is_one_line_and_keeps_nothing(
    call: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if call.startswith("hall"):
        pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    try:
        code = cli.main(shlex.split(call))
    except SystemExit as left:
        code = int(left.code or 0)
    out, err = capsys.readouterr()
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert told in err
    assert not list(tmp_path.rglob("*.sqlite"))
