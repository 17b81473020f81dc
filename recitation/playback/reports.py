"""The commands to a reciter, and its reports."""

from dataclasses import dataclass
from enum import StrEnum

from recitation.reading.memorisation import Announcement
from recitation.reading.phrase import Half, Phrase
from recitation.reading.plan import sample_to_ns
from recitation.sound.clip import MoraMark
from referee.facts import PoemStarted


class Act(StrEnum):
    """The commands to a reciter."""

    GO = "go"  # read the next step now, no matter what the reciter waits for
    PAUSE = "pause"
    RESUME = "resume"
    REPEAT = "repeat"  # read the latest half once more, and go on from there
    REWIND = "rewind"
    """Go back to the beginning of the current step (while waiting: of the previous one) and wait."""
    SKIP = "skip"  # skip the rest of the current step (while waiting: the next one) and wait
    AGAIN = "again"
    """Go back to the first step and wait, so that players can review the game in the same order."""
    STOP_AFTER_HALF = "stop_after_half"  # read the half that is sounding to its end, then wait
    STOP = "stop"  # fade out over `value` seconds and wait
    VOLUME = "volume"  # play at `value`, 0..1
    TWO_MINUTES = "two_minutes"
    """Say that two minutes are left to memorise, while nothing is read; named as the announcement is."""
    TIME = "time"  # say that the time to memorise is over
    SETTLED = "settled"
    """The field is settled (`value` true), or a hand is raised or cards are being restored (false)."""


class State(StrEnum):
    """The state of a reciter."""

    MEMORISING = "memorising"
    """The players memorise the field; the reading begins when their time is over, or at `Act.GO`."""
    WAITING = "waiting"
    READING = "reading"
    PAUSED = "paused"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class PhraseStarted:
    """A half has begun to sound."""

    phrase: Phrase
    step: int
    steps: int
    # t_ns, t_unc_ns: instant of its first sound on the match clock, and the 95 % half width
    t_ns: int
    t_unc_ns: int
    samples: int  # length of its clip at 48 kHz
    moras: tuple[MoraMark, ...]  # where its moras begin, in samples after the first sound

    @property
    def fact(self) -> PoemStarted | None:
        """The fact for the referee; None for second halves, since only a first half starts a poem."""
        if self.phrase.half is not Half.KAMI:
            return None
        return PoemStarted(self.phrase.poem, self.t_ns, self.t_unc_ns)

    def mora_ns(self, count: int) -> int | None:
        """Return the end of the first `count` moras on the match clock, or None if the moras are not known.

        With `count` the length of the kimariji, this is the instant at which the card is decided.
        """
        if not self.moras or not 1 <= count <= len(self.moras):
            return None
        end = self.moras[count].sample if count < len(self.moras) else self.samples
        return self.t_ns + sample_to_ns(end)


@dataclass(frozen=True, slots=True)
class StateChanged:
    """The reciter's state has changed. `step` is the step being read, or to be read next."""

    state: State
    step: int


@dataclass(frozen=True, slots=True)
class Memorising:
    """The players have until `ends_ns` to memorise the field."""

    ends_ns: int


@dataclass(frozen=True, slots=True)
class Announced:
    """Something was announced to the players."""

    announcement: Announcement


@dataclass(frozen=True, slots=True)
class SoundBlock:
    """Sound for a loudspeaker elsewhere: 16 bit, mono, 48 kHz; `sample` is its first sample in the stream."""

    sample: int
    data: bytes


@dataclass(frozen=True, slots=True)
class SoundPlayed:
    """What the loudspeaker played: 16 bit, mono, 48 kHz; heard from `t_ns` +- `t_unc_ns` on."""

    t_ns: int
    t_unc_ns: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Underran:
    """The sound card ran dry; `count` times so far."""

    count: int


ASKED_FOR = "asked for"  # why there is no sound: it was not wanted


@dataclass(frozen=True, slots=True)
class Opened:
    """The sound output is open."""

    latency_s: float  # time from filling a sample to hearing it
    silent: str = ""  # why there is no sound (the text is still shown in time); empty if there is sound
    device: str = ""
    is_calibrated: bool = False  # whether the device's latency was measured


@dataclass(frozen=True, slots=True)
class SoundLost:
    """Nothing is heard, and the reading waits until it is."""

    text: str
    has_no_listener: bool = False  # no browser takes the sound; otherwise the device is gone


@dataclass(frozen=True, slots=True)
class SoundBack:
    """There is sound again, on `device`."""

    device: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The reciter cannot go on; the text says what to do."""

    text: str


Report = (
    PhraseStarted
    | StateChanged
    | Memorising
    | Announced
    | SoundBlock
    | SoundPlayed
    | Underran
    | Opened
    | SoundLost
    | SoundBack
    | Failed
)
