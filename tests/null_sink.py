"""A sound card that is not there: a PulseAudio server with a null sink, and its monitor to record from."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

_START_S = 10.0
SINK = "karuta"


@dataclass
class NullSink:
    """The server's environment for child processes, and a recorder of what was played."""

    environment: dict[str, str]
    folder: Path

    def record(self, name: str) -> Recorder:
        """Begin to record everything that is played."""
        return Recorder(self.environment, self.folder / name)


class Recorder:
    """Records the monitor into a file of raw float32 samples at 48 kHz."""

    def __init__(self, environment: dict[str, str], path: Path) -> None:
        self._path = path
        self._file = path.open("wb")
        command = ["parec", f"--device={SINK}.monitor", "--format=float32le", "--rate=48000", "--channels=1"]
        self._process = subprocess.Popen([*command, "--raw"], stdout=self._file, env=os.environ | environment)
        deadline_s = time.monotonic() + _START_S
        while not path.stat().st_size and time.monotonic() < deadline_s:
            time.sleep(0.02)  # a busy machine takes its time to connect the recorder

    def stop(self) -> NDArray[np.float32]:
        """End the recording and return it, shape (samples,)."""
        time.sleep(2.5)  # the pipeline of the null sink is more than a second deep
        self._process.terminate()
        self._process.wait()
        self._file.close()
        data = self._path.read_bytes()
        return np.frombuffer(data[: len(data) // 4 * 4], dtype=np.float32)


@pytest.fixture(scope="session")
def null_sink(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NullSink]:
    """Start a private PulseAudio server whose only sink goes nowhere; skip where it is not installed."""
    for program in ("pulseaudio", "parec"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed (apt-get install pulseaudio libasound2-plugins)")
    folder = tmp_path_factory.mktemp("pulse")
    socket = folder / "native"
    asound = folder / "asound.conf"
    asound.write_text(
        "</usr/share/alsa/alsa.conf>\npcm.!default { type pulse }\nctl.!default { type pulse }\n"
    )
    environment = {
        "XDG_RUNTIME_DIR": str(folder),
        "PULSE_RUNTIME_PATH": str(folder),
        "PULSE_SERVER": f"unix:{socket}",
        "ALSA_CONFIG_PATH": str(asound),
        "HOME": str(folder),
    }
    sink = f"module-null-sink sink_name={SINK} rate=48000 channels=1 format=s16le"
    log = (folder / "log").open("wb")
    server = subprocess.Popen(
        [
            *("pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no"),
            *("-L", f"module-native-protocol-unix socket={socket} auth-anonymous=1"),
            *("-L", sink),
            *("-L", "module-always-sink"),
        ],
        env=os.environ | environment,
        stdout=subprocess.DEVNULL,
        stderr=log,
    )
    try:
        deadline_s = time.monotonic() + _START_S
        while not socket.exists():
            if server.poll() is not None or time.monotonic() > deadline_s:
                pytest.skip(f"pulseaudio does not start here: {(folder / 'log').read_text()[-300:]}")
            time.sleep(0.05)
        yield NullSink(environment, folder)
    finally:
        server.terminate()
        server.wait()
        log.close()
