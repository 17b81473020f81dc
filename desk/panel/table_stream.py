"""The stream of a card table's page: its data whenever they change, and a sign of life every second."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Final, Protocol

from sse_starlette import ServerSentEvent

_TICK_S: Final = 1.0


class Told(Protocol):
    """A running game that tells when it changes."""

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call `wake` after every change until the returned function is called."""

    def health(self) -> Mapping[str, object]:
        """Return `fps` and `warnings`."""


async def table_messages(game: Told, text: Callable[[], str]) -> AsyncIterator[ServerSentEvent]:
    """Yield `view` with the page's data whenever they have changed, and `tick` with the source's health.

    Parameters
    ----------
    game : the running game.
    text : returns the page's data as JSON in the viewer's language.
    """
    changed = asyncio.Event()
    leave = game.listen(changed.set)
    try:
        shown = ""
        while True:
            now = text()
            if now != shown:
                shown = now
                yield ServerSentEvent(now, event="view")
            yield ServerSentEvent(json.dumps(game.health(), ensure_ascii=False), event="tick")
            changed.clear()
            try:
                await asyncio.wait_for(changed.wait(), _TICK_S)
            except TimeoutError:
                continue
    finally:
        leave()
