"""The player in its own process: silent, and through PortAudio into a null sink."""

import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.signal import correlate

from recitation.playback.player import Player, ReadingSettings
from recitation.playback.reports import (
    Act,
    Failed,
    Opened,
    PhraseStarted,
    Report,
    SoundPlayed,
    State,
    StateChanged,
    Underran,
)
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import SAMPLE_RATE, Spacing
from recitation.reading.practice import steps
from recitation.reading.rhythm import Rhythm
from recitation.sound.clip import Clip, from_16_bit
from recitation.sound.recent_sound import RecentSound, TimedSound
from recitation.voices.catalogue import pack_path
from recitation.voices.pack import VoicePack, writing_pack

pytestmark = pytest.mark.live

QUICK = Rhythm(2.0, 0.0, 1.0, 2.0)
ORDER = (17, 4)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A voice of noise bursts: each clip is unlike every other, so that it is found to the sample."""
    made = tmp_path_factory.mktemp("voices")
    dice = np.random.default_rng(5)
    with writing_pack(pack_path("noise", QUICK, made), "noise", QUICK, 0.5) as pack:
        for poem, half in itertools.product((0, *ORDER), Half):
            wave = (0.1 * dice.standard_normal(2 * SAMPLE_RATE)).astype(np.float32)
            pack.add(Phrase(poem, half), Clip(wave))
    return made


def reading(folder: Path, order: tuple[int, ...] = ORDER, **options: object) -> ReadingSettings:
    given = {"spacing": Spacing(lead_s=0.1, breath_s=0.5, wait_s=0.2), **options}
    return ReadingSettings(steps(order, joka=False), "noise", QUICK, (folder,), **given)  # type: ignore[arg-type]


def until_end(player: Player, limit_s: float = 40.0) -> Iterator[Report]:
    deadline_s = time.monotonic() + limit_s
    while time.monotonic() < deadline_s:
        for report in player.reports(0.2):
            yield report
            if isinstance(report, Failed) or (
                isinstance(report, StateChanged) and report.state is State.ENDED
            ):
                return
    raise AssertionError(f"the reading did not end within {limit_s} s")


def test_a_broken_reading_is_told_and_not_a_silence(folder: Path) -> None:
    with Player(ReadingSettings(steps(ORDER), "nobody", QUICK, (folder,), silent=True)) as player:
        (failed,) = list(until_end(player))
    assert isinstance(failed, Failed)
    assert "there is no voice 'nobody'; the voices are: noise" in failed.text


def test_a_player_that_was_closed_is_quiet(folder: Path) -> None:
    player = Player(reading(folder, silent=True))
    player.close()
    player.do(Act.GO)
    assert player.reports() == []


@pytest.mark.slow
def test_no_device_means_text_in_time_and_the_reason(folder: Path) -> None:
    with Player(reading(folder, (17,), device="no such device")) as player:
        reports = list(until_end(player))
    (opened,) = [report for report in reports if isinstance(report, Opened)]
    assert "'no such device' cannot play" in opened.silent
    assert sum(isinstance(report, PhraseStarted) for report in reports) == 2


def test_played_and_recorded_to_the_sample(
    folder: Path, null_sink: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in null_sink.environment.items():
        monkeypatch.setenv(name, value)
    for _ in range(3):
        recorder = null_sink.record("played.raw")
        with Player(reading(folder, kept=True)) as player:
            reports = list(until_end(player))
            time.sleep(1.0)
        recorded = recorder.stop()
        if not any(isinstance(report, Underran) for report in reports):
            break  # a busy machine may starve the sound, and then says so
    else:
        raise AssertionError("the sound was starved each time")
    started = [report for report in reports if isinstance(report, PhraseStarted)]
    onsets = list(found_onsets(recorded, folder, [start.phrase for start in started]))
    assert onsets[2] - onsets[1] == 3 * SAMPLE_RATE, "2 + 1 seconds, to the sample"
    told_s = [(after.t_ns - before.t_ns) / 1e9 for before, after in itertools.pairwise(started)]
    heard_s = [(after - before) / SAMPLE_RATE for before, after in itertools.pairwise(onsets)]
    unc_s = max(start.t_unc_ns for start in started) / 1e9
    assert np.allclose(told_s, heard_s, atol=2 * unc_s + 0.001)
    kept = RecentSound()
    for report in reports:
        if isinstance(report, SoundPlayed):
            kept.append(TimedSound(from_16_bit(report.data), report.t_ns, report.t_unc_ns))
    for start in started[:2]:
        heard = kept.between(start.t_ns - 500_000_000, start.t_ns + 1_000_000_000)
        assert heard is not None
        (at,) = found_onsets(heard.wave, folder, [start.phrase])
        assert at / SAMPLE_RATE == pytest.approx(0.5, abs=2 * unc_s + 0.005)


def found_onsets(recorded: np.ndarray, folder: Path, phrases: list[Phrase]) -> Iterator[int]:
    pack = VoicePack.open(pack_path("noise", QUICK, folder))
    for phrase in phrases:
        begin = pack.clip(phrase).wave[:12_000]
        alike = correlate(recorded, begin, mode="valid")
        at = int(np.argmax(alike))
        part = recorded[at : at + len(begin)]
        assert alike[at] > 0.99 * np.linalg.norm(begin) * np.linalg.norm(part), f"the {phrase} was not heard"
        yield at
