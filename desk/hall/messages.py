"""The messages of a hall, as frozen dataclasses and as JSON.

On the wire a message is `{"kind": ..., "version": ..., "payload": ...}`, as in the event log; when a schema
changes, its version is increased and an upcaster converts the earlier one (`desk.log.event_codec`).

The *hall's clock* is the match clock of the reader's machine. Instants named `hall_ns` are on it and refer to
the sound at the loudspeaker (or at the reader's mouth); each mat converts them to its own clock and adds its
own delay. `session` names one run of the reader: when it changes, the clock and all numbers start anew.
Readings are numbered 1, 2, 3, ... in a session; the joka has no number.
"""

import json
import sys
from dataclasses import dataclass, field
from enum import StrEnum
from math import isfinite
from typing import Annotated, Any, Final, get_args

from pydantic import AfterValidator, Field, PlainSerializer, PlainValidator

from desk.errors import DeskError
from desk.log.event_codec import EventCodec, EventCodecError, EventShape
from desk.log.event_log import LogEntry
from desk.tables.person import visible
from referee.sentence import Sentence, to_plain
from referee.sides import BySide, Side

ID_HEADER = "Nats-Msg-Id"
EXPECTED_HEADER = "Nats-Expected-Last-Subject-Sequence"
OUT_OF_ORDER = 10071
"""JetStream's error code where `EXPECTED_HEADER` names another message than the subject's latest."""
_MOST: Final = 2**63
Poem = Annotated[int, Field(ge=1, le=100)]  # its number


def _sentence(told: Any) -> Sentence:
    """Return a sentence as its sender made it, so that the board can say it in the language of its page."""
    try:
        return told if isinstance(told, Sentence) else Sentence.from_json(told)
    except (LookupError, TypeError, AttributeError, ValueError) as error:
        raise ValueError("expected a sentence") from error


Told = Annotated[Sentence, PlainValidator(_sentence), PlainSerializer(to_plain)]
_LONGEST_NAME: Final = 60  # in letters, as in a list of entrants
Name = Annotated[str, AfterValidator(lambda said: visible(said)[:_LONGEST_NAME])]
"""A person's name, which no mat makes look like another's, or longer than its place on the board."""


class MessageError(DeskError):
    """The data are no message of a hall, or none that this version understands."""


# --- from a mat -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EventBatch:
    """Entries of a match's log that follow those of the previous batch without a gap; never empty.

    The entries of one step of the rules are never split. Receivers skip entries that they have (by `seq`):
    the same entries may come again in other batches. `mat` and `match` are those of the subject.
    """

    mat: str
    match: str
    entries: tuple[LogEntry, ...]

    @property
    def message_id(self) -> str:
        """The id by which JetStream drops duplicates: mat, match and number of the last entry."""
        return f"{self.mat}/{self.match}/{self.entries[-1].seq}"


@dataclass(frozen=True, slots=True)
class LastRuling:
    """The ruling on the latest poem: `entry` is its number in the log, `status` is `decided` or `review`.

    `standing` is `proposed` while a person has to look, else as in `desk.panel.match.port.PoemRuled.state`.
    `lead_ns`, `lead_unc_ns`: lead of the take over the other player's contact, if known.
    """

    entry: int
    poem: Poem
    status: str
    standing: str
    taken_by: Side | None
    faults: BySide[int]
    lead_ns: int | None = None
    lead_unc_ns: int | None = None
    appealed_by: Side | None = None
    has_replay: bool = False


@dataclass(frozen=True, slots=True)
class MatHealth:
    """The health of a mat: pictures, link and clock."""

    # fps, late_ms, dropped, warnings: as in `desk.panel.match.port.Health`
    fps: float | None = None
    late_ms: float | None = None
    dropped: int = 0
    warnings: tuple[str, ...] = ()
    unsent: int = 0  # number of log entries that the hall has not confirmed yet
    # uncertainty of the hall's clock, 95 % half width; None while the clock is not known
    clock_unc_ns: int | None = None
    # delay_ns, delay_unc_ns: delay of the reading at the mat relative to the loudspeaker
    delay_ns: int = 0
    delay_unc_ns: int = 0


@dataclass(frozen=True, slots=True)
class MatState:
    """The complete state of a mat. Sent at every change, and every 2 s as a sign of life."""

    mat: str
    wall: str  # the mat's wall time, ISO 8601, for people
    match: str | None = None  # id of its match, None if none was begun
    seq: int = 0  # number of the latest log entry that this state includes
    # the players' names, if known
    names: BySide[Name | None] = field(default_factory=lambda: BySide.both(None))
    phase: str = "idle"  # `idle` without a match, else as in `desk.panel.match.port.Snapshot`
    # why it is paused: `operator`, `appeal`, `revert`, `review`, `eye` or `timeout`; None if it is not
    pause: str | None = None
    poems: int = 0
    # cards on each side; the match is over when one is 0
    counts: BySide[int] = field(default_factory=lambda: BySide.both(0))
    faults: BySide[int] = field(default_factory=lambda: BySide.both(0))
    last: LastRuling | None = None
    winner: Side | None = None
    # session, heard: the latest reading that it heard, 0 for none; `session` of the reader that read it
    session: str = ""
    heard: int = 0
    follows: bool = False  # whether the reader waits for this mat: its match has begun and is not over
    # whether the next poem may be read: the match asks for it, and knows the hall's clock
    ready: bool = False
    hands: tuple[Side, ...] = ()  # players who ask the reader to wait
    health: MatHealth = field(default_factory=MatHealth)


@dataclass(frozen=True, slots=True)
class ClockAsked:
    """A mat asks for the hall's time."""

    mat: str


# --- from the reader ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClockTold:
    """The hall's time: when the question arrived and when this answer was sent."""

    session: str
    came_ns: int
    sent_ns: int


@dataclass(frozen=True, slots=True)
class FirstSoundCue:
    """Reading `number` began to sound; its poem may not be known yet."""

    session: str
    number: int
    hall_ns: int
    unc_ns: int


@dataclass(frozen=True, slots=True)
class PoemCue:
    """Reading `number` was poem `poem`. Sent only after its kimariji, in full length, was heard.

    It may come again with more `moras`: (kana, when it began). `confidence` is the probability in 0..1 that
    it was this poem, 1 where a person or the reader's plan says so.
    """

    session: str
    number: int
    poem: Poem
    hall_ns: int
    unc_ns: int
    moras: tuple[tuple[str, int], ...] = ()
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class VoidCue:
    """Reading `number` is void: it was no poem, or was misread."""

    session: str
    number: int


@dataclass(frozen=True, slots=True)
class JokaCue:
    """A half of the joka sounds; `ku_ns` are the known beginnings of its ku."""

    session: str
    ku_ns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MemoriseCue:
    """The time to memorise begins at every mat whose cards are laid out."""

    session: str


@dataclass(frozen=True, slots=True)
class JokaOverCue:
    """The joka was read to its end."""

    session: str


@dataclass(frozen=True, slots=True)
class PlayCue:
    """Play a half so that its first sound is heard at `hall_ns`. Sent ahead of time, only to loudspeakers.

    `poem` is 0 for the joka; `half` is `kami` or `shimo`; `voice`, `rhythm` as in `shinpan recite`.
    """

    session: str
    poem: Annotated[int, Field(ge=0, le=100)]
    half: str
    voice: str
    rhythm: str
    hall_ns: int


class ReadingPhase(StrEnum):
    """The phases of the reader."""

    WAITS = "waits"  # waits for the mats in `ReadingState.waits_for`
    READS = "reads"
    HELD = "held"  # held by a raised hand or by the operator
    OVER = "over"


@dataclass(frozen=True, slots=True)
class ReadingState:
    """The state of the reading."""

    session: str
    phase: ReadingPhase
    number: int = 0  # the latest reading, 0 before the first
    read: tuple[Poem, ...] = ()
    # all mats that delay the next poem; `hands` : those that asked to wait; `silent` : those that took part
    # and have gone silent
    waits_for: tuple[str, ...] = ()
    hands: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    # waited_s, limit_s: how long the reader has waited, and when it reads on (None: never by itself)
    waited_s: float = 0.0
    limit_s: float | None = None
    mats: int = 0  # number of mats that take part
    problem: Told | None = None
    # voice, rhythm: for the mats' own loudspeakers (`PlayCue`); empty if these are not used
    voice: str = ""
    rhythm: str = ""


# --- from the board and the operator --------------------------------------------------------------------


class ReadingWish(StrEnum):
    """A person's commands to the reader."""

    GO_ON = "go_on"  # read on although some mats are not ready
    PAUSE = "pause"
    RESUME = "resume"
    AGAIN = "again"  # the latest reading was misread: it becomes void and is read again
    STOP = "stop"
    MEMORISE = "memorise"  # the time to memorise begins, at all mats together


@dataclass(frozen=True, slots=True)
class ReadingCommand:
    """A command to the reader; `by` names the person."""

    wish: ReadingWish
    by: str


@dataclass(frozen=True, slots=True)
class Pairing:
    """The next players at a mat. `title` is the heading, such as `A – 2`; `id` names the match.

    An empty `id` means that the previous pairing no longer holds: that match is over or was moved.
    """

    mat: str
    id: str
    title: str
    names: BySide[Name | None]


@dataclass(frozen=True, slots=True)
class ReplayWanted:
    """A request to a mat for a piece of the bundle that proves the ruling in log entry `ruling`.

    The answer (`desk.hall.replays`) is the size of the whole file and its bytes from `offset` on, at most
    256 KiB; it is empty where there is no such replay.
    """

    match: str
    ruling: int
    offset: int = 0


Cue = FirstSoundCue | PoemCue | VoidCue | JokaCue | JokaOverCue | MemoriseCue
Message = (
    EventBatch | MatState | ClockAsked | ClockTold | Cue | PlayCue  # from mats and the reader
    | ReadingState | ReadingCommand | Pairing | ReplayWanted
)  # fmt: skip
"""The messages on `desk.hall.subjects.READING_CUE`."""

_CODEC = EventCodec(EventShape(each) for each in get_args(Message))


def pack(message: Message) -> bytes:
    kind, version, payload = _batch(message) if isinstance(message, EventBatch) else _CODEC.encode(message)
    # a lone surrogate stays escaped, as UTF-8 cannot encode it
    said = {"kind": kind, "version": version, "payload": payload}
    return json.dumps(said, separators=(",", ":"), allow_nan=False).encode("ascii")


def _batch(batch: EventBatch) -> tuple[str, int, dict[str, Any]]:
    """Encode a batch like the codec, in an eighth of the time, as its payloads are JSON already."""
    entries = [{name: getattr(entry, name) for name in LogEntry.__slots__} for entry in batch.entries]
    return "event_batch", 1, {"mat": batch.mat, "match": batch.match, "entries": entries}


def unpack(data: bytes) -> Message:
    """Return the message in some bytes; half a sign, which UTF-8 does not know, comes as "?".

    Raises MessageError if they contain none, or one of a newer version; or a number that nobody could keep.
    """
    try:
        said: Any = json.loads(data, parse_int=_number, parse_float=_fraction, parse_constant=_number)
        if said["kind"] != "event_batch":  # logs escape half a sign; pages cannot show it
            said = json.loads(json.dumps(said, ensure_ascii=False).encode("utf-8", "replace"))
        kind, version, payload = said["kind"], said["version"], said["payload"]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise _no_message(data) from error
    if not (isinstance(kind, str) and type(version) is int and isinstance(payload, dict)):
        raise _no_message(data)
    with MessageError.wrapping("a message of the hall: {why}", EventCodecError):
        message: Message = _CODEC.decode(kind, version, payload)
    return message


def message_in(data: bytes) -> Message | None:
    """Return the message in some bytes; None if there is none, which is told on standard error."""
    try:
        return unpack(data)
    except MessageError as error:
        sys.stderr.write(f"shinpan: hall: {error}\n")
        return None


def _number(text: str) -> int:
    number = int(text)  # also of NaN and Infinity, which are none
    if not -_MOST <= number < _MOST:
        raise ValueError("expected a number of 64 bits")
    return number


def _fraction(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError("expected a finite number")
    return number


def _no_message(data: bytes) -> MessageError:
    begins = data[:60].decode("utf-8", "replace")
    return MessageError(
        "expected a message of the hall, JSON with kind, version and payload; got {begins!r}", begins=begins
    )
