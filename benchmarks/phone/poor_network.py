"""A network between a phone and the desk: a rate, delay, jitter, and losses as TCP shows them."""

from __future__ import annotations

import asyncio
import random
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

_SEGMENT_BYTES = 1448
_RESENT_S = 0.2
"""A lost segment comes again after about so long (Linux: at least 200 ms), and all after it waits."""
_CHUNK_BYTES = 16 * _SEGMENT_BYTES


@dataclass(frozen=True)
class Network:
    """How it treats what a phone sends.

    Attributes
    ----------
    mbit : bits a second, 0 for no limit.
    delay_ms, jitter_ms : each way, always, and on top of it up to so much by chance.
    loss : share of segments that have to be sent again.
    """

    mbit: float = 0.0
    delay_ms: float = 0.0
    jitter_ms: float = 0.0
    loss: float = 0.0


class Proxy:
    """Hands bytes on between a free port and another one, as a network would; use it in a `with` block.

    Parameters
    ----------
    port : where the desk listens.
    network : what happens in between.
    """

    def __init__(self, port: int, network: Network) -> None:
        self.port = 0
        self._target = port
        self._network = network
        self._dice = random.Random(7)
        self._loop: asyncio.AbstractEventLoop
        self._ending: asyncio.Event
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="network", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._ending.set)
        self._thread.join()

    def _serve(self) -> None:
        asyncio.run(self._listen())

    async def _listen(self) -> None:
        self._loop, self._ending = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._taken, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._ending.wait()
        server.close()

    async def _taken(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", self._target)
        await asyncio.gather(self._pass(reader, back), self._pass(there, writer))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Hand bytes on in their order, each piece when the network would have brought it."""
        network, waiting = self._network, asyncio.Queue[tuple[float, bytes]](64)
        free_s = 0.0

        async def bring() -> None:
            with suppress(ConnectionError):  # one end has gone: the other learns of it
                while (due := await waiting.get())[1]:
                    await asyncio.sleep(max(0.0, due[0] - self._loop.time()))
                    writer.write(due[1])
                    await writer.drain()
            writer.close()

        bringing = asyncio.ensure_future(bring())
        latest_s = 0.0
        piece = b"-"
        while piece and not bringing.done():
            try:
                piece = await reader.read(_CHUNK_BYTES)
            except ConnectionError:
                piece = b""
            now_s = self._loop.time()
            if network.mbit:
                free_s = max(free_s, now_s) + 8 * len(piece) / (network.mbit * 1e6)
            late_s = (network.delay_ms + self._dice.uniform(0, network.jitter_ms)) / 1e3
            segments = -(-len(piece) // _SEGMENT_BYTES)
            if self._dice.random() < 1 - (1 - network.loss) ** segments:
                late_s += _RESENT_S
            latest_s = max(latest_s, max(free_s, now_s) + late_s)
            await waiting.put((latest_s, piece))
        await bringing
