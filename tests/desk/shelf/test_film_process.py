"""One process judges films one after the other; if it dies, the desk goes on."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desk.shelf import film_process
from desk.shelf.film_process import FilmProcess
from tests.desk.shelf import dying_work


async def ends(shop: FilmProcess, film_id: str, job: Any) -> str:
    """Run a job and return how it ended."""
    over: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    shop.add(film_id, Path("folder"), Path("film"), job, over.set_result)
    assert shop.is_waiting(film_id)
    return await over


def run(story: Callable[[FilmProcess], Any]) -> None:
    async def whole() -> None:
        shop = FilmProcess(nice=0)
        try:
            await story(shop)
        finally:
            await shop.close()

    asyncio.run(whole())


def test_one_process_does_what_comes_soon_after_and_a_complaint_does_not_end_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def story(shop: FilmProcess) -> None:
        first, bad, second = await asyncio.gather(
            ends(shop, "a", "good"), ends(shop, "b", "bad"), ends(shop, "c", "good")
        )
        assert bad == "no good"
        assert first == second  # the process's own number
        assert not shop.is_waiting("c")
        assert shop.working("c") is None

    monkeypatch.setattr(film_process, "judge_corrected", dying_work.answer)
    run(story)


def test_a_process_that_dies_is_told_and_another_one_takes_the_next_film(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def story(shop: FilmProcess) -> None:
        assert "has ended" in await ends(shop, "a", "good")
        monkeypatch.setattr(film_process, "judge_corrected", dying_work.answer)
        assert (await ends(shop, "b", "good")).isdecimal()

    monkeypatch.setattr(film_process, "judge_corrected", dying_work.die)
    run(story)


def test_a_film_that_is_dropped_is_not_judged_any_further(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story(shop: FilmProcess) -> None:
        waiting = [asyncio.ensure_future(ends(shop, name, "good")) for name in ("a", "b")]
        await asyncio.sleep(0)
        await shop.drop("b")
        assert not shop.is_waiting("b")
        await shop.drop("a")
        assert shop.working("a") is None
        for each in waiting:
            each.cancel()

    monkeypatch.setattr(film_process, "judge_corrected", dying_work.die)
    run(story)
