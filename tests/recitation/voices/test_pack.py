"""Voice packs: written, read back, damaged, and the four that the wheel ships."""

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
import soundfile

from recitation.chant.pronunciation import moras, phonemes, spoken
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import SAMPLE_RATE, samples
from recitation.reading.rhythm import DEFAULT, parse_rhythm
from recitation.sound.clip import Clip, MoraMark, Wave
from recitation.sound.loudness import loudness_lufs
from recitation.voices.catalogue import BUILT_IN, PACKS, pack_path
from recitation.voices.pack import INDEX, PackError, VoicePack, clip_name, decoded, writing_pack
from referee.cards.poems import POEMS

KAMI = Phrase(17, Half.KAMI)
SHIPPED = [
    pack_path(voice, parse_rhythm(text), PACKS) for voice in BUILT_IN for text in ("4-3-1-5", "5-3-1-6")
]
LARGEST_BYTES = 16_000_000


def hum(length: int, level: float = 0.2) -> Wave:
    return (level * np.sin(2 * np.pi * 220 * np.arange(length) / SAMPLE_RATE)).astype(np.float32)


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


def test_a_missing_clip_is_named(tmp_path: Path) -> None:
    pack = VoicePack.open(write(tmp_path / "a.zip", {KAMI: Clip(hum(24_000))}))
    with pytest.raises(PackError, match=r"a\.zip has no clip of the 1 kami"):
        pack.clip(Phrase(1, Half.KAMI))


def test_nothing_is_left_of_a_pack_that_failed(tmp_path: Path) -> None:
    def fail() -> None:
        with writing_pack(tmp_path / "a.zip", "mine", DEFAULT, 0.8) as pack:
            pack.add(KAMI, Clip(hum(24_000)))
            raise RuntimeError("the power went off")

    with pytest.raises(RuntimeError):
        fail()
    assert list(tmp_path.iterdir()) == []


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
