"""A phone's page without a browser: it joins by a link and sends the page's messages."""

from __future__ import annotations

import json
import ssl
import struct
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from http.cookiejar import CookieJar
from typing import Any

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from desk.panel.phone.routes import COOKIE
from vision.sources.network.encoded_stream import Encoded


def trusting() -> ssl.SSLContext:
    """Return a TLS context that accepts any certificate, like a person who has compared the fingerprint."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    # TLS 1.3 sends tickets after the handshake. The client's thread would read them while this one writes its
    # request, which Python 3.11 does not guard: that may be why a request twice never arrived.
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    return context


class PhonePage:
    """Joins by a link.

    Attributes
    ----------
    status, text : of the answer.
    """

    def __init__(self, link: str) -> None:
        self._host = link.split("/")[2]
        jar = CookieJar()
        opener = urllib.request.build_opener(
            urllib.request.HTTPSHandler(context=trusting()), urllib.request.HTTPCookieProcessor(jar)
        )
        try:
            with opener.open(link, timeout=20) as answer:
                self.status, self.text = answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            self.status, self.text = error.code, error.read().decode()
        self.secret = next((cookie.value for cookie in jar if cookie.name == COOKIE), None)

    def open(self, path: str, **headers: str) -> ClientConnection:
        """Open a line, `line` or `clock`."""
        sent = {"Cookie": f"{COOKIE}={self.secret}", "Origin": f"https://{self._host}", **headers}
        origin = sent.pop("Origin")
        address = f"wss://{self._host}/{path}"
        context = trusting()
        return connect(
            address,
            ssl=context,
            additional_headers=sent,
            origin=Origin(origin),
            compression=None,
            open_timeout=60,
        )

    def show_clock(self, count: int = 8) -> None:
        """Answer questions about the clock; this phone's counts seconds since 100 s ago."""
        with self.open("clock") as clock:
            for _ in range(count):
                asked = json.loads(clock.recv(timeout=20))
                told = {"kind": "answer", "id": asked["id"], "there_ms": clock_ms(time.perf_counter_ns())}
                clock.send(json.dumps(told))


def clock_ms(t_ns: int) -> float:
    """Return what this phone's clock shows at an instant of the desk's."""
    return t_ns / 1e6 + 100_000


def hello(**change: Any) -> str:
    told = {"kind": "hello", "codec": "h264", "width": 64, "height": 48, "fps": 30.0, "tick_ms": 0.1}
    return json.dumps(told | change)


def pictures(encoded: Iterable[Encoded], first_ns: int) -> Iterable[bytes]:
    """Return messages with pictures that were taken from `first_ns` of the desk's clock on, 33 ms apart."""
    for number, each in enumerate(encoded):
        taken_ms = clock_ms(first_ns + number * 33_000_000)
        yield struct.pack("<BBHIdf", 1, each.is_whole, 0, 0, taken_ms, 0.1) + each.data
