"""What is said in a hall, as frozen dataclasses and as JSON.

On the wire a message is `{"kind": ..., "version": ..., "payload": ...}`, as in the event log; when a shape
changes, its version goes up and an upcaster lifts the earlier one (`desk.log.event_codec`).

The *hall's clock* is the match clock of the reader's machine. Instants called `hall_ns` lie on it, and mean
what was heard at the loudspeaker (or at the reader's mouth); each mat lays them onto its own clock and adds
its own delay. `session` names one run of the reader: when it changes, the clock and all that was counted
begin anew. Readings are numbered 1, 2, 3, ... in a session; the joka has no number.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, get_args

from desk.errors import DeskError
from desk.log.event_codec import EventCodec, EventCodecError, EventShape
from desk.log.event_log import LogEntry
from referee.sides import BySide, Side

ID_HEADER = "Nats-Msg-Id"
EXPECTED_HEADER = "Nats-Expected-Last-Subject-Sequence"


class MessageError(DeskError):
    """What came is no message of a hall, or not one that this shinpan understands."""


# --- from a mat -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EventBatch:
    """Entries of a match's log, numbered on without a gap from the batch before; never empty.

    What one step of the rules wrote is never parted. Who takes batches in leaves out entries that it has (by
    `seq`): the same entries may come again in other batches. `mat` and `match` are those of the subject.
    """

    mat: str
    match: str
    entries: tuple[LogEntry, ...]

    @property
    def message_id(self) -> str:
        """The id by which JetStream drops a doublet: mat, match and number of the last entry."""
        return f"{self.mat}/{self.match}/{self.entries[-1].seq}"


@dataclass(frozen=True, slots=True)
class LastRuling:
    """The ruling on the latest poem: `entry` is its number in the log, `status` is `decided` or `review`.

    `standing` is `proposed` while a person has to look, else as in `desk.panel.match.port.PoemRuled.state`.
    `lead_ns`, `lead_unc_ns`: by how much the take came before the other player's contact, where known.
    """

    entry: int
    poem: int
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
    """How well a mat sees, hears and keeps up.

    Attributes
    ----------
    fps, late_ms, dropped, warnings : as in `desk.panel.match.port.Health`.
    unsent : entries of its logs that the hall has not confirmed yet.
    clock_unc_ns : how well it knows the hall's clock, 95 % half width; None while it does not.
    delay_ns, delay_unc_ns : how much later the reading is heard here than at the loudspeaker.
    """

    fps: float | None = None
    late_ms: float | None = None
    dropped: int = 0
    warnings: tuple[str, ...] = ()
    unsent: int = 0
    clock_unc_ns: int | None = None
    delay_ns: int = 0
    delay_unc_ns: int = 0


@dataclass(frozen=True, slots=True)
class MatState:
    """How a mat stands: the whole of it, each time. Sent at every change, and every 2 s as a sign of life.

    Attributes
    ----------
    wall : the mat's wall time, ISO 8601, for people.
    match : id of its match, None where none was begun.
    seq : the latest log entry that this state includes.
    names : the players, where known.
    phase : `idle` without a match, else as in `desk.panel.match.port.Snapshot`.
    pause : why it stands still: `operator`, `appeal`, `revert`, `review`, `eye` or `timeout`; None where it
        does not.
    poems : how many were ruled on.
    counts : cards on each side; the match is over when one is 0.
    session, heard : the latest reading that it heard, 0 for none; `session` of the reader that read it.
    follows : whether the reader waits for this mat: its match has begun and is not over.
    ready : whether the next poem may be read: the match asks for it, and knows the hall's clock.
    hands : players who ask the reader to wait.
    """

    mat: str
    wall: str
    match: str | None = None
    seq: int = 0
    names: BySide[str | None] = field(default_factory=lambda: BySide.both(None))
    phase: str = "idle"
    pause: str | None = None
    poems: int = 0
    counts: BySide[int] = field(default_factory=lambda: BySide.both(0))
    faults: BySide[int] = field(default_factory=lambda: BySide.both(0))
    last: LastRuling | None = None
    winner: Side | None = None
    session: str = ""
    heard: int = 0
    follows: bool = False
    ready: bool = False
    hands: tuple[Side, ...] = ()
    health: MatHealth = field(default_factory=MatHealth)


@dataclass(frozen=True, slots=True)
class ClockAsked:
    """A mat asks for the hall's time."""

    mat: str


# --- from the reader ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ClockTold:
    """The hall's time: when the question came and when this was sent."""

    session: str
    came_ns: int
    sent_ns: int


@dataclass(frozen=True, slots=True)
class FirstSoundCue:
    """Reading `number` began to sound; which poem it is may not be known yet."""

    session: str
    number: int
    hall_ns: int
    unc_ns: int


@dataclass(frozen=True, slots=True)
class PoemCue:
    """Reading `number` was poem `poem`. Told only once its kimariji was heard, whatever was read before.

    It may come again with more `moras`: (kana, when it began).
    """

    session: str
    number: int
    poem: int
    hall_ns: int
    unc_ns: int
    moras: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class VoidCue:
    """What began as reading `number` was no poem."""

    session: str
    number: int


@dataclass(frozen=True, slots=True)
class JokaCue:
    """A half of the joka sounds; its ku begin at `ku_ns`, as far as that is known."""

    session: str
    ku_ns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class JokaOverCue:
    """The joka was read to its end."""

    session: str


@dataclass(frozen=True, slots=True)
class PlayCue:
    """Play this so that its first sound is heard at `hall_ns`. Sent ahead of time, only to loudspeakers.

    `poem` is 0 for the joka; `half` is `kami` or `shimo`; `voice`, `rhythm` as in `shinpan recite`.
    """

    session: str
    poem: int
    half: str
    voice: str
    rhythm: str
    hall_ns: int


class ReadingPhase(StrEnum):
    """What the reader does."""

    WAITS = "waits"
    """For the mats that `ReadingState.waits_for` names."""
    READS = "reads"
    HELD = "held"
    """By a raised hand, or by the operator."""
    OVER = "over"


@dataclass(frozen=True, slots=True)
class ReadingState:
    """How the reading stands.

    Attributes
    ----------
    number : the latest reading, 0 before the first.
    read : the poems that may be known to have been read, in order.
    waits_for : mats that are not ready; `hands` : mats that asked to wait; `silent` : mats that were followed
        and say nothing any more.
    waited_s, limit_s : how long the reader has waited, and when it reads on (None: never by itself).
    mats : how many mats it reads for.
    voice, rhythm : what mats' own loudspeakers will play (`PlayCue`); empty where they are not wanted.
    """

    session: str
    phase: ReadingPhase
    number: int = 0
    read: tuple[int, ...] = ()
    waits_for: tuple[str, ...] = ()
    hands: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    waited_s: float = 0.0
    limit_s: float | None = None
    mats: int = 0
    problem: str | None = None
    voice: str = ""
    rhythm: str = ""


# --- from the board and the operator --------------------------------------------------------------------


class ReadingWish(StrEnum):
    """What people want of the reader."""

    GO_ON = "go_on"
    """Read on, whoever is not ready."""
    PAUSE = "pause"
    RESUME = "resume"
    AGAIN = "again"
    """The latest reading was misread: it is void, and read again."""
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class ReadingCommand:
    """A person's wish; `by` says whose."""

    wish: ReadingWish
    by: str


@dataclass(frozen=True, slots=True)
class Pairing:
    """Who plays at a mat next. `title` is what is shown over it, such as `A – 2`; `id` names the match.

    Without `id` nobody does any more: that match is over, or was put elsewhere.
    """

    mat: str
    id: str
    title: str
    names: BySide[str | None]


@dataclass(frozen=True, slots=True)
class ReplayWanted:
    """A mat is asked for a piece of the bundle that proves the ruling in log entry `ruling`.

    The answer is bytes from `offset` on, at most 256 KiB, with the headers `Size` (of the whole) and `Name`
    (of the file, which is its SHA-256); without the header `Size` there is no such replay.
    """

    match: str
    ruling: int
    offset: int = 0


Message = (
    EventBatch
    | MatState
    | ClockAsked
    | ClockTold
    | FirstSoundCue
    | PoemCue
    | VoidCue
    | JokaCue
    | JokaOverCue
    | PlayCue
    | ReadingState
    | ReadingCommand
    | Pairing
    | ReplayWanted
)
Cue = FirstSoundCue | PoemCue | VoidCue | JokaCue | JokaOverCue
"""What is said under `desk.hall.subjects.READING_CUE`."""

_CODEC = EventCodec(EventShape(each) for each in get_args(Message))


def pack(message: Message) -> bytes:
    """Return a message as it goes over the wire."""
    kind, version, payload = _batch(message) if isinstance(message, EventBatch) else _CODEC.encode(message)
    # half of a surrogate pair stays an escape: UTF-8 has none
    said = {"kind": kind, "version": version, "payload": payload}
    return json.dumps(said, separators=(",", ":"), allow_nan=False).encode("ascii")


def _batch(batch: EventBatch) -> tuple[str, int, dict[str, Any]]:
    """Return what the codec does for a batch, whose payloads are JSON already, in an eighth of the time."""
    entries = [{name: getattr(entry, name) for name in LogEntry.__slots__} for entry in batch.entries]
    return "event_batch", 1, {"mat": batch.mat, "match": batch.match, "entries": entries}


def unpack(data: bytes) -> Message:
    """Return the message that came over the wire.

    Raises
    ------
    MessageError
        If it is none, or a newer shinpan sent it.
    """
    try:
        said: Any = json.loads(data)
        kind, version, payload = said["kind"], said["version"], said["payload"]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise _no_message(data) from error
    if not (isinstance(kind, str) and type(version) is int and isinstance(payload, dict)):
        raise _no_message(data)
    try:
        message: Message = _CODEC.decode(kind, version, payload)
    except EventCodecError as error:
        raise MessageError(f"a message of the hall: {error}") from error
    return message


def _no_message(data: bytes) -> MessageError:
    begins = data[:60].decode("utf-8", "replace")
    return MessageError(
        f"expected a message of the hall, JSON with kind, version and payload; got {begins!r}"
    )
