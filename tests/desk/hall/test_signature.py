"""What nobody signed who may say it: skipped, told, never obeyed, and no hindrance to anybody."""

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")

from nats.aio.msg import Msg

from desk.hall import subjects
from desk.hall.board.floor import Floor
from desk.hall.clock import HallClock, answer_clock
from desk.hall.link import Link
from desk.hall.mat.station import Seat
from desk.hall.messages import EXPECTED_HEADER, ID_HEADER, ClockTold, EventBatch, MatState, Pairing, pack
from desk.hall.replays import FetchedReplays
from desk.hall.signature import HEADER, QUESTION, ForeignMessageError, HallKey, Signer, Verifier
from desk.hall.subjects import Role
from desk.log.event_log import EventLog
from referee.sides import BySide
from tests.desk.hall.halls import WALL, Mat, SmallHall, entry, needs_server, settled, until

pytestmark = needs_server


async def test_foreign_messages_are_skipped_and_told_and_silence_no_mat(
    own_hall: SmallHall, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever stores something at the servers, even the operator, speaks for no mat and stops none."""
    floor = Floor(own_hall.ticket("board"), tmp_path / "board")
    floor.open()
    subject = subjects.events_of("mat-01", "m")
    async with (
        own_hall.link("mat-01") as link,
        own_hall.link("operator") as intruder,
        own_hall.link("mat-02") as other,
    ):
        mat = Mat(tmp_path / "mat", link)
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
    late = Floor(own_hall.ticket("board"), tmp_path / "late")  # reads all of it from the stream
    late.open()
    await until(lambda: late.copies.last_seq("mat-01", "m") == 8)
    assert late.link is not None
    await settled(late.link)
    assert late.mats == {}
    await late.close()

    told = capsys.readouterr().err
    assert f"{subjects.events_of('mat-01', 'm')}: expected a message signed by a user of this hall" in told
    assert "'mat-02' may not say this" in told


async def test_a_mat_obeys_neither_a_forged_cue_nor_a_forged_pairing(hall: SmallHall) -> None:
    async with hall.link("mat-01") as link, hall.link("operator") as intruder, hall.link("board") as board:
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


async def test_a_number_that_another_mat_took_hides_no_event(hall: SmallHall, tmp_path: Path) -> None:
    async with hall.link("mat-02") as thief, hall.link("mat-01") as link:
        for seq in range(1, 5):
            forged = {ID_HEADER: f"mat-01/m/{seq}", EXPECTED_HEADER: "0"}
            await thief.keep(subjects.events_of("mat-02", f"forged_{seq}"), b"{}", forged)
        mat = Mat(tmp_path / "mat", link)
        await mat.play(4)
        await mat.leave()


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


class Forger:
    """Answers as somebody whose password it has, and whose key it has not: what a server's keeper can do."""

    def __init__(self, hall: SmallHall, victim: str) -> None:
        mat, theirs = hall.ticket("mat-03"), hall.ticket(victim)
        self.link = Link(replace(theirs, key=mat.key, vouch=mat.vouch))
        self._mat = Signer(mat.role, mat.user, mat.key, mat.vouch)
        self._victim = Signer(theirs.role, theirs.user, mat.key, theirs.vouch)
        self.answers = 0

    def headers(self, subject: str, data: bytes, question: str) -> list[Mapping[str, str] | None]:
        """Return every way to sign an answer without the victim's key."""
        return [
            None,
            self.link._signer.header(subject, data, question),
            self._mat.header(subject, data, question),
            self._victim.header(subject, data, question),
        ]

    async def lie(self, subject: str, data: bytes, genuine: Mapping[str, str] | None = None) -> None:
        async def answer(asked: Msg) -> None:
            question = (asked.headers or {}).get(QUESTION, "")
            ways = [*self.headers(asked.subject, data, question), *([genuine] if genuine else [])]
            way = ways[self.answers % len(ways)]
            self.answers += 1
            await self.link.client.publish(asked.reply, data, headers=dict(way) if way else None)

        await self.link.client.subscribe(subject, cb=answer)
        await self.link.client.flush()


async def test_a_forged_time_and_an_old_answer_move_no_clock(
    own_hall: SmallHall, capsys: pytest.CaptureFixture[str]
) -> None:
    async with own_hall.link("mat-01") as mat:
        async with own_hall.link("reader") as reader:
            await answer_clock(reader, "old")
            await settled(reader)
            headers = {QUESTION: "00", **mat._signer.header(subjects.CLOCK, b"{}")}
            old = await mat.client.request(subjects.CLOCK, b"{}", timeout=5, headers=headers)
        forger = Forger(own_hall, "reader")
        forger.link.open()
        await forger.link.joined()
        await forger.lie(subjects.CLOCK, old.data, old.headers)
        clock = HallClock(mat)
        asking = asyncio.get_running_loop().create_task(clock.run())
        await until(lambda: forger.answers >= 6)
        assert (clock.is_known, clock.session) == (False, "")
        await forger.link.close()
        async with own_hall.link("reader") as reader:
            await answer_clock(reader, "true")
            await until(lambda: clock.is_known)
            assert clock.session == "true"
        asking.cancel()
        await asyncio.gather(asking, return_exceptions=True)

    assert f"{subjects.CLOCK}: expected a message signed" in capsys.readouterr().err


async def test_a_replay_counts_from_its_mat_and_for_its_question(own_hall: SmallHall, tmp_path: Path) -> None:
    pictures = b"what the mat's camera saw"
    whole = len(pictures).to_bytes(8) + pictures
    path = tmp_path / "kept" / f"{hashlib.sha256(pictures).hexdigest()}.zip"

    async with own_hall.link("board") as board:
        replays, subject = FetchedReplays(board), subjects.replay_of("mat-01")
        async with own_hall.link("mat-01") as mat:
            genuine = mat._signer.header(subject, whole, "another question")
        forger = Forger(own_hall, "mat-01")
        forger.link.open()
        await forger.link.joined()
        await forger.lie(subject, whole, genuine)
        while forger.answers < 5:
            await replays.fetch("mat-01", "m", 1, path)
            assert not path.exists()
        await forger.link.close()
        async with own_hall.link("mat-01") as mat:

            async def answer(asked: Msg) -> None:
                await mat.answer(asked, whole)

            await mat.listen(subject, answer)
            await until_kept(replays, path)
            assert path.read_bytes() == pictures


async def until_kept(replays: FetchedReplays, path: Path) -> None:
    """Ask until the mat is known to the board's account."""
    async with asyncio.timeout(20):
        while not path.exists():
            await replays.fetch("mat-01", "m", 1, path)


def test_an_answer_is_no_message_and_a_message_no_answer(hall: SmallHall) -> None:
    reader = hall.ticket("reader")
    signer, verifier = Signer(reader.role, reader.user, reader.key, reader.vouch), Verifier(reader.hall)
    told = pack(ClockTold("s", 1, 2))
    verifier.check(subjects.CLOCK, told, signer.header(subjects.CLOCK, told, "q"), "q")
    for subject, header, question in (
        (subjects.CLOCK, signer.header(subjects.CLOCK, told), "q"),
        (subjects.CLOCK, signer.header(subjects.CLOCK, told, "q"), None),
        (subjects.CLOCK, signer.header(subjects.CLOCK, told, "other"), "q"),
        (subjects.READING_STATE, signer.header(subjects.READING_STATE, told, "q"), "q"),
        (subjects.READING_STATE, signer.header(subjects.READING_STATE, told, "q"), None),
    ):
        with pytest.raises(ForeignMessageError):
            verifier.check(subject, told, header, question)
