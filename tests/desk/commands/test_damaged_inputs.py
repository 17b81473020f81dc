"""Damaged inputs of every command that reads text or a log end in one line."""

import contextlib
import io
import json
import re
import shutil
import sys
import traceback
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest

from desk.commands import cli
from desk.log.event_log import EventLog
from desk.log.jsonl_file import exported_lines
from referee.koikoi.house_rules import preset
from referee.rules_listing import listing
from tests.desk.commands.test_kendo import BOUT
from tests.desk.commands.test_koikoi import ROUND
from tests.desk.karuta.karuta_script import begin, play, whole_match

INPUTS = 12
MS = 1_000_000
SCORE = b'{"pile": [0, 8, 44], "own_calls": 1, "month": 3}\n'
SETS_ADDRESS = b"wasuramoti://fudaset/eyJzaGlucGFuIjpbeyJhIjoiNyJ9XX0"
TOKENS = (
    b"\xff", b"\xed\xa0\x80", b"\x00", b"\r", b"\xe2\x80\xa8", b"\\ud800", b'"', b"{", b"]", b"'''", b"NaN",
    b"Infinity", b"1e999", b"-1", b"0", b"9" * 400, b"18446744073709551616", b"1e-320", b"true", b"null",
    b"[]", b"{}", b'""', b"[" * 2000, b"../../../../etc/passwd", b"/dev/zero", b"%s%n", b"\xef\xbb\xbf",
    "札".encode() * 40, "\uff11".encode(), b"A" * 5000,
)  # fmt: skip
VALUE = re.compile(rb'-?\d+(?:\.\d+)?|"[^"\n]{0,80}"')


def damaged(data: bytes, random: Random) -> bytes:
    """Return a copy after one to four accidents, as networks, disks and people do them."""
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        start, length = random.randrange(len(data) + 1), random.choice((1, 16, 200, 4096))
        before, there, after = data[:start], data[start : start + length], data[start + length :]
        value = random.choice(list(VALUE.finditer(data[:100_000])) or [None])
        lines = data.split(b"\n")
        random.shuffle(lines)
        data = random.choice(
            (
                before,
                before + after,
                before + bytes(len(there)) + after,
                before + random.randbytes(len(there)) + after,
                before + random.choice(TOKENS) + there + after,
                before + there * random.choice((2, 50)) + after,
                before + bytes(byte ^ 1 << random.randrange(8) for byte in there[:4]) + there[4:] + after,
                b"\n".join(lines[random.randrange(2) :]),
                *(
                    [data[: value.start()] + random.choice(TOKENS) + data[value.end() :]] * 3
                    if value is not None
                    else ()
                ),
            )
        )
    return data


def targets(folder: Path) -> Iterator[tuple[bytes, str, str]]:
    """Iterate over inputs as they should be, the name of their file, and the commands that read them.

    `IN` stands for the file, or without a name for the text itself; other commands read standard input.
    """
    koikoi, kendo = (
        "".join(json.dumps(event) + "\n" for event in events).encode() for events in (ROUND, BOUT)
    )
    engine = begin(folder / "seed.sqlite")
    play(engine, whole_match())
    engine._log.close()
    log = (folder / "seed.sqlite").read_bytes()
    with EventLog.read(folder / "seed.sqlite") as kept:
        text = "".join(exported_lines(kept)).encode()
    for command in ("koikoi play --events IN --json -", "koikoi play --events -"):
        yield koikoi, "events.jsonl", command
    yield SCORE, "pile.json", "koikoi score"
    yield listing(preset()).encode(), "house.toml", "koikoi rules --rules IN"
    for command in ("kendo play --events IN", "kendo play --events -"):
        yield kendo, "events.jsonl", command
    for command in (
        "log show IN",
        "log export IN --jsonl DIR/out.jsonl --replace",
        "log check IN --repair DIR/new.sqlite",
        "replay IN --json -",
    ):
        yield log, "match.sqlite", command
    for command in ("log check IN --repair DIR/new.sqlite", "log import IN DIR/new.sqlite"):
        yield text, "match.jsonl", command
    yield SETS_ADDRESS, "", "sets import IN"
    yield "1,5,20-29,む,colour=blue".encode(), "", "sets save one IN"


def complaint(data: bytes, name: str, command: str, folder: Path) -> str:
    """Call a command line with an input in a fresh folder; return what is wrong with its answer."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    given = data.replace(b"\0", b"").decode("utf-8", "surrogateescape")
    if name:
        given = str(folder / name)
        Path(given).write_bytes(data)
    words = [word.replace("DIR", str(folder)).replace("IN", given) for word in command.split(" ")]
    said = io.StringIO()
    stdin, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(data), "utf-8")
    try:
        out = io.TextIOWrapper(io.BytesIO(), "utf-8")
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
            code = cli.main(words)
    except SystemExit as left:  # argparse
        code = int(left.code or 0)
    except Exception as error:  # noqa: BLE001 (whatever leaves a command is what is looked for)
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {error} ({place.filename}:{place.lineno})"
    finally:
        sys.stdin = stdin
    lines = said.getvalue().strip().splitlines()
    is_told = code in {0, 1, 2} and "Traceback" not in said.getvalue() and (code != 2 or len(lines) == 1)
    return "" if is_told else f"exit code {code}: {said.getvalue()}"


def test_damaged_inputs_get_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    # building a parser takes longer than most inputs
    monkeypatch.setattr(cli, "build_parser", cache(cli.build_parser))
    random, problems = Random(49), dict[tuple[str, bytes], str]()
    for data, name, command in targets(tmp_path):
        for each in (data, *(damaged(data, random) for _ in range(INPUTS))):
            problems[command, each[:500]] = complaint(each, name, command, tmp_path / "work")
    assert {asked: problem for asked, problem in problems.items() if problem} == {}
    assert {path.name for path in tmp_path.iterdir()} <= {"data", "work", "seed.sqlite"}
