"""A mat's events reach the hall once and in order, whatever breaks on the way."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")

from desk.hall.board.copies import Ledger
from desk.hall.mat.sender import Mark
from desk.hall.messages import EventBatch, pack
from desk.hall.store import everything
from desk.hall.subjects import events_of
from tests.desk.hall.halls import Mat, SmallHall, entry, needs_server, run, small_hall, until

pytestmark = needs_server


@asynccontextmanager
async def playing(hall: SmallHall, folder: Path, match: str) -> AsyncIterator[Mat]:
    """Let a mat play; afterwards a board takes in every entry from the stream, once and in order."""
    async with hall.link("mat-01") as link:
        mat = Mat(folder, link, match)
        yield mat
        await mat.all_sent()
        last = mat.log.last_seq
        await mat.leave()
    ledger, numbers = Ledger(), list[int]()
    async with hall.link("board") as board:
        async for kept in everything(board, "EVENTS", events_of("mat-01", match)):
            numbers += [entry.seq for entry in ledger.take(kept.subject, kept.data)]
    assert (ledger.again, ledger.refused) == (0, 0)
    assert numbers == list(range(1, last + 1))


async def test_steps_arrive_whole_and_in_order(hall: SmallHall, tmp_path: Path) -> None:
    async with playing(hall, tmp_path, "steps") as mat:
        for count in (1, 4, 2):
            mat.step(count)
            await asyncio.sleep(0)
        mat.step(3, "x" * 100_000)  # more than a batch likes to be, and still one step
        mat.step()


async def test_a_mat_goes_on_where_it_was_or_without_its_marks(hall: SmallHall, tmp_path: Path) -> None:
    for steps in (3, 2, 1):
        async with playing(hall, tmp_path, "resumed") as mat:
            mat.step(steps)
        if steps == 2:
            (tmp_path / "mat-01-hall-marks.db").unlink()


async def test_a_match_that_was_sent_is_not_looked_at_again(hall: SmallHall, tmp_path: Path) -> None:
    async with playing(hall, tmp_path, "earlier") as mat:
        mat.step(3)
    async with playing(hall, tmp_path, "later") as mat:
        await mat.play()
        await until(lambda: mat.outbox.unrested() == ["later"])
        mat.step()


async def test_an_answer_that_was_lost_doubles_nothing(hall: SmallHall, tmp_path: Path) -> None:
    async with playing(hall, tmp_path, "unanswered") as mat:
        await mat.play(2)
        mat.outbox.confirm(mat.match, Mark())  # as if the mat had died before it noted the answer
        mat.step()


@pytest.mark.parametrize("is_over", [False, True])
async def test_a_lost_end_comes_once_more(own_hall: SmallHall, tmp_path: Path, *, is_over: bool) -> None:
    async with playing(own_hall, tmp_path / "mat", "cut") as mat:
        await mat.play(3)
        async with own_hall.link("operator") as link:
            await link.stream().delete_stream("EVENTS")
        await own_hall.lay_out()
        sent = mat.sender.sent
        if is_over:  # no event comes any more, but a new connection
            await asyncio.to_thread(own_hall.server.kill)
            await asyncio.to_thread(own_hall.server.start)
        else:
            mat.step()
        await until(lambda: mat.sender.sent > sent, 8)


async def test_a_server_that_is_killed_loses_nothing(own_hall: SmallHall, tmp_path: Path) -> None:
    async with playing(own_hall, tmp_path / "mat", "killed") as mat:
        await mat.play(2)
        await asyncio.to_thread(own_hall.server.kill)
        mat.step(2)  # the match does not wait
        assert mat.outbox.unsent(mat.match) == 2
        await asyncio.to_thread(own_hall.server.start)
        mat.step(2)


def test_a_mat_says_that_the_halls_disk_is_full(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with small_hall(tmp_path / "hall", disk_gib=40_000 / 2**30) as hall:

        async def test() -> None:
            async with hall.link("mat-01") as link:
                mat = Mat(tmp_path / "mat", link)
                for _ in range(2):
                    mat.step(1, "x" * 30_000)  # the server looks at its disk before it writes
                    await mat.all_sent()
                mat.step()
                await until(lambda: mat.sender.problem is not None)
                assert mat.outbox.unsent("m") == 1
                await mat.leave()

        run(test)
    assert "insufficient resources" in capsys.readouterr().err


async def test_another_log_under_the_same_name_is_not_mixed_in(
    hall: SmallHall, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with playing(hall, tmp_path / "one", "same") as mat:
        mat.step(2)
    async with hall.link("mat-01") as link:
        mat = Mat(tmp_path / "other", link, "same")
        mat.step(3, "other")
        await until(lambda: mat.sender.problem is not None)
        assert mat.outbox.unsent("same") == 3
        await mat.leave()
    assert "does another machine use this ticket?" in capsys.readouterr().err


def test_a_ledger_refuses_what_is_not_the_mats_own_or_leaves_something_out() -> None:
    ledger, subject = Ledger(), events_of("mat-01", "m")
    for refused in (
        EventBatch("mat-02", "m", (entry(1),)),
        EventBatch("mat-01", "n", (entry(1),)),
        EventBatch("mat-01", "m", ()),
        EventBatch("mat-01", "m", (entry(2),)),
    ):
        with pytest.raises(Exception, match=r"hall\.event\.mat-01\.m: "):
            ledger.take(subject, pack(refused))
    assert ledger.refused == 4
    assert ledger.take(subject, pack(EventBatch("mat-01", "m", (entry(1),)))) == (entry(1),)
    assert ledger.take(subject, pack(EventBatch("mat-01", "m", (entry(1),)))) == ()
    assert (ledger.last["mat-01", "m"], ledger.again) == (1, 1)
