"""Which servers may carry a hall."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")

from desk.errors import DeskError
from desk.hall.link import OLDEST, Link, LinkState, check_version
from desk.hall.operation import server_process
from tests.desk.hall.halls import SmallHall, until

NAME = ".".join(map(str, OLDEST))


@pytest.mark.parametrize("told", [NAME, f"nats-server: v{NAME}\n", "2.14.11", "2.15.0-RC.1", "3.0.0"])
def test_a_current_server_is_taken(told: str) -> None:
    check_version(told)


@pytest.mark.parametrize(
    "told",
    ["2.9.10", "nats-server: v2.9.10", "2.12.6", "2.14.2", f"{NAME}-RC.2", "1.99.99", "", "no version"],
)
def test_an_older_one_is_refused(told: str) -> None:
    with pytest.raises(DeskError, match=rf"expected nats-server {NAME} or newer, got .*: older ones"):
        check_version(told)


def test_an_old_program_is_not_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / server_process.PROGRAM
    old.write_text("#!/bin/sh\necho nats-server: v2.9.10\n")
    old.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(DeskError, match=r"got nats-server: v2\.9\.10"):
        server_process.program()
    monkeypatch.setenv("PATH", str(tmp_path / "nowhere"))
    with pytest.raises(DeskError, match="not installed"):
        server_process.program()


async def test_a_mat_speaks_to_no_old_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hall = SmallHall(tmp_path)
    said: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        info = {"server_id": "X", "version": "2.9.10", "max_payload": 1 << 20, "headers": True, "proto": 1}
        writer.write(b"INFO " + json.dumps(info).encode() + b"\r\n")
        while line := await reader.readline():
            said.append(line)
            if line.startswith(b"PING"):
                writer.write(b"PONG\r\n")
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", hall.plan.client_port)
    link = Link(hall.ticket("mat-01"))
    link.open()
    refused: Callable[[], bool] = lambda: link.state is LinkState.REFUSED  # noqa: E731
    await until(refused)
    assert "2.9.10" in str(link.problem)
    assert link.joins == 0
    await link.close()
    server.close()

    assert not [line for line in said if line.startswith((b"SUB", b"PUB", b"HPUB"))]
    assert "refuse each other: expected nats-server" in capsys.readouterr().err
