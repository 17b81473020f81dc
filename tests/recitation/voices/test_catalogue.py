"""The choice of the voice, and missing rhythms or clips."""

import io
import json
import logging
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import soundfile

import recitation.voices.plain_speech
from recitation.chant.pronunciation import moras, phonemes, spoken
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import SAMPLE_RATE, samples
from recitation.reading.rhythm import AS_RECORDED, DEFAULT, Rhythm, parse_rhythm
from recitation.sound.clip import Clip, MoraMark, Wave
from recitation.sound.loudness import loudness_lufs
from recitation.voices.catalogue import (
    BUILT_IN,
    PACKS,
    Recorded,
    Stretched,
    VoiceError,
    find_voice,
    pack_path,
    voice_names,
)
from recitation.voices.pack import INDEX, PackError, VoicePack, clip_name, decoded, writing_pack
from referee.cards.poems import POEMS

KAMI, SHIMO = Phrase(17, Half.KAMI), Phrase(17, Half.SHIMO)


def hum(length: int, level: float = 0.2) -> Wave:
    return (level * np.sin(2 * np.pi * 220 * np.arange(length) / SAMPLE_RATE)).astype(np.float32)


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


SHIPPED = [
    pack_path(voice, parse_rhythm(text), PACKS) for voice in BUILT_IN for text in ("4-3-1-5", "5-3-1-6")
]
LARGEST_BYTES = 16_000_000


def write(path: Path, clips: dict[Phrase, Clip]) -> Path:
    with writing_pack(path, "mine", DEFAULT, 0.8) as pack:
        for phrase, clip in clips.items():
            pack.add(phrase, clip)
    return path


@pytest.mark.parametrize("length", [24_000, 47_999, 100_001])
def test_what_is_written_is_read_back_to_the_sample(tmp_path: Path, length: int) -> None:
    marks = (MoraMark("チ", 0), MoraMark("ハ", 9_000))
    pack = VoicePack.open(write(tmp_path / "a.zip", {KAMI: Clip(hum(length), marks)}))
    assert (pack.voice, pack.rhythm, list(pack)) == ("mine", DEFAULT, [KAMI])
    assert KAMI in pack
    assert Phrase(1, Half.KAMI) not in pack
    assert pack.samples(KAMI) == length
    clip = pack.clip(KAMI)
    assert clip.samples == length
    assert clip.moras == marks
    assert np.corrcoef(clip.wave, hum(length))[0, 1] > 0.98, "no delay is left by the codec"


def test_a_clip_that_the_codec_would_clip_gets_more_bits(tmp_path: Path) -> None:
    dice = np.random.default_rng(1)
    wave = np.clip(hum(48_000, 0.9) + 0.05 * dice.standard_normal(48_000), -0.95, 0.95).astype(np.float32)
    pack = VoicePack.open(write(tmp_path / "a.zip", {KAMI: Clip(wave)}))
    assert np.abs(pack.clip(KAMI).wave).max() < 1.0


def test_files_that_are_no_packs_are_refused(tmp_path: Path) -> None:
    text = tmp_path / "text.zip"
    text.write_text("hello")
    empty = tmp_path / "empty.zip"
    zipfile.ZipFile(empty, "w").close()
    newer = tmp_path / "newer.zip"
    with zipfile.ZipFile(newer, "w") as archive:
        archive.writestr(INDEX, json.dumps({"format": 99}))
    for path, told in ((text, "not a voice pack"), (empty, "not a voice pack"), (newer, "got 99")):
        with pytest.raises(PackError, match=told):
            VoicePack.open(path)


def test_damaged_clips_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.zip", {KAMI: Clip(hum(48_000))})
    data = bytearray(path.read_bytes())
    data[2_000] ^= 0xFF
    path.write_bytes(data)
    with pytest.raises(PackError, match="is damaged"):
        VoicePack.open(path).clip(KAMI)


def test_a_pack_that_would_fill_the_memory_is_refused(tmp_path: Path) -> None:
    index = tmp_path / "index.zip"
    with zipfile.ZipFile(index, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(INDEX, b" " * (17 << 20))
    with pytest.raises(PackError, match="is larger than 16 MiB"):
        VoicePack.open(index)
    long = io.BytesIO()
    soundfile.write(long, np.zeros(301 * 8000, np.float32), 8000, format="WAV")
    with pytest.raises(PackError, match="at most 300 s"):
        decoded(long.getvalue())


def test_the_shipped_packs_fit_into_the_wheel() -> None:
    assert sum(path.stat().st_size for path in SHIPPED) <= LARGEST_BYTES
    assert sorted(PACKS.glob("*.zip")) == sorted(SHIPPED)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_all_202_clips_say_what_is_written(path: Path) -> None:
    pack = VoicePack.open(path)
    expected = {Phrase(poem, half) for poem in (JOKA, *POEMS) for half in Half}
    assert set(pack) == expected
    for phrase in expected:
        # what the speech engine said when the clip was made, against the kana of the poem
        said = [tuple(ku.split()) for ku in pack.index[clip_name(phrase)]["phonemes"]]
        assert said == list(phonemes(phrase)), phrase
        kana = [mora.kana for ku in spoken(phrase) for mora in moras(ku)]
        assert [mark.kana for mark in pack.moras(phrase)] == kana, phrase
        starts = [mark.sample for mark in pack.moras(phrase)]
        assert starts[0] == 0
        assert starts == sorted(set(starts))
        length_s = pack.rhythm.length_s(phrase.half)
        assert length_s is not None
        assert pack.samples(phrase) == samples(length_s)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_shipped_clips_are_level_unclipped_and_sound_at_once(path: Path) -> None:
    pack = VoicePack.open(path)
    for phrase in list(pack)[::23]:
        wave = pack.clip(phrase).wave
        assert abs(loudness_lufs(wave) + 20) < 1.0, phrase
        assert np.abs(wave).max() < 1.0, phrase
        rms = np.sqrt(np.mean(wave**2))
        assert np.argmax(np.abs(wave) > 0.05 * rms) < 0.02 * SAMPLE_RATE, phrase
        last = wave[pack.moras(phrase)[-1].sample :]
        loud = [np.sqrt(np.mean(part**2)) for part in np.array_split(last, 4)]
        assert loud[1] > 0.2 * rms, f"{phrase} is held"
        assert 0.002 * rms < loud[3] < 0.5 * loud[1], f"{phrase} fades at its end"
