"""A loudspeaker's latency: an injected one is measured, and a silent microphone is reported."""

from pathlib import Path

import numpy as np
import pytest

from calibration.failure import FailedEstimation
from desk.commands.cli import main
from desk.errors import DeskError
from desk.machine.sound_device import keep_latency, read_latencies
from recitation.playback.loopback import chirp_train, latency_from
from recitation.playback.stream_clock import Latency
from recitation.reading.plan import SAMPLE_RATE, sample_to_ns
from recitation.sound.clip import Wave

pytestmark = pytest.mark.live

FROM_NS = 777_000_000_000
LEAD = 24_000


def heard(late_ns: int, *, level: float = 1.0, noise: float = 0.0) -> tuple[Wave, list[int]]:
    """Return a recording in which the chirps come `late_ns` after what was promised, and the promises."""
    wave, starts = chirp_train()
    room = noise * np.random.default_rng(1).standard_normal(len(wave) + 3 * LEAD)
    spectrum = np.fft.rfft(level * wave, len(room))
    shift = np.exp(-2j * np.pi * np.fft.rfftfreq(len(room)) * (LEAD + late_ns * SAMPLE_RATE / 1e9))
    recorded = room + np.fft.irfft(spectrum * shift, len(room))
    return recorded.astype(np.float32), [FROM_NS + sample_to_ns(LEAD + start) for start in starts]


@pytest.mark.parametrize("late_ns", [0, 3_210_000, 187_654_321, -20_000_000])
@pytest.mark.parametrize(("level", "noise"), [(1.0, 0.0), (0.1, 0.01)])
def test_an_injected_latency_is_found_again(late_ns: int, level: float, noise: float) -> None:
    recorded, promised_ns = heard(late_ns, level=level, noise=noise)
    found = latency_from(recorded, FROM_NS, promised_ns)
    assert isinstance(found, Latency)
    assert abs(found.latency_ns - late_ns) < 20_000
    assert (found.heard, found.played) == (12, 12)


def test_echoes_after_the_first_sound_do_not_move_it() -> None:
    recorded, promised_ns = heard(5_000_000)
    echo = np.concatenate([np.zeros(900, np.float32), 0.7 * recorded[:-900]])
    found = latency_from(recorded + echo, FROM_NS, promised_ns)
    assert isinstance(found, Latency)
    assert abs(found.latency_ns - 5_000_000) < 50_000


@pytest.mark.parametrize(("level", "noise"), [(0.0, 0.0), (0.0, 0.1), (0.001, 0.1)])
def test_what_was_not_heard_is_told_with_what_to_do(level: float, noise: float) -> None:
    recorded, promised_ns = heard(0, level=level, noise=noise)
    found = latency_from(recorded, FROM_NS, promised_ns)
    assert isinstance(found, FailedEstimation)
    assert "of 12 chirps were heard" in str(found)
    assert "put the microphone before the loudspeaker" in str(found)


def test_latencies_are_kept_by_device(tmp_path: Path) -> None:
    path = tmp_path / "new" / "latencies.json"
    assert read_latencies(path) == {}
    box, earphones = Latency(12_000_000, 300_000, 12, 12), Latency(180_000_000, 2_000_000, 11, 12)
    keep_latency(path, "box", Latency(1, 1, 8, 12))
    keep_latency(path, "earphones", earphones)
    keep_latency(path, "box", box)
    assert read_latencies(path) == {"box": box, "earphones": earphones}
    path.write_text('{"box": 3}')
    with pytest.raises(DeskError, match="run shinpan recite --calibrate"):
        read_latencies(path)


def test_a_device_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recite", "--calibrate", "--microphone", "no such device"]) == 2
    assert "the microphone 'no such device' cannot record" in capsys.readouterr().err
