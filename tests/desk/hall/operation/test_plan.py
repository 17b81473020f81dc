"""What is written down for a hall, and that servers run with it."""

import re
import stat
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")

import bcrypt
from nats.js.errors import NoStreamResponseError

from desk.commands import cli
from desk.commands.hall import streams
from desk.errors import DeskError
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
        users = re.findall(r"\{\"user\": \"([^\"]+)\"", text)
        assert users == ["operator", "reader", "board", "worker-1", "worker-2", "mat-01", "mat-02"]
    ticket = ticket_of(str(tickets(tmp_path) / "mat-02.toml"))
    assert ticket.servers == tuple(f"tls://{host}:4222" for host in PLAN.hosts)
    assert ticket.role is Role.MAT
    (kept,) = re.findall(r'"user": "mat-02", "password": "([^"]+)"', texts[0])
    assert bcrypt.checkpw(ticket.password.encode(), kept.encode())


def test_no_server_holds_a_secret_of_a_user(tmp_path: Path) -> None:
    (file, *_) = write(replace(PLAN, folder=tmp_path))
    text = file.read_text("utf-8")
    for ticket in tickets(tmp_path).glob("*.toml"):
        assert ticket_of(ticket).password not in text, ticket.name
        assert ticket_of(ticket).key not in text, ticket.name


def test_a_password_that_no_server_takes_is_told(tmp_path: Path) -> None:
    write(replace(PLAN, folder=tmp_path))
    ticket = tickets(tmp_path) / "mat-01.toml"
    ticket.write_text(re.sub(r'password = "', f'password = "{"x" * 80}', ticket.read_text("utf-8")), "utf-8")
    with pytest.raises(DeskError, match=r"password in mat-01\.toml"):
        write(replace(PLAN, folder=tmp_path))


def test_secrets_are_readable_for_this_account_alone(tmp_path: Path) -> None:
    write(replace(PLAN, folder=tmp_path / "hall"))
    assert stat.S_IMODE((tmp_path / "hall").stat().st_mode) == 0o700
    secret = [*(tmp_path / "hall").rglob("*.key"), *(tmp_path / "hall").rglob("*.toml")]
    assert len(secret) == 5 + 7  # the authority's, the servers' and the hall's, and the tickets
    for file in [*secret, *(tmp_path / "hall").glob("*.conf")]:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file


def test_servers_of_one_machine_share_no_port(tmp_path: Path) -> None:
    peers = replace(PLAN, folder=tmp_path, hosts=("127.0.0.1",) * 3).peers()
    assert [(peer.client_port, peer.cluster_port) for peer in peers] == [
        (4222, 6222),
        (4223, 6223),
        (4224, 6224),
    ]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--mats", "0"], "--mats: expected 1 to 9999, got 0"),
        (["--port", "0"], "--port: expected 1 to 65533, got 0"),
        (["--nodes", "3", "--hosts", "a,b"], "--hosts: expected 3 addresses"),
        (["--certificate", "x.pem"], "belong together"),
        (["--certificate", "x.pem", "--key", "y.pem"], "x.pem is no PEM certificate"),
        (["--speakers", "mat-99"], "there is no mat-99"),
    ],
)
def test_a_hall_that_cannot_be_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    assert cli.main(["hall", "up", "--folder", str(tmp_path / "hall"), *arguments]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1


def test_who_lacks_the_server_hears_how_to_get_it_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert cli.main(["hall", "up", "--start", "--folder", str(tmp_path / "hall")]) == 2
    error = capsys.readouterr().err
    assert "https://nats.io/download" in error
    assert error.count("\n") == 1
    assert not (tmp_path / "hall").exists()


def test_streams_are_kept_for_days(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["hall", "streams", "--hall", "operator.toml", "--days", "-5"]) == 2
    assert "--days: expected 1 to 3650, got -5" in capsys.readouterr().err


def test_what_the_hall_refuses_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(_: object) -> int:
        raise NoStreamResponseError

    monkeypatch.setattr(streams, "run", refused)
    assert cli.main(["hall", "streams", "--hall", "operator.toml"]) == 2
    error = capsys.readouterr().err
    assert "no response from stream" in error
    assert error.count("\n") == 1


def test_two_servers_are_no_hall(tmp_path: Path) -> None:
    with pytest.raises(DeskError, match="1 or 3 servers"):
        write(replace(PLAN, folder=tmp_path, hosts=("a", "b")))
