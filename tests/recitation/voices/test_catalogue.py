"""The choice of the voice, and missing rhythms or clips."""

import logging
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import recitation.voices.plain_speech
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import SAMPLE_RATE
from recitation.reading.rhythm import AS_RECORDED, DEFAULT, Rhythm, parse_rhythm
from recitation.sound.clip import Clip, MoraMark, Wave
from recitation.voices.catalogue import Recorded, Stretched, VoiceError, find_voice, pack_path, voice_names
from recitation.voices.pack import writing_pack

KAMI, SHIMO = Phrase(17, Half.KAMI), Phrase(17, Half.SHIMO)


def hum(length: int) -> Wave:
    return (0.2 * np.sin(2 * np.pi * 220 * np.arange(length) / SAMPLE_RATE)).astype(np.float32)


def install(folder: Path, name: str, rhythm: Rhythm, lengths: tuple[int, int]) -> None:
    folder.mkdir(exist_ok=True)
    with writing_pack(pack_path(name, rhythm, folder), name, rhythm, 0.8) as pack:
        for phrase, length in zip((KAMI, SHIMO), lengths, strict=True):
            pack.add(phrase, Clip(hum(length)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    install(tmp_path, "club", AS_RECORDED, (300_001, 400_003))
    return tmp_path


def test_built_in_voices_need_nothing_else() -> None:
    assert voice_names() == ("high", "low")
    voice = find_voice("low", DEFAULT)
    assert isinstance(voice, Recorded)
    assert (voice.name, voice.samples(KAMI), voice.samples(SHIMO)) == ("low", 240_000, 336_000)
    assert voice.clip(KAMI).samples == 240_000


def test_an_own_voice_is_stretched_to_a_preset(folder: Path) -> None:
    voice = find_voice("club", DEFAULT, [folder])
    assert isinstance(voice, Stretched)
    assert voice.samples(KAMI) == voice.clip(KAMI).samples == 240_000
    assert voice.samples(SHIMO) == voice.clip(SHIMO).samples == 336_000


def test_a_stretched_voice_without_a_joka_borrows_the_built_in_one(folder: Path) -> None:
    clip = find_voice("club", DEFAULT, [folder]).clip(Phrase(0, Half.KAMI))
    assert np.array_equal(clip.wave, find_voice("high", DEFAULT).clip(Phrase(0, Half.KAMI)).wave)


def test_a_built_in_voice_is_stretched_where_it_cannot_be_rendered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyopenjtalk", None)
    voice = find_voice("high", parse_rhythm("4.5-2-1-5.5"))
    assert isinstance(voice, Stretched)
    assert voice.pack.rhythm == DEFAULT, "the nearer of the two packs"
    clip = voice.clip(SHIMO)
    assert clip.samples == voice.samples(SHIMO) == 312_000
    assert len(clip.moras) == 14


def test_an_unknown_voice_is_refused_with_those_there_are(folder: Path) -> None:
    with pytest.raises(VoiceError, match="no voice 'clbu'; the voices are: club"):
        find_voice("clbu", DEFAULT, [folder])


def test_a_missing_clip_is_taken_from_the_built_in_voice(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    voice = find_voice("club", AS_RECORDED, [folder])
    missing = Phrase(3, Half.KAMI)
    with caplog.at_level(logging.WARNING):
        clip = voice.clip(missing)
    assert clip.samples == voice.samples(missing) == 240_000
    assert "no clip of the 3 kami: the voice 'high' is heard instead" in caplog.text


def damaged(folder: Path) -> Recorded:
    pack = find_voice("club", AS_RECORDED, [folder])
    assert isinstance(pack, Recorded)
    path = pack.pack.path
    path.write_bytes(path.read_bytes().replace(b"OggS", b"OggX"))
    return pack


def test_a_damaged_clip_is_spoken(
    folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []

    def speak(ku: str) -> Wave:
        said.append(ku)
        return hum(30_000)

    monkeypatch.setattr(recitation.voices.plain_speech, "speaker", lambda: speak)
    voice = damaged(folder)
    clip = voice.clip(KAMI)
    assert clip.samples == voice.samples(KAMI) == 300_001
    assert said == ["チハヤブル", "カミヨモキカズ", "タツタガワ"]
    assert np.abs(clip.wave[:90_000]).max() > 0.05
    assert not clip.wave[-100_000:].any(), "then it waits for its time to pass"
    said.clear()
    replace(voice, instead=[voice.pack]).clip(KAMI)
    assert len(said) == 3, "a damaged clip of the other voice is no replacement"


def test_where_nothing_can_speak_a_chime_is_heard(
    folder: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyopenjtalk", None)
    monkeypatch.setattr("shutil.which", lambda program: None)
    recitation.voices.plain_speech.speaker.cache_clear()
    with caplog.at_level(logging.WARNING):
        clip = damaged(folder).clip(KAMI)
    recitation.voices.plain_speech.speaker.cache_clear()
    assert clip.samples == 300_001
    assert np.abs(clip.wave).max() > 0.1
    assert "or the program espeak-ng): a chime is played instead" in caplog.text


@pytest.mark.parametrize("name", ["plain", "chime"])
def test_speech_and_chime_can_be_chosen(name: str) -> None:
    voice = find_voice(name, DEFAULT)
    assert (voice.name, voice.rhythm) == (name, DEFAULT)
    for phrase in (KAMI, SHIMO):
        assert voice.clip(phrase).samples == voice.samples(phrase)


def test_the_linger_of_a_recording_takes_up_what_the_rhythm_asks_for(tmp_path: Path) -> None:
    marks = (MoraMark("カ", 0), MoraMark("ワ", 150_000))
    with writing_pack(pack_path("own", AS_RECORDED, tmp_path), "own", AS_RECORDED, 0.8) as pack:
        pack.add(SHIMO, Clip(hum(260_000), marks))
    clip = find_voice("own", DEFAULT, [tmp_path]).clip(SHIMO)
    assert clip.samples == 336_000
    assert clip.moras[1].sample == round(3.8 * SAMPLE_RATE), "the last mora begins just before the linger"


def test_a_damaged_pack_does_not_hide_the_others(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    (folder / "broken.zip").write_bytes(b"PK")
    assert voice_names([folder]) == ("club",)
    assert "broken.zip is not a voice pack" in caplog.text
