"""The sound of a film keeps its instants if it begins late, pauses, or is played slower."""

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from recitation.imports.decoding import DecodingError, Track, load_tracks
from recitation.reading.plan import SAMPLE_RATE


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
