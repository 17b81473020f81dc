"""Who may connect to a hall, and what happens to messages that are not allowed."""

import asyncio
import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desk.errors import DeskError

pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")

from nats.aio.msg import Msg
from nats.errors import Error
from nats.js.errors import NotFoundError

from desk.hall import subjects
from desk.hall.link import Link, LinkState
from desk.hall.messages import MatState, pack
from desk.hall.operation.certificates import Authority
from desk.hall.operation.plan import tickets, write
from desk.hall.store import hall_streams, latest, lay_out
from desk.hall.ticket import ticket_of
from tests.desk.hall.halls import SmallHall, needs_server, run, small_hall, until

pytestmark = needs_server


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallHall]:
    with small_hall(tmp_path_factory.mktemp("hall"), tls=True) as hall:
        yield hall


async def test_a_ticket_opens_an_encrypted_link_and_the_streams_are_there(hall: SmallHall) -> None:
    async with hall.link("operator") as link:
        assert link.state is LinkState.JOINED
        await lay_out(link.stream())  # a second time changes nothing
        for config in hall_streams():
            info = await link.stream().stream_info(str(config.name))
            assert info.config.subjects == config.subjects


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


async def test_a_hall_grows_while_it_runs_and_a_lost_ticket_is_void(
    own_hall: SmallHall, tmp_path: Path
) -> None:
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
