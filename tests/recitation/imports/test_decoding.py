"""Sound files whose headers announce absurd lengths."""

import os
import tracemalloc
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
import soundfile

from recitation.imports.decoding import DecodingError, Track, false_length, load, load_tracks, read
from recitation.reading.plan import SAMPLE_RATE


def test_a_header_that_promises_days_is_refused_or_not_believed(tmp_path: Path) -> None:
    flac, wav = tmp_path / "a.flac", tmp_path / "a.wav"
    for path in (flac, wav):
        soundfile.write(path, np.full(4800, 0.1, np.float32), 48_000)
    head = bytearray(flac.read_bytes())
    head[21:26] = bytes([head[21] | 0x0F]) + b"\xff\xff\xff\xff"  # 36 bits of STREAMINFO: 16 days
    flac.write_bytes(head)
    with pytest.raises(DecodingError, match="more than 2 hours"):
        load(flac)
    head = bytearray(wav.read_bytes())
    head[40:44] = b"\xff\xff\xff\xff"  # the length of `data`, as programs leave it that write into a pipe
    wav.write_bytes(head)
    assert len(load(wav)) == 4800


def test_what_libsndfile_does_not_know_is_counted_while_it_is_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.wav"
    soundfile.write(path, np.zeros((96_000, 2), np.float32), 48_000)
    assert read(path)[0].shape == (96_000, 2)
    monkeypatch.setattr("recitation.imports.decoding.MOST_S", 1)
    monkeypatch.setattr(
        "recitation.imports.decoding._by_libsndfile", lambda path: soundfile.SoundFile(path.parent / "none")
    )
    with pytest.raises(DecodingError, match="hours of sound"):
        load(path)


@pytest.mark.skipif(os.name == "nt", reason="Windows permits no colon in a name")
def test_the_name_of_a_file_is_no_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("concat:a.mka")
    with av.open(f"file:{path}", "w", format="matroska") as container:
        stream = container.add_stream("pcm_s16le", rate=48_000, layout="mono")
        sound = av.AudioFrame.from_ndarray(np.zeros((1, 4800), np.int16), layout="mono")
        sound.sample_rate = 48_000
        container.mux(stream.encode(sound))
    assert len(load(path)) == 4800


def test_a_playlist_is_no_sound(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "secret.wav", np.zeros(4800, np.float32), 48_000)
    playlist = tmp_path / "a.m4a"
    playlist.write_text("ffconcat version 1.0\nfile secret.wav\n", encoding="utf-8")
    for opened in (load, load_tracks):
        with pytest.raises(DecodingError, match="cannot be read"):
            opened(playlist)


def test_a_header_that_promises_more_samples_a_second_than_any_device_is_refused(tmp_path: Path) -> None:
    """The filter from its rate to ours would take 320 GB."""
    path = tmp_path / "rate.wav"
    soundfile.write(path, np.zeros(4000, np.float32), 48_000, subtype="PCM_16")
    head = bytearray(path.read_bytes())
    head[24:28] = (0x7FFFFFFF).to_bytes(4, "little")
    path.write_bytes(head)
    with pytest.raises(DecodingError, match="expected 1000 to 1000000 samples per second, got 2147483647"):
        load(path)


@pytest.mark.parametrize("said", [0, 1000, 2 * 4800 * 2])
def test_a_false_length_in_a_header_loses_no_sound(tmp_path: Path, said: int) -> None:
    """A program that is ended while it records leaves such a header."""
    path = tmp_path / "a.wav"
    soundfile.write(path, np.full(4800, 0.1, np.float32), 48_000)
    head = bytearray(path.read_bytes())
    head[40:44] = said.to_bytes(4, "little")
    path.write_bytes(head)
    lengths = false_length(path)
    assert lengths is not None
    assert (lengths.said, lengths.there) == (said, 9600)
    np.testing.assert_allclose(load(path), 0.1, atol=1e-4)


def test_a_false_length_makes_no_copy_of_a_huge_file(tmp_path: Path) -> None:
    path = tmp_path / "a.wav"
    soundfile.write(path, np.full(48, 0.1, np.float32), 48_000)
    head = bytearray(path.read_bytes())
    head[40:44] = (0).to_bytes(4, "little")
    path.write_bytes(head)
    os.truncate(path, 3 << 30)
    tracemalloc.start()
    try:
        with pytest.raises(DecodingError, match="more than 2 hours"):
            load(path)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("form", ["WAV", "RF64", "MP3", "FLAC"])
@pytest.mark.parametrize("title", ["", "a title after the sound"])
def test_true_headers_are_believed(tmp_path: Path, form: str, title: str) -> None:
    path = tmp_path / "a.wav"
    with soundfile.SoundFile(path, "w", 48_000, 1, format=form) as file:
        file.write(np.full(4801, 0.1, np.float32))
        if title and form in {"WAV", "RF64"}:
            file.title = title
    assert false_length(path) is None
    assert len(load(path)) >= 4801


def test_an_empty_file_is_named_so(tmp_path: Path) -> None:
    (tmp_path / "a.wav").touch()
    with pytest.raises(DecodingError, match="expected sound, but the file is empty: copy it again"):
        load(tmp_path / "a.wav")


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e30])
def test_samples_that_are_no_sound_are_refused_in_words(tmp_path: Path, value: float) -> None:
    path = tmp_path / "a.wav"
    soundfile.write(path, np.array([0.1, value, 0.1], np.float32), 48_000, subtype="FLOAT")
    with pytest.raises(DecodingError, match="export the sound anew with 16 or 24 bits"):
        load(path)


def film(path: Path, *parts: tuple[float, float], rate: int = SAMPLE_RATE, before: bool = False) -> Path:
    """Write a film whose sound hums in these parts, each from a second on for so many seconds.

    Where another sound comes before it, that is silent.
    """
    with av.open(str(path), "w") as target:
        silent = target.add_stream("pcm_s16le", rate=rate, layout="mono") if before else None
        heard = target.add_stream("pcm_s16le", rate=rate, layout="stereo")
        if silent is not None:
            quiet = av.AudioFrame.from_ndarray(np.zeros((1, rate), np.int16), format="s16", layout="mono")
            quiet.sample_rate, quiet.pts, quiet.time_base = rate, 0, Fraction(1, rate)
            target.mux(silent.encode(quiet))
            target.mux(silent.encode(None))
        for begin_s, length_s in parts:
            hum = 8000 * np.sin(np.arange(round(length_s * rate)) * 2 * np.pi * 200 / rate)
            block = av.AudioFrame.from_ndarray(
                np.repeat(hum, 2)[None, :].astype(np.int16), format="s16", layout="stereo"
            )
            block.sample_rate, block.pts, block.time_base = rate, round(begin_s * rate), Fraction(1, rate)
            target.mux(heard.encode(block))
        target.mux(heard.encode(None))
    return path


def only(tracks: list[Track]) -> Track:
    (track,) = tracks
    return track


def test_sound_that_begins_late_and_pauses_keeps_its_instants(tmp_path: Path) -> None:
    track = only(load_tracks(film(tmp_path / "film.mkv", (0.5, 0.5), (2.0, 0.5))))
    assert track.start_s == pytest.approx(0.5, abs=0.01)
    assert len(track.wave) / SAMPLE_RATE == pytest.approx(2.0, abs=0.01)
    sounds = np.abs(track.wave.reshape(-1, len(track.wave) // 40)[:40]).max(axis=1) > 0.1
    assert sounds.tolist() == [True] * 10 + [False] * 20 + [True] * 10


def test_the_sound_of_slow_motion_is_heard_at_its_own_pace(tmp_path: Path) -> None:
    track = only(load_tracks(film(tmp_path / "film.mkv", (4.0, 4.0)), slowed=8.0))
    assert (track.start_s, len(track.wave) / SAMPLE_RATE) == pytest.approx((0.5, 0.5), abs=0.01)
    hz = np.fft.rfftfreq(len(track.wave), 1 / SAMPLE_RATE)[np.argmax(np.abs(np.fft.rfft(track.wave)))]
    assert hz == pytest.approx(8 * 200, rel=0.01)


def test_a_film_without_sound_has_none_and_what_is_no_film_is_named(tmp_path: Path) -> None:
    with av.open(str(tmp_path / "silent.mkv"), "w") as target:
        video = target.add_stream("mjpeg", rate=30)
        video.width, video.height, video.pix_fmt = 64, 64, "yuvj420p"
        target.mux(video.encode(av.VideoFrame.from_ndarray(np.zeros((64, 64, 3), np.uint8))))
        target.mux(video.encode(None))
    assert load_tracks(tmp_path / "silent.mkv") == []
    (tmp_path / "notes.mkv").write_bytes(b"no film")
    with pytest.raises(DecodingError, match="cannot be read"):
        load_tracks(tmp_path / "notes.mkv")


def test_every_sound_of_a_film_is_told(tmp_path: Path) -> None:
    silent, humming = load_tracks(film(tmp_path / "film.mkv", (0.5, 0.5), before=True))
    assert np.abs(silent.wave).max() == 0
    assert (humming.start_s, np.abs(humming.wave).max()) == pytest.approx((0.5, 0.35), abs=0.02)


def test_a_pause_of_hours_does_not_fill_the_memory(tmp_path: Path) -> None:
    with pytest.raises(DecodingError, match="more than 2 hours"):
        load_tracks(film(tmp_path / "film.mkv", (0.5, 0.5), (90_000.0, 0.5)))
