"""Measure the pitch of the shipped clips against the melody they were meant to have, and draw one of them.

uv run python benchmarks/recitation/melody.py [--every 5] [--svg docs/images/melody.svg]
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.command import read_options
from recitation.chant.contours import contour_st
from recitation.chant.score import Score, compose
from recitation.chant.singer import TIMBRES
from recitation.chant.warp import UNVOICED
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import SAMPLE_RATE
from recitation.sound.clip import Wave
from recitation.voices.catalogue import PACKS
from recitation.voices.pack import VoicePack

_STEP = SAMPLE_RATE // 200
_WINDOW = SAMPLE_RATE // 40
_PHASE_STEP = SAMPLE_RATE // 200
_DRAWN = Phrase(17, Half.SHIMO)
_WIDTH, _HEIGHT, _MARGIN = 960, 320, 46


def main() -> None:
    """Print one line per pack and draw one clip."""
    options = read_options(__doc__, every=5, svg=Path)
    for path in sorted(PACKS.glob("*.zip")):
        pack = VoicePack.open(path)
        errors = np.concatenate([_errors(pack, phrase) for phrase in list(pack)[:: options.every]])
        print(
            f"{path.stem:14s} {len(errors):7d} places: |F0 - melody| median {np.median(errors):.3f}, "
            f"p95 {np.percentile(errors, 95):.3f} semitones"
        )
    if options.svg:
        pack = VoicePack.open(PACKS / "high-4-3-1-5.zip")
        options.svg.write_text(_drawing(pack), "utf-8")


def measured(wave: Wave, contour: NDArray[np.float64], places: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the pitch in semitones at some samples, by the phase that the fundamental gains within 5 ms."""
    window = np.hanning(_WINDOW)
    found = np.empty(len(places))
    for index, at in enumerate(places):
        about_hz = 440 * 2 ** ((contour[at] - 69) / 12)
        first = at - (_WINDOW + _PHASE_STEP) // 2
        part = wave[first : first + _WINDOW + _PHASE_STEP]
        turned = part * np.exp(-2j * np.pi * about_hz * np.arange(len(part)) / SAMPLE_RATE)
        before, after = (turned[:_WINDOW] * window).sum(), (turned[_PHASE_STEP:] * window).sum()
        hz = about_hz + np.angle(after / before) * SAMPLE_RATE / (2 * np.pi * _PHASE_STEP)
        found[index] = 69 + 12 * np.log2(hz / 440)
    return found


def _places(score: Score) -> NDArray[np.int64]:
    """Return samples inside vowels, away from consonants and from the ends of ku."""
    reach = _WINDOW
    inside: list[NDArray[np.int64]] = []
    for beat in score.beats:
        lead = (beat.end - beat.start) // 2 if beat.mora.consonant in UNVOICED else reach * 2
        inside.append(np.arange(beat.start + lead, beat.end - reach * 2, _STEP))
    return np.concatenate(inside)


def _errors(pack: VoicePack, phrase: Phrase) -> NDArray[np.float64]:
    score = compose(phrase, pack.rhythm)
    contour = contour_st(score, TIMBRES[pack.voice].tone_st)
    places = _places(score)
    return np.abs(measured(pack.clip(phrase).wave, contour, places) - contour[places])


def _drawing(pack: VoicePack) -> str:
    score = compose(_DRAWN, pack.rhythm)
    contour = contour_st(score, TIMBRES[pack.voice].tone_st)
    places = _places(score)
    pitch = measured(pack.clip(_DRAWN).wave, contour, places)
    low, high = contour.min() - 1, contour.max() + 1

    def x(sample: float) -> float:
        return _MARGIN + sample / score.samples * (_WIDTH - 2 * _MARGIN)

    def y(st: float) -> float:
        return float(_HEIGHT - _MARGIN - (st - low) / (high - low) * (_HEIGHT - 2 * _MARGIN))

    line = " ".join(f"{x(at):.1f},{y(contour[at]):.1f}" for at in range(0, score.samples, _STEP))
    dots = "".join(
        f'<circle cx="{x(at):.1f}" cy="{y(st):.1f}" r="1.3"/>' for at, st in zip(places, pitch, strict=True)
    )
    words = "".join(
        f'<text x="{x(beat.start):.1f}" y="{_HEIGHT - 18}">{beat.mora.kana}</text>' for beat in score.beats
    )
    grid = "".join(
        f'<line x1="{_MARGIN}" x2="{_WIDTH - _MARGIN}" y1="{y(st):.1f}" y2="{y(st):.1f}" stroke="#ddd"/>'
        f'<text x="6" y="{y(st) + 4:.1f}">{st}</text>'
        for st in range(int(low) + 1, int(high) + 1, 2)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif" '
        f'font-size="12" fill="#333"><rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>{grid}'
        f'<polyline points="{line}" fill="none" stroke="#bbb" stroke-width="3"/>'
        f'<g fill="#b3261e">{dots}</g>{words}'
        f'<text x="{_MARGIN}" y="20">poem 17, second half, 4-3-1-5: intended (grey) and measured (red), '
        f"semitones</text></svg>\n"
    )


if __name__ == "__main__":
    main()
