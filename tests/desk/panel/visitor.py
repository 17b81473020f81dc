"""A browser without a window: it asks an application, and the answer is there at once."""

import asyncio
from typing import Any

import httpx

HERE = "http://127.0.0.1:8321"


class _AtOnce(httpx.BaseTransport):
    """Hands each request to an application, in a loop of its own."""

    def __init__(self, app: Any, *, fails: bool) -> None:
        self._asked = httpx.ASGITransport(app, raise_app_exceptions=fails)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        async def ask() -> httpx.Response:
            content = request.read()
            answer = await self._asked.handle_async_request(
                httpx.Request(request.method, request.url, headers=request.headers, content=content)
            )
            assert isinstance(answer.stream, httpx.AsyncByteStream)
            pieces = [piece async for piece in answer.stream]
            return httpx.Response(
                answer.status_code, headers=answer.headers, stream=httpx.ByteStream(b"".join(pieces))
            )

        return asyncio.run(ask())


def browser_of(app: Any, token: str = "", *, fails: bool = True, **options: Any) -> httpx.Client:
    """Return a browser that came with a token, if any; what fails in the application fails the test."""
    if token:
        options["cookies"] = {"shinpan_token": token}
    return httpx.Client(transport=_AtOnce(app, fails=fails), base_url=HERE, **options)
