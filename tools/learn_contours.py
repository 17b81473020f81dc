"""Learn how a trained reader shapes pitch and level, as a small table of medians.

    uv run --group quality python tools/learn_contours.py [--reader FOLDER] [--out TABLE]

The reader's halves are aligned with the built-in low voice, whose moras are known. Kept are medians over all
halves in which the last ku begins with a clear dip of the pitch: how ku begin, how loud they run, how loud
each vowel is, how a tone is shaken, how the last vowel of a half ends. No sound is kept.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import librosa
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_closing, gaussian_filter1d, label

from benchmarks.recitation.quality import FRAME, RATE, READER, Tracks, recorded, tracks
from recitation.chant.score import Score, compose
from recitation.reading.phrase import JOKA, Half, Phrase
from recitation.reading.plan import SAMPLE_RATE
from recitation.reading.rhythm import parse_rhythm
from recitation.voices.catalogue import PACKS, pack_path
from recitation.voices.pack import VoicePack
from referee.cards.poems import POEMS

OUT = Path(__file__).parents[1] / "recitation" / "chant" / "contours.json"
_FRAME_S = FRAME / RATE
_FEATURE_HOP = 2 * FRAME
_STEPS = np.array([[1, 1], [1, 0], [0, 1], [1, 2], [2, 1]])
_STEP_COSTS = np.array([2.0, 1.5, 1.5, 3.0, 3.0])
_DIP_ST = (-13.0, -4.0)  # the last ku begins this far below the tone
_SHORTEST_DIP_S = 0.08
_DIP_WITHIN = (0.25, 0.75)  # part of a half in which its last ku begins
_OPENING_S = np.arange(-0.10, 0.401, 0.02)
_PLACES = 5  # places within a ku at which its level is told
_SHARES = np.linspace(0.0, 1.0, 21)
_EARLY_S = 0.5  # the beginning of a last vowel counts for the course of levels; the rest is its ending
_SHAKE_S, _SHAKE_STEP_S = 0.5, 0.25
_SLOW_S = 0.2  # what moves more slowly than this is melody, what moves faster is a shake of the voice


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One half as the reader has it: the first instants of its moras, and where its last ku begins."""

    tracks: Tracks
    score: Score
    mora_s: NDArray[np.float64]
    dip_s: float

    @property
    def half(self) -> Half:
        """Which half it is."""
        return self.score.phrase.half

    @property
    def pitch_st(self) -> NDArray[np.float64]:
        """Pitch about the reciting tone."""
        pitch: NDArray[np.float64] = self.tracks.pitch_st - np.nanmedian(self.tracks.pitch_st)
        return pitch

    @property
    def level_db(self) -> NDArray[np.float64]:
        """Level about that of the loudest vowels."""
        level: NDArray[np.float64] = self.tracks.level_db - np.percentile(self.tracks.level_db, 95)
        return level

    def frames(self, mora: int) -> slice:
        """Return the frames of one mora."""
        ends = [*self.mora_s[1:], self.tracks.length_s]
        return slice(round(self.mora_s[mora] / _FRAME_S), round(ends[mora] / _FRAME_S))


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--reader", type=Path, default=READER, help="folder with first-verse/poem-N.ogg")
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    pack = VoicePack.open(pack_path("low", parse_rhythm("5-3-1-6"), PACKS))
    phrases = [Phrase(poem, half) for poem in (JOKA, *POEMS) for half in Half]
    found = [reading for phrase in phrases if (reading := _reading(options.reader, phrase, pack)) is not None]
    course, vowels = _levels(found)
    table = {
        "halves": {str(half): sum(one.half is half for one in found) for half in Half},
        "opening": {"at_s": _rounded(_OPENING_S)} | {str(half): _openings(_of(found, half)) for half in Half},
        "course_db": course,
        "vowel_db": vowels,
        "ending": {"share": _rounded(_SHARES)} | {str(half): _ending(_of(found, half)) for half in Half},
        "shake": _shake(found),
    }
    options.out.write_text(json.dumps(table, indent=1) + "\n", "utf-8")
    print(f"{len(found)} of {len(phrases)} halves; {options.out}: {options.out.stat().st_size} bytes")


def _reading(folder: Path, phrase: Phrase, pack: VoicePack) -> Reading | None:
    """Align one half; None where the beginning of its last ku is not clear."""
    own = tracks(*recorded(folder, phrase))
    dip = _dip(own.pitch_st - np.nanmedian(own.pitch_st))
    if dip is None:
        return None
    score = compose(phrase, pack.rhythm)
    made_s = np.array([beat.start for beat in score.beats]) / SAMPLE_RATE
    voice = librosa.resample(pack.clip(phrase).wave, orig_sr=SAMPLE_RATE, target_sr=RATE)
    last_s = score.of_ku(len(score.ku) - 1)[0].start / SAMPLE_RATE
    hop_s = _FEATURE_HOP / RATE
    made, read = _features(voice), _features(own.wave)
    split = round(last_s / hop_s), round(dip / hop_s)
    pairs = np.concatenate(
        [
            _path(made[:, : split[0]], read[:, : split[1]]),
            _path(made[:, split[0] :], read[:, split[1] :]) + split,
        ]
    )
    places = np.searchsorted(pairs[:, 0] * hop_s, made_s - 1e-6)
    return Reading(own, score, pairs[np.minimum(places, len(pairs) - 1), 1] * hop_s, dip)


def _dip(pitch_st: NDArray[np.float64]) -> float | None:
    """Return where the pitch falls for the last ku, in seconds."""
    low = np.nan_to_num((pitch_st > _DIP_ST[0]) & (pitch_st < _DIP_ST[1]))
    labels, count = label(binary_closing(low, iterations=3))
    dips = [np.flatnonzero(labels == one) for one in range(1, count + 1)]
    first, last = (share * len(pitch_st) for share in _DIP_WITHIN)
    clear = [
        dip for dip in dips if dip[0] > first and dip[-1] < last and len(dip) * _FRAME_S >= _SHORTEST_DIP_S
    ]
    return float(max(clear, key=len)[0] * _FRAME_S) if clear else None


def _features(wave: NDArray[np.floating]) -> NDArray[np.float64]:
    cepstra = librosa.feature.mfcc(
        y=wave.astype(np.float32),
        sr=RATE,
        n_mfcc=14,
        n_fft=512,
        hop_length=_FEATURE_HOP,
        n_mels=32,
        fmax=6000,
    )[1:]
    features: NDArray[np.float64] = (cepstra - cepstra.mean(axis=1, keepdims=True)) / cepstra.std(
        axis=1, keepdims=True
    )
    return features


def _path(made: NDArray[np.float64], read: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the pairs of frames that belong together, in order."""
    _, pairs = librosa.sequence.dtw(
        made, read, metric="cosine", step_sizes_sigma=_STEPS, weights_mul=_STEP_COSTS
    )
    path: NDArray[np.int64] = pairs[::-1]
    return path


def _openings(found: Sequence[Reading]) -> list[list[float]]:
    """Return for each ku how far from the tone it is at `_OPENING_S`; a ku between two others runs on."""
    first = _medians([_at(one.pitch_st, _OPENING_S) for one in found])
    last = _medians([_at(one.pitch_st, one.dip_s + _OPENING_S) for one in found])
    between = [[0.0] * len(_OPENING_S)] * (len(found[0].score.ku) - 2)
    return [first, *between, last]


def _ending(found: Sequence[Reading]) -> dict[str, list[float]]:
    """Return pitch and level over the last vowel, the level about its own beginning."""
    pitch, level = [], []
    for one in found:
        part = one.frames(len(one.mora_s) - 1)
        at_s = (part.start + _SHARES * (part.stop - part.start - 1)) * _FRAME_S
        pitch.append(_at(one.pitch_st, at_s))
        level.append(_at(one.level_db, at_s) - _loud(one.level_db[part][: round(_EARLY_S / _FRAME_S)]))
    return {"pitch_st": _medians(pitch), "level_db": _medians(level)}


def _levels(found: Sequence[Reading]) -> tuple[dict[str, list[list[float]]], dict[str, float]]:
    """Return the level by place in each ku, and by vowel: medians of two effects that add up."""
    rows: list[tuple[tuple[Half, int, int], str, float]] = []
    for one in found:
        for index, beat in enumerate(one.score.beats):
            level = one.level_db[one.frames(index)]
            if index == len(one.mora_s) - 1:
                level = level[: round(_EARLY_S / _FRAME_S)]
            if len(level) * _FRAME_S >= 0.05:
                own = one.score.of_ku(beat.ku)
                place = min(own.index(beat) * _PLACES // (len(own) - 1), _PLACES - 1)
                rows.append(((one.half, beat.ku, place), beat.mora.vowel, _loud(level)))
    vowels: dict[str, float] = dict.fromkeys("aiueoN", 0.0)
    for _ in range(8):
        course = _grouped([(place, level - vowels[vowel]) for place, vowel, level in rows])
        vowels = _grouped([(vowel, level - course[place]) for place, vowel, level in rows])
    places = {half: range(len(_of(found, half)[0].score.ku)) for half in Half}
    told = {
        str(half): [[round(course[half, ku, place], 2) for place in range(_PLACES)] for ku in places[half]]
        for half in Half
    }
    return told, {vowel: round(level, 2) for vowel, level in sorted(vowels.items())}


def _shake(found: Sequence[Reading]) -> dict[str, Any]:
    """Return rate, depth and level of the shake on held tones: of those inside a half, and of the last."""
    rows: dict[str, list[tuple[float, float, float, float]]] = defaultdict(list)
    size, step = round(_SHAKE_S / _FRAME_S), round(_SHAKE_STEP_S / _FRAME_S)
    window, hz = np.hanning(size), np.fft.rfftfreq(8 * size, _FRAME_S)
    for one in found:
        for index in range(len(one.mora_s)):
            part = one.frames(index)
            inner = slice(part.start + 16, part.stop - 8)
            pitch, level = one.pitch_st[inner], one.level_db[inner]
            if len(pitch) < size or np.isnan(pitch).any() or np.ptp(pitch) > 2.0:
                continue
            fast, loud = (track - gaussian_filter1d(track, _SLOW_S / _FRAME_S) for track in (pitch, level))
            for at in range(0, len(fast) - size + 1, step):
                own, its_level = fast[at : at + size], loud[at : at + size]
                power = np.abs(np.fft.rfft(own * window, 8 * size)) ** 2
                rows["last" if index == len(one.mora_s) - 1 else "inside"].append(
                    (
                        float(hz[power.argmax()]),
                        float(np.sqrt(2) * own.std()),
                        float(np.sqrt(2) * its_level.std()),
                        float(np.corrcoef(own, its_level)[0, 1]),
                    )
                )
    told = {}
    for name, values in rows.items():
        rate, depth, level_db, together = np.median(values, axis=0)
        spread = float(np.subtract(*np.percentile([row[0] for row in values], [75, 25]))) / 1.35
        told[name] = {
            "rate_hz": round(float(rate), 2),
            "rate_sd_hz": round(spread, 2),
            "depth_st": round(float(depth), 3),
            "level_db": round(float(level_db), 2),
            "correlation": round(float(together), 2),
        }
    return told


def _of(found: Sequence[Reading], half: Half) -> list[Reading]:
    return [one for one in found if one.half is half]


def _at(track: NDArray[np.float64], at_s: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a track at some instants; NaN outside it."""
    frames = np.round(at_s / _FRAME_S).astype(int)
    inside = (frames >= 0) & (frames < len(track))
    return np.where(inside, track[np.clip(frames, 0, len(track) - 1)], np.nan)


def _loud(level_db: NDArray[np.float64]) -> float:
    return float(np.percentile(level_db, 75))


def _medians(rows: Sequence[NDArray[np.float64]]) -> list[float]:
    """Return the median of each column; a column that nobody sounds in takes the next one's."""
    heard = np.array(rows)
    filled = np.sum(~np.isnan(heard), axis=0) > 0.1 * len(heard)
    columns = np.flatnonzero(filled)
    middle = np.nanmedian(heard[:, columns], axis=0)
    return _rounded(np.interp(np.arange(heard.shape[1]), columns, middle))


def _grouped(pairs: Sequence[tuple[Any, float]]) -> dict[Any, float]:
    groups: dict[Any, list[float]] = defaultdict(list)
    for key, value in pairs:
        groups[key].append(value)
    return {key: float(np.median(values)) for key, values in groups.items()}


def _rounded(values: NDArray[np.float64]) -> list[float]:
    return [round(float(value), 3) for value in values]


if __name__ == "__main__":
    main()
