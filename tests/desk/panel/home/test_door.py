"""The route to a running game: its streams end with the game."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from starlette.types import Message

from desk.panel.home.door import GameDoor, until
from desk.panel.home.port import Running
from tests.desk.panel.home.scripted_home import ScriptedRoom


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


def test_a_stream_that_ends_with_its_game_is_complete() -> None:
    async def visit() -> list[Message]:
        router = APIRouter()

        async def endless() -> AsyncIterator[bytes]:
            while True:
                yield b"sound"
                await asyncio.sleep(0.001)

        async def sound(_: Request) -> Response:
            return StreamingResponse(endless())

        router.add_route("/api/recite/sound", sound)
        game = ScriptedRoom("recite")
        game.running = running = Running(router)
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)
            if len(sent) == 5:
                running.over.set()

        waiting: asyncio.Queue[Message] = asyncio.Queue()
        waiting.put_nowait({"type": "http.request", "body": b"", "more_body": False})
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/api/recite/sound",
            "headers": [],
            "query_string": b"",
            "root_path": "",
        }
        await GameDoor("/recite", ("/api/recite",), game).handle(scope, waiting.get, send)
        return sent

    sent = asyncio.run(visit())
    assert sent[1]["body"] == b"sound"
    assert [message.get("more_body", False) for message in sent[1:]] == [*[True] * (len(sent) - 2), False]
