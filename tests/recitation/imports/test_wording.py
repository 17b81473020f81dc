"""Imported recordings are listened to: wrong poems are named, moras are measured, noise claims nothing."""

from pathlib import Path

import numpy as np
import pytest
import soundfile

import recitation.imports.wording
from recitation.imports.importer import import_voice
from recitation.imports.wording import Verdict, Wording
from recitation.listening.templates import Templates
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import SAMPLE_RATE
from recitation.reading.rhythm import DEFAULT, parse_rhythm
from recitation.voices.catalogue import PACKS, pack_path
from recitation.voices.pack import VoicePack, clip_name

POEMS = (JOKA, 17, 54, 31, 64)
HALVES = [Phrase(poem, half) for poem in POEMS for half in Half]
LOW = VoicePack.open(pack_path("low", parse_rhythm("5-3-1-6"), PACKS))


@pytest.fixture(scope="module")
def templates() -> Templates:
    return Templates.of(HALVES, [VoicePack.open(pack_path("high", DEFAULT, PACKS))])


@pytest.fixture(autouse=True)
def few_templates(templates: Templates, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recitation.imports.wording, "every_phrase", lambda: templates)


def record(folder: Path, said: dict[Phrase, Phrase]) -> Path:
    """Record the low voice at its slower rhythm: under the name of each key, the phrase that is said."""
    folder.mkdir()
    quiet = np.zeros(SAMPLE_RATE // 4, np.float32)
    for name, phrase in said.items():
        wave = np.concatenate([quiet, LOW.clip(phrase).wave, quiet])
        soundfile.write(folder / f"club_{clip_name(name)}.flac", wave, SAMPLE_RATE)
    return folder


def test_a_poem_under_another_name_is_named(tmp_path: Path) -> None:
    said = {phrase: phrase for phrase in HALVES}
    said[Phrase(31, Half.KAMI)] = Phrase(64, Half.KAMI)  # both begin alike: あさぼらけ
    report = import_voice(record(tmp_path / "rec", said), "club", tmp_path / "voices")
    (problem,) = report.problems
    assert problem.file == "club_031_1.flac"
    assert problem.what == "the 31 kami was expected, but the 64 kami is heard"
    assert problem.fatal
    assert report.heard == len(HALVES) - 1
    assert not report.imported


def test_a_folder_counted_from_another_number_is_refused(tmp_path: Path) -> None:
    moved = dict(zip(POEMS[1:], (*POEMS[2:], POEMS[1]), strict=True))
    said = {Phrase(name, half): Phrase(poem, half) for name, poem in moved.items() for half in Half}
    report = import_voice(record(tmp_path / "rec", said), "club", tmp_path / "voices")
    assert report.heard == 0
    assert len(report.problems) == len(said)
    assert not report.imported


def test_moras_of_a_recording_are_measured() -> None:
    wording = Wording()
    assert wording.learn(LOW.clip(Phrase(JOKA, half)).wave for half in Half)
    wrong_s = []
    for phrase in HALVES[2:]:
        clip = LOW.clip(phrase)
        assert wording.verdict(phrase, clip.wave) == Verdict(agrees=True)
        found = wording.moras(phrase, clip.wave)
        assert [mark.kana for mark in found] == [mark.kana for mark in clip.moras]
        assert found[0].sample == 0
        wrong_s += [
            abs(own.sample - true.sample) / SAMPLE_RATE for own, true in zip(found, clip.moras, strict=True)
        ]
    assert np.median(wrong_s) <= 0.01
    assert np.percentile(wrong_s, 90) <= 0.03


def test_what_is_no_speech_claims_nothing() -> None:
    wording = Wording()
    t_s = np.arange(3 * SAMPLE_RATE) / SAMPLE_RATE
    hum = (0.2 * np.sin(2 * np.pi * 220 * t_s)).astype(np.float32)
    assert not wording.learn([hum, hum, hum])
    assert wording.verdict(HALVES[2], hum) == Verdict(agrees=False)
    assert wording.moras(HALVES[2], hum) == ()
