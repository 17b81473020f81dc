"""The loops of the panel's event streams: a page's data whenever they change, and a sign of life."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Final

from sse_starlette import ServerSentEvent

ALIVE_S: Final = 1.0  # time after which a stream without news gives a sign of life


async def told_views(
    listen: Callable[[Callable[[], None]], Callable[[], None]],
    text: Callable[[], str],
    tick: Callable[[], str] = lambda: "{}",
    *,
    pace_s: float = 0.0,
) -> AsyncIterator[ServerSentEvent]:
    """Yield `view` whenever the data of a page have changed, and `tick` likewise and every second.

    `listen` calls its argument after every change, until the function that it returns is called; `tick`
    returns what a sign of life says, as JSON; `pace_s` is the shortest time between two messages.
    """
    changed = asyncio.Event()
    leave = listen(changed.set)
    try:
        shown = ticked = ""
        while True:
            changed.clear()  # before the look: what changes while it is sent is sent next
            now, sign = text(), tick()
            if now != shown:
                shown = now
                yield ServerSentEvent(now, event="view")
            if sign != ticked:
                ticked = sign
                yield ServerSentEvent(sign, event="tick")
            await asyncio.sleep(pace_s)
            try:
                await asyncio.wait_for(changed.wait(), ALIVE_S)
            except TimeoutError:
                ticked = ""
    finally:
        leave()


async def polled_views(text: Callable[[], str], every_s: float) -> AsyncIterator[ServerSentEvent]:
    """Yield `view` with the data of a page that does not tell when they change, and again every second."""
    shown, quiet_s = "", 0.0
    while True:
        now = text()
        if now != shown or quiet_s >= ALIVE_S:
            shown, quiet_s = now, 0.0
            yield ServerSentEvent(now, event="view")
        await asyncio.sleep(every_s)
        quiet_s += every_s
