"""A mat's events reach the hall once and in order, whatever breaks on the way."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")

from nats.js.errors import NotFoundError

from desk.hall.board.copies import Ledger
from desk.hall.link import Link
from desk.hall.mat.sender import Mark, Outbox, Sender
from desk.hall.messages import ID_HEADER, EventBatch, pack
from desk.hall.subjects import events_of
from desk.log.event_log import EventLog, LogEntry
from tests.desk.hall.halls import SmallHall, needs_server, run, small_hall, until

pytestmark = needs_server
WALL = "2026-11-28T10:00:00.000+09:00"


class Mat:
    """A mat with one match, whose log grows when told."""

    def __init__(self, folder: Path, link: Link, match: str) -> None:
        self.match = match
        path = folder / f"{match}.sqlite"
        self.log = EventLog.open(path) if path.exists() else EventLog.create(path)
        self.outbox = Outbox(folder, link.ticket.user)
        self.outbox.join(match)
        self.sender = Sender(link, self.outbox)
        self._task = asyncio.get_running_loop().create_task(self.sender.run())

    def step(self, count: int = 1, size: int = 10) -> None:
        """Append what one step of the rules writes."""
        first = self.log.last_seq + 1
        entries = [
            LogEntry(seq, first, WALL, "rules", "ruled", 1, {"n": seq, "text": "x" * size})
            for seq in range(first, first + count)
        ]
        self.log.append(entries)
        self.sender.wake()

    async def all_sent(self) -> None:
        await until(lambda: self.outbox.unsent(self.match) == 0, 8)

    async def leave(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        self.outbox.close()
        self.log.close()


async def taken(hall: SmallHall, mat: str, match: str) -> list[int]:
    """Return the numbers of the entries that a board takes in from the stream."""
    ledger, numbers, sequence = Ledger(), list[int](), 0
    async with hall.link("operator") as link:
        while True:
            try:
                found = await link.stream().get_msg(
                    "EVENTS", sequence + 1, events_of(mat, match), direct=True, next=True
                )
            except NotFoundError:
                break
            sequence = found.seq or 0
            fresh = ledger.take(str(found.subject), found.data or b"")
            numbers += [] if fresh is None else [entry.seq for entry in fresh.entries]
    assert (ledger.again, ledger.refused) == (0, 0)
    return numbers


def play(hall: SmallHall, folder: Path, match: str, script: Callable[[Mat, SmallHall], object]) -> list[int]:
    """Let a mat play, and return what the hall has afterwards."""

    async def test() -> list[int]:
        async with hall.link("mat-01") as link:
            mat = Mat(folder, link, match)
            told = script(mat, hall)
            if asyncio.iscoroutine(told):
                await told
            await mat.all_sent()
            last = mat.log.last_seq
            await mat.leave()
        found = await taken(hall, "mat-01", match)
        assert found == list(range(1, last + 1))
        return found

    return run(test)


def test_steps_arrive_whole_and_in_order(hall: SmallHall, tmp_path: Path) -> None:
    async def script(mat: Mat, _: SmallHall) -> None:
        for count in (1, 4, 2):
            mat.step(count)
            await asyncio.sleep(0)
        mat.step(3, size=100_000)  # more than a batch likes to be, and still one step
        mat.step()

    assert len(play(hall, tmp_path, "steps", script)) == 11


def test_a_mat_goes_on_where_it_was_interrupted_or_without_its_marks(hall: SmallHall, tmp_path: Path) -> None:
    play(hall, tmp_path, "resumed", lambda mat, _: mat.step(3))
    play(hall, tmp_path, "resumed", lambda mat, _: mat.step(2))
    (tmp_path / "mat-01-hall-marks.db").unlink()
    assert len(play(hall, tmp_path, "resumed", lambda mat, _: mat.step(1))) == 6


def test_a_match_that_was_sent_is_not_looked_at_again(hall: SmallHall, tmp_path: Path) -> None:
    play(hall, tmp_path, "earlier", lambda mat, _: mat.step(3))

    async def script(mat: Mat, _: SmallHall) -> None:
        mat.step(1)
        await mat.all_sent()
        await until(lambda: mat.outbox.unrested() == ["later"])
        mat.step(1)

    play(hall, tmp_path, "later", script)


def test_an_answer_that_was_lost_doubles_nothing(hall: SmallHall, tmp_path: Path) -> None:
    async def script(mat: Mat, _: SmallHall) -> None:
        mat.step(2)
        await mat.all_sent()
        mat.outbox.confirm(mat.match, Mark())  # as if the mat had died before it noted the answer
        mat.step(1)

    play(hall, tmp_path, "unanswered", script)


def test_a_forged_id_hides_no_event(hall: SmallHall, tmp_path: Path) -> None:
    async def script(mat: Mat, hall: SmallHall) -> None:
        forged = {ID_HEADER: f"mat-01/{mat.match}/2"}
        async with hall.link("mat-02") as other:
            await other.stream().publish(events_of("mat-02", "forged"), b"{}", headers=forged)
        mat.step(2)

    play(hall, tmp_path, "forged", script)


def test_a_hall_that_lost_everything_gets_it_again(tmp_path: Path) -> None:
    with small_hall(tmp_path / "hall") as hall:

        async def script(mat: Mat, hall: SmallHall) -> None:
            mat.step(3)
            await mat.all_sent()
            async with hall.link("operator") as link:
                await link.stream().delete_stream("EVENTS")
            await hall.lay_out()
            mat.step(1)

        play(hall, tmp_path / "mat", "emptied", script)


def test_a_hall_whose_power_cut_took_the_end_of_a_match_gets_it_again(tmp_path: Path) -> None:
    with small_hall(tmp_path / "hall") as hall:

        async def script(mat: Mat, hall: SmallHall) -> None:
            mat.step(3)
            await mat.all_sent()
            async with hall.link("operator") as link:
                await link.stream().delete_stream("EVENTS")
            await hall.lay_out()
            await asyncio.to_thread(hall.server.kill)
            await asyncio.to_thread(hall.server.start)  # no event comes any more: the match is over
            await until(lambda: mat.sender.sent == 2, 8)

        play(hall, tmp_path / "mat", "cut", script)


def test_a_server_that_is_killed_loses_nothing(tmp_path: Path) -> None:
    with small_hall(tmp_path / "hall") as hall:

        async def script(mat: Mat, hall: SmallHall) -> None:
            mat.step(2)
            await mat.all_sent()
            await asyncio.to_thread(hall.server.kill)
            mat.step(2)  # the match does not wait
            assert mat.outbox.unsent(mat.match) == 2
            await asyncio.to_thread(hall.server.start)
            mat.step(2)

        assert len(play(hall, tmp_path / "mat", "killed", script)) == 6


def test_a_mat_says_that_the_disk_of_the_hall_is_full(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with small_hall(tmp_path / "hall", disk_gib=40_000 / 2**30) as hall:

        async def test() -> None:
            async with hall.link("mat-01") as link:
                mat = Mat(tmp_path / "mat", link, "full")
                for _ in range(2):
                    mat.step(1, size=30_000)  # the server looks at its disk before it writes
                    await mat.all_sent()
                mat.step()
                await until(lambda: mat.sender.problem is not None)
                assert mat.outbox.unsent("full") == 1
                await mat.leave()

        run(test)
    assert "insufficient resources" in capsys.readouterr().err


def test_another_log_under_the_same_name_is_not_mixed_in(
    hall: SmallHall, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play(hall, tmp_path / "one", "same", lambda mat, _: mat.step(2))

    async def test() -> None:
        async with hall.link("mat-01") as link:
            mat = Mat(tmp_path / "other", link, "same")
            mat.step(3, size=20)
            await until(lambda: mat.sender.problem is not None)
            assert mat.outbox.unsent("same") == 3
            await mat.leave()

    run(test)
    assert "does another machine use this ticket?" in capsys.readouterr().err


def test_a_ledger_refuses_what_is_not_the_mats_own_or_leaves_something_out() -> None:
    ledger = Ledger()
    entry = LogEntry(1, 1, WALL, "rules", "ruled", 1, {})
    subject = events_of("mat-01", "m")
    for refused in (
        EventBatch("mat-02", "m", (entry,)),
        EventBatch("mat-01", "n", (entry,)),
        EventBatch("mat-01", "m", ()),
        EventBatch("mat-01", "m", (replace(entry, seq=2),)),
    ):
        with pytest.raises(Exception, match=r"hall\.event\.mat-01\.m: "):
            ledger.take(subject, pack(refused))
    assert ledger.refused == 4
    first = ledger.take(subject, pack(EventBatch("mat-01", "m", (entry,))))
    assert first is not None
    assert ledger.take(subject, pack(EventBatch("mat-01", "m", (entry,)))) is None
    assert (ledger.last["mat-01", "m"], ledger.again) == (1, 1)
