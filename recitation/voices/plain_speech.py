"""Plain speech: the poem spoken, not chanted, if there is no clip to play.

The speech model of the extra `voices` speaks if it is installed, otherwise the program espeak-ng, which
sounds rough but says the right words: both get the pronunciation, never the historical kana.
"""

import io
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from math import gcd

import numpy as np
import soundfile
from numpy.typing import NDArray
from scipy.signal import resample_poly

from recitation.chant.pronunciation import moras, spoken
from recitation.reading.phrase import Phrase
from recitation.reading.plan import SAMPLE_RATE, samples
from recitation.sound.clip import Clip, Wave
from recitation.sound.loudness import levelled
from referee.sentence import SentenceError

ESPEAK = "espeak-ng"
_VOWEL_KANA = dict(zip("aiueo", "アイウエオ", strict=True))
_KU_GAP_S = 0.25
_WORDS_PER_MINUTE = 100
_LIMIT_S = 20.0
_SOUNDING = 0.02

Speak = Callable[[str], Wave]  # function that speaks one ku, given in katakana as pronounced


class SpeechMissingError(SentenceError, RuntimeError):
    """No speech program is installed; the message says what to install."""


def speech(phrase: Phrase, length: int) -> Clip:
    """Return a spoken phrase of exactly `length` samples, padded with silence or cut off.

    Raises SpeechMissingError if no speech program is installed.
    """
    speak = speaker()
    gap = np.zeros(samples(_KU_GAP_S), dtype=np.float32)
    parts = [part for ku in spoken(phrase) for part in (trimmed(speak(ku)), gap)][:-1]
    wave = levelled(np.concatenate(parts))[:length]
    return Clip(np.pad(wave, (0, length - len(wave))).astype(np.float32))


@cache
def speaker() -> Speak:
    """Return the speech model of the extra, or else espeak-ng.

    Raises SpeechMissingError if neither the extra nor espeak-ng is installed.
    """
    try:
        return _speech_model()
    except ImportError:
        if shutil.which(ESPEAK) is None:
            raise SpeechMissingError(
                "plain speech needs the extra `voices` (uv sync --extra voices) or the program espeak-ng"
            ) from None
        return espeak


def _speech_model() -> Speak:
    from recitation.chant.speech import Speaker  # noqa: PLC0415 - the extra may be absent

    model = Speaker()
    import pyopenjtalk  # noqa: PLC0415
    from pyopenjtalk.htsengine import HTSEngine  # noqa: PLC0415

    engine = HTSEngine(pyopenjtalk.DEFAULT_HTS_VOICE)

    def speak(ku: str) -> Wave:
        return np.asarray(engine.synthesize(model.labels(ku)) / 32_768, dtype=np.float32)

    return speak


def espeak(ku: str, variant: str = "", words_per_minute: int = _WORDS_PER_MINUTE) -> Wave:
    """Say one ku with the program espeak-ng.

    `variant`: one of the program's voice variants such as `+f2`; by default its usual voice.
    """
    # espeak-ng reads a lone long-vowel sign as its name, so the vowel is written instead
    text = "".join(_VOWEL_KANA[mora.vowel] if mora.kana == "ー" else mora.kana for mora in moras(ku))
    command = [ESPEAK, "-v", f"ja{variant}", "-s", str(words_per_minute), "--stdout", text]
    made = subprocess.run(command, check=True, capture_output=True, timeout=_LIMIT_S)  # noqa: S603 - no shell
    wave, rate = soundfile.read(io.BytesIO(made.stdout), dtype="float32")
    common = gcd(rate, SAMPLE_RATE)
    return np.asarray(resample_poly(wave, SAMPLE_RATE // common, rate // common), dtype=np.float32)


def trimmed(wave: NDArray[np.float32]) -> Wave:
    """Return a ku without the silence before and after it."""
    loud = np.flatnonzero(np.abs(wave) > _SOUNDING * np.abs(wave).max(initial=1e-6))
    return wave[loud[0] : loud[-1] + 1] if len(loud) else wave
