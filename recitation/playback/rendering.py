"""A whole reading as a sound file, and `cues.json` with the first sample of every half and every mora."""

import wave
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from calibration.files import json_text
from calibration.files.storage import keep_text, writing
from recitation.reading.plan import SAMPLE_RATE, Cue, ReadingPlan, samples
from recitation.reading.rhythm import Rhythm
from recitation.sound.clip import MoraMark, Wave, in_16_bit
from recitation.voices.catalogue import Voice

SOUND = "match.wav"
CUES = "cues.json"
_TAIL_S = 0.5


def render(plan: ReadingPlan, voice: Voice, folder: Path) -> None:
    """Write `match.wav` (mono, 48 kHz, 16 bit) and `cues.json` into a folder; make the folder if needed.

    Raises ValueError if a clip is not as long as the plan says. Raises OSError if a file cannot be written;
    no part of it is left behind.
    """
    folder.mkdir(parents=True, exist_ok=True)
    told: list[dict[str, Any]] = []
    with writing(folder / SOUND) as stream, wave.open(stream, "wb") as sound:
        sound.setparams((1, 2, SAMPLE_RATE, 0, "NONE", "not compressed"))
        for piece, cue, moras in _pieces(plan, voice):
            sound.writeframesraw(in_16_bit(piece))
            if cue is not None:
                told.append(_cue_json(cue, moras))
    content = {
        "sample_rate": SAMPLE_RATE,
        "rhythm": rhythm_json(plan.rhythm),
        "voice": voice.name,
        "cues": told,
    }
    keep_text(folder / CUES, json_text.dump(content, indent=1) + "\n")


def rhythm_json(rhythm: Rhythm) -> dict[str, Any]:
    """Return a rhythm in the format of `cues.json`: name and lengths in seconds, null for "as recorded"."""
    return {"name": str(rhythm), **asdict(rhythm)}


def _pieces(plan: ReadingPlan, voice: Voice) -> Iterator[tuple[Wave, Cue | None, tuple[MoraMark, ...]]]:
    """Yield the sound in order: silences (cue None) and clips with their cue and moras."""
    at = 0
    for cue in plan:
        clip = voice.clip(cue.phrase)
        if clip.samples != cue.samples:
            raise ValueError(
                f"expected {cue.samples} samples for the {cue.phrase}, the voice gave {clip.samples}"
            )
        yield np.zeros(cue.sample - at, np.float32), None, ()
        yield clip.wave, cue, clip.moras
        at = cue.end
    yield np.zeros(samples(_TAIL_S), np.float32), None, ()


def _cue_json(cue: Cue, moras: tuple[MoraMark, ...]) -> dict[str, Any]:
    return {
        "poem": cue.phrase.poem,
        "half": str(cue.phrase.half),
        "sample": cue.sample,
        "samples": cue.samples,
        "moras": [{"kana": mark.kana, "sample": cue.sample + mark.sample} for mark in moras],
    }
