"""A sound card that is not there with two loudspeakers, for two mats: what both played lies on one clock.

A private PulseAudio server (`apt install pulseaudio libasound2-plugins`) has one stereo sink that goes
nowhere. Each mat plays through PortAudio, ALSA and PulseAudio into a channel of its own, and the sink's
monitor is recorded.
"""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SAMPLE_RATE = 48_000
CHANNELS = ("left", "right")
_STARTS_WITHIN_S = 10.0
_DEPTH_S = 2.5
"""The pipeline of a null sink is more than a second deep."""
_GAP_S = 0.4
"""Silence that parts two halves."""
_FARTHEST_S = 0.3
"""Mats that are further apart than this do not play together."""


class TwoChannels:
    """The sound card. `choose` a channel before a mat's loudspeaker is opened.

    `folder`: for its socket and the recording; short, since a socket's path is.
    """

    def __init__(self, folder: Path) -> None:
        self._recorded = folder / "recorded.raw"
        self._recorder: subprocess.Popen[bytes] | None = None

    def choose(self, channel: int) -> None:
        """Let processes that begin from now on play into this channel."""
        os.environ["PULSE_SINK"] = CHANNELS[channel]

    def record(self) -> None:
        """Begin to record."""
        command = [
            "parec",
            "--device=hall.monitor",
            "--format=s16le",
            f"--rate={SAMPLE_RATE}",
            "--channels=2",
        ]
        with self._recorded.open("wb") as file:
            self._recorder = subprocess.Popen([*command, "--raw"], stdout=file)
        ends_s = time.monotonic() + _STARTS_WITHIN_S
        while not self._recorded.stat().st_size and time.monotonic() < ends_s:
            time.sleep(0.02)

    def end(self) -> NDArray[np.int16]:
        """End the recording and return it, shape (samples, 2)."""
        assert self._recorder is not None, "record() comes first"
        time.sleep(_DEPTH_S)
        self._recorder.terminate()
        self._recorder.wait()
        data = self._recorded.read_bytes()
        return np.frombuffer(data[: len(data) // 4 * 4], np.int16).reshape(-1, 2)


@contextmanager
def two_channels(folder: Path) -> Iterator[TwoChannels | None]:
    """Start the sound card; None where PulseAudio is not installed or does not start."""
    if shutil.which("pulseaudio") is None or shutil.which("parec") is None:
        yield None
        return
    socket, asound = folder / "native", folder / "asound.conf"
    asound.write_text(
        "</usr/share/alsa/alsa.conf>\npcm.!default { type pulse }\nctl.!default { type pulse }\n"
    )
    before = dict(os.environ)
    os.environ.update(
        {
            "XDG_RUNTIME_DIR": str(folder),
            "PULSE_RUNTIME_PATH": str(folder),
            "PULSE_SERVER": f"unix:{socket}",
            "ALSA_CONFIG_PATH": str(asound),
            "HOME": str(folder),
        }
    )
    remaps = [
        f"module-remap-sink sink_name={name} master=hall channels=1 channel_map=mono "
        f"master_channel_map=front-{name} remix=no"
        for name in CHANNELS
    ]
    modules = [
        f"module-native-protocol-unix socket={socket} auth-anonymous=1",
        f"module-null-sink sink_name=hall rate={SAMPLE_RATE} channels=2 format=s16le",
        *remaps,
    ]
    words = ["pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no"]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [*words, *(word for module in modules for word in ("-L", module))], stdout=log, stderr=log
        )
    try:
        ends_s = time.monotonic() + _STARTS_WITHIN_S
        while not socket.exists() and server.poll() is None and time.monotonic() < ends_s:
            time.sleep(0.05)
        yield TwoChannels(folder) if socket.exists() else None
    finally:
        server.terminate()
        server.wait()
        os.environ.clear()
        os.environ.update(before)


def apart_ms(recorded: NDArray[np.int16]) -> list[float]:
    """Return by how much the second channel plays each half later than the first, milliseconds.

    Infinity stands for a half that only one of them plays.

    `recorded`: shape (samples, 2).
    """
    sound = recorded.astype(np.float32)
    loud = np.flatnonzero(np.abs(sound).max(axis=1) > np.abs(sound).max() / 50)
    halves = np.split(loud, np.flatnonzero(np.diff(loud) > _GAP_S * SAMPLE_RATE) + 1)
    return [_lag_ms(sound[half[0] : half[-1] + 1]) for half in halves if len(half) > SAMPLE_RATE // 4]


def _lag_ms(half: NDArray[np.float32]) -> float:
    levels = np.abs(half).max(axis=0)
    if levels.min() < 0.1 * levels.max():
        return math.inf
    margin = round(_FARTHEST_S * SAMPLE_RATE)
    padded = np.pad(half, ((0, margin), (0, 0)))
    first, second = np.fft.rfft(padded, axis=0).T
    alike = np.fft.irfft(second * first.conj(), len(padded))
    lags = np.r_[0:margin, -margin:0]
    best = int(lags[np.argmax(alike[lags])])
    return best / SAMPLE_RATE * 1e3
