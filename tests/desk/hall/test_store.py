"""What a stream keeps is handed out in order and once, whatever happens to the server."""

import asyncio

import pytest

pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")

from desk.hall.store import Kept, count, everything, follow, latest
from desk.hall.subjects import EVERY_EVENT, events_of
from tests.desk.hall.halls import SmallHall, needs_server, until

pytestmark = needs_server
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
