"""Who may connect to a hall and to which servers, and what its streams hand out."""

import asyncio
import datetime as dt
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")

from nats.aio.msg import Msg
from nats.errors import Error
from nats.js.errors import NotFoundError

from desk.errors import DeskError
from desk.hall import subjects
from desk.hall.link import OLDEST, Link, LinkState, check_version
from desk.hall.messages import MatState, pack
from desk.hall.operation import server_process
from desk.hall.operation.certificates import Authority
from desk.hall.operation.plan import tickets, write
from desk.hall.store import Kept, count, everything, follow, latest
from desk.hall.subjects import EVERY_EVENT, events_of
from desk.hall.ticket import ticket_of
from tests.desk.hall.halls import SmallHall, needs_server, run, small_hall, until

pytestmark = needs_server


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallHall]:
    with small_hall(tmp_path_factory.mktemp("hall"), tls=True) as hall:
        yield hall


async def test_a_server_that_cannot_prove_who_it_is_is_refused(hall: SmallHall, tmp_path: Path) -> None:
    stranger = Authority.made(tmp_path / "stranger")
    link = Link(replace(hall.ticket("mat-01"), ca=stranger.ca))
    link.open()
    await until(lambda: link.state is LinkState.REFUSED)
    assert "certificate" in str(link.problem).lower()
    await link.close()


def test_an_expired_certificate_is_refused(tmp_path: Path) -> None:
    expired = SmallHall(tmp_path, tls=True)
    authority = Authority.made(tmp_path / "certificates")
    authority.certificate_for("hall-1", ["127.0.0.1"], lasts=-dt.timedelta(hours=1))
    expired.server.start()

    async def test() -> None:
        link = Link(expired.ticket("mat-01"))
        link.open()
        await until(lambda: link.state is LinkState.REFUSED)
        assert "expired" in str(link.problem)
        await link.close()

    try:
        run(test)
    finally:
        expired.server.kill()


@pytest.mark.parametrize(
    "foreign", [subjects.events_of("mat-02", "m"), subjects.READING_CUE, "$JS.API.STREAM.DELETE.EVENTS"]
)
async def test_a_mat_that_speaks_for_another_is_refused_and_logged(hall: SmallHall, foreign: str) -> None:
    async with hall.link("mat-01") as link:
        with pytest.raises((Error, asyncio.TimeoutError)):
            await link.client.request(foreign, b"{}", timeout=0.3)
        await until(lambda: "permissions violation" in str(link.problem).lower())
    async with hall.link("operator") as link:
        with pytest.raises(NotFoundError):
            await link.stream().get_last_msg("EVENTS", subjects.events_of("mat-02", "m"))

    told = f'"mat-01/user:mat-01" - Publish Violation - Subject "{foreign}"'
    assert told in hall.server.log.read_text("utf-8")


def test_a_ticket_that_is_not_there_is_told_in_one_line() -> None:
    with pytest.raises(DeskError, match=r"/nowhere cannot be read: .*; shinpan hall up writes tickets"):
        ticket_of("/nowhere")


@pytest.mark.parametrize(
    "given",
    [
        "nats://mat-02:se/cret@host:4222",
        "nats://mat-02:a/b#secret@host",
        "nats:mat-02:secret@host:4222",
        "http://mat-02:secret@host",
        "nats://[secret@host",
    ],
)
def test_an_address_is_no_ticket_and_its_password_is_not_shown(hall: SmallHall, given: str) -> None:
    with pytest.raises(DeskError, match="expected the file of a ticket") as error:
        ticket_of(given)
    assert "cret" not in str(error.value)
    ticket = hall.ticket("mat-01")
    assert ticket.password not in repr(ticket)
    assert ticket.key not in repr(ticket)


async def test_a_link_comes_back_after_its_server(own_hall: SmallHall) -> None:
    heard: list[bytes] = []

    async def hear(message: object) -> None:
        heard.append(getattr(message, "data", b""))

    async with own_hall.link("reader") as reader, own_hall.link("mat-01") as mat:
        await mat.listen(subjects.READING_CUE, hear)
        await asyncio.to_thread(own_hall.server.kill)
        await until(lambda: not mat.is_joined)
        assert not await mat.say(subjects.state_of("mat-01"), b"lost")
        await asyncio.to_thread(own_hall.server.start)
        await until(lambda: {mat.state, reader.state} == {LinkState.JOINED}, 8)
        await mat.client.flush()
        await reader.say(subjects.READING_CUE, b"again")
        await until(lambda: heard == [b"again"])


def reloads(hall: SmallHall) -> int:
    return hall.server.log.read_text("utf-8").count("Reloaded server configuration")


async def test_a_hall_grows_as_it_runs_and_lost_tickets_are_void(own_hall: SmallHall, tmp_path: Path) -> None:
    lost = own_hall.ticket("mat-01")
    (tickets(own_hall.plan.folder) / "mat-01.toml").unlink()
    write(replace(own_hall.plan, mats=4))

    heard: list[str] = []

    async def hear(message: Msg) -> None:
        heard.append(message.subject)

    async with own_hall.link("board") as board:
        await board.listen(subjects.EVERY_STATE, hear)
        # nats-server 2.14 opens a new account's ways to the others at the second time
        for times in (1, 2):
            own_hall.server.reload()
            await until(lambda times=times: reloads(own_hall) == times)  # type: ignore[misc]
        thief = Link(lost)
        thief.open()
        await until(lambda: thief.state is LinkState.REFUSED)
        await thief.close()
        async with own_hall.link("mat-01") as first, own_hall.link("mat-04") as second:
            for link in (first, second):
                assert await latest(link, "PAIRINGS", subjects.pairing_of(link.ticket.user)) is None
            while set(heard) != {"hall.state.mat-01", "hall.state.mat-04"}:
                # a mat says how it stands again and again: the way may open after the first time
                for link in (first, second):
                    state = pack(MatState(link.ticket.user, "2026-11-28T10:00:00+09:00"))
                    kept = await link.keep(subjects.state_of(link.ticket.user), state)
                    assert kept.stream == "STATES"
                await asyncio.sleep(0.1)


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


SUBJECT = events_of("mat-01", "m")


async def said(hall: SmallHall, *words: str) -> None:
    async with hall.link("mat-01") as mat:
        for word in words:
            await mat.keep(SUBJECT, word.encode())


async def test_a_long_stream_comes_whole_and_a_follower_hears_what_is_new(own_hall: SmallHall) -> None:
    words = [f"{number:03}" for number in range(600)]  # more than come at once
    await said(own_hall, *words)
    heard: list[str] = []
    async with own_hall.link("board") as board, own_hall.link("mat-01") as mat:
        assert [kept.data.decode() async for kept in everything(board, "EVENTS", EVERY_EVENT)] == words
        some = [kept.data.decode() async for kept in everything(board, "EVENTS", EVERY_EVENT, 598)]
        assert some == words[-2:]
        assert [kept async for kept in everything(board, "EVENTS", "hall.event.mat-02.*")] == []
        assert [kept async for kept in everything(board, "STATES", "hall.>")] == []
        following = asyncio.ensure_future(
            follow(board, "EVENTS", EVERY_EVENT, lambda kept: heard.append(kept.data.decode()))
        )
        await until(lambda: heard == words)
        await said(own_hall, "new")
        await until(lambda: heard == [*words, "new"])
        last = await latest(mat, "EVENTS", SUBJECT)
        assert last is not None
        assert (last.data, last.seq, last.problem) == (b"new", 601, None)
        assert await latest(mat, "EVENTS", events_of("mat-01", "none")) is None
        following.cancel()
    async with own_hall.link("worker-1") as worker:
        assert await count(worker, "WORK", "hall.work.>") == 0


async def test_a_follower_begins_anew_where_the_hall_has_lost_its_end(own_hall: SmallHall) -> None:
    """A power cut takes messages that were followed already; others get their numbers."""
    heard: list[str] = []

    def took(kept: Kept) -> None:
        heard.append(kept.data.decode())

    await said(own_hall, "a", "b", "c")
    async with own_hall.link("board") as board:
        following = asyncio.ensure_future(follow(board, "EVENTS", EVERY_EVENT, took))
        await until(lambda: heard == ["a", "b", "c"])
        async with own_hall.link("operator") as operator:
            await operator.stream().delete_stream("EVENTS")
        await own_hall.lay_out()
        await said(own_hall, "a", "d")
        await asyncio.to_thread(own_hall.server.kill)
        await asyncio.to_thread(own_hall.server.start)
        await until(lambda: heard[3:] == ["a", "d"])
        await said(own_hall, "e")
        await until(lambda: heard[3:] == ["a", "d", "e"])
        following.cancel()
