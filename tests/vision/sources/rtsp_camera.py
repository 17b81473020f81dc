"""A real RTSP camera: ffmpeg sends a video as RTP, and this server hands it out inside an RTSP connection.

RFC 2326 with interleaved binary data (section 10.12): each RTP packet goes out as `$`, channel, length, data.
"""

import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

import pytest


@contextmanager
def rtsp_camera(video: Path) -> Iterator[str]:
    """Serve a video at its own speed to the first client that plays it; yields the address."""
    sender()  # a test can be skipped by its own thread only
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as rtp,
    ):
        rtp.bind(("127.0.0.1", 0))
        rtp.settimeout(5)
        server.settimeout(10)
        camera = threading.Thread(target=_serve, args=(server, rtp, video), daemon=True)
        camera.start()
        yield f"rtsp://127.0.0.1:{server.getsockname()[1]}/table"
        server.close()
        camera.join(10)


def sender() -> str:
    """Return where ffmpeg is; without it the test is skipped."""
    ffmpeg = shutil.which("ffmpeg")
    if ffmpeg is None:
        pytest.skip("needs ffmpeg to send a stream (Debian: ffmpeg)")
    return ffmpeg


def send_rtp(video: Path, port: int, *options: str) -> list[str]:
    """Return the command by which ffmpeg sends the video to a port of this machine."""
    ffmpeg = sender()
    target = f"rtp://127.0.0.1:{port}?pkt_size=1200"
    return [
        ffmpeg,
        "-loglevel",
        "error",
        *options,
        "-i",
        str(video),
        "-c",
        "copy",
        "-an",
        "-f",
        "rtp",
        target,
    ]


def _serve(server: socket.socket, rtp: socket.socket, video: Path) -> None:
    try:
        client, _ = server.accept()
    except OSError:
        return  # nobody came
    with client, client.makefile("rb") as words:
        while request := _request(words):
            method, sequence = request
            answer = {
                "OPTIONS": "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n\r\n",
                "DESCRIBE": _description(video, rtp),
                "SETUP": "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 1\r\n\r\n",
            }.get(method, "Session: 1\r\n\r\n")
            client.sendall(f"RTSP/1.0 200 OK\r\nCSeq: {sequence}\r\n{answer}".encode())
            if method == "PLAY":
                _relay(client, rtp, video)
                return


def _request(words: BufferedReader) -> tuple[str, str] | None:
    lines = []
    while line := words.readline().decode().strip():
        lines.append(line)
    if not lines:
        return None
    sequence = next(line.split(":")[1].strip() for line in lines if line.lower().startswith("cseq"))
    return lines[0].split()[0], sequence


def _description(video: Path, rtp: socket.socket) -> str:
    """Return the answer to DESCRIBE, with the session as ffmpeg itself describes it."""
    command = send_rtp(video, rtp.getsockname()[1], "-t", "0.1")
    told = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True).stdout
    lines = [line for line in told.replace("SDP:", "").splitlines() if line and not line.startswith("c=")]
    session = "\r\n".join([*lines, "a=control:track0", ""])
    rtp.setblocking(False)
    try:
        while rtp.recv(65536):
            pass  # what was sent to find out the description
    except BlockingIOError:
        rtp.settimeout(5)
    return f"Content-Type: application/sdp\r\nContent-Length: {len(session)}\r\n\r\n{session}"


def _relay(client: socket.socket, rtp: socket.socket, video: Path) -> None:
    command = send_rtp(video, rtp.getsockname()[1], "-re")
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as sender:
        try:
            while True:
                packet = rtp.recv(65536)
                client.sendall(b"$\x00" + len(packet).to_bytes(2, "big") + packet)
        except OSError:
            sender.terminate()
