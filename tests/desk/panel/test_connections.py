"""A real server of pages: quiet, slow and too many connections keep nobody else out."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from websockets.sync.client import connect

from desk.panel import connections
from tests.desk.panel.test_sockets import served

pytestmark = pytest.mark.live
ONE = 6
PATIENCE_S = 60


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(connections, "ASKS_WITHIN_S", 1.0)
    monkeypatch.setattr(connections, "MOST_OF_ONE", ONE)
    with served() as host:
        yield host


def opened(host: str) -> socket.socket:
    name, port = host.split(":")
    return socket.create_connection((name, int(port)), PATIENCE_S)


def is_closed(connection: socket.socket) -> bool:
    """Wait until the server says something, or closes."""
    try:
        return not connection.recv(4096)
    except ConnectionResetError:
        return True


def head(host: str, path: str = "/api/view") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: {host}\r\n".encode()


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "])
def test_who_asks_nothing_makes_room_for_others(host: str, said: bytes) -> None:
    with ExitStack() as stack:
        quiet = [stack.enter_context(opened(host)) for _ in range(ONE)]
        for each in quiet:
            each.sendall(said)
        one_more = stack.enter_context(opened(host))
        assert is_closed(one_more)
        assert all(is_closed(each) for each in quiet)
        asks = stack.enter_context(opened(host))
        asks.sendall(head(host) + b"\r\n")
        assert asks.recv(4096).startswith(b"HTTP/1.1 200")


def test_a_second_request_that_never_ends_is_closed_too(host: str) -> None:
    with opened(host) as slow:
        slow.sendall(head(host, "/api/health") + b"\r\n" + head(host))
        text = b""
        while piece := slow.recv(4096):
            text += piece
        assert text.startswith(b"HTTP/1.1 ")


def test_who_listens_stays(host: str) -> None:
    """An event stream and a WebSocket last longer than a request may take to ask."""
    with opened(host) as stream, connect(f"ws://{host}/api/events") as pages:
        stream.sendall(head(host, "/api/events") + b"\r\n")
        until_s = time.monotonic() + 3.0
        pieces = 0
        while time.monotonic() < until_s:
            pieces += bool(stream.recv(65536)) and bool(pages.recv(PATIENCE_S))
        assert pieces > 1


def test_all_machines_together_leave_files_for_the_match(host: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert connections.most_connections() >= 128
    monkeypatch.setattr(connections, "most_connections", lambda: 2)
    with served() as small, ExitStack() as stack:
        quiet = [stack.enter_context(opened(small)) for _ in range(2)]
        assert is_closed(stack.enter_context(opened(small)))
        assert all(is_closed(each) for each in quiet)


def raw_socket(host: str, stack: ExitStack) -> socket.socket:
    """Open a WebSocket by hand, with little room for what comes back."""
    connection = stack.enter_context(opened(host))
    upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    connection.sendall(
        head(host, "/api/events") + f"{upgrade}Sec-WebSocket-Key: {'A' * 22}==\r\n\r\n".encode()
    )
    assert connection.recv(4096).startswith(b"HTTP/1.1 101")
    return connection


def frame(first: int, data: bytes) -> bytes:
    return bytes([first, 0x80 | len(data)]) + bytes(4) + data


FLOODS = {
    "pings whose answers nobody reads": frame(0x89, b"x" * 125),
    "a message in parts of nothing": frame(0x00, b""),
}


@pytest.mark.parametrize("flood", FLOODS)
def test_a_socket_that_would_fill_the_memory_is_closed(host: str, flood: str) -> None:
    with ExitStack() as stack:
        page = raw_socket(host, stack)
        page.sendall(frame(0x01, b""))
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            page.sendall(FLOODS[flood] * 1_000_000)
        with connect(f"ws://{host}/api/events") as other:
            assert other.recv(PATIENCE_S)


def test_a_giant_frame_is_refused_by_its_head(host: str) -> None:
    with ExitStack() as stack:
        page = raw_socket(host, stack)
        page.sendall(b"\x82\xff" + (1 << 40).to_bytes(8, "big") + bytes(4))
        told = b""
        while piece := page.recv(65536):
            told += piece
        assert (1009).to_bytes(2, "big") in told, "message too big"


def test_sockets_count_as_connections(host: str) -> None:
    with ExitStack() as stack:
        for _ in range(ONE):
            raw_socket(host, stack)
        assert is_closed(stack.enter_context(opened(host)))
