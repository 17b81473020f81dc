"""What somebody does who has one ticket of a hall and wants more than it gives.

Every attack runs against a real server that carries a whole hall. NATS checks who may publish a subject, but
not to which *reply* subject an answer goes, so each attack is tried with every answer that its ticket gets.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")

from nats.aio.msg import Msg
from nats.errors import Error

from desk.hall import subjects
from desk.hall.board.floor import Floor
from desk.hall.clock import answer_clock
from desk.hall.link import Link
from desk.hall.mat.outbox import Outbox
from desk.hall.mat.seat import Seat
from desk.hall.mat.sender import Sender
from desk.hall.messages import (
    EXPECTED_HEADER,
    ID_HEADER,
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
from desk.hall.signature import HEADER, ForeignMessageError, HallKey, Signer, Verifier
from desk.hall.subjects import Role, rights
from desk.log.event_log import EventLog, LogEntry
from referee.sides import BySide
from tests.desk.hall.halls import SmallHall, needs_server, run, small_hall, until

pytestmark = needs_server
WALL = "2026-11-28T10:00:00.000+09:00"
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
THIEVES = ["mat-01", "mat-03", "reader", "board", "worker-1"]
"""One of every kind: `mat-03` has a loudspeaker."""


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallHall]:
    with small_hall(tmp_path_factory.mktemp("hall")) as hall:
        yield hall


def entry(seq: int, text: str = "") -> LogEntry:
    return LogEntry(seq, seq, WALL, "rules", "ruled", 1, {"text": text})


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


async def settled(*links: Link) -> None:
    """Return once the server has carried out what was said, as far as a second question can tell."""
    for link in links:
        with suppress(Error):
            await link.client.flush()
    await asyncio.sleep(0.1)


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
def test_no_answer_reaches_anybody_but_who_asked(hall: SmallHall, thief: str) -> None:
    """A confused deputy: bytes are stored under an own subject, and their delivery elsewhere is asked for."""

    async def test() -> None:
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

    run(test, 60)


@pytest.mark.parametrize("thief", THIEVES)
def test_nobody_has_a_stream_delivered_changed_or_deleted(hall: SmallHall, thief: str) -> None:
    async def test() -> None:
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

    run(test, 30)


@pytest.mark.parametrize("thief", THIEVES)
def test_nobody_hears_what_is_not_for_him(hall: SmallHall, thief: str) -> None:
    """A mat without a loudspeaker above all learns no poem ahead of time, whatever it subscribes to."""

    async def test() -> None:
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

    run(test)


def test_a_mat_reads_its_own_events_alone(hall: SmallHall) -> None:
    async def test() -> None:
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

    run(test, 30)


class Player:
    """A mat with one match."""

    def __init__(self, folder: Path, link: Link) -> None:
        folder.mkdir()
        self.log = EventLog.create(folder / "m.sqlite")
        self.outbox = Outbox(folder, link.ticket.user)
        self.outbox.join("m")
        self.sender = Sender(link, self.outbox)
        self._task = asyncio.get_running_loop().create_task(self.sender.run())

    async def play(self, steps: int = 1) -> None:
        for _ in range(steps):
            self.log.append([entry(self.log.last_seq + 1)])
            self.sender.wake()
            await until(lambda: self.outbox.unsent("m") == 0, 10)

    async def leave(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self.outbox.close()
        self.log.close()


def test_foreign_messages_are_skipped_and_told_and_silence_no_mat(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever stores something at the servers, even the operator, speaks for no mat and stops none."""
    with small_hall(tmp_path / "hall") as hall:

        async def test() -> None:
            floor = Floor(hall.ticket("board"), tmp_path / "board")
            floor.open()
            subject = subjects.events_of("mat-01", "m")
            async with (
                hall.link("mat-01") as link,
                hall.link("operator") as intruder,
                hall.link("mat-02") as other,
            ):
                mat = Player(tmp_path / "mat", link)
                await mat.play(3)
                forged = pack(EventBatch("mat-01", "m", (entry(4, "forged"),)))
                headers = other._signer.header(subject, forged)  # a genuine signature of another mat
                for data, header in (
                    (b'{"stream":"EVENTS","seq":3}', {}),  # a redirected acknowledgement
                    (forged, {}),
                    (forged, headers),
                    (forged, {HEADER: "mat mat-01 00 00 00"}),
                    (b"\x00" * 1000, {HEADER: "\x7f" * 500}),
                ):
                    await intruder.stream().publish(subject, data, headers=header)
                    await mat.play()
                await until(lambda: floor.copies.last_seq("mat-01", "m") == 8)
                state = pack(MatState("mat-01", WALL, winner=None, match="forged"))
                await intruder.client.publish(subjects.state_of("mat-01"), state)
                await intruder.stream().publish(subjects.state_of("mat-01"), state)
                await mat.leave()
            with EventLog.read(floor.copies.path("mat-01", "m")) as copy:
                assert list(copy.entries()) == [entry(seq) for seq in range(1, 9)]
            assert floor.mats == {}
            await floor.close()
            late = Floor(hall.ticket("board"), tmp_path / "late")  # reads all of it from the stream
            late.open()
            await until(lambda: late.copies.last_seq("mat-01", "m") == 8)
            await settled(late.link)
            assert late.mats == {}
            await late.close()

        run(test, 40)
    told = capsys.readouterr().err
    assert f"{subjects.events_of('mat-01', 'm')}: expected a message signed by a user of this hall" in told
    assert "'mat-02' may not say this" in told


def test_a_mat_obeys_neither_a_forged_cue_nor_a_forged_pairing(hall: SmallHall) -> None:
    async def test() -> None:
        async with (
            hall.link("mat-01") as link,
            hall.link("operator") as intruder,
            hall.link("board") as board,
        ):
            seat = Seat(link, "mat-01")
            await seat.listen()
            await link.client.flush()
            said = pack(Pairing("mat-01", "A-1-1", "A – 1", BySide("forged", "forged")))
            await intruder.stream().publish(subjects.pairing_of("mat-01"), said)
            await seat.catch_up()
            assert seat.shown(None)["title"] is None
            await board.keep(subjects.pairing_of("mat-01"), said.replace(b"forged", b"Aoi"))
            await until(lambda: seat.shown(None)["title"] is not None)
            await seat.catch_up()
            assert seat.shown(None)["names"] == {"near": "Aoi", "far": "Aoi"}

    run(test)


def test_the_time_comes_from_the_reader_alone(hall: SmallHall) -> None:
    async def test() -> None:
        async with hall.link("mat-01") as mat, hall.link("mat-02") as liar, hall.link("reader") as reader:

            async def lie(message: Msg) -> None:
                await message.respond(pack(ClockTold("a lie", 0, 0)))

            with suppress(Error):
                await liar.client.subscribe(subjects.CLOCK, cb=lie)
                await liar.client.flush()
            await answer_clock(reader, "true")
            await reader.client.flush()
            for _ in range(5):
                told = unpack((await mat.client.request(subjects.CLOCK, b"{}", timeout=2)).data)
                assert isinstance(told, ClockTold)
                assert told.session == "true"

    run(test)


def test_a_number_that_another_mat_took_hides_no_event(hall: SmallHall, tmp_path: Path) -> None:
    async def test() -> None:
        async with hall.link("mat-02") as thief, hall.link("mat-01") as link:
            for seq in range(1, 5):
                forged = {ID_HEADER: f"mat-01/m/{seq}", EXPECTED_HEADER: "0"}
                await thief.keep(subjects.events_of("mat-02", f"forged_{seq}"), b"{}", forged)
            mat = Player(tmp_path / "mat", link)
            await mat.play(4)
            await mat.leave()

    run(test)


def test_headers_do_nothing_to_a_stream(hall: SmallHall) -> None:
    """JetStream obeys some headers of a message: they may neither clear a stream nor end a message's life."""

    async def test() -> None:
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

    run(test)


def test_a_signature_counts_for_its_user_its_subject_and_its_words_alone(hall: SmallHall) -> None:
    mat, board = hall.ticket("mat-01"), hall.ticket("board")
    signer, verifier = Signer(mat.role, mat.user, mat.key, mat.vouch), Verifier(mat.hall)
    subject = subjects.events_of("mat-01", "m")
    verifier.check(subject, b"words", signer.header(subject, b"words"))
    stranger = HallKey()
    own = stranger.vouch(Role.MAT, "mat-01", mat.key)
    for said, data, header in (
        (subject, b"other words", signer.header(subject, b"words")),
        (subjects.events_of("mat-01", "n"), b"words", signer.header(subject, b"words")),
        (subjects.READING_CUE, b"words", signer.header(subjects.READING_CUE, b"words")),
        (subject, b"words", Signer(Role.MAT, "mat-01", mat.key, own).header(subject, b"words")),
        (subject, b"words", Signer(Role.READER, "mat-01", mat.key, mat.vouch).header(subject, b"words")),
        (subject, b"words", Signer(Role.MAT, "mat-01", board.key, mat.vouch).header(subject, b"words")),
        (subject, b"words", Signer(Role.MAT, "mat-01", mat.key, board.vouch).header(subject, b"words")),
        (subject, b"words", {}),
        (subject, b"words", None),
        (subject, b"words", {HEADER: "mat Mat.>  "}),
    ):
        with pytest.raises(ForeignMessageError):
            verifier.check(said, data, header)


def test_a_stolen_address_without_its_secret_enters_nowhere(hall: SmallHall) -> None:
    async def test() -> None:
        for ticket in (
            replace(hall.ticket("mat-01"), password=""),
            replace(hall.ticket("mat-01"), user="operator"),
            replace(hall.ticket("mat-01"), user="nobody"),
        ):
            link = Link(ticket)
            link.open()
            await until(lambda link=link: link.state.value == "refused")  # type: ignore[misc]
            await link.close()

    run(test)
