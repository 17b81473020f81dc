"""The route to a running game: its streams end with the game."""

from __future__ import annotations

import asyncio

from starlette.types import Message

from desk.panel.home.door import until


def test_a_client_of_a_game_that_ends_is_taken_for_gone() -> None:
    async def visit() -> tuple[Message, Message]:
        over = asyncio.Event()
        waiting: asyncio.Queue[Message] = asyncio.Queue()
        receive = until(over, waiting.get)
        waiting.put_nowait({"type": "http.request"})
        first = await receive()
        asyncio.get_running_loop().call_later(0.01, over.set)
        return first, await receive()

    assert asyncio.run(visit()) == ({"type": "http.request"}, {"type": "http.disconnect"})
