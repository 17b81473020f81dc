"""A whole reading as a sound file, and `cues.json`: at which sample every half and every mora begins."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import soundfile

from recitation.clip import MoraMark, Wave
from recitation.plan import SAMPLE_RATE, Cue, ReadingPlan, samples
from recitation.rhythm import Rhythm
from recitation.voices import Voice

SOUND = "match.wav"
CUES = "cues.json"
_TAIL_S = 0.5


def render(plan: ReadingPlan, voice: Voice, folder: Path) -> None:
    """Write `match.wav` (mono, 48 kHz, 16 bit) and `cues.json` into a folder, which is made where needed.

    Raises
    ------
    ValueError
        Where a clip is not as long as the plan says.
    """
    folder.mkdir(parents=True, exist_ok=True)
    told: list[dict[str, Any]] = []
    with soundfile.SoundFile(folder / SOUND, "w", SAMPLE_RATE, channels=1, subtype="PCM_16") as sound:
        for wave, cue, moras in _pieces(plan, voice):
            sound.write(wave)
            if cue is not None:
                told.append(_told(cue, moras))
    content = {
        "sample_rate": SAMPLE_RATE,
        "rhythm": rhythm_json(plan.rhythm),
        "voice": voice.name,
        "cues": told,
    }
    (folder / CUES).write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", "utf-8")


def rhythm_json(rhythm: Rhythm) -> dict[str, Any]:
    """Return a rhythm as `cues.json` holds it: name and lengths in seconds, null where as recorded."""
    return {
        "name": str(rhythm),
        "shimo_s": rhythm.shimo_s,
        "linger_s": rhythm.linger_s,
        "pause_s": rhythm.pause_s,
        "kami_s": rhythm.kami_s,
    }


def _pieces(plan: ReadingPlan, voice: Voice) -> Iterator[tuple[Wave, Cue | None, tuple[MoraMark, ...]]]:
    """Yield the sound in order: silences without a cue, clips with theirs."""
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


def _told(cue: Cue, moras: tuple[MoraMark, ...]) -> dict[str, Any]:
    return {
        "poem": cue.phrase.poem,
        "half": str(cue.phrase.half),
        "sample": cue.sample,
        "samples": cue.samples,
        "moras": [{"kana": mark.kana, "sample": cue.sample + mark.sample} for mark in moras],
    }
