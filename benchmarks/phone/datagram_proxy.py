"""A network between a phone and the desk for datagrams: what WebRTC sends is late, out of order, or lost."""

from __future__ import annotations

import asyncio
import random
from typing import Any

from benchmarks.phone.poor_network import Network

Address = tuple[str, int]
_MOST_QUEUED_S = 0.3
"""A router forgets what would wait longer for its turn."""


class DatagramProxy:
    """Hands datagrams on between a browser and the desk; all methods belong to one asyncio loop.

    Parameters
    ----------
    network : what happens in between; its rate and losses are those of what the browser sends.

    Attributes
    ----------
    for_browser, for_desk : where either of them finds the other one.
    """

    def __init__(self, network: Network) -> None:
        self._network = network
        self._dice = random.Random(7)
        self._free_s = 0.0
        self.for_browser: Address = ("", 0)
        self.for_desk: Address = ("", 0)
        self._ends: dict[str, Address] = {}
        self._doors: dict[str, asyncio.DatagramTransport] = {}

    async def open(self, host: str) -> None:
        """Open both doors at an address of this machine."""
        for name in ("browser", "desk"):
            door, _ = await asyncio.get_running_loop().create_datagram_endpoint(
                lambda name=name: _Door(self, name),  # type: ignore[misc]
                local_addr=(host, 0),
            )
            self._doors[name] = door
        self.for_browser = self._doors["browser"].get_extra_info("sockname")
        self.for_desk = self._doors["desk"].get_extra_info("sockname")

    def tell(self, name: str, end: Address) -> None:
        """Say where the browser or the desk is."""
        self._ends[name] = end

    def close(self) -> None:
        """Close both doors."""
        for door in self._doors.values():
            door.close()

    def pass_on(self, came_from: str, data: bytes) -> None:
        """Hand a datagram on when the network would have brought it, if it does."""
        network, loop = self._network, asyncio.get_running_loop()
        now_s = loop.time()
        due_s = now_s + (network.delay_ms + self._dice.uniform(0, network.jitter_ms)) / 1e3
        if came_from == "browser":
            if self._dice.random() < network.loss:
                return
            if network.mbit:
                self._free_s = max(self._free_s, now_s) + 8 * len(data) / (network.mbit * 1e6)
                if self._free_s > now_s + _MOST_QUEUED_S:
                    self._free_s -= 8 * len(data) / (network.mbit * 1e6)
                    return
                due_s += self._free_s - now_s
        other = "desk" if came_from == "browser" else "browser"
        if other in self._ends:
            loop.call_at(due_s, self._doors[other].sendto, data, self._ends[other])


class _Door(asyncio.DatagramProtocol):
    def __init__(self, proxy: DatagramProxy, name: str) -> None:
        self._proxy, self._name = proxy, name

    def datagram_received(self, data: bytes, _: Any) -> None:
        self._proxy.pass_on(self._name, data)
