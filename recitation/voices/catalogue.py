"""The catalogue of voices, built-in and imported, and how each is brought to a rhythm."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import SubprocessError
from typing import TYPE_CHECKING, Protocol

import numpy as np

from calibration.files.folders import listed
from recitation.chant.score import compose
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import samples
from recitation.reading.rhythm import DEFAULT, Rhythm
from recitation.sound.clip import Clip, MoraMark, Wave, chime
from recitation.sound.stretch import Knot, StretchError, stretched
from recitation.voices.pack import PackError, VoicePack
from referee.sentence import SentenceError

if TYPE_CHECKING:
    from recitation.chant.singer import Singer, Timbre

PACKS = Path(__file__).parents[1] / "packs"  # packs that the wheel ships
BUILT_IN = ("high", "low")  # names of the built-in voices
PLAIN, CHIME = "plain", "chime"
"""Names of the voices that always exist: plain speech, and a chime with the text on the panel."""

_LAST_MORA_S = 0.2  # time from the beginning of the last mora of a second half to the beginning of its linger
_log = logging.getLogger(__name__)


class VoiceError(SentenceError, ValueError):
    """There is no such voice; the message lists those that exist."""


class Voice(Protocol):
    """A voice: the sound of phrases in a rhythm."""

    @property
    def name(self) -> str:
        """The name for people."""

    @property
    def rhythm(self) -> Rhythm:
        """The rhythm of its clips."""

    def samples(self, phrase: Phrase) -> int:
        """Return the length of a phrase in samples without making its sound."""

    def clip(self, phrase: Phrase) -> Clip:
        """Return a phrase's sound."""


def pack_path(name: str, rhythm: Rhythm, folder: Path) -> Path:
    """Return the path of a voice's pack for a rhythm."""
    return folder / f"{name}-{str(rhythm).replace(' ', '-')}.zip"


def find_voice(name: str, rhythm: Rhythm, folders: Sequence[Path] = (PACKS,)) -> Voice:
    """Return a voice in the best available form for a rhythm.

    A pack made for the rhythm is used unchanged. Without one, a built-in voice is rendered if the extra
    `voices` is installed; otherwise the nearest pack is stretched. `as recorded` uses a pack at its own
    lengths. Raises VoiceError if there is no such voice.

    `name`: `high`, `low`, the name of an imported voice, `plain` for speech, or `chime`. `folders`: folders
    of packs; earlier folders take precedence.
    """
    if name in {PLAIN, CHIME}:
        return Spoken(rhythm, name)
    packs = list(_packs(name, folders))
    if not packs:
        there_are = ", ".join((*voice_names(folders), PLAIN, CHIME))
        raise VoiceError(
            "there is no voice {name!r}; the voices are: {there_are}", name=name, there_are=there_are
        )
    built_in = list(_packs(BUILT_IN[0], (PACKS,)))
    exact = [pack for pack in packs if pack.rhythm == rhythm]
    if exact or rhythm.kami_s is None:
        return Recorded(exact[0] if exact else packs[0], rhythm, built_in)
    if name in BUILT_IN:
        try:
            from recitation.chant.singer import TIMBRES, Singer  # noqa: PLC0415 - loaded only where needed
            from recitation.chant.speech import Speaker  # noqa: PLC0415

            return Rendered(name, rhythm, TIMBRES[name], Singer(Speaker()))
        except ImportError:
            _log.info("the extra 'voices' is not installed: the nearest pack is stretched to %s", rhythm)
    return Stretched(min(packs, key=lambda pack: _distance_s(pack.rhythm, rhythm)), rhythm, built_in)


def voice_names(folders: Sequence[Path] = (PACKS,)) -> tuple[str, ...]:
    return tuple(dict.fromkeys(pack.voice for pack in _packs(None, folders)))


@dataclass(frozen=True)
class Recorded:
    """A pack with its own lengths; a missing or damaged clip is replaced by the next best one."""

    pack: VoicePack
    rhythm: Rhythm
    instead: Sequence[VoicePack] = ()

    @property
    def name(self) -> str:
        return self.pack.voice

    def samples(self, phrase: Phrase) -> int:
        """Return the recorded length, or that of the rhythm if the pack lacks the clip."""
        return self.pack.samples(phrase) if phrase in self.pack else _length(phrase, self.rhythm)

    def clip(self, phrase: Phrase) -> Clip:
        """Return the recorded clip, or else one of another voice, plain speech, or a chime."""
        try:
            return self.pack.clip(phrase)
        except PackError as error:
            length = Recorded.samples(self, phrase)
            for pack in self.instead:
                if phrase in pack and pack.samples(phrase) == length:
                    with suppress(PackError):
                        clip = pack.clip(phrase)
                        _log.warning("%s: the voice %r is heard instead", error, pack.voice)
                        return clip
        spoken = Spoken(self.rhythm).clip(phrase)
        return spoken if spoken.samples == length else Clip(_fitted(spoken.wave, length))


@dataclass(frozen=True)
class Spoken:
    """Plain speech in a rhythm's time; or a chime if that is wanted, or no speech program is installed."""

    rhythm: Rhythm
    name: str = PLAIN

    def samples(self, phrase: Phrase) -> int:
        return _length(phrase, self.rhythm)

    def clip(self, phrase: Phrase) -> Clip:
        from recitation.voices.plain_speech import SpeechMissingError, speech  # noqa: PLC0415 - needed rarely

        if self.name == CHIME:
            return chime(self.samples(phrase))
        try:
            return speech(phrase, self.samples(phrase))
        except (SpeechMissingError, OSError, SubprocessError) as error:
            _log.warning("the %s cannot be spoken (%s): a chime is played instead", phrase, error)
            return chime(self.samples(phrase))


@dataclass(frozen=True)
class Stretched(Recorded):
    """A pack stretched to another rhythm; second half and linger are stretched separately."""

    def samples(self, phrase: Phrase) -> int:
        return _length(phrase, self.rhythm)

    def clip(self, phrase: Phrase) -> Clip:
        recorded = super().clip(phrase)
        if recorded.samples == self.samples(phrase):
            return recorded
        ends = [(0, 0), (recorded.samples, self.samples(phrase))]
        middle = self._linger(phrase, recorded)
        try:
            return stretched(recorded, [ends[0], middle, ends[1]] if middle else ends)
        except StretchError:
            return stretched(recorded, ends)

    def _linger(self, phrase: Phrase, recorded: Clip) -> Knot | None:
        """Return the beginning of a second half's linger, from the pack's rhythm or from its last mora."""
        own, wanted = self.pack.rhythm, self.rhythm
        if phrase.half is Half.KAMI or not wanted.shimo_s or not wanted.linger_s:
            return None
        if own.shimo_s and own.linger_s:
            return samples(own.shimo_s), samples(wanted.shimo_s)
        if recorded.moras and recorded.moras[-1].sample:
            return recorded.moras[-1].sample, samples(wanted.shimo_s - _LAST_MORA_S)
        return None


def _packs(name: str | None, folders: Sequence[Path]) -> list[VoicePack]:
    found = []
    for folder in folders:
        for path in listed(folder, "*.zip"):
            try:
                pack = VoicePack.open(path)
            except PackError as error:
                _log.warning("%s", error)
                continue
            if name is None or pack.voice == name:
                found.append(pack)
    return found


def _distance_s(own: Rhythm, wanted: Rhythm) -> float:
    return sum(abs((own.length_s(half) or 0.0) - (wanted.length_s(half) or 0.0)) for half in Half)


def _length(phrase: Phrase, rhythm: Rhythm) -> int:
    length_s = rhythm.length_s(phrase.half) or DEFAULT.length_s(phrase.half)
    assert length_s is not None
    return samples(length_s)


def _fitted(wave: Wave, length: int) -> Wave:
    return np.pad(wave[:length], (0, max(length - len(wave), 0)))


@dataclass(frozen=True)
class Rendered:
    """A voice rendered on demand; one core takes about a tenth of a clip's length."""

    name: str
    rhythm: Rhythm
    timbre: Timbre
    singer: Singer

    def samples(self, phrase: Phrase) -> int:
        return compose(phrase, self.rhythm).samples

    def clip(self, phrase: Phrase) -> Clip:
        wave, score = self.singer.sing(phrase, self.rhythm, self.timbre)
        return Clip(wave, tuple(MoraMark(beat.mora.kana, beat.start) for beat in score.beats))
