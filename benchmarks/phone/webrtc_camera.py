"""A phone as camera by WebRTC and by WebCodecs, one after the other with the same pictures and network.

`uv run --with aiortc python -m benchmarks.phone.webrtc_camera [RECORDING] [--mbit 5] [--seconds 14]
[--json OUT]`

WebCodecs over a WebSocket is what the desk has (`benchmarks.phone.camera`). For WebRTC a page sends the same
fake camera to `aiortc`, which is needed here alone. Its pictures get their instants from their RTP times by
the sender's reports; what all of them are wrong by is taken out and told. `--uplink`, `--delay`, `--jitter`
and `--loss` put a network in between: a lost segment comes again by TCP, a lost datagram only where somebody
asks for it. PSNR is measured against the pictures that the camera played, without the strip that carries
their numbers.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.phone.camera import (
    BLOCK,
    BROWSER_SWITCHES,
    CHROMIUM,
    LEAD_S,
    ROWS,
    Received,
    figures_of,
    judged,
    number_of,
    options_of,
    stamps_of,
    stream,
    strip_reader,
    write_film,
)
from benchmarks.phone.datagram_proxy import DatagramProxy
from benchmarks.phone.poor_network import Network
from vision.frames.frame import Gray

_TICKS_S = 90_000
"""RTP counts the time of pictures in so many steps a second."""
_NTP_EPOCH_S = 2_208_988_800
"""Seconds from 1900, where NTP begins, to 1970."""
_PAGE = (
    """
<!doctype html><title>phone</title><script>
window.stamps = [];
window.begin = async (mbit, fps, codec) => {
  const video = { width: 1280, height: 720, frameRate: fps };
  const media = await navigator.mediaDevices.getUserMedia({ video });
  const [track] = media.getVideoTracks();
  const reader = new MediaStreamTrackProcessor({ track: track.clone() }).readable.getReader();
  (async () => {
    for (;;) {
      const { value: frame, done } = await reader.read();
      if (done) return;
      note(frame);
    }
  })();
  window.connection = new RTCPeerConnection();
  const encodings = [{ maxBitrate: mbit * 1e6, maxFramerate: fps }];
  const sending = connection.addTransceiver(track, { direction: "sendonly", sendEncodings: encodings });
  const { codecs } = RTCRtpSender.getCapabilities("video");
  sending.setCodecPreferences(codecs.filter(({ mimeType }) => mimeType.toLowerCase() === `video/${codec}`));
  const parameters = sending.sender.getParameters();
  parameters.degradationPreference = "maintain-resolution";
  await sending.sender.setParameters(parameters);
  await connection.setLocalDescription(await connection.createOffer());
  while (connection.iceGatheringState !== "complete") await new Promise((resume) => setTimeout(resume, 20));
  return connection.localDescription.sdp;
};
window.accept = (sdp) => connection.setRemoteDescription({ type: "answer", sdp });
window.sent = async () => {
  for (const report of (await connection.getStats()).values()) {
    if (report.type === "outbound-rtp") return report;
  }
  return {};
};
"""
    + strip_reader("note")
    + "</script>"
)


def main() -> int:
    """Stream twice, compare, judge, print, optionally write JSON; 2 where something is not there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--unjudged", action="store_true", help="look at pictures and times alone")
    arguments = options_of(parser, seconds=14.0)
    if not CHROMIUM.exists() or not (arguments.recording / "truth.json").is_file():
        print(f"needs {CHROMIUM} and a recording with its truth, got {arguments.recording}", file=sys.stderr)
        return 2
    network = Network(arguments.uplink, arguments.delay, arguments.jitter, arguments.loss)
    table: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder
        film = Path(folder) / "camera.y4m"
        count = write_film(arguments.recording / "video.mkv", film, arguments.fps)
        seconds = min(arguments.seconds or np.inf, count / arguments.fps - LEAD_S)
        for name, way in (("WebCodecs", stream), ("WebRTC", stream_by_webrtc)):
            received, stamps, told = way(film, arguments, network, seconds)
            place = Path(folder) / name
            place.mkdir()
            table[name] = {
                **figures_of(received, stamps, arguments.fps),
                **quality(received, film),
                **told,
            }
            if not arguments.unjudged:
                table[name] |= judged(arguments.recording, place, received, stamps, arguments.fps)
    for figure in dict.fromkeys(figure for figures in table.values() for figure in figures):
        print(f"{figure:<44} " + " ".join(f"{figures.get(figure, '')!s:<28}" for figures in table.values()))
    if arguments.json is not None:
        arguments.json.write_text(
            json.dumps({"arguments": vars(arguments), **table}, indent=1, default=str), "utf-8"
        )
    return 0


def quality(received: Received, film: Path) -> dict[str, Any]:
    """Return how like the pictures are to those that the camera played, in decibels."""
    with film.open("rb") as file:
        header = file.readline()
    width, height = (int(part[1:]) for part in header.split()[1:3])
    size, marker = width * height * 3 // 2, len(b"FRAME\n")
    played = np.memmap(film, np.uint8, "r", len(header)).reshape(-1, marker + size)
    found = []
    for number, picture in zip(received.numbers, received.pictures, strict=True):
        true = played[number, marker : marker + width * height].reshape(height, width)
        found.append(
            cv2.PSNR(np.ascontiguousarray(true[:, BLOCK:]), np.ascontiguousarray(picture[:, BLOCK:]))
        )
    low, middle = np.percentile(found, [10, 50])
    return {"PSNR, a tenth is below, median (dB)": f"{low:.1f}, {middle:.1f}"}


def stream_by_webrtc(
    film: Path, arguments: argparse.Namespace, network: Network, seconds: float
) -> tuple[Received, dict[int, float], dict[str, Any]]:
    """Let a browser be the phone for so long by WebRTC; as `benchmarks.phone.camera.stream`."""
    from playwright.sync_api import sync_playwright

    last = round((LEAD_S + seconds) * arguments.fps) - 1
    with _Desk(network) as desk, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=[
                *BROWSER_SWITCHES,
                "--disable-features=WebRtcHideLocalIpsWithMdns",
                f"--use-file-for-fake-video-capture={film}",
            ],
        )
        page = browser.new_page()
        page.route("**", lambda route: route.fulfill(body=_PAGE, content_type="text/html"))
        page.goto("https://phone.test/")
        offer = page.evaluate(
            "([mbit, fps, codec]) => begin(mbit, fps, codec)",
            [arguments.mbit, arguments.fps, arguments.codec],
        )
        page.evaluate("(sdp) => accept(sdp)", desk.answer(offer, arguments.mbit))
        received, patience_s = desk.received, 60.0
        deadline_s = time.monotonic() + patience_s
        while time.monotonic() < deadline_s and not received.is_over:
            if received.numbers and received.numbers[-1] >= last:
                break
            page.wait_for_timeout(100)
        stamps = stamps_of(page)
        sent = page.evaluate("window.sent()")
        browser.close()
    received.forget_second_pass()
    constant_ns = _without_constant(received, stamps)
    return (
        received,
        stamps,
        {
            "WebRTC sent": sent.get("framesSent"),
            "WebRTC, Mbit/s": round(8e-6 * sent.get("bytesSent", 0) / (LEAD_S + seconds), 2),
            "WebRTC, aimed at (Mbit/s)": round(1e-6 * sent.get("targetBitrate", 0), 2),
            "WebRTC, held back by the network (s)": sent.get("qualityLimitationDurations", {}).get(
                "bandwidth"
            ),
            "smaller than filmed": desk.smaller,
            "untimed": desk.untimed,
            "constant error taken out (s)": round(constant_ns / 1e9, 3),
        },
    )


def _without_constant(received: Received, stamps: dict[int, float]) -> int:
    """Take a constant out of the instants of what came, and return it in nanoseconds.

    A sender's reports count from an origin of their own: without another exchange nobody knows it.
    """
    apart_ns = [
        t_ns - stamps[number]
        for number, t_ns in zip(received.numbers, received.t_ns, strict=True)
        if number in stamps
    ]
    constant_ns = round(float(np.median(apart_ns)))
    received.t_ns[:] = [t_ns - constant_ns for t_ns in received.t_ns]
    return constant_ns


class _Desk:
    """Receives what a page sends by WebRTC, in a thread of its own; use it in a `with` block."""

    def __init__(self, network: Network) -> None:
        self.received, self.smaller, self.untimed = Received(), 0, 0
        self._network = network
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="webrtc", daemon=True)
        self._reports: list[tuple[int, int]] = []
        self._peer: Any = None
        self._proxy: DatagramProxy | None = None

    def __enter__(self) -> _Desk:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(20)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def answer(self, offer: str, mbit: int) -> str:
        """Return the desk's answer to a page's offer, with the network in between."""
        answered = asyncio.run_coroutine_threadsafe(self._answered(offer), self._loop).result(30)
        # both sides take a busy machine for a jam, and then send next to nothing: the rate is held instead
        rate = ";".join(f"x-google-{name}-bitrate={1000 * mbit}" for name in ("min", "start", "max"))
        lines = [f"{line};{rate}" if "profile-level-id" in line else line for line in answered.splitlines()]
        return "\r\n".join(lines) + "\r\n"

    async def _answered(self, offer: str) -> str:
        from aiortc import RTCPeerConnection, RTCSessionDescription

        self._peer = RTCPeerConnection()
        self._peer.on("track", lambda track: asyncio.ensure_future(self._take(track)))
        host, port = _candidate(offer)
        self._proxy = DatagramProxy(self._network)
        await self._proxy.open(host)
        self._proxy.tell("browser", (host, port))
        told = _moved(offer, self._proxy.for_desk)
        await self._peer.setRemoteDescription(RTCSessionDescription(told, "offer"))
        receiver = self._peer.getTransceivers()[0].receiver
        self._note_reports(receiver)
        await self._peer.setLocalDescription(await self._peer.createAnswer())
        answered = self._peer.localDescription.sdp
        self._proxy.tell("desk", _candidate(answered))
        return _moved(answered, self._proxy.for_browser)

    def _note_reports(self, receiver: Any) -> None:
        """Remember what the sender reports: which NTP time belongs to which RTP time."""
        handle = receiver._handle_rtcp_packet  # aiortc hands the reports to nobody

        async def noted(packet: Any) -> None:
            if hasattr(packet, "sender_info"):
                told = packet.sender_info
                self._reports.append((told.ntp_timestamp, told.rtp_timestamp))
            await handle(packet)

        receiver._handle_rtcp_packet = noted

    async def _take(self, track: Any) -> None:
        from aiortc.mediastreams import MediaStreamError

        received, apart_ns = self.received, time.time_ns() - time.monotonic_ns()
        with suppress(MediaStreamError):
            while True:
                frame = await track.recv()
                luma = frame.planes[0]
                rows = np.frombuffer(luma, np.uint8).reshape(luma.height, luma.line_size)
                gray: Gray = rows[:, : luma.width]
                if gray.shape != (720, 1280):
                    self.smaller += 1
                    gray = np.asarray(cv2.resize(gray, (1280, 720), interpolation=cv2.INTER_CUBIC), np.uint8)
                if not self._reports:
                    self.untimed += 1
                    continue
                gray = gray.copy()
                received.numbers.append(number_of(gray))
                gray[ROWS, :BLOCK] = gray[ROWS, BLOCK : 2 * BLOCK]
                received.t_ns.append(_instant_ns(frame.pts, self._reports[-1]) - apart_ns)
                received.unc_ns.append(0)
                received.pictures.append(gray)

    async def _close(self) -> None:
        if self._peer is not None:
            await self._peer.close()
        if self._proxy is not None:
            self._proxy.close()


def _instant_ns(rtp: int, report: tuple[int, int]) -> int:
    """Return when a picture of this RTP time was taken by the sender's report, nanoseconds since 1970."""
    ntp, at = report
    behind = (rtp - at + 2**31) % 2**32 - 2**31
    return round((ntp / 2**32 - _NTP_EPOCH_S + behind / _TICKS_S) * 1e9)


def _candidate(sdp: str) -> tuple[str, int]:
    """Return the first address of a description that is IPv4 and UDP."""
    for line in sdp.splitlines():
        if line.startswith("a=candidate:"):
            words = line.split()
            if words[2].lower() == "udp" and "." in words[4]:
                return words[4], int(words[5])
    raise ValueError("the description names no address of this machine: is there a network?")


def _moved(sdp: str, address: tuple[str, int]) -> str:
    """Return a description in which one address stands for all."""
    lines, is_told = [], False
    for line in sdp.splitlines():
        if line.startswith("a=candidate:"):
            words = line.split()
            if is_told or words[2].lower() != "udp" or "." not in words[4]:
                continue
            lines.append(" ".join([*words[:4], address[0], str(address[1]), *words[6:8]]))
            is_told = True
        else:
            lines.append(line)
    return "\r\n".join(lines) + "\r\n"


if __name__ == "__main__":
    sys.exit(main())
