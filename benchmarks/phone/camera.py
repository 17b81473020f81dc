"""A phone as camera: Chromium plays a recording as its camera, the desk receives, times and judges it.

`uv run python -m benchmarks.phone.camera [RECORDING] [--fps 30] [--mbit 5] [--codec h264] [--json OUT]`

RECORDING defaults to the match of `../shared/practice`, half a minute. Its pictures carry a number in a strip
at their left edge, by which each received picture is compared with the instant at which the browser took it:
page and desk run on one machine here, so that both clocks are the same.
`--uplink` (Mbit/s), `--delay` (ms each way), `--jitter` (ms on top, by chance) and `--loss` (share of
segments that are sent again) put a network in between; `--seconds` ends early. Needs Chromium.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import av
import numpy as np
from numpy.typing import NDArray

from benchmarks.command import read_options, write_json
from benchmarks.judging import judge, recordings, sums, truth_of
from benchmarks.phone.poor_network import Network, Proxy
from benchmarks.practice import DEFAULT
from vision.frames.frame import Frame, Gray

if TYPE_CHECKING:
    from playwright.sync_api import Page

CHROMIUM = Path("/usr/bin/chromium")
BLOCK = 16
_BITS = 12
TOP = 96
ROWS = slice(TOP, TOP + BLOCK * (_BITS + 2))
_DARK, _LIGHT = 40, 215
LEAD_S = 6.0
BROWSER_SWITCHES = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
)


def strip_reader(name: str) -> str:
    """Return JavaScript of a function that notes a frame's number and instant in `window.stamps`.

    `name`: of the function; it takes a frame, which it closes.
    """
    return f"""
  const {name} = (frame) => {{
    const rect = {{ x: 0, y: {TOP}, width: {BLOCK}, height: {BLOCK * (_BITS + 2)} }};
    const bytes = new Uint8Array(frame.allocationSize({{ rect }}));
    frame.copyTo(bytes, {{ rect }}).then((layout) => {{
      const at = (block) => bytes[layout[0].offset + layout[0].stride * (block * {BLOCK} + 8) + 8];
      let number = 0;
      for (let bit = 0; bit < {_BITS}; bit += 1) number = 2 * number + (at(bit + 2) > 128 ? 1 : 0);
      window.stamps.push([number, frame.timestamp]);
      frame.close();
    }});
  }};
"""


_NOTE_STAMPS = (
    strip_reader("note")
    + """
  window.stamps = [];
  const encode = VideoEncoder.prototype.encode;
  VideoEncoder.prototype.encode = function (frame, options) {
    note(frame.clone());
    return encode.call(this, frame, options);
  };
"""
)
"""Lets the page note of each picture that it encodes which one it is and when the browser took it."""


@dataclass
class Received:
    """What came, in its order: numbers, instants with half widths, pictures without their strip."""

    numbers: list[int] = field(default_factory=list)
    t_ns: list[int] = field(default_factory=list)
    unc_ns: list[int] = field(default_factory=list)
    pictures: list[Gray] = field(default_factory=list)
    gaps: list[str] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        """Whether the fake camera has begun its film again."""
        return len(self.numbers) > 1 and self.numbers[-1] < self.numbers[-2] - 1

    def forget_second_pass(self) -> None:
        """Leave out what came after the camera had begun its film again."""
        again = (
            place
            for place in range(1, len(self.numbers))
            if self.numbers[place] < self.numbers[place - 1] - 1
        )
        first = next(again, len(self.numbers))
        del self.numbers[first:], self.t_ns[first:], self.unc_ns[first:], self.pictures[first:]


def main() -> int:
    """Stream, compare, judge, print, optionally write JSON; 2 where something is not there."""
    arguments = read_options(
        __doc__,
        DEFAULT / "match-00",
        fps=30,
        mbit=5,
        codec=("h264", "vp8", "vp9"),
        seconds=0.0,
        uplink=0.0,
        delay=0.0,
        jitter=0.0,
        loss=0.0,
    )
    (recording,) = recordings(arguments.folders)
    if not CHROMIUM.exists():
        print(f"needs {CHROMIUM}", file=sys.stderr)
        return 2
    poor = Network(arguments.uplink, arguments.delay, arguments.jitter, arguments.loss)
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_DATA_HOME"] = folder  # the certificate of a benchmark is nobody's
        film = Path(folder) / "camera.y4m"
        count = write_film(recording / "video.mkv", film, arguments.fps)
        seconds = min(arguments.seconds or np.inf, count / arguments.fps - LEAD_S)
        received, stamps, told = stream(film, arguments, poor, seconds)
        figures = figures_of(received, stamps, arguments.fps) | told
        figures |= judged(recording, Path(folder), received, stamps, arguments.fps)
    for name, value in figures.items():
        print(f"{name:<44} {value}")
    write_json(arguments.json, {"arguments": vars(arguments), **figures})
    return 0


def write_film(video: Path, film: Path, fps: int) -> int:
    """Write a video as the fake camera plays it, with a number in each picture; return how many there are."""
    with av.open(str(video)) as container, film.open("wb") as out:
        stream = container.streams.video[0]
        every = max(1, round(float(stream.average_rate or fps) / fps))
        out.write(f"YUV4MPEG2 W{stream.width} H{stream.height} F{fps}:1 Ip A1:1 C420\n".encode())
        count = 0
        for place, frame in enumerate(container.decode(stream)):
            if place % every:
                continue
            planes = frame.reformat(format="yuv420p").to_ndarray()
            # the field rests first, while the page opens its lines and the clock is measured
            for _ in range(1 if count else 1 + round(LEAD_S * fps)):
                planes[ROWS, :BLOCK] = _strip(count)
                out.write(b"FRAME\n")
                out.write(planes.tobytes())
                count += 1
    return count


def _strip(number: int) -> NDArray[np.uint8]:
    bits = [1, 0, *(number >> bit & 1 for bit in reversed(range(_BITS)))]
    column = np.repeat(np.where(bits, _LIGHT, _DARK).astype(np.uint8), BLOCK)
    return np.repeat(column[:, None], BLOCK, axis=1)


def number_of(gray: Gray) -> int:
    """Return the number that a picture carries."""
    blocks = gray[ROWS, :BLOCK].reshape(_BITS + 2, BLOCK, BLOCK)[:, 4:-4, 4:-4].mean(axis=(1, 2))
    middle = (float(blocks[0]) + float(blocks[1])) / 2
    return int("".join(str(int(block > middle)) for block in blocks[2:]), 2)


def stream(
    film: Path, arguments: argparse.Namespace, network: Network, seconds: float
) -> tuple[Received, dict[int, float], dict[str, Any]]:
    """Let a browser be the phone for so long; return what came, when each number was taken (ns), and counts.

    The browser stamps pictures with the system's monotonic clock, which is the desk's.
    """
    from playwright.sync_api import sync_playwright

    from desk.phone.camera import PhoneSource, open_camera

    source = open_camera("phone", ring=400)
    assert isinstance(source, PhoneSource)
    received = Received()
    receiving = threading.Thread(target=_receive, args=(source, received))
    receiving.start()
    port = int(source.station.links[0].split("/")[2].rpartition(":")[2])
    with Proxy(port, network) as proxy, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=[
                *BROWSER_SWITCHES,
                f"--use-file-for-fake-video-capture={film}",
            ],
        )
        page = browser.new_context(ignore_https_errors=True).new_page()
        page.add_init_script(_NOTE_STAMPS)
        token = source.station.links[0].rpartition("/")[2]
        page.goto(f"https://localhost:{proxy.port}/join/{token}")
        wish = f"mbit={arguments.mbit}&rate={arguments.fps}&codec={arguments.codec}"
        page.goto(f"https://localhost:{proxy.port}/?lang=en&{wish}")
        page.locator("#start").click()
        patience_s = 60.0
        deadline_s = time.monotonic() + patience_s
        while not received.numbers and time.monotonic() < deadline_s:
            page.wait_for_timeout(50)
        last = round((LEAD_S + seconds) * arguments.fps) - 1
        while received.numbers and received.numbers[-1] < last and not received.is_over:
            page.wait_for_timeout(100)
        stamps = stamps_of(page)
        shown = source.station.shown()
        page.screenshot(path=str(film.with_suffix(".png")))
        browser.close()
    source.close()
    receiving.join()
    counters = source.counters
    told = {
        "left out by phone and desk": shown["dropped"],
        "clock, half width (ms)": shown["clock_ms"] and round(shown["clock_ms"], 2),
        "desk: overflowed, damaged, untimed": f"{counters.overflowed} {counters.damaged} {counters.untimed}",
        "gaps": ", ".join(received.gaps) or "none",
    }
    received.forget_second_pass()
    return received, stamps, told


def stamps_of(page: Page) -> dict[int, float]:
    """Return when the browser took each picture of the film's first pass, in ns, by its number."""
    stamps: dict[int, float] = {}
    for number, stamp_us in page.evaluate("window.stamps"):
        if stamps and number < max(stamps) - 1:
            break  # the camera has begun its film again
        stamps[int(number)] = stamp_us * 1e3
    return stamps


def _receive(source: Any, received: Received) -> None:
    for item in source:
        if not isinstance(item, Frame):
            received.gaps.append(f"{item.reason} {(item.t_to_ns - item.t_from_ns) / 1e6:.0f} ms")
            continue
        gray = item.gray.copy()
        received.numbers.append(number_of(gray))
        gray[ROWS, :BLOCK] = gray[ROWS, BLOCK : 2 * BLOCK]
        received.t_ns.append(item.t_ns)
        received.unc_ns.append(item.t_unc_ns)
        received.pictures.append(gray)


def figures_of(received: Received, stamps: dict[int, float], fps: int) -> dict[str, Any]:
    """Compare what came with what was taken."""
    numbers = list(received.numbers)
    while numbers[-1] not in stamps:  # it came after the page was asked
        numbers.pop()
    spans_s = (stamps[numbers[-1]] - stamps[numbers[0]]) / 1e9
    pairs = [(number, place) for place, number in enumerate(numbers) if number in stamps]
    errors_ms = np.array([(received.t_ns[place] - stamps[number]) / 1e6 for number, place in pairs])
    half_ms = np.array([received.unc_ns[place] / 1e6 for _, place in pairs])
    shown = numbers[-1] - numbers[0] + 1
    sent = sum(numbers[0] <= number <= numbers[-1] for number in stamps)
    p50, p90 = np.percentile(np.abs(errors_ms), [50, 90])
    return {
        "pictures the camera showed": shown,
        "pictures that the page sent": sent,
        "pictures that arrived": f"{len(numbers)} ({len(numbers) / sent:.1%} of those sent)",
        "pictures a second, camera, page, desk": " ".join(
            f"{(count - 1) / spans_s:.2f}" for count in (shown, sent, len(numbers))
        ),
        "time error p50/p90 (ms)": f"{p50:.2f}/{p90:.2f}",
        "one picture (ms)": round(1000 / fps, 1),
        "time error, mean (ms)": round(float(errors_ms.mean()), 2),
        "half width, median (ms)": round(float(np.median(half_ms)), 2),
        "inside its half width": f"{np.sum(np.abs(errors_ms) <= half_ms)}/{len(errors_ms)}",
    }


def judged(
    recording: Path, folder: Path, received: Received, stamps: dict[int, float], fps: int
) -> dict[str, Any]:
    """Judge what came, with the poems and the truth at the instants at which the browser showed them."""
    zero_ns = received.t_ns[0]
    known = sorted(stamps)
    file_ms = [(number / fps - LEAD_S) * 1e3 for number in known]
    desk_ms = [(stamps[number] - zero_ns) / 1e6 for number in known]

    def at(t_ms: float) -> float:
        return float(np.interp(t_ms, file_ms, desk_ms))

    last_ms = (received.t_ns[-1] - zero_ns) / 1e6
    truth = truth_of(recording)
    lines = [
        json.loads(line) for line in (recording / "reading.jsonl").read_text("utf-8").splitlines() if line
    ]
    settle_ms = 2000.0  # a poem that the streaming cut short is not compared
    lines = [line | {"t_ms": at(line["t_ms"])} for line in lines if at(line["t_ms"]) + settle_ms < last_ms]
    truth["poems"] = truth["poems"][: len(lines)]
    for poem in truth["poems"]:
        for contact in poem["touches"]:
            contact["t_ms"] = at(contact["t_ms"])
    place = folder / "recording"
    place.mkdir()
    (place / "reading.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    (place / "recording.toml").write_text(
        f'format = 1\ngame = "karuta"\nvideo = "video.mkv"\n[camera]\nfps = {fps}\n', "utf-8"
    )
    _write_video(place / "video.mkv", received)
    (place / "truth.json").write_text(json.dumps(truth), "utf-8")
    return sums(judge(place).scores if lines else ())


def _write_video(path: Path, received: Received) -> None:
    """Write the pictures without loss, each at its instant."""
    with av.open(str(path), "w") as container:
        track = container.add_stream("ffv1", rate=1000)
        assert isinstance(track, av.VideoStream)
        track.height, track.width = received.pictures[0].shape
        track.pix_fmt = "gray"
        track.time_base = track.codec_context.time_base = Fraction(1, 1000)
        for gray, t_ns in zip(received.pictures, received.t_ns, strict=True):
            frame = av.VideoFrame.from_ndarray(gray, format="gray")
            frame.pts = round((t_ns - received.t_ns[0]) / 1e6)
            frame.time_base = Fraction(1, 1000)
            container.mux(track.encode(frame))
        container.mux(track.encode(None))


if __name__ == "__main__":
    sys.exit(main())
