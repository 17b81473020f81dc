"""The streams of the board's pages: their data when they change, a few times a second at most."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Final

from sse_starlette import ServerSentEvent

_TICK_S: Final = 1.0
_PACE_S: Final = 0.25
"""A hundred mats change more often than anybody can look."""


async def changing_texts(
    listen: Callable[[Callable[[], None]], Callable[[], None]], text: Callable[[], str]
) -> AsyncIterator[ServerSentEvent]:
    """Yield `view` with the page's data whenever they have changed, and `tick` as a sign of life.

    Parameters
    ----------
    listen : as in `desk.panel.hall.port.FloorPort.listen`.
    text : returns the page's data as JSON.
    """
    changed = asyncio.Event()
    leave = listen(changed.set)
    try:
        shown = ""
        while True:
            changed.clear()
            now = text()
            if now != shown:
                shown = now
                yield ServerSentEvent(now, event="view")
                await asyncio.sleep(_PACE_S)
            try:
                await asyncio.wait_for(changed.wait(), _TICK_S)
            except TimeoutError:
                yield ServerSentEvent("{}", event="tick")
    finally:
        leave()
