"""The four lengths that make a reader's rhythm, named as clubs write them: `4-3-1-5`.

The numbers are the second half up to its linger, the linger (yoin, the held last vowel), the pause, and the
first half of the next poem, in seconds. Equal lengths for all cards matter more than the lengths themselves.
"""

from dataclasses import dataclass
from types import MappingProxyType

from calibration.files import typed_numbers as typed
from recitation.reading.phrase import Half
from referee.sentence import Sentence, SentenceError

_LIMITS_S = MappingProxyType(
    {
        Sentence("second half"): (2.0, 20.0),
        Sentence("linger"): (0.0, 20.0),
        Sentence("pause"): (0.0, 60.0),
        Sentence("first half"): (2.0, 20.0),
    }
)
_AS_RECORDED = "as recorded"


class RhythmError(SentenceError, ValueError):
    """A rhythm that cannot be read; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Rhythm:
    """Lengths of the parts of a reading, in seconds; None keeps the length of the recording.

    Raises RhythmError if nobody can recite in such a length, or only some lengths are "as recorded".
    """

    shimo_s: float | None  # second half before its linger
    linger_s: float | None  # held last vowel of the second half
    pause_s: float  # silence between the linger and the next first half; always exact
    kami_s: float | None

    def __post_init__(self) -> None:
        own = [value is None for value in (self.shimo_s, self.linger_s, self.kami_s)]
        if any(own) and not all(own):
            raise RhythmError("second half, linger and first half are either all given or all as recorded")
        for (part, (low_s, high_s)), value_s in zip(_LIMITS_S.items(), self._parts_s(), strict=True):
            if value_s is not None and not low_s <= value_s <= high_s:
                raise RhythmError(
                    "the {part} must last {low_s:g}..{high_s:g} s, got {value_s:g} s",
                    part=part,
                    low_s=low_s,
                    high_s=high_s,
                    value_s=value_s,
                )

    def length_s(self, half: Half) -> float | None:
        """Return the length of a half's clip, linger included; None if it keeps its own length."""
        if half is Half.KAMI or self.shimo_s is None or self.linger_s is None:
            return self.kami_s
        return self.shimo_s + self.linger_s

    def _parts_s(self) -> tuple[float | None, ...]:
        return self.shimo_s, self.linger_s, self.pause_s, self.kami_s

    def __str__(self) -> str:
        if self.kami_s is None:
            return _AS_RECORDED if self.pause_s == 1.0 else f"{_AS_RECORDED}, pause {self.pause_s:g}"
        return "-".join(f"{value_s:g}" for value_s in self._parts_s())


AS_RECORDED = Rhythm(None, None, 1.0, None)
DEFAULT = Rhythm(4.0, 3.0, 1.0, 5.0)
PRESETS = MappingProxyType(
    {str(rhythm): rhythm for rhythm in (DEFAULT, Rhythm(5.0, 3.0, 1.0, 6.0), AS_RECORDED)}
)
"""`4-3-1-5` (traditional, the default), `5-3-1-6` (the association's present rule), `as recorded`."""


def parse_rhythm(text: str) -> Rhythm:
    """Read a preset's name, or four lengths in seconds joined by hyphens such as `4-3-1-5` or `4.5-3-1-5.5`.

    Raises RhythmError if the text is neither; the message names the part that is wrong.
    """
    wanted = " ".join(typed.plain(text).strip().lower().replace("as-recorded", _AS_RECORDED).split())
    if wanted in PRESETS:
        return PRESETS[wanted]
    parts = wanted.split("-")
    if len(parts) != len(_LIMITS_S):
        raise RhythmError(
            "expected a preset ({presets}) or four lengths in seconds (second half-linger-pause-first "
            "half) such as 4-3-1-5, got {text!r}",
            presets=", ".join(PRESETS),
            text=text,
        )
    shimo_s, linger_s, pause_s, kami_s = (
        _seconds(part, name, text) for part, name in zip(parts, _LIMITS_S, strict=True)
    )
    return Rhythm(shimo_s, linger_s, pause_s, kami_s)


def _seconds(part: str, name: str, text: str) -> float:
    digits = part.strip()
    if not digits.replace(".", "", 1).isdecimal():
        raise RhythmError(
            "expected a number of seconds for the {name} in {text!r}, got {part!r}",
            name=name,
            text=text,
            part=part,
        )
    return float(digits)
