"""The bench through a real PortAudio stream: the latencies of camera and loudspeaker, and audible hits."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import IO, Any

import cv2
import numpy as np
import pytest

from tests.vision.sources.http_camera import Part, Script, http_camera

pytestmark = pytest.mark.live

LATE_S = 0.047  # latency of the simulated camera
FPS = 60.0
DARK, BRIGHT = (
    cv2.imencode(".jpg", np.full((120, 160), level, np.uint8))[1].tobytes() for level in (40, 200)
)


class Terminal:
    """Reads a program's terminal and remembers when it flashed."""

    def __init__(self, wire: IO[bytes]) -> None:
        self._wire = wire
        self._flashes: list[tuple[float, bool]] = [(0.0, False)]
        threading.Thread(target=self._watch, daemon=True).start()

    def was_bright(self, t_s: float) -> bool:
        return next(bright for at_s, bright in reversed(self._flashes) if at_s <= t_s)

    def _watch(self) -> None:
        word = b""
        while byte := self._wire.read(1):
            word = (word + byte)[-5:]
            if word in (b"\x1b[?5h", b"\x1b[?5l"):
                self._flashes.append((time.perf_counter(), word.endswith(b"h")))


class CameraBefore:
    """A camera that films the terminal; its stamps are those of this machine's clock."""

    def __init__(self, screens: list[Terminal]) -> None:
        self._screens = screens

    def __iter__(self) -> Iterator[Part]:
        begin_s = time.perf_counter()
        for number in count(1):
            time.sleep(max(0.0, begin_s + number / FPS - time.perf_counter()))
            now_s = time.perf_counter()
            bright = bool(self._screens) and self._screens[0].was_bright(now_s - LATE_S)
            yield Part(0.0, BRIGHT if bright else DARK, now_s)


@pytest.mark.slow
def test_camera_and_loudspeaker_are_measured_in_one_go(tmp_path: Path, null_sink: Any) -> None:
    environment = os.environ | null_sink.environment | {"XDG_DATA_HOME": str(tmp_path)}
    screens: list[Terminal] = []
    with http_camera(Script([CameraBefore(screens)])) as url:
        command = [sys.executable, "-m", "desk", "calibrate", url, "--latency", "--seconds", "8", "--json"]
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as measuring:
            assert measuring.stdout is not None
            assert measuring.stderr is not None
            screens.append(Terminal(measuring.stderr))
            told = json.loads(measuring.stdout.read())
    assert measuring.returncode == 0, told
    camera, sound, apart = told["latency"], told["sound"], told["picture after sound"]
    # the pipe tells of a flash a little late, and later on a busy machine; never early
    unc_s = camera["unc_ns"] / 1e9
    assert -unc_s - 0.005 <= camera["mean_ns"] / 1e9 - LATE_S <= unc_s + 0.020
    assert camera["n"] >= 12
    # a starved sound server swallows a chirp; the others tell the figure
    assert 9 <= sound["heard"] <= sound["played"] == 12
    assert abs(sound["latency_ns"]) < 5_000_000 + sound["unc_ns"]
    assert apart["mean_ns"] == pytest.approx(camera["mean_ns"] - sound["latency_ns"], abs=1)
    (kept,) = (tmp_path / "shinpan" / "cameras").glob("*.json")
    assert {"latency", "sound", "picture after sound"} <= set(json.loads(kept.read_text("utf-8"))["measured"])


HEAR = """
import json, sys, time
import numpy as np
from desk.karuta.eye.microphone import open_ear
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import SAMPLE_RATE, Cue, samples
from recitation.reading.rhythm import DEFAULT
from recitation.playback.sound_out import PortAudioOut
from recitation.playback.stream_clock import StreamClock
from recitation.playback.timeline import Timeline
from recitation.voices.catalogue import find_voice
from referee.facts import Touch
from referee.sides import Side
from vision.simulator.hall.recorder import render_sound

HITS_S = (0.9, 1.7, 2.6, 3.4, 4.3)
touches = [{"t_ms": 1e3 * t_s, "player": "near"} for t_s in HITS_S]
wave = render_sound({"poems": [{"touches": touches}]}, 5.5, 4, distance_m=(0.0, 0.0))
voice = find_voice("high", DEFAULT).clip(Phrase(17, Half.KAMI)).wave[: len(wave)]
wave[: len(voice)] += (0.15 / np.abs(voice).max() * voice).astype(np.float32)
timeline, clock = Timeline(), StreamClock()
out, ear = PortAudioOut(timeline, None, clock), open_ear("", 1_000_000)
out.start()
timeline.schedule([(Cue(Phrase(JOKA, Half.KAMI), samples(4.0), len(wave)), wave)])
for _ in range(130):
    time.sleep(0.1)
    ear.listen()
first = timeline.started.popleft().stream_sample
# one metre of air that a wire does not have
struck_ns = [clock.instant(first + samples(t_s))[0] - 2_915_452 for t_s in HITS_S]
dice = np.random.default_rng(1)
seen = [
    Touch(number, Side.NEAR, t_ns + round(dice.normal(0, 3e6)), 25_000_000)
    for number, t_ns in enumerate(struck_ns, 1)
]
told = ear.narrowed(seen, struck_ns[0] - 500_000_000, struck_ns[-1] + 500_000_000)
ear.close()
out.close()
errors = [[(touch.t_ns - t_ns) / 1e6, touch.t_unc_ns / 1e6] for touch, t_ns in zip(told, struck_ns)]
json.dump({"errors": errors, "played_unc_ms": clock.instant(first)[1] / 1e6}, sys.stdout)
"""


@pytest.mark.slow
def test_hits_are_heard_under_the_reciters_voice_through_a_sound_card(null_sink: Any) -> None:
    environment = os.environ | null_sink.environment
    told = subprocess.run(
        [sys.executable, "-c", HEAR], env=environment, capture_output=True, text=True, timeout=90, check=True
    )
    heard = json.loads(told.stdout)
    played_unc_ms = heard["played_unc_ms"]
    narrowed = np.array([(error_ms, half_ms) for error_ms, half_ms in heard["errors"] if half_ms < 12.0])
    assert len(narrowed) >= 3, heard
    assert np.ptp(narrowed[:, 0]) < 1.0
    # a starved sound server is some milliseconds off for all alike: both clocks say so, by their half widths
    assert (np.abs(narrowed[:, 0]) <= narrowed[:, 1] + played_unc_ms + 1.0).all(), heard
