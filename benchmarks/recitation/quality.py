"""How near the built-in voices come to a human reader: rated quality, and contours of pitch and level.

    uv run --group quality python -m benchmarks.recitation.quality [--every 13] [--packs FOLDER] [--json OUT]

Upper verses of every pack and of the reader in `../shared/data/reader` go through the same measures in one
run. DNSMOS rates overall quality, signal and background from 1 to 5, at 16 kHz. A contour is the pitch in
semitones about its median, or the level in dB below its peak, over a clip without the silences around it,
brought to `_POINTS` points. Its distance to the reader is the mean RMS distance to his other poems; the ratio
is that over the distance between his own poems, so 1 is as near as he is to himself.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import gcd
from pathlib import Path
from typing import Any

import numpy as np
import soundfile
from numpy.typing import NDArray
from scipy.signal import resample_poly

from benchmarks.command import read_options, write_json
from benchmarks.places import SHARED
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import SAMPLE_RATE
from recitation.voices.catalogue import PACKS
from recitation.voices.pack import VoicePack

READER = SHARED / "data" / "reader"
FOLDERS = {Half.KAMI: "first-verse", Half.SHIMO: "second-verse"}
RATE = 16_000  # samples per second at which everything is measured
FRAME = 80  # samples between two places of a track (5 ms)
_LOWEST_HZ, _HIGHEST_HZ = 60.0, 600.0
_WINDOW = np.hanning(8 * FRAME + 1) / np.hanning(8 * FRAME + 1).sum()
_SILENCE_DB = 40.0  # what lies this far below a clip's peak is silence around it
_POINTS = 200
_FURTHEST_ST = (-14.0, 7.0)  # a pitch beyond these is a slip of the tracker

Sound = NDArray[np.float64]
Recording = tuple[NDArray[np.floating], int]  # a wave and its samples per second


@dataclass(frozen=True, slots=True, eq=False)
class Tracks:
    """A clip without its silences, a value every 5 ms."""

    wave: Sound  # (samples,) at `RATE`
    pitch_st: Sound  # (frames,) semitones, 69 = 440 Hz; NaN where there is no voice
    level_db: Sound  # (frames,) dB of full scale

    @property
    def length_s(self) -> float:
        """Seconds that are heard."""
        return len(self.wave) / RATE


def main() -> int:
    """Print a row for the reader and for each pack, optionally write JSON."""
    arguments = read_options(__doc__, every=13, packs=PACKS, reader=READER)
    poems = list(range(1, 101, arguments.every))
    read = [recorded(arguments.reader, Phrase(poem, Half.KAMI)) for poem in poems]
    reader = [_contours(tracks(*clip)) for clip in read]
    rate = rater()
    rows = [_row("human reader", read, reader, rate)]
    for path in sorted(arguments.packs.glob("*.zip")):
        pack = VoicePack.open(path)
        made = [(pack.clip(Phrase(poem, Half.KAMI)).wave, SAMPLE_RATE) for poem in poems]
        rows.append(_row(path.stem, made, reader, rate))
    print(f"{'':14s} {'overall':>12s} {'signal':>12s} {'background':>12s} {'pitch':>6s} {'level':>6s}")
    for row in rows:
        rated = " ".join(f"{row[name]:5.2f} +- {row[name + '_sd']:.2f}" for name in _RATINGS)
        print(f"{row['voice']:14s} {rated} {row['pitch_ratio']:6.2f} {row['level_ratio']:6.2f}")
    print(f"{len(poems)} upper verses each; +- is the standard deviation between poems")
    write_json(arguments.json, rows)
    return 0


_RATINGS = ("overall", "signal", "background")
Rater = Callable[[Sound], tuple[float, float, float]]


def rater() -> Rater:
    """Return DNSMOS: takes a wave at `RATE`, gives overall, signal and background."""
    from speechmos import dnsmos

    def rate(wave: Sound) -> tuple[float, float, float]:
        rated = dnsmos.run(np.clip(wave, -1, 1).astype(np.float32), RATE)
        return float(rated["ovrl_mos"]), float(rated["sig_mos"]), float(rated["bak_mos"])

    return rate


def recorded(folder: Path, phrase: Phrase) -> Recording:
    """Return a reader's half, mono, and its samples per second."""
    wave, rate = soundfile.read(folder / FOLDERS[phrase.half] / f"poem-{phrase.poem}.ogg", always_2d=True)
    return wave.mean(axis=1), rate


def tracks(wave: NDArray[np.floating], rate: int) -> Tracks:
    """Follow pitch and level of a clip, from its first sound to its last."""
    import pyworld

    sound = _resampled(wave, rate)
    loud = np.flatnonzero((level := _level_db(sound)) > level.max() - _SILENCE_DB)
    heard = np.ascontiguousarray(sound[loud[0] * FRAME : (loud[-1] + 1) * FRAME])
    rough, t_s = pyworld.dio(heard, RATE, _LOWEST_HZ, _HIGHEST_HZ, frame_period=1000 * FRAME / RATE)
    hz = pyworld.stonemask(heard, rough, t_s, RATE)[: len(heard) // FRAME]
    pitch = np.where(hz > 0, 69 + 12 * np.log2(np.maximum(hz, 1.0) / 440), np.nan)
    return Tracks(heard, pitch, _level_db(heard)[: len(pitch)])


def _resampled(wave: NDArray[np.floating], rate: int) -> Sound:
    common = gcd(rate, RATE)
    sound: Sound = resample_poly(wave.astype(np.float64), RATE // common, rate // common)
    return sound


def _level_db(wave: Sound) -> Sound:
    level: Sound = 10 * np.log10(np.convolve(wave**2, _WINDOW, "same")[::FRAME] + 1e-10)
    return level


def _contours(one: Tracks) -> Sound:
    """Return pitch and level at equal steps of a clip, shape (2, _POINTS)."""
    frames = np.arange(len(one.pitch_st))
    voiced = np.flatnonzero(~np.isnan(one.pitch_st))
    pitch = np.interp(frames, voiced, one.pitch_st[voiced]) - np.median(one.pitch_st[voiced])
    level = np.maximum(one.level_db - one.level_db.max(), -_SILENCE_DB)
    places = np.linspace(0, len(frames) - 1, _POINTS)
    return np.array([np.interp(places, frames, track) for track in (np.clip(pitch, *_FURTHEST_ST), level)])


def _row(voice: str, clips: Sequence[Recording], reader: Sequence[Sound], rate: Rater) -> dict[str, Any]:
    ratings = np.array([rate(_resampled(*clip)) for clip in clips])
    ratios = _distance([_contours(tracks(*clip)) for clip in clips], reader) / _distance(reader, reader)
    return {
        "voice": voice,
        **dict(zip(_RATINGS, ratings.mean(axis=0).tolist(), strict=True)),
        **{name + "_sd": sd for name, sd in zip(_RATINGS, ratings.std(axis=0).tolist(), strict=True)},
        "pitch_ratio": float(ratios[0]),
        "level_ratio": float(ratios[1]),
    }


def _distance(made: Sequence[Sound], reader: Sequence[Sound]) -> Sound:
    """Return the mean RMS distance of contours to the reader's contours of other poems, shape (2,)."""
    apart = [
        np.sqrt(np.mean((own - other) ** 2, axis=1))
        for index, own in enumerate(made)
        for place, other in enumerate(reader)
        if index != place
    ]
    mean: Sound = np.mean(apart, axis=0)
    return mean


if __name__ == "__main__":
    sys.exit(main())
