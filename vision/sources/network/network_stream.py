"""A network camera by RTSP, or any other address that FFmpeg reads (RTP, SRT, HLS, ...).

MJPEG packets are passed on unchanged; other codecs are decoded to their luma plane. Times are the sender's
(RTP's clock of 90 kHz): `Stamper` tells the instant of a picture from that of its arrival.
"""

from __future__ import annotations

import base64
import secrets
import socket
import ssl
import threading
import time
import urllib.parse
import urllib.request
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack, suppress
from email.message import Message
from email.parser import BytesHeaderParser
from functools import partial
from hashlib import md5
from io import BufferedReader
from typing import Any, Final, cast

import av
import av.container

from referee.complaint import sentence_of
from referee.sentence import Sentence
from vision.frames.frame import Gray
from vision.frames.luma import luma
from vision.frames.quantiser import EXPORT, LATEST, POOR_PICTURES, Coarseness
from vision.sources.jpeg import decode_gray
from vision.sources.live_source import SILENCE_S, LiveSource, Shot
from vision.sources.network.mjpeg_http import shown_url
from vision.sources.orientation import AS_STORED, Orientation, orientation_of, without_exif
from vision.sources.source import CameraFormat, SourceError

_PORTS: Final = {"rtsp": 554, "rtsps": 322}
_MOST_REDIRECTS: Final = 5
_MOST_LINES: Final = 100
_MOST_BYTES: Final = 1 << 20  # size limit of a session's description; a camera's has less than 4 KiB


def redirected(url: str, name: str) -> str:
    """Return the address at which a camera does not send us on any more.

    An address without user and password is returned as it is, and so is one where nobody answers. Raises
    SourceError if the camera sends us on to another host.
    """
    for _ in range(_MOST_REDIRECTS):
        parts = urllib.parse.urlsplit(url)
        if parts.username is None or parts.scheme not in _PORTS:
            return url
        try:
            location = _location(parts)
        except (OSError, ValueError):
            return url  # FFmpeg says what is wrong
        if location is None:
            return url
        target = urllib.parse.urlsplit(location)
        if _origin(target) != _origin(parts):
            raise SourceError(
                "{name} sends us on to {other}: name that address itself, with its own user and password",
                name=name,
                other=target.hostname or location[:100],
            )
        url = target._replace(scheme=parts.scheme, netloc=parts.netloc).geturl()
    raise SourceError("{name} sends us on again and again", name=name)


def _origin(parts: urllib.parse.SplitResult) -> tuple[str, str | None, int | None]:
    return parts.scheme, parts.hostname, parts.port or _PORTS.get(parts.scheme)


def _location(parts: urllib.parse.SplitResult) -> str | None:
    """Return where a camera sends us on to, None if it does not."""
    host, port = parts.hostname or "", parts.port or _PORTS[parts.scheme]
    uri = parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment="").geturl()
    user, password = (urllib.parse.unquote(word or "") for word in (parts.username, parts.password))
    if not (uri + user).isprintable() or " " in uri:
        raise ValueError("each part of a request has one line")
    with ExitStack() as stack:
        line: socket.socket = stack.enter_context(socket.create_connection((host, port), SILENCE_S))
        if parts.scheme == "rtsps":
            # cameras sign their own certificates, and FFmpeg takes any
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            line = stack.enter_context(context.wrap_socket(line, server_hostname=host))
        answers = stack.enter_context(line.makefile("rb"))
        number, let_in = 0, ""
        for method in ("OPTIONS", "DESCRIBE"):
            for _ in range(2):  # once more, with the password, where it is asked for
                number += 1
                asked = (
                    f"{method} {uri} RTSP/1.0\r\nCSeq: {number}\r\nAccept: application/sdp\r\n{let_in}\r\n"
                )
                line.sendall(asked.encode())
                status, headers = _answer(answers)
                if status != 401:
                    break
                challenges = [str(each) for each in headers.get_all("WWW-Authenticate", [])]
                let_in = _authorization(challenges, user, password, method, uri)
            if 300 <= status < 400:
                return str(headers.get("Location", ""))
            let_in = "" if "Digest" in let_in else let_in  # which is good for one method alone
    return None


def _answer(answers: BufferedReader) -> tuple[int, Message]:
    """Return status and headers of an answer, whose body is skipped; ValueError if it is none."""
    lines = []
    while line := answers.readline(_MOST_BYTES).strip():
        lines.append(line)
        if len(lines) > _MOST_LINES:
            raise ValueError("expected an answer of RTSP")
    protocol, status = (lines[0] if lines else b"").split()[:2]
    if not protocol.startswith(b"RTSP/"):
        raise ValueError("expected an answer of RTSP")
    headers = BytesHeaderParser().parsebytes(b"\r\n".join(lines[1:]))
    length = int(headers.get("Content-Length", "0"))
    if not 0 <= length <= _MOST_BYTES:
        raise ValueError("expected the description of a session")
    answers.read(length)
    return int(status), headers


def _authorization(challenges: list[str], user: str, password: str, method: str, uri: str) -> str:
    """Return the header that answers a challenge, empty if none can be answered."""
    for challenge in challenges:
        scheme, _, rest = challenge.partition(" ")
        told = urllib.request.parse_keqv_list(urllib.request.parse_http_list(rest))
        if scheme.lower() != "digest" or told.get("algorithm", "MD5").upper() != "MD5":
            continue
        realm, nonce, cnonce = told.get("realm", ""), told.get("nonce", ""), secrets.token_hex(8)
        is_counted = "auth" in told.get("qop", "").replace(",", " ").split()
        middle = f"{nonce}:00000001:{cnonce}:auth" if is_counted else nonce
        first, second = _md5(f"{user}:{realm}:{password}"), _md5(f"{method}:{uri}")
        said = {"username": user, "realm": realm, "nonce": nonce, "uri": uri}
        said["response"] = _md5(f"{first}:{middle}:{second}")
        said |= {"opaque": told["opaque"]} if "opaque" in told else {}
        said |= {"cnonce": cnonce} if is_counted else {}
        counted = ", qop=auth, nc=00000001" if is_counted else ""
        quoted = ", ".join(f'{key}="{value}"' for key, value in said.items())
        return f"Authorization: Digest {quoted}{counted}\r\n"
    if any(challenge.lower().startswith("basic") for challenge in challenges):
        return f"Authorization: Basic {base64.b64encode(f'{user}:{password}'.encode()).decode()}\r\n"
    return ""


def _md5(text: str) -> str:
    return md5(text.encode(), usedforsecurity=False).hexdigest()


_MOST_PIXELS = 1 << 26  # twice 8K: a decoder keeps up to 17 pictures, in the process of the match
_LOW_DELAY = {"fflags": "nobuffer", "flags": "low_delay", "analyzeduration": "1000000"}
"""No queue in FFmpeg, and one second (not five) to find out what is being sent."""
_RTSP = {"rtsp_transport": "tcp"}
"""Interleaved TCP loses no packets; a lost packet would spoil all pictures up to the next key frame."""


def stream_source(
    url: str, *, clock_ns: Callable[[], int] = time.perf_counter_ns, **options: Any
) -> LiveSource:
    """Open a network stream by its address.

    Raises SourceError if nobody answers, or what comes is no video.

    `url`: such as `rtsp://192.168.1.20/stream1`. `clock_ns`: the machine's monotonic clock. `options`: those
    of `LiveSource`.
    """
    name = shown_url(url)
    return LiveSource(name, partial(StreamFeed, url, name, clock_ns), clock_ns=clock_ns, **options)


class StreamFeed:
    """One connection to a network stream."""

    def __init__(self, url: str, name: str, clock_ns: Callable[[], int]) -> None:
        self._name = name
        self._clock_ns = clock_ns
        self._closed = False
        self._reading = threading.Lock()
        self._waiting: deque[Shot] = deque()
        self._held = AS_STORED
        self._told: Orientation | None = None
        self._is_asked = False
        options = {**_LOW_DELAY, **(_RTSP if url.startswith("rtsp") else {})}
        url = redirected(url, name)
        try:
            open_s = 10.0
            self._container = av.open(
                url, options=options, metadata_errors="replace", timeout=(open_s, SILENCE_S)
            )
        except (av.FFmpegError, OSError) as error:
            raise SourceError(
                "{name} cannot be opened: {error}; check the address and the network",
                name=name,
                error=_why(error),
            ) from error
        if not self._container.streams.video:
            self._container.close()
            raise SourceError("{name} holds no video: name the address of the camera's picture", name=name)
        stream = self._container.streams.video[0]
        # PyAV's types do not say that there is none for a codec that it does not know
        context = cast("av.VideoCodecContext | None", stream.codec_context)
        if context is None:
            self._container.close()
            raise SourceError(
                "{name} sends a codec that is not known here: let the camera send H.264", name=name
            )
        context.thread_count = 1  # every additional thread holds one more frame back
        context.options = {**EXPORT, "max_pixels": str(_MOST_PIXELS)}
        self._context = context
        self._codec = context.name
        self._coarseness = Coarseness(self._codec, LATEST)
        self._tick = stream.time_base
        self._packets = self._container.demux(stream)
        self.format = CameraFormat(
            width=context.width,
            height=context.height,
            fps=float(stream.average_rate or stream.guessed_rate or 0),
            fourcc="MJPG" if self._codec == "mjpeg" else self._codec,
            backend=url.partition(":")[0].upper(),
        )

    def read(self) -> Shot:
        try:
            while not self._waiting:
                with self._reading:
                    if self._closed:
                        raise SourceError("{name} was closed", name=self._name)
                    self._take(next(self._packets))
        except (av.FFmpegError, OSError, StopIteration, ValueError) as error:
            if isinstance(error, SourceError):
                raise
            raise SourceError("{name} broke off: {error}", name=self._name, error=_why(error)) from error
        return self._waiting.popleft()

    def close(self) -> None:
        """Close the connection after any waiting read has returned, which its time-out limits."""
        self._closed = True
        if self._reading.acquire(timeout=SILENCE_S + 1):
            self._container.close()
            self._reading.release()

    def _take(self, packet: av.Packet[Any]) -> None:
        arrived_ns = self._clock_ns()
        if packet.size == 0:
            raise SourceError("{name} broke off: the stream ended", name=self._name)
        if self._codec == "mjpeg":
            self._waiting.append(Shot(self._upright(packet), arrived_ns, self._ns(packet.pts)))
            return
        try:
            pictures = packet.decode()
        except av.FFmpegError:
            return  # a damaged picture: the next key frame repairs the stream
        for picture in pictures:
            if isinstance(picture, av.VideoFrame):
                self._held = orientation_of(picture) or self._held
                self._coarseness.note(picture, arrived_ns, packet.size)
                doubt = POOR_PICTURES if self._coarseness.is_too_coarse() else None
                gray, t_ns = self._held(luma(picture)), self._ns(picture.pts)
                self._waiting.append(Shot(gray, arrived_ns, t_ns, doubt=doubt))

    def _upright(self, packet: av.Packet[Any]) -> bytes | Gray:
        """Return a JPEG as it came, or its decoded picture if the container says that it is to be turned."""
        if not self._is_asked:  # once, since a container says it for the whole film
            self._is_asked = True
            with suppress(av.FFmpegError):
                for picture in self._context.decode(without_exif(packet)):
                    self._told = orientation_of(picture)
        if self._told is None:
            return bytes(packet)
        jpeg = bytes(without_exif(packet))
        gray = None if self._told == AS_STORED else decode_gray(jpeg)
        return jpeg if gray is None else self._told(gray)

    def _ns(self, pts: int | None) -> int | None:
        return None if pts is None or self._tick is None else round(pts * self._tick * 10**9)


def _why(error: Exception) -> Sentence:
    """Return what happened, without the address, which may hold a password."""
    is_said = isinstance(error, (av.FFmpegError, OSError)) and error.strerror
    return sentence_of(error) if is_said else Sentence(type(error).__name__)
