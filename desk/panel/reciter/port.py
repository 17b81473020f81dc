"""The port between the page of a reading and the reciter: plain data only."""

from collections import deque
from typing import Protocol, TypedDict

SOUND_LOST = "sound_lost"
"""Id of the problem that the sound device is gone, see `desk.panel.phrases.READING_PROBLEMS`."""
NO_LISTENER = "no_listener"  # id of the problem that no browser is the loudspeaker
NO_SOUND = "no_sound"  # id of the problem that this computer has no sound device for the reading
READER_FAILED = "reader_failed"  # id of the problem that the reading cannot go on


class KimarijiChanged(TypedDict):
    """The kimariji of `poem` shrank from `before` to `now` when poem `since` was read."""

    poem: int
    before: str
    now: str
    since: int


class ReadingNow(TypedDict):
    """The state of a reading as it may be shown; it does not reveal coming poems."""

    state: str  # `memorising`, `waiting`, `reading`, `paused` or `ended`
    # step, steps: index of the current or next step, and the number of steps
    step: int
    steps: int
    half: str | None  # `kami` or `shimo` while one sounds, otherwise None
    is_joka: bool  # whether that half is the joka's
    read: list[int]
    poems: int
    changes: list[KimarijiChanged]  # how kimariji shrank, the latest last
    memorise_ends_ns: int | None  # end of the time to memorise on the match clock, None if there is none
    underruns: int  # how often the loudspeaker ran dry
    volume: float  # 0..1
    problem: str  # id of why nothing is heard; empty if all is well
    why: str  # what the system said of it, in its own words
    streamed: bool


class Block(Protocol):
    """Sound for the browser: 16 bit, mono, 48 kHz; `sample` is its first one in the stream."""

    @property
    def sample(self) -> int: ...

    @property
    def data(self) -> bytes: ...  # little endian


class RecitePort(Protocol):
    """A running reading."""

    def now(self) -> ReadingNow: ...
    def kimariji_of(self, poem: int) -> str: ...  # when it was read
    def now_ns(self) -> int: ...  # the match clock
    def do(self, name: str, value: float = 0.0) -> bool: ...  # False if there is none of that name
    def heard(self, sample: int, t_ns: int, unc_ns: int, underruns: int) -> None: ...
    def listen(self) -> deque[Block]: ...  # receives all blocks from now on
    def unlisten(self, waiting: deque[Block]) -> None: ...
