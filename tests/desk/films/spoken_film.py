"""A film as a phone makes it: a poem of a simulated match in MP4, with the built-in voice that reads it."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import SAMPLE_RATE
from recitation.reading.rhythm import DEFAULT
from recitation.sound.clip import Wave
from recitation.voices.catalogue import find_voice
from vision.recordings.recording import load_recording


def reading_sound(readings: Sequence[tuple[float, int]], seconds: float) -> Wave:
    """Return what a phone hears of upper verses that begin at these seconds, in a room with some noise."""
    voice = find_voice("high", DEFAULT)
    noise = np.random.default_rng(0).normal(0, 0.001, round(seconds * SAMPLE_RATE))
    wave = noise.astype(np.float32)
    for t_s, poem in readings:
        spoken, begin = voice.clip(Phrase(poem, Half.KAMI)).wave, round(t_s * SAMPLE_RATE)
        length = min(len(spoken), len(wave) - begin)
        wave[begin : begin + length] += spoken[:length]
    return wave


def phone_film(recording: Path, out: Path, sound: Wave | None = None, slower: int = 1) -> Path:
    """Write a recording's video into a plain MP4, with a sound; played so many times slower than filmed."""
    with av.open(str(load_recording(recording).video)) as source, av.open(str(out), "w") as target:
        video = target.add_stream("libx264", rate=30, options={"preset": "ultrafast", "crf": "20"})
        stored = source.streams.video[0]
        video.width, video.height, video.pix_fmt = stored.width, stored.height, "yuv420p"
        video.codec_context.time_base = Fraction(1, 1000)
        heard = None if sound is None else target.add_stream("aac", rate=SAMPLE_RATE, layout="mono")
        for picture in source.decode(video=0):
            shown = picture.reformat(format="yuv420p")
            assert picture.pts is not None
            shown.pts, shown.time_base = picture.pts * slower, picture.time_base
            target.mux(video.encode(shown))
        target.mux(video.encode(None))
        if sound is not None and heard is not None:
            block = av.AudioFrame.from_ndarray(sound[None, :], format="fltp", layout="mono")
            block.sample_rate, block.pts, block.time_base = SAMPLE_RATE, 0, Fraction(1, SAMPLE_RATE)
            target.mux(heard.encode(block))
            target.mux(heard.encode(None))
    return out
