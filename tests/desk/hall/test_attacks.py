"""What somebody does who has one ticket of a hall and wants more than it gives.

Every attack runs against a real server that carries a whole hall. NATS checks who may publish a subject, but
not to which *reply* subject an answer goes, so each attack is tried with every answer that its ticket gets.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")

from nats.aio.msg import Msg
from nats.errors import Error

from desk.hall import subjects
from desk.hall.board.floor import Floor
from desk.hall.clock import answer_clock
from desk.hall.link import Link
from desk.hall.messages import (
    ClockTold,
    EventBatch,
    MatState,
    Pairing,
    PlayCue,
    PoemCue,
    ReadingCommand,
    ReadingWish,
    pack,
    unpack,
)
from desk.hall.page.app import create_hall_app
from desk.hall.subjects import Role, rights
from desk.log.event_log import EventLog
from desk.panel.roles import Roles
from referee.sides import BySide
from tests.desk.hall.halls import WALL, SmallHall, entry, needs_server, settled, until, whole_log
from tests.desk.hall.page.hall_port import tables_in

pytestmark = needs_server
FORGED = pack(ReadingCommand(ReadingWish.STOP, "a thief"))
TARGETS = [
    subjects.events_of("mat-02", "m"),
    subjects.state_of("mat-02"),
    subjects.READING_COMMAND,
    subjects.READING_CUE,
    subjects.READING_PLAY,
    subjects.READING_STATE,
    subjects.pairing_of("mat-02"),
    subjects.replay_of("mat-02"),
    "hall.work.forged",
    "hall.result.forged",
    "_INBOX.mat-02.forged",
    "$JS.API.STREAM.DELETE.EVENTS",
    "$JS.API.STREAM.PURGE.EVENTS",
    "$JS.API.CONSUMER.CREATE.EVENTS",
    "$JS.ACK.WORK.judges.1.1.1.1.0",
]
THIEVES = ["mat-01", "mat-03", "reader", "board", "worker-1"]  # one of every kind: `mat-03` has a loudspeaker


@asynccontextmanager
async def wiretap(hall: SmallHall) -> AsyncIterator[list[tuple[str, str, bytes]]]:
    """Note everything that anybody else hears, whose ticket hears it, as (user, subject, bytes)."""
    heard: list[tuple[str, str, bytes]] = []
    links = []
    for user in ("operator", "reader", "board", "worker-1", "mat-02", "mat-03"):
        link = Link(hall.ticket(user))
        link.open()
        await asyncio.wait_for(link.joined(), 5)
        links.append(link)

        async def note(message: Msg, user: str = user) -> None:
            heard.append((user, message.subject, message.data))

        mine = rights(hall.ticket(user).role, user)
        for subject in [">"] if user == "operator" else [*mine.hears, *mine.answers, f"_INBOX.{user}.>"]:
            await link.client.subscribe(subject, cb=note)
        await link.client.flush()
    try:
        yield heard
    finally:
        for link in links:
            await link.close()


def answered_to(user: str, role: Role) -> list[tuple[str, bytes]]:
    """Return every request of a user that somebody answers, with a body."""
    mine = rights(role, user)
    own = [said.replace("*", "forge").replace(">", "forge") for said in mine.says]
    asks = [asked.replace("*", "mat-02") for asked in mine.asks]
    reads = [read.replace("*", "forge").replace(">", "forge") for read in mine.reads]
    first = json.dumps({"seq": 1, "batch": 10}).encode()
    return [
        *((subject, FORGED) for subject in own),
        *((subject, FORGED) for subject in asks),
        *((subject, body) for subject in reads for body in (b"", first)),
    ]


async def kept(hall: SmallHall, role: Role, thief: str) -> dict[str, int]:
    """Return the numbers of the latest messages that the streams keep under what the thief may not say."""
    found: dict[str, int] = {}
    async with hall.link("operator") as operator:
        for name in ("EVENTS", "STATES", "READING", "PAIRINGS", "WORK", "RESULTS"):
            info = await operator.stream().stream_info(name, subjects_filter=">")
            for subject in info.state.subjects or {}:
                if not subjects.may_say(role, thief, subject):
                    found[subject] = (await operator.stream().get_last_msg(name, subject)).seq or 0
    return found


@pytest.mark.parametrize("thief", THIEVES)
async def test_no_answer_reaches_anybody_but_who_asked(hall: SmallHall, thief: str) -> None:
    """A confused deputy: bytes are stored under an own subject, and their delivery elsewhere is asked for."""
    role = hall.ticket(thief).role
    before = await kept(hall, role, thief)
    async with wiretap(hall) as heard, hall.link(thief) as link, hall.link("reader") as reader:
        await answer_clock(reader, "session")
        for subject, body in answered_to(thief, role):
            for target in TARGETS:
                if subjects.may_say(role, thief, target):
                    continue
                await link.client.publish(subject, body, reply=target)
        await settled(link)
        own = [*rights(role, thief).says, *rights(role, thief).asks]
        reached = [
            (user, subject)
            for user, subject, _ in heard
            if user not in {thief, "operator"} and not any(subjects.covers(said, subject) for said in own)
        ]
        assert reached == []
        inside = [subject for user, subject, _ in heard if user == "operator" and subject in TARGETS]
        assert [
            subject for subject in inside if not any(subjects.covers(said, subject) for said in own)
        ] == []
        assert await kept(hall, role, thief) == before


@pytest.mark.parametrize("thief", THIEVES)
async def test_nobody_has_a_stream_delivered_changed_or_deleted(hall: SmallHall, thief: str) -> None:
    everything = {"deliver_subject": f"_INBOX.{thief}.all", "deliver_policy": "all", "ack_policy": "none"}
    asks = {
        "CONSUMER.CREATE.EVENTS": {"stream_name": "EVENTS", "config": everything},
        "CONSUMER.DURABLE.CREATE.EVENTS.d": {
            "stream_name": "EVENTS",
            "config": {**everything, "durable_name": "d"},
        },
        "STREAM.CREATE.TAP": {"name": "TAP", "subjects": ["hall.reading.play"], "storage": "memory"},
        "STREAM.DELETE.EVENTS": {},
        "STREAM.PURGE.EVENTS": {},
        "STREAM.MSG.GET.EVENTS": {"seq": 1},
        "STREAM.MSG.DELETE.EVENTS": {"seq": 1},
        "STREAM.SNAPSHOT.EVENTS": {"deliver_subject": f"_INBOX.{thief}.all"},
        "CONSUMER.DELETE.WORK.judges": {},
        "STREAM.LIST": {},
    }
    async with hall.link("mat-02") as other, hall.link("operator") as operator:
        await other.keep(subjects.events_of("mat-02", "kept"), b"kept")
        before = (await operator.stream().stream_info("EVENTS")).state
        async with hall.link(thief) as link:
            delivered: list[bytes] = []

            async def note(message: Msg) -> None:
                delivered.append(message.data)

            await link.client.subscribe(f"_INBOX.{thief}.all", cb=note)
            for what, body in asks.items():
                with suppress(Error, TimeoutError):
                    answer = await link.client.request(
                        f"$JS.API.{what}", json.dumps(body).encode(), timeout=0.1
                    )
                    assert "error" in json.loads(answer.data), what
            await settled(link)
            assert delivered == []
        after = (await operator.stream().stream_info("EVENTS")).state
        assert (after.messages, after.consumer_count) == (before.messages, before.consumer_count)
        names = {info.config.name for info in await operator.stream().streams_info()}
        assert names == {"EVENTS", "READING", "STATES", "PAIRINGS", "WORK", "RESULTS"}
        await operator.stream().consumer_info("WORK", "judges")


@pytest.mark.parametrize("thief", THIEVES)
async def test_nobody_hears_what_is_not_for_him(hall: SmallHall, thief: str) -> None:
    """A mat without a loudspeaker above all learns no poem ahead of time, whatever it subscribes to."""
    role = hall.ticket(thief).role
    heard: list[str] = []

    async def note(message: Msg) -> None:
        heard.append(message.subject)

    async with hall.link(thief) as link:
        for subject in (
            ">",
            "hall.>",
            "hall.*.*",
            "$JS.>",
            "_INBOX.>",
            "_R_.>",
            "hall.reading.play",
            "$SYS.>",
        ):
            await link.client.subscribe(subject, cb=note)
            await link.client.subscribe(subject, queue="q", cb=note)
        with suppress(Error):
            await link.client.flush()
        async with hall.link("reader") as reader, hall.link("board") as board, hall.link("mat-02") as mat:
            await reader.say(subjects.READING_PLAY, pack(PlayCue("s", 7, "kami", "high", "4-3-1-5", 1)))
            await reader.keep(subjects.READING_CUE, pack(PoemCue("s", 1, 7, 1, 1)))
            await board.keep(
                subjects.pairing_of("mat-02"), pack(Pairing("mat-02", "", "", BySide.both(None)))
            )
            await board.say(subjects.READING_COMMAND, FORGED)
            await mat.keep(
                subjects.events_of("mat-02", "own"), pack(EventBatch("mat-02", "own", (entry(1),)))
            )
            await mat.say(subjects.state_of("mat-02"), pack(MatState("mat-02", WALL)))
            await settled(reader, board, mat)
    hears = [*rights(role, thief).hears, *rights(role, thief).answers]
    assert [each for each in heard if not any(subjects.covers(mine, each) for mine in hears)] == []


async def test_a_mat_reads_its_own_events_alone(hall: SmallHall) -> None:
    async with hall.link("mat-02") as other, hall.link("mat-01") as thief:
        secret = subjects.events_of("mat-02", "secret")
        await other.keep(secret, b"secret")
        own = subjects.events_of("mat-01", "own")
        await thief.keep(own, b"own")
        get = "$JS.API.DIRECT.GET.EVENTS"
        bodies = [{"seq": 1}, {"last_by_subj": secret}, {"multi_last": [">"]}, {"seq": 1, "batch": 99}]
        for subject in (get, f"{get}.{secret}", f"{get}.{own}", f"{get}.hall.event.*.*", f"{get}.>"):
            for body in (b"", *(json.dumps(body).encode() for body in bodies)):
                with suppress(Error, TimeoutError):
                    answer = await thief.client.request(subject, body, timeout=0.05)
                    assert answer.data in {b"", b"own"}, (subject, body)


async def test_the_time_comes_from_the_reader_alone(hall: SmallHall) -> None:
    async with hall.link("mat-01") as mat, hall.link("mat-02") as liar, hall.link("reader") as reader:

        async def lie(message: Msg) -> None:
            await message.respond(pack(ClockTold("a lie", 0, 0)))

        with suppress(Error):
            await liar.client.subscribe(subjects.CLOCK, cb=lie)
            await liar.client.flush()
        await answer_clock(reader, "true")
        await reader.client.flush()
        sessions = list[str]()
        async with asyncio.timeout(10):
            while len(sessions) < 5:
                with suppress(Error):  # the reader may not be known to the mat's account yet
                    told = unpack((await mat.ask(subjects.CLOCK, b"{}", 2)).data)
                    assert isinstance(told, ClockTold)
                    sessions.append(told.session)
        assert sessions == ["true"] * 5


async def test_headers_do_nothing_to_a_stream(hall: SmallHall) -> None:
    """JetStream obeys some headers of a message: they may neither clear a stream nor end a message's life."""
    async with hall.link("mat-01") as thief, hall.link("operator") as operator:
        before = (await operator.stream().stream_info("EVENTS")).state.messages
        for header in (
            {"Nats-Rollup": "all"},
            {"Nats-Rollup": "sub"},
            {"Nats-TTL": "1s"},
            {"Nats-Schedule": "@at x"},
        ):
            with suppress(Error):
                await thief.keep(subjects.events_of("mat-01", "headers"), b"x", header)
        assert (await operator.stream().stream_info("EVENTS")).state.messages >= before


async def test_a_stolen_address_without_its_secret_enters_nowhere(hall: SmallHall) -> None:
    for ticket in (
        replace(hall.ticket("mat-01"), password=""),
        replace(hall.ticket("mat-01"), user="operator"),
        replace(hall.ticket("mat-01"), user="nobody"),
    ):
        link = Link(ticket)
        link.open()
        await until(lambda link=link: link.state.value == "refused")  # type: ignore[misc]
        await link.close()


async def test_a_mat_leads_no_viewer_of_the_board_to_a_file(hall: SmallHall, tmp_path: Path) -> None:
    """A mat may write anything into its log, and the board shows the replays that a log names."""
    (tmp_path / "secret.txt").write_bytes(b"the board's secret")
    entries = whole_log(tmp_path, f"{'ab' * 32}.zip")
    ruling = entries[-1].payload["ruling"]
    names = {"up": "../../../../secret.txt", "at": str(tmp_path / "secret.txt"), "out": "../secret.txt"}
    forged = {
        match: tuple(
            replace(each, payload={**each.payload, "file": name}) if each.kind == "evidence_kept" else each
            for each in entries
        )
        for match, name in names.items()
    }

    floor = Floor(hall.ticket("board"), tmp_path / "board" / "matches")
    floor.open()
    app = create_hall_app(floor, tables_in(tmp_path)[0], roles=Roles({}), allowed_hosts=("board",))
    async with hall.link("mat-02") as mat:
        for match, said in forged.items():
            await mat.keep(subjects.events_of("mat-02", match), pack(EventBatch("mat-02", match, said)))
            await until(lambda match=match: floor.copies.last_seq("mat-02", match) > 0)  # type: ignore[misc]
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://board") as viewer:
            for match in forged:
                for what in (
                    f"{ruling}.zip",
                    f"{ruling}.mp4",
                    f"{ruling}/manifest.json",
                    f"{ruling}/secret.txt",
                ):
                    answer = await viewer.get(f"/matches/mat-02~{match}/evidence/{what}")
                    assert answer.status_code >= 400, (match, what)
                    assert b"secret" not in answer.content.replace(b"secret.txt", b"")
    await floor.close()


@pytest.mark.parametrize("thief", THIEVES)
async def test_nobody_asks_the_servers_about_themselves(hall: SmallHall, thief: str) -> None:
    """The hall's connections are nobody's business, and such a question can crash a server (note 2026-28)."""
    pages = [
        {},
        {"offset": 2**63 - 1, "limit": 2**63 - 1},
        {"offset": -(2**63), "limit": 1, "subscriptions": True},
    ]
    asks = [
        *(f"$SYS.REQ.ACCOUNT.PING.{what}" for what in ("CONNZ", "SUBSZ", "JSZ", "STATZ", "INFO")),
        *(f"$SYS.REQ.ACCOUNT.HALL.{what}" for what in ("CONNZ", "JSZ", "CONNS")),
        *(f"$SYS.REQ.SERVER.PING.{what}" for what in ("CONNZ", "VARZ", "IDZ", "PROFILEZ", "KICK")),
        "$SYS.REQ.SERVER.PING",
        "$SYS.REQ.USER.INFO",
        "$SYS.REQ.CLAIMS.UPDATE",
        "$JS.API.INFO",
        "$JS.API.ACCOUNT.PURGE.HALL",
        "$JS.API.META.LEADER.STEPDOWN",
        "$JS.API.SERVER.REMOVE",
        "$JS.API.STREAM.LEADER.STEPDOWN.EVENTS",
        "$NRG.V.x",
        "$LDS.x",
        "$GR.x",
        "_R_.x",
        "$KV.x.y",
        "$JSC.R.x",
    ]

    async with hall.link(thief) as link:
        for subject in asks:
            for body in pages:
                with suppress(Error, TimeoutError):
                    answer = await link.client.request(subject, json.dumps(body).encode(), timeout=0.05)
                    assert (subject, answer.data) == (subject, b""), answer.data[:200]
        await settled(link)
    assert hall.server.runs
    async with hall.link("mat-02") as other:
        await other.keep(subjects.events_of("mat-02", "after"), b"still there")


async def test_a_signed_batch_counts_where_and_as_it_was_said_alone(hall: SmallHall, tmp_path: Path) -> None:
    """A mat shows the board what another mat has signed: as its own, elsewhere, altered, and once more."""
    first = pack(EventBatch("mat-02", "told", (entry(1, "first"),)))
    again = pack(EventBatch("mat-02", "told", (entry(1, "other"), entry(2, "second"))))
    source = subjects.events_of("mat-02", "told")

    async with hall.link("mat-02") as other, hall.link("mat-01") as thief, hall.link("operator") as operator:
        await other.keep(source, first)
        found = await operator.stream().get_last_msg("EVENTS", source)
        signed = dict(found.headers or {})
        floor = Floor(hall.ticket("board"), tmp_path / "board")
        floor.open()
        await until(lambda: floor.copies.last_seq("mat-02", "told") == 1)
        for subject in (source, subjects.events_of("mat-01", "told"), subjects.events_of("mat-02", "new")):
            for data in (first, again):
                for say in (thief, operator):
                    with suppress(Error):
                        await say.client.publish(subject, data, headers=signed)
        for lead in (first.replace(b'"seq":1', b'"seq":2'), first + b" ", b" " + first):
            await operator.client.publish(source, lead, headers=signed)
        await settled(thief, operator)
        await other.keep(
            subjects.events_of("mat-02", "last"), pack(EventBatch("mat-02", "last", (entry(1),)))
        )
        await until(lambda: floor.copies.last_seq("mat-02", "last") == 1)
        assert floor.copies.last_seq("mat-02", "told") == 1
        assert floor.copies.last_seq("mat-02", "new") == floor.copies.last_seq("mat-01", "told") == 0
        await floor.close()
    with EventLog.read(tmp_path / "board" / "mat-02" / "told.sqlite") as log:
        assert [each.payload["text"] for each in log.entries()] == ["first"]
