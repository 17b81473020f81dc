"""The sound of a simulated match: hands landing on cards and tatami, sliding cards, a humming room."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

RATE_HZ = 48_000


def render_sound(
    truth: dict[str, Any], seconds: float, seed: int, *, distance_m: tuple[float, float] = (0.7, 1.3)
) -> NDArray[np.float32]:
    """Return what a microphone beside the field hears of a match.

    Returns: shape (samples,), 48 kHz, -1..1.

    Parameters
    ----------
    truth : that of the match, as `truth.json` holds it.
    seconds : length of the sound; its first sample is the video's time 0.
    distance_m : range of the microphone's distance from each contact.
    """
    dice = np.random.default_rng([seed, 77])
    wave = dice.normal(0, 4e-4, round(seconds * RATE_HZ))
    sound_mps = 343.0
    # Contacts of one player within this time belong to one stroke: only the first is a full blow.
    sweep_ms = 120.0
    for poem in truth["poems"]:
        earlier: dict[str, float] = {}
        for touch in sorted(poem["touches"], key=lambda each: each["t_ms"]):
            since_ms = touch["t_ms"] - earlier.get(touch["player"], -1e9)
            earlier[touch["player"]] = touch["t_ms"]
            quieter_db = 0.0 if since_ms > sweep_ms else dice.uniform(4, 12)
            loudness = 0.3 * 10 ** (-(quieter_db + dice.uniform(0, 8)) / 20)
            late_s = dice.uniform(*distance_m) / sound_mps
            _strike(wave, touch["t_ms"] / 1e3 + late_s, loudness, dice)
    return np.clip(wave, -1, 1).astype(np.float32)


def _strike(wave: NDArray[np.float64], t_s: float, loudness: float, dice: np.random.Generator) -> None:
    """Add a hand's blow: a click of skin on card, the board's thud, and a rattle afterwards."""
    begin = round(t_s * RATE_HZ)
    length = min(len(wave) - begin, RATE_HZ // 8)
    if begin < 0 or length <= 0:
        return
    since_s = np.arange(length) / RATE_HZ
    rise = 1 - np.exp(-since_s / 1.5e-4)
    click = dice.normal(0, 1, length) * np.exp(-since_s / dice.uniform(0.002, 0.006))
    thud_hz = dice.uniform(90, 180)
    thud = 1.5 * np.sin(2 * np.pi * thud_hz * since_s) * np.exp(-since_s / 0.03)
    slide = 0.04 * dice.normal(0, 1, length) * np.exp(-since_s / 0.06)
    wave[begin : begin + length] += loudness * rise * (click + thud + slide) / 2
