"""Plain speech as parameters: the speech model's output for each 5 ms of a ku.

The engine gives its parameters (mel-cepstra), not a wave: the chant is sung from them at its own pitch and
pace, so no synthetic voice has to be analysed. The library's compiled extension exports the engine's C
functions; they are called through `ctypes`.
"""

import ctypes
import os
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recitation.chant.contours import learnt
from recitation.chant.pronunciation import moras
from recitation.chant.score import Beat
from recitation.reading.plan import SAMPLE_RATE
from referee.sentence import SentenceError

FRAME_S = 0.005  # length of one frame of the model
WARP_ALPHA = 0.55  # frequency warping of the model's mel-cepstra
_ENGINE_BYTES = 16_384  # the engine's struct is a few hundred bytes; its size is not exported
_SPECTRUM = 0  # index of the engine's stream of mel-cepstra
_ORDER = 35  # mel-cepstral coefficients per frame of the bundled model


class VoicesMissingError(SentenceError, ImportError):
    """The extra `voices` is not installed."""


@dataclass(frozen=True, slots=True, eq=False)
class Speech:
    """One ku as spoken."""

    phonemes: tuple[str, ...]  # without the silences around the ku
    # (len(phonemes) + 1,) first frame of each phoneme, and the frame at which the last one ends
    edges: NDArray[np.int64]
    # (frames, 35) mel-cepstra, natural logarithm, frequency warping `WARP_ALPHA`
    cepstra: NDArray[np.float64]


class Speaker:
    """A speech model.

    Raises VoicesMissingError if the extra is not installed; the message says how to install it.

    `voice`: an HTS voice with mel-cepstra of the bundled one's order and warping; None takes the bundled one.
    """

    def __init__(self, voice: Path | None = None) -> None:
        try:
            # at import, the library prints messages about parts that are not used here
            with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
                import pyopenjtalk  # noqa: PLC0415 - the extra may be absent, and it is slow to load
                from pyopenjtalk import htsengine, openjtalk  # noqa: PLC0415
        except ImportError as error:
            raise VoicesMissingError(
                "rendering a voice needs the extra `voices`: uv sync --extra voices (or uv tool "
                "install '.[voices]')"
            ) from error
        self._labeller = openjtalk.OpenJTalk(dn_mecab=pyopenjtalk.OPEN_JTALK_DICT_DIR)
        self._library = _declared(ctypes.CDLL(htsengine.__file__))
        self._engine = ctypes.create_string_buffer(_ENGINE_BYTES)
        self._library.HTS_Engine_initialize(self._engine)
        file = os.fsencode(voice) if voice else pyopenjtalk.DEFAULT_HTS_VOICE
        voices = (ctypes.c_char_p * 1)(file)
        if not self._library.HTS_Engine_load(self._engine, voices, 1):
            raise VoicesMissingError(
                "the speech model of the extra `voices` cannot be loaded; install it again"
            )

    def speak(self, ku: str) -> Speech:
        """Return the parameters of one ku in katakana; ValueError if the engine reads other phonemes."""
        labels = self.labels(ku)
        said = tuple(label.split("-", 1)[1].split("+", 1)[0] for label in labels)[1:-1]
        expected = tuple(sound for mora in moras(ku) for sound in mora.phonemes)
        if said != expected:
            raise ValueError(f"expected the phonemes {' '.join(expected)} for {ku}, got {' '.join(said)}")
        engine, library = self._engine, self._library
        library.HTS_Engine_refresh(engine)
        lines = (ctypes.c_char_p * len(labels))(*(label.encode() for label in labels))
        if not library.HTS_Engine_synthesize_from_strings(engine, lines, len(labels)):
            raise ValueError(f"the speech engine refused {ku}")
        edges = np.cumsum([0, *self._durations(len(labels))])
        cepstra = np.array([self._frame(frame) for frame in range(edges[1], edges[-2])])
        return Speech(said, edges[1:-1] - edges[1], cepstra)

    def labels(self, ku: str) -> list[str]:
        """Return the engine's full-context labels of a ku in katakana, silences at both ends.

        The pronunciation goes straight to the label maker, so that no dictionary guesses readings. No vowel
        is devoiced, because a chanted vowel never is.
        """
        word: Any = {
            **dict.fromkeys(("pos_group2", "pos_group3", "ctype", "cform", "chain_rule"), "*"),
            **dict.fromkeys(("string", "orig", "read", "pron"), ku),
            **dict.fromkeys(("is_reading_protected", "is_reading_rewritten"), False),
            "pos": "名詞",
            "pos_group1": "一般",
            "acc": 0,
            "mora_size": len(moras(ku)),
            "chain_flag": -1,
        }
        made: list[str] = self._labeller.make_label([word])
        return made

    def _durations(self, labels: int) -> list[int]:
        """Return how many frames each label lasts."""
        count = self._library.HTS_Engine_get_nstate(self._engine)
        frames = [
            self._library.HTS_Engine_get_state_duration(self._engine, state)
            for state in range(labels * count)
        ]
        return [sum(frames[first : first + count]) for first in range(0, len(frames), count)]

    def _frame(self, frame: int) -> list[float]:
        parameter = self._library.HTS_Engine_get_generated_parameter
        return [parameter(self._engine, _SPECTRUM, frame, row) for row in range(_ORDER)]


def _declared(library: Any) -> Any:
    handle, size = ctypes.c_void_p, ctypes.c_size_t
    library.HTS_Engine_load.argtypes = [handle, ctypes.POINTER(ctypes.c_char_p), size]
    library.HTS_Engine_synthesize_from_strings.argtypes = [handle, ctypes.POINTER(ctypes.c_char_p), size]
    library.HTS_Engine_get_nstate.restype = size
    library.HTS_Engine_get_state_duration.argtypes = [handle, size]
    library.HTS_Engine_get_state_duration.restype = size
    library.HTS_Engine_get_generated_parameter.argtypes = [handle, size, size, size]
    library.HTS_Engine_get_generated_parameter.restype = ctypes.c_double
    return library


HOP = round(FRAME_S * SAMPLE_RATE)  # samples between two frames
UNVOICED = frozenset({"k", "ky", "s", "sh", "t", "ts", "ch", "h", "hy", "f", "p", "py"})
VOWELS = frozenset("aiueoN")

_EDGE_FRAMES = 9.0  # frames at each end of a vowel that keep their pace (45 ms)
_LONGEST_CONSONANT = 0.4  # largest part of a mora that its consonant fills
_NEPERS_PER_DB = np.log(10) / 20
_ONSET = np.log(0.1)
"""A first sound begins where its level reaches this, in nepers relative to its loudest moment."""


def warped(omega: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return angular frequencies on the warped axis of the mel-cepstra."""
    sin, cos = np.sin(omega), np.cos(omega)
    return np.asarray(omega + 2 * np.arctan2(WARP_ALPHA * sin, 1 - WARP_ALPHA * cos))


def _loudness(cepstra: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the level of each frame in nepers (natural logarithm of the amplitude), shape (frames,)."""
    axis = warped(np.linspace(0.0, np.pi, 129))
    log_amplitude = cepstra @ np.cos(np.outer(np.arange(cepstra.shape[1]), axis))
    return np.asarray(0.5 * np.log(np.mean(np.exp(2 * log_amplitude), axis=1)))


def stretch(speech: Speech, beats: tuple[Beat, ...]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Stretch one ku to its beats: consonants and vowel edges keep their pace, vowel middles are held.

    Returns: cepstra, (frames, 35), every `HOP` samples of the clip, from the one at or before the first beat
    to the one after the last; and 1 for each voiced frame, 0 for each unvoiced one, (frames,).
    """
    level = _loudness(speech.cepstra)
    cepstra = speech.cepstra + _evening(speech, level)[:, None] * (np.arange(speech.cepstra.shape[1]) == 0)
    begin, end = _audible(speech, level)
    source: list[float] = []
    target: list[float] = []
    marks: list[tuple[float, bool]] = []
    at = 0
    for beat in beats:
        start, stop = beat.start / HOP, beat.end / HOP
        for phoneme in beat.mora.phonemes:
            first, last = max(speech.edges[at], begin), min(speech.edges[at + 1], end)
            at += 1
            if phoneme in VOWELS:
                own = _vowel(first, last, start, stop)
            else:
                stop_at = start + min(last - first, _LONGEST_CONSONANT * (stop - start))
                own = [(first, start), (last, stop_at)]
            marks.append((own[0][1], phoneme not in UNVOICED))
            source += [point[0] for point in own]
            target += [point[1] for point in own]
            start = own[-1][1]
    times = np.arange(beats[0].start // HOP, beats[-1].end // HOP + 2)
    # a frame describes the middle of its 5 ms; beyond the ku the outermost frames are repeated
    places = np.clip(np.interp(times, target, source) - 0.5, 0, len(cepstra) - 1)
    low = np.minimum(places.astype(int), len(cepstra) - 2)
    part = (places - low)[:, None]
    onset, is_voiced = (np.array(column) for column in zip(*marks, strict=True))
    voiced = is_voiced[np.maximum(np.searchsorted(onset, times, side="right") - 1, 0)].astype(float)
    return (1 - part) * cepstra[low] + part * cepstra[low + 1], voiced


def _vowel(first: float, last: float, start: float, stop: float) -> list[tuple[float, float]]:
    length, wanted = last - first, stop - start
    edge = min(_EDGE_FRAMES, 0.4 * length, 0.4 * wanted)
    if wanted <= length:
        return [(first, start), (last, stop)]
    return [(first, start), (first + edge, start + edge), (last - edge, stop - edge), (last, stop)]


def _audible(speech: Speech, level: NDArray[np.float64]) -> tuple[float, float]:
    """Return the first and last audible frame of a ku, without the closure before and the fading after it."""
    loudest = level[: speech.edges[1]].max()
    begin = np.argmax(level >= loudest + (_ONSET / 2 if speech.phonemes[0] in VOWELS else _ONSET))
    vowel = level[speech.edges[-2] :]
    last = speech.edges[-2] + int(np.flatnonzero(vowel >= vowel.max() + _ONSET / 4)[-1]) + 1
    return float(begin), float(last)


def _evening(speech: Speech, level: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the gain in nepers, (frames,), that brings each vowel of a ku to a reader's level."""
    centres, gains = [], []
    for phoneme, (first, last) in zip(speech.phonemes, pairwise(speech.edges), strict=True):
        if phoneme in VOWELS:
            centres.append((first + last) / 2)
            gains.append(learnt()["vowel_db"][phoneme] * _NEPERS_PER_DB - level[first:last].max())
    return np.asarray(np.interp(np.arange(len(level)), centres, gains))
