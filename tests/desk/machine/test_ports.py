"""Finding a free port with real sockets."""

import socket
from collections.abc import Iterator

import pytest

from desk.errors import DeskError
from desk.machine.config import first_free, is_free


@pytest.fixture
def busy_port() -> Iterator[int]:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield server.getsockname()[1]


def test_the_next_free_port_is_taken_and_that_there_is_none_is_said(busy_port: int) -> None:
    assert not is_free("127.0.0.1", busy_port)
    port = first_free("127.0.0.1", busy_port)
    assert busy_port < port < busy_port + 20
    assert is_free("127.0.0.1", port)
    with pytest.raises(DeskError, match=f"no free port from {busy_port} to {busy_port}"):
        first_free("127.0.0.1", busy_port, tries=1)
