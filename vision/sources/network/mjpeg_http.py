"""A network camera that sends JPEG pictures over HTTP, one after the other (`multipart/x-mixed-replace`).

The stream is parsed here, so that each picture keeps its own bytes and the instant at which its first byte
came. Some senders write their own clock into each part (`X-Timestamp: seconds`); it is passed on.
"""

import base64
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from functools import partial
from http.client import HTTPException
from typing import Any, Protocol

from referee.complaint import sentence_of
from referee.sentence import Sentence
from vision.sources.jpeg import JPEG_END, JPEG_START
from vision.sources.live_source import SILENCE_S, LiveSource, Shot
from vision.sources.source import CameraFormat, SourceError

_LETS_IN = r"(?i)((?:user|usr|login|pass|pwd|psw|token|auth|key|secret|sig|sess|cred)[\w.-]*=)"
"""The beginning of a parameter that may let somebody in, by the names that makers of cameras give it."""
_MOST_BYTES = 32 * 2**20  # bytes; a longer part is no picture


def mjpeg_source(
    url: str, *, clock_ns: Callable[[], int] = time.perf_counter_ns, **options: Any
) -> LiveSource:
    """Open an MJPEG stream by its HTTP address; a user and password in it are sent as basic authentication.

    Raises SourceError if nobody answers, or what comes is no stream of JPEG pictures.

    `url`: such as `http://192.168.1.20:8080/video`. `clock_ns`: the machine's monotonic clock. `options`:
    those of `LiveSource`.
    """
    name = shown_url(url)
    return LiveSource(name, partial(MjpegFeed, url, name, clock_ns), clock_ns=clock_ns, **options)


def without_password(url: str) -> str:
    """Return the address without the user and password before its host, as it is asked for."""
    parts = urllib.parse.urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def shown_url(url: str) -> str:
    """Return the address as it may be shown and logged: without users, passwords and keys.

    Cameras take them before the host, in the query (`?usr=admin&pwd=x`), and some in the path
    (`/user=admin_password=x_channel=1.sdp`), which is left out from there on.
    """
    parts = urllib.parse.urlsplit(without_password(url))
    path = re.sub(rf"{_LETS_IN}.*", r"\1...", parts.path)
    query = re.sub(rf"{_LETS_IN}[^&;]*", r"\1...", parts.query)
    return parts._replace(path=path, query=query, fragment="").geturl()


class _Body(Protocol):
    def read1(self, size: int, /) -> bytes: ...


class MultipartReader:
    """Parses a `multipart/x-mixed-replace` body.

    `body`: source of the bytes; `read1` waits for some and returns what there is. `boundary`: as in the
    response's header, with or without leading dashes. `clock_ns`: read when a part's first byte is there.
    """

    def __init__(self, body: _Body, boundary: str, clock_ns: Callable[[], int]) -> None:
        self._body = body
        self._mark = b"--" + boundary.strip().strip('"').removeprefix("--").encode("latin-1")
        self._clock_ns = clock_ns
        self._buffer = bytearray()

    def part(self) -> tuple[dict[str, str], bytes, int]:
        """Return the next part: its header lines by lower-case name, its content, and when it came.

        Raises EOFError when the stream ends. Raises ValueError when the stream is malformed.
        """
        while (at := self._buffer.find(self._mark)) < 0:
            del self._buffer[: -len(self._mark)]
            self._fill()
        del self._buffer[: at + len(self._mark)]
        head = self._take_until(b"\r\n\r\n", b"\n\n")
        arrived_ns = self._clock_ns()
        header = {}
        for line in head.decode("latin-1").splitlines():
            key, colon, value = line.partition(":")
            if colon:
                header[key.strip().lower()] = value.strip()
        length = header.get("content-length", "")
        if length.isdecimal():
            return header, self._take(int(length)), arrived_ns
        content = self._take_until(b"\r\n" + self._mark, b"\n" + self._mark)
        self._buffer[:0] = self._mark
        return header, content, arrived_ns

    def _take(self, count: int) -> bytes:
        if count > _MOST_BYTES:
            raise ValueError(f"a part of {count} bytes was announced, at most {_MOST_BYTES} were expected")
        while len(self._buffer) < count:
            self._fill()
        content = bytes(self._buffer[:count])
        del self._buffer[:count]
        return content

    def _take_until(self, *ends: bytes) -> bytes:
        """Return what comes before the first of `ends`, and drop that end."""
        looked = 0
        while True:
            found = [(at, end) for end in ends if (at := self._buffer.find(end, max(0, looked))) >= 0]
            if found:
                at, end = min(found)
                content = bytes(self._buffer[:at])
                del self._buffer[: at + len(end)]
                return content
            if len(self._buffer) > _MOST_BYTES:
                raise ValueError(f"no end of a part within {_MOST_BYTES} bytes")
            looked = len(self._buffer) - max(len(end) for end in ends)
            self._fill()

    def _fill(self) -> None:
        chunk_bytes = 65536
        chunk = self._body.read1(chunk_bytes)
        if not chunk:
            raise EOFError
        self._buffer += chunk


class MjpegFeed:
    """One connection to an MJPEG stream.

    `format`: unknown, since a stream tells neither its size nor its rate before its pictures.
    """

    def __init__(self, url: str, name: str, clock_ns: Callable[[], int]) -> None:
        self._name = name
        self.format = CameraFormat(width=0, height=0, fps=0.0, fourcc="MJPG", backend="HTTP")
        try:
            self._response = _OPENER.open(_request(url), timeout=SILENCE_S)
        except (OSError, HTTPException, ValueError) as error:
            raise SourceError(
                "{name} cannot be opened: {reason}", name=name, reason=_reason(error)
            ) from error
        kind = self._response.headers.get_content_type()
        boundary = self._response.headers.get_param("boundary")
        if kind != "multipart/x-mixed-replace" or not isinstance(boundary, str):
            self._response.close()
            raise SourceError(
                "{name} sends {kind}, not a stream of pictures (multipart/x-mixed-replace): name the "
                "camera's own video address",
                name=name,
                kind=kind,
            )
        self._parts = MultipartReader(self._response, boundary, clock_ns)

    def read(self) -> Shot:
        try:
            while True:
                header, content, arrived_ns = self._parts.part()
                if content.startswith(JPEG_START):
                    end = content.rfind(JPEG_END)
                    picture = content[: end + 2] if end > 0 else content
                    return Shot(picture, arrived_ns, _sent_ns(header))
        except (OSError, HTTPException, ValueError, AttributeError) as error:
            # AttributeError: the response was closed by another thread while this one was reading
            raise SourceError("{name} broke off: {reason}", name=self._name, reason=_reason(error)) from error
        except EOFError as error:
            raise SourceError("{name} broke off: the camera ended the stream", name=self._name) from error

    def close(self) -> None:
        self._response.close()


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows a camera to another address, but takes its user and password to no other host."""

    def redirect_request(  # noqa: PLR0917 (the shape that urllib asks for)
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        following = super().redirect_request(req, fp, code, msg, headers, newurl)
        if following is not None and (following.type, following.host) != (req.type, req.host):
            following.remove_header("Authorization")
        return following


_OPENER = urllib.request.build_opener(_Redirects)


def _request(url: str) -> urllib.request.Request:
    parts = urllib.parse.urlsplit(url)
    request = urllib.request.Request(without_password(url))  # noqa: S310 -- `open_source` admits http(s) only
    if parts.username is not None:
        user, password = (urllib.parse.unquote(word or "") for word in (parts.username, parts.password))
        token = base64.b64encode(f"{user}:{password}".encode()).decode("ascii")
        request.add_header("Authorization", f"Basic {token}")
    return request


def _sent_ns(header: dict[str, str]) -> int | None:
    try:
        return round(float(header["x-timestamp"]) * 1e9)
    except (KeyError, ValueError, OverflowError):
        return None


def _reason(error: Exception) -> Sentence:
    if isinstance(error, urllib.error.HTTPError):
        return Sentence("the camera answered {code} {reason}", code=error.code, reason=error.reason)
    if isinstance(error, urllib.error.URLError):
        if isinstance(error.reason, OSError):
            return sentence_of(error.reason)
        return Sentence("{reason}: check the address and the network", reason=error.reason)
    return sentence_of(error) or Sentence(type(error).__name__)
