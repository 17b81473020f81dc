"""What a stream keeps is handed out in order and once, whatever happens to the server."""

import asyncio
from pathlib import Path

import pytest

pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")

from desk.hall.store import Kept, count, everything, follow, latest
from desk.hall.subjects import EVERY_EVENT, events_of
from tests.desk.hall.halls import SmallHall, needs_server, run, small_hall, until

pytestmark = needs_server
SUBJECT = events_of("mat-01", "m")


async def said(hall: SmallHall, *words: str) -> None:
    async with hall.link("mat-01") as mat:
        for word in words:
            await mat.keep(SUBJECT, word.encode())


def test_a_long_stream_comes_whole_and_a_follower_hears_what_is_new(tmp_path: Path) -> None:
    with small_hall(tmp_path) as hall:

        async def test() -> None:
            words = [f"{number:03}" for number in range(600)]  # more than come at once
            await said(hall, *words)
            heard: list[str] = []
            async with hall.link("board") as board, hall.link("mat-01") as mat:
                assert [
                    kept.data.decode() async for kept in everything(board, "EVENTS", EVERY_EVENT)
                ] == words
                some = [kept.data.decode() async for kept in everything(board, "EVENTS", EVERY_EVENT, 598)]
                assert some == words[-2:]
                assert [kept async for kept in everything(board, "EVENTS", "hall.event.mat-02.*")] == []
                assert [kept async for kept in everything(board, "STATES", "hall.>")] == []
                following = asyncio.ensure_future(
                    follow(board, "EVENTS", EVERY_EVENT, lambda kept: heard.append(kept.data.decode()))
                )
                await until(lambda: heard == words)
                await said(hall, "new")
                await until(lambda: heard == [*words, "new"])
                last = await latest(mat, "EVENTS", SUBJECT)
                assert last is not None
                assert (last.data, last.seq, last.problem) == (b"new", 601, None)
                assert await latest(mat, "EVENTS", events_of("mat-01", "none")) is None
                following.cancel()
            async with hall.link("worker-1") as worker:
                assert await count(worker, "WORK", "hall.work.>") == 0

        run(test, 40)


def test_a_follower_begins_anew_where_the_hall_has_lost_its_end(tmp_path: Path) -> None:
    """A power cut takes messages that were followed already; others get their numbers."""
    with small_hall(tmp_path) as hall:

        async def test() -> None:
            heard: list[str] = []

            def took(kept: Kept) -> None:
                heard.append(kept.data.decode())

            await said(hall, "a", "b", "c")
            async with hall.link("board") as board:
                following = asyncio.ensure_future(follow(board, "EVENTS", EVERY_EVENT, took))
                await until(lambda: heard == ["a", "b", "c"])
                async with hall.link("operator") as operator:
                    await operator.stream().delete_stream("EVENTS")
                await hall.lay_out()
                await said(hall, "a", "d")
                await asyncio.to_thread(hall.server.kill)
                await asyncio.to_thread(hall.server.start)
                await until(lambda: heard[3:] == ["a", "d"])
                await said(hall, "e")
                await until(lambda: heard[3:] == ["a", "d", "e"])
                following.cancel()

        run(test, 40)
