"""What is written down for a hall, and that servers run with it."""

import re
import stat
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")

import bcrypt

from desk.commands import cli
from desk.hall.operation.plan import HallPlan, tickets, write
from desk.hall.subjects import Role
from desk.hall.ticket import ticket_of

PLAN = HallPlan(Path(), ("10.0.0.1", "10.0.0.2", "10.0.0.3"), 2)


def test_every_server_knows_the_others_and_every_user(tmp_path: Path) -> None:
    files = write(replace(PLAN, folder=tmp_path))
    texts = [file.read_text("utf-8") for file in files]
    for place, text in enumerate(texts):
        assert f'listen: "10.0.0.{place + 1}:4222"' in text
        routes = re.findall(r"nats-route://cluster:\S+@(10\.0\.0\.\d):6222", text)
        assert routes == [host for host in PLAN.hosts if host != f"10.0.0.{place + 1}"]
        users = re.findall(r'"user": "([^"]+)",\s+"password": "\$2a', text)
        assert users == ["operator", "reader", "board", "worker-1", "worker-2", "mat-01", "mat-02"]
    ticket = ticket_of(str(tickets(tmp_path) / "mat-02.toml"))
    assert ticket.servers == tuple(f"tls://{host}:4222" for host in PLAN.hosts)
    assert ticket.role is Role.MAT
    (kept,) = re.findall(r'"user": "mat-02",\s+"password": "([^"]+)"', texts[0])
    assert bcrypt.checkpw(ticket.password.encode(), kept.encode())


def test_no_server_holds_a_secret_of_a_user(tmp_path: Path) -> None:
    (file, *_) = write(replace(PLAN, folder=tmp_path))
    text = file.read_text("utf-8")
    for ticket in tickets(tmp_path).glob("*.toml"):
        assert ticket_of(ticket).password not in text, ticket.name
        assert ticket_of(ticket).key not in text, ticket.name


def test_secrets_are_readable_for_this_account_alone(tmp_path: Path) -> None:
    write(replace(PLAN, folder=tmp_path / "hall"))
    assert stat.S_IMODE((tmp_path / "hall").stat().st_mode) == 0o700
    secret = [*(tmp_path / "hall").rglob("*.key"), *(tmp_path / "hall").rglob("*.toml")]
    assert len(secret) == 5 + 7  # the authority's, the servers' and the hall's, and the tickets
    for file in [*secret, *(tmp_path / "hall").glob("*.conf")]:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


def test_who_lacks_the_server_hears_how_to_get_it_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert cli.main(["hall", "up", "--start", "--folder", str(tmp_path / "hall")]) == 2
    error = capsys.readouterr().err
    assert "https://nats.io/download" in error
    assert error.count("\n") == 1
    assert not (tmp_path / "hall").exists()
