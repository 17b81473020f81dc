"""What the page of the reading asks of the reciter: plain data only."""

from __future__ import annotations

from collections import deque
from typing import Protocol, TypedDict

SOUND_LOST = "sound_lost"
"""The problem of a reading whose sound device is gone, see `desk.panel.phrases.READING_PROBLEMS`."""


class KimarijiChanged(TypedDict):
    """Since poem `since` was read, `poem` is decided by `now` and no longer by `before`."""

    poem: int
    before: str
    now: str
    since: int


class ReadingNow(TypedDict):
    """A reading as it may be shown at this moment; nothing tells what is still to come.

    Attributes
    ----------
    state : `memorising`, `waiting`, `reading`, `paused` or `ended`.
    step, steps : index of the step that is read or comes next, and how many there are.
    half : `kami` or `shimo` while it sounds, otherwise None.
    is_joka : whether it is the joka's.
    read : poems that were read, first the earliest.
    poems : how many poems the reading has.
    changes : how kimariji shrank, latest last.
    memorise_ends_ns : end of the time to memorise on the match clock, None where there is none.
    underruns : how often the loudspeaker ran dry.
    volume : 0..1.
    problem : why nothing is heard, an id or the machine's words; empty where all is well.
    streamed : whether a browser is the loudspeaker.
    """

    state: str
    step: int
    steps: int
    half: str | None
    is_joka: bool
    read: list[int]
    poems: int
    changes: list[KimarijiChanged]
    memorise_ends_ns: int | None
    underruns: int
    volume: float
    problem: str
    streamed: bool


class Block(Protocol):
    """Sound for the browser: 16 bit, mono, 48 kHz; `sample` is its first one in the stream."""

    @property
    def sample(self) -> int:
        """Place in the stream."""

    @property
    def data(self) -> bytes:
        """The samples, little endian."""


class RecitePort(Protocol):
    """The page's door to a running reading."""

    def now(self) -> ReadingNow:
        """Return the reading as it may be shown now."""

    def kimariji_of(self, poem: int) -> str:
        """Return the sounds that decided a poem when it was read."""

    def now_ns(self) -> int:
        """Return the match clock."""

    def do(self, name: str, value: float = 0.0) -> bool:
        """Do something; False where nothing of that name can be done."""

    def heard(self, sample: int, t_ns: int, unc_ns: int, underruns: int) -> None:
        """Take note of when a browser has played a sample."""

    def listen(self) -> deque[Block]:
        """Return a queue to which blocks of sound are added from now on."""

    def unlisten(self, waiting: deque[Block]) -> None:
        """Stop adding blocks to a queue."""
