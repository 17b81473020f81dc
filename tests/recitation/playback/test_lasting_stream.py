"""A sound device is unplugged and comes back: reported within two seconds, and the sound goes on."""

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from recitation.playback.player import Player, ReadingSettings
from recitation.playback.reports import Failed, Opened, PhraseStarted, SoundBack, SoundLost
from recitation.reading.practice import steps
from recitation.reading.rhythm import Rhythm

pytestmark = pytest.mark.live

R = TypeVar("R")


# --- a real sound server ------------------------------------------------------------------------------------


class Server:
    """A private PulseAudio with one sink that goes nowhere."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "asound.conf").write_text(
            "</usr/share/alsa/alsa.conf>\npcm.!default { type pulse }\nctl.!default { type pulse }\n"
        )
        self.environment = {
            "XDG_RUNTIME_DIR": str(folder),
            "PULSE_RUNTIME_PATH": str(folder),
            "PULSE_SERVER": f"unix:{folder / 'native'}",
            "ALSA_CONFIG_PATH": str(folder / "asound.conf"),
            "HOME": str(folder),
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        (self.folder / "native").unlink(missing_ok=True)
        self.process = subprocess.Popen(
            [
                *("pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no"),
                *("-L", f"module-native-protocol-unix socket={self.folder / 'native'} auth-anonymous=1"),
                *("-L", "module-null-sink sink_name=box rate=48000 channels=1 format=s16le"),
            ],
            env=os.environ | self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline_s = time.monotonic() + 10.0
        while not (self.folder / "native").exists():
            if self.process.poll() is not None or time.monotonic() > deadline_s:
                pytest.skip("pulseaudio does not start here")
            time.sleep(0.05)

    def pactl(self, *words: str) -> None:
        subprocess.run(
            ["pactl", *words], check=True, env=os.environ | self.environment, stdout=subprocess.DEVNULL
        )

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    if shutil.which("pulseaudio") is None or shutil.which("pactl") is None:
        pytest.skip("pulseaudio is not installed (apt-get install pulseaudio libasound2-plugins)")
    made = Server(tmp_path)
    for name, value in made.environment.items():
        monkeypatch.setenv(name, value)
    made.start()
    yield made
    made.kill()


def awaited(player: Player, kind: type[R], limit_s: float) -> R:
    deadline_s = time.monotonic() + limit_s
    while time.monotonic() < deadline_s:
        for report in player.reports(0.1):
            assert not isinstance(report, Failed)
            if isinstance(report, kind):
                return report
    raise AssertionError(f"no {kind.__name__} within {limit_s} s")


LOSSES: dict[str, tuple[Callable[[Server], None], Callable[[Server], None]]] = {
    "unplugged": (
        lambda server: server.pactl("unload-module", "module-null-sink"),
        lambda server: server.pactl("load-module", "module-null-sink", "sink_name=other"),
    ),
    "server restarted": (Server.kill, Server.start),
    "suspended": (
        lambda server: server.pactl("suspend-sink", "box", "1"),
        lambda server: server.pactl("suspend-sink", "box", "0"),
    ),
}


@pytest.mark.parametrize(
    ("lose", "bring_back"),
    [
        pytest.param(*ways, id=name, marks=[] if name == "unplugged" else pytest.mark.slow)
        for name, ways in LOSSES.items()
    ],
)
def test_a_reading_says_that_its_device_is_gone_and_goes_on(
    server: Server, lose: Callable[[Server], None], bring_back: Callable[[Server], None]
) -> None:
    quick = Rhythm(4.0, 0.0, 1.0, 8.0)
    reading = ReadingSettings(steps((17, 4), joka=False), "chime", quick)
    with Player(reading) as player:
        opened = awaited(player, Opened, 20.0)
        if opened.silent:
            pytest.skip(f"no sound here: {opened.silent}")
        begun = awaited(player, PhraseStarted, 20.0)
        lose(server)
        lost_s = time.monotonic()
        assert "is gone" in str(awaited(player, SoundLost, 6.0))
        assert time.monotonic() - lost_s < 5.0  # 2 s, and a busy machine
        bring_back(server)
        awaited(player, SoundBack, 20.0)
        again = awaited(player, PhraseStarted, 20.0)
        assert again.phrase == begun.phrase  # the half that was cut off is read once more
