"""Recordings become a voice: generated folders of every kind, good and bad."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
import soundfile

from desk.commands.cli import main
from desk.reciter.voice_folders import voice_folders
from recitation.imports import importer, wording
from recitation.imports.decoding import DecodingError, load
from recitation.imports.importer import ImportReport, import_voice
from recitation.listening.hearing import EVERY_PHRASE
from recitation.listening.phoneme_net import phoneme_net
from recitation.reading.phrase import Half, Phrase
from recitation.reading.rhythm import AS_RECORDED
from recitation.sound.clip import Wave
from recitation.sound.loudness import loudness_lufs
from recitation.sound.trimming import is_clipped
from recitation.voices.catalogue import find_voice
from recitation.voices.pack import VoicePack

RATE = 22_050
Writer = Callable[[Path, Wave], None]


def voice(seconds: float, hz: float = 200.0) -> Wave:
    t_s = np.arange(round(seconds * RATE)) / RATE
    wave = 0.2 * np.sin(2 * np.pi * hz * t_s) * (1 + 0.3 * np.sin(2 * np.pi * 3 * t_s))
    return wave.astype(np.float32)


def silence(seconds: float) -> Wave:
    return np.zeros(round(seconds * RATE), np.float32)


KAMI = np.concatenate([silence(0.4), voice(3.0), silence(0.3)])
SHIMO = np.concatenate([silence(0.2), voice(4.0, 150.0), silence(0.6)])
WHOLE = np.concatenate([KAMI, silence(0.5), SHIMO, silence(0.5), SHIMO])


def as_ogg(path: Path, wave: Wave) -> None:
    soundfile.write(path, wave, RATE, format="OGG", subtype="VORBIS")


def as_wav(path: Path, wave: Wave) -> None:
    soundfile.write(path, wave, RATE, format="WAV")


def as_mp3(path: Path, wave: Wave) -> None:
    soundfile.write(path, wave, RATE, format="MP3")


def as_m4a(path: Path, wave: Wave) -> None:
    with av.open(str(path), "w", format="mp4") as container:
        stream = container.add_stream("aac", rate=RATE, layout="mono")
        frame = av.AudioFrame.from_ndarray(wave[None, :], format="fltp", layout="mono")
        frame.rate = RATE
        for packet in [*stream.encode(frame), *stream.encode(None)]:
            container.mux(packet)


def as_mp3_with_broken_tags(path: Path, wave: Wave) -> None:
    as_mp3(path, wave)
    title = b"\x00" + "百人一首".encode("shift_jis")
    frame = b"TIT2" + len(title).to_bytes(4, "big") + b"\x00\x00" + title
    path.write_bytes(b"ID3\x03\x00\x00" + len(frame).to_bytes(4, "big") + frame + path.read_bytes())


def fill(folder: Path, files: dict[str, Wave], write: Writer) -> Path:
    for index, (name, wave) in enumerate(files.items()):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, (1 - 0.001 * index) * wave)  # no two recordings are the same
    return folder


def halves(pattern: str, keys: tuple[str, str], poems: tuple[int, ...] = (1, 2)) -> dict[str, Wave]:
    return {
        pattern.format(n=n, k=key): wave for n in poems for key, wave in zip(keys, (KAMI, SHIMO), strict=True)
    }


KU = {f"{n}_{k}.mp3": voice(1.2 + 0.1 * k) for n in (1, 2) for k in range(5)}
FOLDERS: dict[str, tuple[dict[str, Wave], Writer]] = {
    "wasuramoti": (halves("me_{n:03d}_{k}.ogg", ("1", "2")), as_ogg),
    "shuffle100": (halves("{n:03d}{k}.m4a", ("a", "b")), as_m4a),
    "numbered": ({f"{n:03d}.mp3": WHOLE for n in (1, 2)}, as_mp3_with_broken_tags),
    "five-ku": (KU, as_wav),  # wave files that are called .mp3
}


@pytest.fixture(autouse=True)
def nobody_speaks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the typical reader: tones cannot teach one; `test_wording` tests the learning."""
    monkeypatch.setattr(wording, "learn_reader", lambda _: phoneme_net().typical)


def check(folder: Path) -> ImportReport:
    return import_voice(folder, "club", folder / "voices", check_only=True)


@pytest.mark.parametrize("name", FOLDERS)
def test_halves_whole_poems_and_ku_are_read(tmp_path: Path, name: str) -> None:
    files, write = FOLDERS[name]
    report = check(fill(tmp_path, files, write))
    assert report.convention == name
    assert report.problems == []
    assert report.clips == 4
    assert len(report.missing) == 198
    assert "003_1" in report.missing
    assert "002_2" not in report.missing
    if name != "five-ku":
        assert report.lengths_s == {
            "kami": pytest.approx(3.15, abs=0.1),
            "shimo": pytest.approx(4.15, abs=0.1),
        }
    assert not report.imported, "98 poems are missing"


@pytest.mark.parametrize(
    ("wave", "what"),
    [
        (silence(3.0), "the file is silent"),
        (voice(30.0), "the 2 kami lasts 30."),
        (voice(1.3), "the 2 kami lasts 1."),
    ],
)
def test_a_bad_half_is_named_and_nothing_is_imported(tmp_path: Path, wave: Wave, what: str) -> None:
    files = halves("me_{n:03d}_{k}.wav", ("1", "2"), (1, 2, 3)) | {"me_002_1.wav": wave}
    report = import_voice(fill(tmp_path, files, as_wav), "club", tmp_path / "voices")
    (problem,) = report.problems
    assert problem.file == "me_002_1.wav"
    assert problem.what.startswith(what)
    assert problem.fatal
    assert not report.imported
    assert not (tmp_path / "voices").exists()


def test_a_clipped_recording_is_told_but_does_not_forbid(tmp_path: Path) -> None:
    loud = np.clip(8 * KAMI, -1, 1)
    assert is_clipped(loud)
    assert not is_clipped(KAMI)
    report = check(fill(tmp_path, halves("a_{n:03d}_{k}.wav", ("1", "2")) | {"a_001_1.wav": loud}, as_wav))
    assert [(one.file, one.fatal) for one in report.problems] == [("a_001_1.wav", False)]
    assert report.clips == 4


def test_a_whole_poem_without_a_silence_cannot_be_split(tmp_path: Path) -> None:
    report = check(fill(tmp_path, {"001.wav": WHOLE, "002.wav": voice(7.0)}, as_wav))
    (problem,) = report.problems
    assert problem.file == "002.wav"
    assert "expected both halves and silence between" in problem.what
    assert report.clips == 2


def test_a_film_without_sound_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.mkv"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mjpeg", rate=5)
        stream.width, stream.height, stream.pix_fmt = 16, 16, "yuvj420p"
        picture = av.VideoFrame.from_ndarray(np.zeros((16, 16, 3), np.uint8), format="rgb24")
        for packet in [*stream.encode(picture), *stream.encode(None)]:
            container.mux(packet)
    with pytest.raises(DecodingError, match="holds no sound"):
        load(path)


def test_sound_of_a_codec_that_is_not_known_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    as_wav(path, voice(0.1))
    pcm, unknown = b"fmt \x10\0\0\0\x01\0", b"fmt \x10\0\0\0\xee\xee"
    assert pcm in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(pcm, unknown))
    with pytest.raises(DecodingError, match="a codec that is not known"):
        load(path)


@pytest.mark.parametrize("write", [as_ogg, as_wav, as_m4a, as_mp3_with_broken_tags])
def test_sound_of_any_kind_comes_at_48_khz(tmp_path: Path, write: Writer) -> None:
    path = tmp_path / "sound.bin"
    write(path, voice(2.0))
    wave = load(path)
    assert math.isclose(len(wave) / 48_000, 2.0, abs_tol=0.12), "codecs pad a little"
    assert np.sqrt(np.mean(wave[20_000:70_000] ** 2)) == pytest.approx(0.2 / math.sqrt(2), rel=0.15)


@pytest.fixture
def voices_of_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for module in ("desk.commands.voices", "desk.reciter.voice_folders"):
        monkeypatch.setattr(f"{module}.own_voices_folder", lambda: tmp_path / "own voices")
    return tmp_path / "own voices"


def test_a_whole_voice_is_imported_and_recites(
    tmp_path: Path,
    voices_of_nobody: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    # ten poems are all there are: to encode a hundred takes twelve seconds
    monkeypatch.setattr(importer, "EVERY_PHRASE", [one for one in EVERY_PHRASE if one.poem <= 10])
    short = {f"me_{n:03d}_{k}.wav": voice(2.1, 100.0 * k) for n in range(1, 11) for k in (1, 2)}
    folder = fill(tmp_path / "rec", short, as_wav)
    out = tmp_path / "report.json"
    assert main(["voices", "import", str(folder), "--name", "club", "--json", str(out)]) == 0
    report: dict[str, Any] = json.loads(out.read_text("utf-8"))
    assert (report["convention"], report["clips"], report["imported"]) == ("wasuramoti", 20, True)
    assert report["missing"] == ["000_1", "000_2"], "the joka may be missing"
    assert report["problems"] == []
    assert main(["voices", "list"]) == 0
    assert capsys.readouterr().out.splitlines()[-3:] == ["club", "high", "low"]
    reciter = find_voice("club", AS_RECORDED, voice_folders())
    clip = reciter.clip(Phrase(7, Half.KAMI))
    assert clip.samples == reciter.samples(Phrase(7, Half.KAMI))
    assert clip.samples / 48_000 == pytest.approx(2.1, abs=0.1)
    assert abs(loudness_lufs(clip.wave) + 20) < 1.0
    assert len(VoicePack.open(voices_of_nobody / "club-as-recorded.zip").index) == 20


def test_a_folder_of_something_else_is_refused(tmp_path: Path, voices_of_nobody: Path, capsys: Any) -> None:
    (tmp_path / "rec").mkdir()
    (tmp_path / "rec" / "song.mp3").write_bytes(b"")
    out = tmp_path / "report.json"
    assert main(["voices", "import", str(tmp_path / "rec"), "--json", str(out)]) == 1
    report = json.loads(out.read_text("utf-8"))
    assert report["convention"] is None
    assert not report["imported"]
    assert "rename them" in report["problems"][0]["what"]
    assert "nothing was imported" in capsys.readouterr().out


def test_a_wrong_name_and_no_folder_are_refused(
    tmp_path: Path, voices_of_nobody: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("high", "../evil", "a b", " "):
        assert main(["voices", "import", str(tmp_path), "--name", name]) == 2
        assert "choose one with --name" in capsys.readouterr().err
    assert main(["voices", "import", str(tmp_path / "none")]) == 2
    assert "expected a folder of recordings" in capsys.readouterr().err
