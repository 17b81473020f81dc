"""Imported recordings are listened to: wrong files are named, innocent ones never, moras are measured."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
import soundfile

from desk.commands.cli import main
from recitation.imports import wording as imported_wording
from recitation.imports.decoding import load
from recitation.imports.importer import import_voice
from recitation.imports.wording import Wording
from recitation.listening.bands import Usual
from recitation.listening.hearing import learn_reader
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import SAMPLE_RATE
from recitation.reading.rhythm import parse_rhythm
from recitation.sound.clip import Wave
from recitation.voices.catalogue import PACKS, pack_path
from recitation.voices.pack import VoicePack, clip_name
from tests.slow_case import slow_case

POEMS = (JOKA, 17, 54, 31, 64)
HALVES = [Phrase(poem, half) for poem in POEMS for half in Half]
LOW = VoicePack.open(pack_path("low", parse_rhythm("5-3-1-6"), PACKS))
QUIET = np.zeros(SAMPLE_RATE // 4, np.float32)


@cache
def low_reader() -> Usual:
    return learn_reader([LOW.clip(phrase).wave for phrase in HALVES[:4]])


@pytest.fixture
def known_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """Learn the low voice once: what its files are called says nothing about who reads."""
    monkeypatch.setattr(imported_wording, "learn_reader", lambda _: low_reader())


def record(folder: Path, said: dict[Phrase, Phrase]) -> Path:
    """Record the low voice: under the name of each key, the phrase that is said."""
    folder.mkdir()
    for name, phrase in said.items():
        wave = np.concatenate([QUIET, LOW.clip(phrase).wave, QUIET])
        soundfile.write(folder / f"club_{clip_name(name)}.flac", wave, SAMPLE_RATE)
    return folder


def whole(poem: int, gap_s: float, *, twice: bool) -> Wave:
    """Return a whole poem with a breath between the halves and a longer one within the first."""
    kami, shimo = (LOW.clip(Phrase(poem, half)) for half in Half)
    ku_2 = kami.moras[5].sample
    gap = np.zeros(round(gap_s * SAMPLE_RATE), np.float32)
    breath = np.zeros(round(0.6 * SAMPLE_RATE), np.float32)
    parts = [QUIET, kami.wave[:ku_2], breath, kami.wave[ku_2:], gap, shimo.wave]
    return np.concatenate([*parts, *([gap, shimo.wave] if twice else []), QUIET])


def test_good_files_are_all_recognised(tmp_path: Path) -> None:
    report = import_voice(record(tmp_path / "rec", {one: one for one in HALVES}), "club", tmp_path / "voices")
    assert report.problems == []
    assert report.heard == len(HALVES)


@pytest.mark.parametrize(
    ("name", "said", "what"),
    [
        (Phrase(31, Half.KAMI), Phrase(64, Half.KAMI), "the 31 kami"),
        slow_case(Phrase(17, Half.KAMI), Phrase(17, Half.SHIMO), "the 17 kami"),
    ],
)
def test_a_wrong_half_is_named_and_no_other(
    tmp_path: Path, known_reader: None, name: Phrase, said: Phrase, what: str
) -> None:
    folder = record(tmp_path / "rec", {one: one for one in HALVES} | {name: said})
    report = import_voice(folder, "club", tmp_path / "voices")
    (problem,) = report.problems
    assert problem.file == f"club_{clip_name(name)}.flac"
    assert what in problem.what
    assert problem.fatal
    assert report.heard == len(HALVES) - 1
    assert not report.imported


def test_a_copy_of_what_nobody_understands_is_named(tmp_path: Path) -> None:
    t_s = np.arange(3 * SAMPLE_RATE) / SAMPLE_RATE
    hums = {
        name: np.sin(2 * np.pi * hz * t_s) for name, hz in (("001_1", 220), ("001_2", 262), ("002_1", 220))
    }
    for name, wave in hums.items():
        soundfile.write(tmp_path / f"{name}.wav", 0.2 * wave, SAMPLE_RATE)
    report = import_voice(tmp_path, "club", tmp_path / "voices", check_only=True)
    (problem,) = [one for one in report.problems if one.fatal]
    assert problem.file == "002_1.wav"
    assert "the same sound as the 1 kami (001_1.wav)" in problem.what


def test_nothing_recognised_is_said_as_that(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    t_s = np.arange(3 * SAMPLE_RATE) / SAMPLE_RATE
    for at, name in enumerate(("001_1", "001_2")):
        wave = 0.2 * np.sin(2 * np.pi * (220 + 40 * at) * t_s)
        soundfile.write(tmp_path / f"{name}.wav", wave, SAMPLE_RATE)
    assert main(["voices", "import", str(tmp_path), "--check-only"]) == 1
    told = capsys.readouterr()
    assert "no half could be recognised" in told.out + told.err


def test_files_counted_from_zero_are_set_right(tmp_path: Path, known_reader: None) -> None:
    poems = (2, 17, 54, 31, 64)
    said = {Phrase(poem - 1, half): Phrase(poem, half) for poem in poems for half in Half}
    report = import_voice(record(tmp_path / "rec", said), "club", tmp_path / "voices", check_only=True)
    (problem,) = report.problems
    assert "count the poems from 0" in problem.what
    assert not problem.fatal
    assert report.heard == len(said)
    assert "017_1" not in report.missing


@pytest.mark.parametrize(("gap_s", "twice"), [(0.3, False), slow_case(0.3, True), slow_case(1.0, True)])
def test_a_whole_poem_is_cut_at_its_words(
    tmp_path: Path, known_reader: None, gap_s: float, twice: bool
) -> None:
    for poem in (17, 54):
        soundfile.write(tmp_path / f"{poem:03d}.flac", whole(poem, gap_s, twice=twice), SAMPLE_RATE)
    report = import_voice(tmp_path, "club", tmp_path / "voices", check_only=True)
    assert report.problems == []
    assert report.heard == 4
    kami_s = LOW.samples(Phrase(17, Half.KAMI)) / SAMPLE_RATE + 0.6
    assert report.lengths_s["kami"] == pytest.approx(kami_s, abs=0.25)


def test_channels_in_antiphase_are_heard(tmp_path: Path) -> None:
    wave = LOW.clip(HALVES[2]).wave
    soundfile.write(tmp_path / "a.wav", np.stack([wave, -wave], axis=1), SAMPLE_RATE)
    assert np.abs(load(tmp_path / "a.wav")).max() == pytest.approx(np.abs(wave).max(), rel=0.01)


def test_moras_of_a_recording_are_measured() -> None:
    wording = Wording()
    wording.learn(LOW.clip(Phrase(JOKA, half)).wave for half in Half)
    wrong_s = []
    for phrase in HALVES[2:]:
        clip = LOW.clip(phrase)
        verdict = wording.verdict(phrase, clip.wave)
        assert verdict.agrees
        assert [mark.kana for mark in verdict.moras] == [mark.kana for mark in clip.moras]
        assert verdict.moras[0].sample == 0
        wrong_s += [
            abs(own.sample - true.sample) / SAMPLE_RATE
            for own, true in zip(verdict.moras, clip.moras, strict=True)
        ]
    assert np.median(wrong_s) <= 0.015
    assert np.percentile(wrong_s, 90) <= 0.05
