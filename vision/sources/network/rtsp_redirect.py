"""Where an RTSP camera sends us on to, asked before FFmpeg gets its user and password.

FFmpeg follows a redirect and takes both along to any host; no option forbids it. So the same questions
(RFC 2326: OPTIONS, DESCRIBE; RFC 2617: Basic, Digest) are put here first, to the named address alone.
"""

from __future__ import annotations

import base64
import secrets
import socket
import ssl
import urllib.parse
import urllib.request
from contextlib import ExitStack
from email.message import Message
from email.parser import BytesHeaderParser
from hashlib import md5
from io import BufferedReader
from typing import Final

from vision.sources.live_source import SILENCE_S
from vision.sources.source import SourceError

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
