"""Streams over WebSockets: pages of the panel alone, streams alone, the pieces as they are."""

import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from urllib.request import urlopen

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from desk.panel.app import create_app
from desk.panel.preview import PERIOD_S, Preview
from desk.panel.sockets import page_server
from tests.desk.panel.panel_port import ScriptedPort

pytestmark = pytest.mark.live
JPEG = b"\xff\xd8 picture"
PATIENCE_S = 30


class Camera(ScriptedPort):
    def preview(self) -> bytes | None:
        return JPEG


@contextmanager
def served() -> Iterator[str]:
    server = page_server(create_app(Camera()), log_level="error")
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the panel could not be served"
        threading.Event().wait(0.01)
    yield f"127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join(PATIENCE_S)
    assert not thread.is_alive()


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    with served() as host:
        yield host


def test_an_event_stream_comes_message_by_message(host: str) -> None:
    with connect(f"ws://{host}/api/events?lang=ja", origin=Origin(f"http://{host}")) as socket:
        told = socket.recv(PATIENCE_S)
    assert isinstance(told, str)
    fields = dict(line.split(": ", 1) for line in told.split("\r\n") if line)
    assert fields["event"] == "view"
    assert json.loads(fields["data"])["match"] == "m1"


def test_a_live_picture_comes_as_bytes(host: str) -> None:
    with connect(f"ws://{host}/preview.mjpeg") as socket:
        told = socket.recv(PATIENCE_S)
    assert isinstance(told, bytes)
    assert JPEG in told
    assert told.index(b"\xff") == told.index(JPEG), "before the picture there is only text"


@pytest.mark.parametrize(
    ("path", "headers"),
    [
        ("/api/events", {"Origin": "https://elsewhere.example"}),
        ("/api/events", {"Origin": "null"}),
        ("/api/events", {"Host": "elsewhere.example"}),
        ("/api/view", {}),
        ("/matches/none/api/events", {}),
    ],
)
def test_other_sites_and_what_is_no_stream_are_refused(host: str, path: str, headers: dict[str, str]) -> None:
    with (
        pytest.raises((InvalidStatus, ConnectionClosed)),
        connect(f"ws://{host}{path}", additional_headers=headers) as socket,
    ):
        socket.recv(PATIENCE_S)


def test_open_streams_end_quietly_when_the_server_leaves(capsys: pytest.CaptureFixture[str]) -> None:
    with ExitStack() as still_open:
        with served() as host:
            paths = ("/api/events", "/preview.mjpeg")
            streams = [
                still_open.enter_context(urlopen(f"http://{host}{path}", timeout=PATIENCE_S))
                for path in paths
            ]
            socket = still_open.enter_context(connect(f"ws://{host}/api/events"))
            assert all(stream.readline() for stream in streams)
            assert socket.recv(PATIENCE_S)
        for stream in streams:
            stream.read()  # to its end: it was not cut off
    assert capsys.readouterr().err == ""


class Counted(ScriptedPort):
    """A camera that counts its pictures and has none for the first `dark` looks."""

    asked = dark = 0

    def preview(self) -> bytes | None:
        self.asked += 1
        return b"\xff\xd8 picture %d" % self.asked if self.asked > self.dark else None


def test_ten_viewers_cost_one_picture_per_period() -> None:
    now_s = [0.0]
    camera = Counted()
    preview = Preview(camera, now_s=lambda: now_s[0])
    (part,) = {preview.part() for _ in range(10)}
    assert camera.asked == 1
    assert part is not None
    assert part.endswith(b"Content-Length: 12\r\n\r\n\xff\xd8 picture 1\r\n--picture\r\n")
    now_s[0] += PERIOD_S
    assert preview.part() != part
    assert camera.asked == 2


def test_the_first_picture_is_shown_as_soon_as_it_comes() -> None:
    camera = Counted()
    camera.dark = 3
    preview = Preview(camera, now_s=lambda: 0.0)  # three looks within one period
    assert [preview.part() for _ in range(3)] == [None] * 3
    assert preview.part() is not None
