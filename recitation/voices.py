"""The voices that can recite: the built-in ones, the imported ones, and what to do about a free rhythm."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from recitation.chime import chime
from recitation.clip import Clip
from recitation.pack import PackError, VoicePack
from recitation.phrase import Half, Phrase
from recitation.plan import samples
from recitation.rhythm import DEFAULT, Rhythm
from recitation.stretch import Knot, stretched

PACKS = Path(__file__).parent / "packs"
"""Packs that the wheel ships."""
BUILT_IN = ("high", "low")
"""Names of the built-in voices."""

_log = logging.getLogger(__name__)


class VoiceError(ValueError):
    """A voice that cannot be had; the message says which there are."""


class Voice(Protocol):
    """Whoever can say a phrase."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def rhythm(self) -> Rhythm:
        """The rhythm that its clips keep."""

    def samples(self, phrase: Phrase) -> int:
        """Return the length of a phrase without making its sound."""

    def clip(self, phrase: Phrase) -> Clip:
        """Return a phrase's sound."""


def pack_path(name: str, rhythm: Rhythm, folder: Path) -> Path:
    """Return where a voice's pack for a rhythm lies."""
    return folder / f"{name}-{str(rhythm).replace(' ', '-')}.zip"


def find_voice(name: str, rhythm: Rhythm, folders: Sequence[Path] = (PACKS,)) -> Voice:
    """Return the voice that recites best in a rhythm.

    A pack that was made for the rhythm is taken as it is. Otherwise a built-in voice is rendered anew where
    the extra `voices` is installed, and any voice is stretched where not. `as recorded` takes a pack at its
    own lengths.

    Parameters
    ----------
    name : `high`, `low`, or the name of an imported voice.
    rhythm : how it shall recite.
    folders : where packs lie; earlier folders win.

    Raises
    ------
    VoiceError
        Where there is no such voice.
    """
    packs = list(_packs(name, folders))
    if not packs:
        there_are = ", ".join(voice_names(folders)) or "none; install the program again"
        raise VoiceError(f"there is no voice {name!r}; the voices are: {there_are}")
    exact = [pack for pack in packs if pack.rhythm == rhythm]
    if exact or rhythm.is_as_recorded:
        return Recorded(exact[0] if exact else packs[0], rhythm)
    if name in BUILT_IN:
        try:
            from recitation.chant.rendered import Rendered  # noqa: PLC0415 - loaded only where it is needed

            return Rendered.of(name, rhythm)
        except ImportError:
            _log.info("the extra 'voices' is not installed: the nearest pack is stretched to %s", rhythm)
    return Stretched(min(packs, key=lambda pack: _distance_s(pack.rhythm, rhythm)), rhythm)


def voice_names(folders: Sequence[Path] = (PACKS,)) -> tuple[str, ...]:
    """Return the names of all voices in some folders."""
    return tuple(dict.fromkeys(pack.voice for pack in _packs(None, folders)))


@dataclass(frozen=True)
class Recorded:
    """A pack as it is."""

    pack: VoicePack
    rhythm: Rhythm

    @property
    def name(self) -> str:
        """Name of the pack's voice."""
        return self.pack.voice

    def samples(self, phrase: Phrase) -> int:
        """Return the recorded length; that of the chime where the pack lacks the clip."""
        return self.pack.samples(phrase) if phrase in self.pack else _chime_samples(phrase, self.rhythm)

    def clip(self, phrase: Phrase) -> Clip:
        """Return the recorded clip, or a chime where it is missing or damaged."""
        try:
            return self.pack.clip(phrase)
        except PackError as error:
            _log.warning("%s: a chime is played instead", error)
            return chime(self.samples(phrase))


@dataclass(frozen=True)
class Stretched:
    """A pack brought to another rhythm: the second half and its linger each keep their own proportion."""

    pack: VoicePack
    rhythm: Rhythm
    _recorded: Recorded = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_recorded", Recorded(self.pack, self.rhythm))

    @property
    def name(self) -> str:
        """Name of the pack's voice."""
        return self.pack.voice

    def samples(self, phrase: Phrase) -> int:
        """Return the length by the rhythm."""
        return _chime_samples(phrase, self.rhythm)

    def clip(self, phrase: Phrase) -> Clip:
        """Return the clip at the rhythm's length."""
        recorded = self._recorded.clip(phrase)
        return stretched(recorded, self._knots(phrase, recorded.samples))

    def _knots(self, phrase: Phrase, length: int) -> list[Knot]:
        own, wanted = self.pack.rhythm, self.rhythm
        ends = [(0, 0), (length, self.samples(phrase))]
        if phrase.half is Half.SHIMO and own.shimo_s and own.linger_s and wanted.shimo_s and wanted.linger_s:
            return [ends[0], (samples(own.shimo_s), samples(wanted.shimo_s)), ends[1]]
        return ends


def _packs(name: str | None, folders: Sequence[Path]) -> list[VoicePack]:
    found = []
    for folder in folders:
        for path in sorted(folder.glob("*.zip")):
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


def _chime_samples(phrase: Phrase, rhythm: Rhythm) -> int:
    length_s = rhythm.length_s(phrase.half) or DEFAULT.length_s(phrase.half)
    assert length_s is not None
    return samples(length_s)
