"""The port between the panel and the engine of a running match.

All data are plain JSON (or the bytes of a file), so the panel knows nothing of cameras and the engine nothing
of browsers. All methods are called in the engine's asyncio loop and must return quickly; the panel caches
what it sends to many viewers by the match's id and `Snapshot["seq"]`.

Times are integer nanoseconds on the match clock, `t_unc_ns` is their 95 % half width; lengths are
millimetres in field coordinates (`referee.layout`). A side is `"near"` or `"far"`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NotRequired, Protocol, TypedDict

if TYPE_CHECKING:
    from desk.panel.match.requests import Command
    from referee.sentence import Sentence

SideName = Literal["near", "far"]
Stopped = Literal["early", "forfeit", "time", "no_result"]
"""Why an official ended a match, see `referee.karuta.flow.events.StopReason`."""
Phase = Literal["set_up", "memorise", "joka", "poem", "restore", "over"]


class Pair(TypedDict):
    """One number for each side."""

    near: int
    far: int


class MatchInfo(TypedDict):
    """The facts that do not change during a match."""

    id: str  # unique on this machine; letters, digits and `_`: it becomes part of event ids and of addresses
    source: Literal["camera", "video", "simulator"]
    rules: str  # the name of the preset or `custom`
    risk: dict[str, Any]  # that of `referee.karuta.risk.Risk`
    names: dict[SideName, str | None]
    started_wall: str  # ISO 8601


class CardOnField(TypedDict):
    """A torifuda on the field."""

    card: int | None  # None if it could not be read
    side: SideName
    row: int
    x_mm: float
    y_mm: float
    angle_rad: float
    faces_owner: bool


class NoticeShown(TypedDict):
    """A notice as in `referee.karuta.flow.follow_ups.Notice`. The panel has the texts."""

    id: str
    params: Mapping[str, Any]


class TouchSeen(TypedDict):
    """A contact that is proven, or that cannot be proven (`unprovable` names the reason, otherwise None)."""

    card: int | None
    at_mm: list[float] | None  # place of the card before the touch, `[x, y]` in field coordinates
    player: SideName | None
    t_ns: int
    t_unc_ns: int
    contact: Literal["touch", "pushed_out"]
    hand: Literal["left", "right"] | None
    confidence: float
    unprovable: str | None


class PoemRuled(TypedDict):
    """One poem that was read, with the ruling that stands."""

    seq: int  # log sequence of the ruling that stands (what `confirm`, `overrule` and `appeal` name)
    order: int  # 1 for the first poem of the match, 2, 3, ...
    poem: int  # 1..100
    # target_side, target_at_mm: the territory that held the torifuda and its place `[x, y]` in field
    # coordinates; None for a karafuda
    target_side: SideName | None
    target_at_mm: list[float] | None
    # `proposed` waits for a person; `ruled` was decided by the policy `auto`; `confirmed` and `overruled` by
    # a person; `reverted` was taken back without a replacement; `void` means that the poem is read again
    state: Literal["proposed", "ruled", "confirmed", "overruled", "reverted", "void"]
    # status, taken_by, faults, sends, reasons, doubts, confidence: as in `referee.karuta.ruling.Ruling`
    status: Literal["decided", "review"]
    taken_by: SideName | None
    faults: Pair
    sends: Pair
    reasons: list[str]
    doubts: list[str]
    confidence: float
    note: str | None  # the operator's note on an overruling, otherwise None
    appealed_by: SideName | None  # the side that appealed, None without an appeal
    # lead_ns, lead_unc_ns: as in `Ruling`: lead of the take over the other player's contact
    lead_ns: int | None
    lead_unc_ns: int | None
    kimariji: str  # the sounds that decided the poem among those still unread
    # t_poem_ns, t_poem_unc_ns: first sound of the kami
    t_poem_ns: int
    t_poem_unc_ns: int
    t_kimariji_ns: int | None  # end of the kimariji, None if the rhythm of the recording is not known
    touches: list[TouchSeen]  # proven and unprovable contacts, ordered by `t_ns`
    evidence: bool  # True once `Port.evidence(seq)` has a bundle; an event of the log marks that moment
    simulated: NotRequired[bool]  # whether the official of a simulated match decided, and no person


class PoemBeingRead(TypedDict):
    """The poem that is being read; the panel shows each ku when it sounds, never earlier."""

    poem: int  # 0 for the joka
    order: int
    t_ku_ns: list[int]  # the known instants at which its ku (phrases) begin, at most five


class SuggestedPoem(TypedDict):
    """A poem that may be the one being read, with its probability, 0..1."""

    poem: int
    confidence: float


class Pause(TypedDict):
    """Why the match is paused."""

    reason: str  # `operator`, `appeal`, `revert`, `review` (a ruling waits for a person), `eye` or `timeout`
    side: SideName | None


class Revertible(TypedDict):
    """An event that can be taken back: its number, its kind in the log, and its poem, if any."""

    seq: int
    kind: str
    poem: int | None


class PoliciesShown(TypedDict):
    """The house's policies for takes and for faults, see `desk.karuta.engine.policy.Policy`."""

    take: Literal["auto", "propose"]
    fault: Literal["auto", "propose", "log", "ignore"]


class Snapshot(TypedDict):
    """The public state of the match after event `seq`."""

    seq: int  # the latest event this state includes, 0 before the first
    match: MatchInfo
    phase: Phase
    pause: Pause | None
    memorise_ends_t_ns: int | None  # end of the memorisation on the match clock; None outside `memorise`
    layout: list[CardOnField]
    missing: list[CardOnField]
    counts: Pair
    owes: Pair
    to_do: list[NoticeShown]  # what must be done before the next poem, or before the match can begin
    news: list[NoticeShown]  # notices since the latest poem, oldest first
    reading: PoemBeingRead | None
    takes_names: bool  # whether a person reads, so that officials may name the poems
    # False where neither eye nor reader follows the match, so that no poem can come
    is_watched: NotRequired[bool]
    # True where it was read from its log to be looked at, and nothing comes any more
    is_stored: NotRequired[bool]
    # the listener's candidates for the poem being read until somebody names it, best first
    suggested: list[SuggestedPoem]
    poems: list[PoemRuled]
    faults: Pair
    # number of appeals each side has left; None if there is no limit
    appeals_left: dict[SideName, int] | None
    revertible: list[Revertible]  # events that `revert` would take back now, latest first
    policies: PoliciesShown  # whether rulings of each kind stand or wait before a person has seen them
    winner: SideName | None
    stopped: Stopped | None  # why an official ended the match; None if it goes on or ended by itself


class HallLink(TypedDict):
    """The link of this mat to its hall. The match goes on without it."""

    mat: str
    # `joined`; `seeks` while no server answers, `refused` where one does not let it in, `troubled` where it
    # takes nothing; `problem` says why, in the machine's words
    state: Literal["joined", "seeks", "refused", "troubled"]
    unsent: int  # number of log entries that the hall has not confirmed
    problem: str | None
    # uncertainty of the reader's clock (95 % half width); None while it is not known
    clock_unc_ms: float | None


class Health(TypedDict):
    """Measurements of the pictures over about the last second. Not part of the log."""

    now_ns: int  # the match clock
    fps: float | None
    fps_nominal: float | None  # the promised rate; None without a source, as `fps`
    dropped: int  # frames lost since the start
    late_ms: float | None  # age of the frame that was judged last
    warnings: list[str]  # ids of `desk.panel.phrases.WARNINGS`
    problems: NotRequired[list[Sentence]]  # what of an earlier match's log could not be followed
    hall: NotRequired[HallLink]  # where the match is played in one


class EventSeen(TypedDict):
    """One event of the log."""

    seq: int
    kind: str
    origin: str
    wall: str
    payload: Mapping[str, Any]


class Refusal(StrEnum):
    """Why a command changed nothing."""

    NOT_NOW = "not_now"  # the match is in another phase
    NO_SUCH_EVENT = "no_such_event"  # the named event or ruling does not exist or no longer stands
    NOT_REVERTIBLE = "not_revertible"  # the named event cannot be taken back on its own
    RULING_OPEN = "ruling_open"  # a ruling waits to be confirmed or overruled first
    NO_APPEALS_LEFT = "no_appeals_left"  # the side has used up its appeals
    IMPOSSIBLE = "impossible"  # the outcome is not possible, such as a take of a karafuda
    READ_ALREADY = "read_already"  # the named poem has been read in this match
    NOT_KEPT = "not_kept"  # the log could not store it: the disk is full or not writable


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The result of a command: the log sequence of its event, or the refusal (exactly one is set)."""

    seq: int | None = None
    refusal: Refusal | None = None

    def __post_init__(self) -> None:
        if (self.seq is None) == (self.refusal is None):
            raise ValueError(f"exactly one of seq and refusal is set, got {self.seq} and {self.refusal}")


@dataclass(frozen=True, slots=True)
class Caption:
    """What is burnt into a clip."""

    lines: Sequence[str]
    # a text for each contact, by its instant in nanoseconds, its card and its player: two players may touch
    # one card at one instant
    contacts: Mapping[tuple[int, int | None, SideName | None], str] = field(default_factory=dict)
    plain: Caption | None = None  # the same where no font has Japanese characters
    # whether the clip is one of many on a page that says the rest: small, and without these texts
    is_small: bool = False


class Port(Protocol):
    """A match."""

    def state(self) -> Snapshot: ...
    def health(self) -> Health: ...  # called about once a second
    def events(self, after_seq: int) -> AsyncIterator[EventSeen]:
        """Iterate over the events after `after_seq`, in order and without gaps, until the match closes.

        When an event is yielded, `state()` includes it. A slow listener never blocks the engine.
        """

    async def command(self, command: Command) -> CommandResult: ...  # returns when its event is in the log
    def evidence(self, ruling_seq: int) -> Path | None:
        """Return the bundle that proves a ruling, or None if there is none (yet).

        It is a ZIP file of `vision.match.evidence_ring`, named by its SHA-256. Its manifest's `marks` are
        `{"poem": n, "t_poem_ns": t, "t_poem_unc_ns": u, "t_kimariji_ns": t or None, "touches": [...]}`,
        each touch a `TouchSeen` with `"at_px": [x, y]` (the card's centre in the pictures) or None;
        since 0.3.0 also `"to_mm"`, the homography from pictures to field in millimetres, or None.
        """

    def evidence_was_deleted(self) -> bool: ...  # on purpose: `shinpan log forget`
    async def clip(self, ruling_seq: int, caption: Caption) -> Path | None: ...
    def preview(self) -> bytes | None: ...  # small JPEG; None without a source
