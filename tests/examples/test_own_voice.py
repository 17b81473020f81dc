"""A voice from one long recording: cut where the reader is silent, checked, imported or refused."""

import sys
from pathlib import Path

import numpy as np
import own_voice
import pytest
import soundfile

from recitation.imports import importer, wording
from recitation.listening.hearing import EVERY_PHRASE
from recitation.listening.phoneme_net import phoneme_net
from recitation.reading.phrase import Half, Phrase
from recitation.reading.rhythm import AS_RECORDED
from recitation.voices.catalogue import find_voice

RATE = 24_000


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """A tone for each half of the poems 1 and 2, with a second of silence between."""
    halves = [
        0.2 * np.sin(2 * np.pi * hz * np.arange(round(seconds * RATE)) / RATE)
        for hz, seconds in ((200, 2.1), (150, 2.6), (210, 2.2), (160, 2.7))
    ]
    pause = np.zeros(RATE)
    path = tmp_path / "evening.wav"
    soundfile.write(path, np.concatenate([part for half in halves for part in (pause, half)]), RATE)
    return path


def test_a_recording_becomes_a_voice(evening: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # two poems are all there are, and no reader is learnt from tones
    monkeypatch.setattr(importer, "EVERY_PHRASE", [one for one in EVERY_PHRASE if 1 <= one.poem <= 2])
    monkeypatch.setattr(wording, "learn_reader", lambda _: phoneme_net().typical)
    report = own_voice.make_voice(evening, "club", tmp_path / "voices")
    assert (report.clips, report.imported, report.problems) == (4, True, [])
    voice = find_voice("club", AS_RECORDED, [tmp_path / "voices"])
    seconds = [voice.samples(Phrase(poem, half)) / 48_000 for poem in (1, 2) for half in Half]
    assert seconds == pytest.approx([2.1, 2.6, 2.2, 2.7], abs=0.2)


def test_a_file_without_sound_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "notes.wav").write_text("no sound")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "argv", ["own_voice.py", str(tmp_path / "notes.wav"), "club"])
    with pytest.raises(SystemExit, match=r"notes\.wav"):
        own_voice.main()
