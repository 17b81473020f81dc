"""A real MJPEG camera on this machine's loop-back address, which does what it is told, faults included."""

import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

BOUNDARY = "a-picture-ends-here"


@dataclass
class Part:
    """One picture and when it goes out after the connection began; no `jpeg` closes the connection there."""

    t_s: float
    jpeg: bytes | None
    stamp_s: float | None = None


@dataclass
class Script:
    """What the camera plays to each connection in turn; the last one is played to all that follow."""

    connections: Sequence[Iterable[Part]]  # the parts of each connection
    with_length: bool = True  # say each part's length, as most cameras do
    # status, content_type: of the answer
    status: int = 200
    content_type: str = f"multipart/x-mixed-replace; boundary={BOUNDARY}"
    served: int = 0
    authorization: str | None = None  # header that the latest client sent
    moved_to: str = ""  # address to which a request for `?moved` is sent on
    stop: threading.Event = field(default_factory=threading.Event)

    def next_parts(self) -> Iterable[Part]:
        parts = self.connections[min(self.served, len(self.connections) - 1)]
        self.served += 1
        return parts


@contextmanager
def http_camera(script: Script) -> Iterator[str]:
    """Serve the script; yields the camera's address."""

    class Camera(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.endswith("?moved"):
                self.send_response(302)
                self.send_header("Location", script.moved_to)
                self.end_headers()
                return
            script.authorization = self.headers.get("Authorization")
            self.send_response(script.status)
            self.send_header("Content-Type", script.content_type)
            self.end_headers()
            if script.status == 200:
                send(self.wfile, script)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Camera)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/video"
    finally:
        script.stop.set()
        server.shutdown()
        server.server_close()
        thread.join()


def send(wire: Any, script: Script) -> None:
    begin_s = time.perf_counter()
    for part in script.next_parts():
        if script.stop.wait(max(0.0, begin_s + part.t_s - time.perf_counter())) or part.jpeg is None:
            return
        head = f"--{BOUNDARY}\r\nContent-Type: image/jpeg\r\n"
        if script.with_length:
            head += f"Content-Length: {len(part.jpeg)}\r\n"
        if part.stamp_s is not None:
            head += f"X-Timestamp: {part.stamp_s:.6f}\r\n"
        try:
            wire.write(head.encode() + b"\r\n" + part.jpeg + b"\r\n")
        except OSError:
            return


def at_rate(jpegs: Iterable[bytes], fps: float, begin_s: float = 0.0) -> list[Part]:
    """Return parts at a steady rate."""
    return [Part(begin_s + number / fps, jpeg) for number, jpeg in enumerate(jpegs)]
