"""The station that a phone connects to: an HTTPS server, a link that works once, and the open line.

The server has a thread and a loop of its own, so that neither panel nor eye can delay pictures or clock
measurements.
"""

import asyncio
import hmac
import secrets
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress

import uvicorn
from websockets.exceptions import InvalidState

from desk.errors import DeskError
from desk.machine.config import EVERY_HOST, data_folder, first_free, own_addresses
from desk.panel.connections import Connection, Door, PageSocket, most_connections
from desk.panel.house.port import FindingShown, PhoneShown, PhoneStage
from desk.panel.phone.messages import MOST_BYTES
from desk.panel.phone.routes import create_phone_app
from desk.panel.qr_code import qr_image, qr_text
from desk.phone.certificate import made_certificate, own_certificate
from desk.phone.line import Line
from desk.phone.wish import PhoneWish
from referee.complaint import sentence_of
from vision.sources.network.encoded_stream import EncodedFeed, EncodedQueue
from vision.sources.source import SourceError

_NAME = "the phone"
_WAITS = "no phone has come yet: read its code with the phone's camera"
_AWAY = "the phone is away: open its page again, or read the code anew"
_OPEN_S = 10.0
_MOST_GUESTS = 256  # pages that one link may open before a line opens; earlier ones then read the code anew
_LEAVE_S = 2


class PhoneStation:
    """The station for one phone, open until `close()`; see `desk.panel.phone.messages.PhoneDoor`.

    Raises DeskError if certificate or port cannot be used.
    """

    now_ns = staticmethod(time.perf_counter_ns)

    def __init__(self, wish: PhoneWish | None = None) -> None:
        wish = wish or PhoneWish()
        addresses = own_addresses()
        if wish.certificate is not None and wish.key is not None:
            self._certificate = own_certificate(wish.certificate, wish.key)
        else:
            self._certificate = made_certificate(data_folder() / "phone", addresses)
        self._port = first_free(EVERY_HOST, wish.port)
        names = addresses or ["localhost"]
        if not self._certificate.is_made:
            names = [name for name in self._certificate.names if not name.startswith("*")] or names
        self._hosts = names
        self._token = secrets.token_urlsafe(12)
        self._secret: str | None = None  # of the phone that has opened a line
        self._guests: deque[str] = deque(maxlen=_MOST_GUESTS)  # of pages that the present link has opened
        self._line: Line | None = None
        self._asked = False
        self._findings: Sequence[FindingShown] | None = None
        self._lock = threading.Lock()
        self._server = self._open()
        self._door = self._listening()
        self._thread = threading.Thread(target=self._serve, name="phone", daemon=True)
        self._thread.start()
        deadline_s = time.monotonic() + _OPEN_S
        while not self._server.started:
            if not self._thread.is_alive() or time.monotonic() > deadline_s:
                raise DeskError(
                    "the phone's page cannot be served on port {port}: is it in use?", port=self._port
                )
            time.sleep(0.01)

    # --- desk.panel.phone.messages.PhoneDoor, in the server's own loop ---------------------------------
    def admit(self, token: str) -> str | None:
        """Return a secret for a page if the token is that of the present link, else None.

        Opening a page does not spend the link: messengers and scanners fetch links to show what is behind
        them.
        """
        with self._lock:
            if not hmac.compare_digest(token.encode(), self._token.encode()):
                return None
            self._guests.append(secrets.token_urlsafe(24))
            return self._guests[-1]

    def knows(self, secret: str | None) -> bool:
        shown = (secret or "").encode()
        with self._lock:
            known = [*self._guests, *([] if self._secret is None else [self._secret])]
        return any(hmac.compare_digest(each.encode(), shown) for each in known)

    def open_line(self, secret: str | None) -> Line | None:
        """Open a line for a page, None if its secret is not known; the previous line ends.

        A page that the present link opened spends it: from now on there is another link, and the secrets of
        all other pages are worthless.
        """
        if not self.knows(secret):
            return None
        with self._lock:
            if secret != self._secret:
                self._secret, self._token = secret, secrets.token_urlsafe(12)
                self._guests.clear()
            before, self._line = self._line, Line(self.now_ns, lambda: self._findings)
        if before is not None:
            before.end("replaced")
        return self._line

    def line_of(self, secret: str | None) -> Line | None:
        """Return the open line if the page with this secret has opened it."""
        with self._lock:
            own = self._secret is not None and hmac.compare_digest(
                self._secret.encode(), (secret or "").encode()
            )
        return self.line() if own else None

    def line(self) -> Line | None:
        line = self._line
        return None if line is None or line.ended is not None else line

    # --- the source's side, in its own thread ------------------------------------------------------------
    def connect(self) -> EncodedFeed:
        """Return the decoder for the pictures of the open line; see `LiveSource`.

        Raises SourceError if no line is open. The first call instead returns a feed that raises it when read,
        because a source is opened before the phone connects.
        """
        line = self.line()
        if line is not None:
            return EncodedFeed(line.queue, _NAME, clock_ns=self.now_ns)
        if self._asked:
            raise SourceError(_AWAY if self._line is not None else _WAITS)
        self._asked = True
        nothing = EncodedQueue()
        nothing.end(_WAITS)
        return EncodedFeed(nothing, _NAME, clock_ns=self.now_ns)

    # --- the desk's side ---------------------------------------------------------------------------------
    def show_findings(self, findings: Sequence[FindingShown]) -> None:
        self._findings = tuple(findings)

    @property
    def links(self) -> list[str]:
        """The links with which a phone can connect now; each works once."""
        return [f"https://{_bracketed(host)}:{self._port}/join/{self._token}" for host in self._hosts]

    @property
    def stage(self) -> PhoneStage:
        if self._line is None:
            return "waiting"
        line = self.line()
        if line is None:
            return "lost"
        return "joined" if line.fps is None else "streaming"

    def shown(self) -> PhoneShown:
        line = self._line
        return {
            "links": [{"address": link, "qr": qr_image(link)} for link in self.links],
            "fingerprint": self._certificate.fingerprint if self._certificate.is_made else None,
            "stage": self.stage,
            "warnings": [] if line is None else list(line.warnings),
            "clock_ms": None if line is None else line.clock_ms,
            "dropped": 0 if line is None else line.dropped,
        }

    def describe(self) -> str:
        """Return the text for commands without a page: the links, and a QR code."""
        lines = [f"phone: {link}" for link in self.links]
        if self._certificate.is_made:
            lines.append(
                "the phone warns of the certificate, which this machine made: compare "
                f"{self._certificate.fingerprint[:23]}..., then go on"
            )
        return "\n".join([*lines, qr_text(self.links[0])])

    def close(self) -> None:
        line = self._line
        if line is not None:
            line.end("closed")
        self._server.should_exit = True
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            patience_s = 5.0
            self._thread.join(_LEAVE_S + patience_s)

    def _open(self) -> uvicorn.Server:
        app = create_phone_app(self, ["localhost", "127.0.0.1", *self._hosts])
        config = uvicorn.Config(
            app,
            EVERY_HOST,
            self._port,
            log_level="critical",
            lifespan="off",
            http=Connection,
            ws=PageSocket,
            ws_max_size=MOST_BYTES,
            ws_ping_interval=3.0,
            ws_ping_timeout=5.0,
            ws_per_message_deflate=False,  # encoded pictures do not get smaller
            timeout_graceful_shutdown=_LEAVE_S,
            ssl_certfile=self._certificate.certificate,
            ssl_keyfile=self._certificate.key,
        )
        try:
            config.load()
        except OSError as error:
            raise DeskError(
                "the certificate {certificate} cannot be used: {error}",
                certificate=self._certificate.certificate,
                error=sentence_of(error),
            ) from error
        return uvicorn.Server(config)

    def _listening(self) -> Door:
        door = Door(most_connections() // 2)  # the panel takes the rest of them, and the match needs its own
        if sys.platform != "win32":
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            door.bind((EVERY_HOST, self._port))
        except OSError as error:
            door.close()
            raise DeskError(
                "the phone's page cannot be served on port {port}: is it in use?", port=self._port
            ) from error
        return door

    def _serve(self) -> None:
        with suppress(InvalidState):  # the ending server may close a line that is already closing
            asyncio.run(self._server.serve([self._door]))


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
