"""A camera that sends us on to another host gets nothing sent there, whenever it does so."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from vision.sources import live_source as live
from vision.sources.network.network_stream import redirected, stream_source
from vision.sources.source import SourceError

pytestmark = pytest.mark.live

BASIC = 'WWW-Authenticate: Basic realm="camera"\r\n'
DIGEST = 'WWW-Authenticate: Digest realm="camera", nonce="5ca1ab1e", qop="auth"\r\n'
Answer = Callable[[str], tuple[int, str]]  # status and header lines of the answer to a request


class Camera:
    """An RTSP server that answers as a test says, and keeps what it was asked."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.asked: list[str] = []
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def address(self, path: str = "/1", user: str = "judge:s3cret@") -> str:
        return f"rtsp://{user}127.0.0.1:{self.port}{path}"

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self.server.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        request = ""
        with client, client.makefile("r", encoding="ascii", newline="") as lines:
            for line in lines:
                request += line
                if line != "\r\n":
                    continue
                self.asked.append(request)
                status, headers = self.answer(request)
                sequence = next(each for each in request.splitlines() if each.startswith("CSeq"))
                client.sendall(f"RTSP/1.0 {status} Told\r\n{sequence}\r\n{headers}\r\n".encode())
                request = ""


@contextmanager
def camera(answer: Answer) -> Iterator[Camera]:
    one = Camera(answer)
    try:
        yield one
    finally:
        one.server.close()


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "RETRY_S", 0.02)


def wants_password(request: str) -> tuple[int, str]:
    return (200, "") if "Authorization" in request else (401, BASIC)


@pytest.mark.parametrize("method", ["OPTIONS", "DESCRIBE"])
@pytest.mark.parametrize("challenge", ["", BASIC, DIGEST])
def test_no_password_follows_a_redirect_to_another_host(method: str, challenge: str) -> None:
    with camera(wants_password) as other:

        def sends_on(request: str) -> tuple[int, str]:
            if challenge and "Authorization" not in request:
                return 401, challenge
            if request.startswith(method):
                return 302, f"Location: {other.address(user='')}\r\n"
            return 200, ""

        with (
            camera(sends_on) as own,
            pytest.raises(SourceError, match=r"sends us on to 127\.0\.0\.1") as told,
        ):
            stream_source(own.address(), give_up_s=1.0)
        assert other.asked == []
        assert own.asked
        assert "s3cret" not in str(told.value)


def test_a_camera_may_send_us_on_to_another_address_of_its_own() -> None:
    def sends_on(request: str) -> tuple[int, str]:
        return (302, f"Location: {own.address('/2', user='')}\r\n") if "/1 " in request else (200, "")

    with camera(sends_on) as own:
        assert redirected(own.address("/1"), "camera") == own.address("/2")


def test_a_circle_ends() -> None:
    def sends_on(_: str) -> tuple[int, str]:
        return 301, f"Location: {own.address(user='')}\r\n"

    with camera(sends_on) as own, pytest.raises(SourceError, match="again and again"):
        redirected(own.address(), "camera")


@pytest.mark.parametrize(
    ("challenge", "sent"),
    [
        (BASIC, "Authorization: Basic anVkZ2U6czNjcmV0"),
        (BASIC + 'WWW-Authenticate: Digest realm="camera", nonce="5ca1ab1e"\r\n', 'response="'),
        (DIGEST, "qop=auth, nc=00000001"),
    ],
)
def test_a_camera_is_asked_with_the_password_where_it_wants_one(challenge: str, sent: str) -> None:
    def wants(request: str) -> tuple[int, str]:
        return (200, "") if "Authorization" in request else (401, challenge)

    with camera(wants) as own:
        assert redirected(own.address(), "camera") == own.address()
        assert [request.split()[0] for request in own.asked][-1] == "DESCRIBE"
        assert sent in own.asked[-1]
        assert "s3cret" not in "".join(own.asked)


@pytest.mark.parametrize(
    "answer", [(200, "Content-Length: 99999999999\r\n"), (200, "Content-Length: x\r\n"), (404, ""), (302, "")]
)
def test_nonsense_is_left_to_the_one_who_opens_it_or_refused(answer: tuple[int, str]) -> None:
    with camera(lambda _: answer) as own:
        try:
            assert redirected(own.address(), "camera") == own.address()
        except SourceError:
            assert answer[0] == 302


def test_an_address_without_a_password_or_an_answer_is_left_alone() -> None:
    for url in ("rtsp://127.0.0.1:9/x", "rtsp://judge:s3cret@127.0.0.1:9/x", "srt://a:b@127.0.0.1:9"):
        assert redirected(url, "camera") == url
