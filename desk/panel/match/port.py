"""What the panel asks of the engine: its only door to a running match.

Everything that passes is plain JSON data (or the bytes of a file), so the panel never learns about cameras
and the engine never learns about browsers. All methods are called on the engine's asyncio loop and must
return quickly; what the panel sends to many viewers it caches by the match's id and `Snapshot["seq"]`.

Times are integer nanoseconds on the match clock, `t_unc_ns` is their 95 % half width; lengths are
millimetres in field coordinates (`referee.layout`). A side is `"near"` or `"far"`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, NotRequired, Protocol, TypedDict

SideName = Literal["near", "far"]
Phase = Literal["set_up", "memorise", "joka", "poem", "restore", "over"]


class Pair(TypedDict):
    """One number for each side."""

    near: int
    far: int


class MatchInfo(TypedDict):
    """What does not change during a match.

    `id` is unique among all matches of this machine (letters, digits and `_` only: it becomes part of event
    ids and of addresses); `rules` is the name of the preset or `custom`; `started_wall` is ISO 8601.
    """

    id: str
    source: Literal["camera", "video", "simulator"]
    rules: str
    names: dict[SideName, str | None]
    started_wall: str


class CardOnField(TypedDict):
    """A torifuda as it lies now. `card` is None where it could not be read."""

    card: int | None
    side: SideName
    row: int
    x_mm: float
    y_mm: float
    angle_rad: float
    faces_owner: bool


class NoticeShown(TypedDict):
    """Something to say, as `referee.karuta.flow.follow_ups.Notice` has it. The panel holds the words."""

    id: str
    params: Mapping[str, Any]


class TouchSeen(TypedDict):
    """A proven contact, or one that cannot be proven (`unprovable` names why, otherwise None).

    `at_mm` is where the card lay before it was touched, `[x, y]` in field coordinates.
    """

    card: int | None
    at_mm: list[float] | None
    player: SideName | None
    t_ns: int
    t_unc_ns: int
    contact: Literal["touch", "pushed_out"]
    hand: Literal["left", "right"] | None
    confidence: float
    unprovable: str | None


class PoemRuled(TypedDict):
    """One poem that was read, with the ruling that stands.

    Attributes
    ----------
    seq : log sequence of the ruling that stands (what `confirm`, `overrule` and `appeal` name).
    order : 1 for the first poem of the match, 2, 3, ...
    poem : 1..100.
    target_side, target_at_mm : the territory that held the torifuda and its place `[x, y]` in field
        coordinates; None for a karafuda.
    state : `proposed` waits for a human; `ruled` was decided by the policy `auto`; `confirmed` and
        `overruled` by a human; `reverted` was taken back and nothing stands in its place; `void` is read
        again.
    status, taken_by, faults, sends, reasons, doubts, confidence : as in `referee.karuta.ruling.Ruling`.
    note : the operator's words with an overruling, otherwise None.
    appealed_by : who appealed, None for nobody.
    lead_ns, lead_unc_ns : as in `Ruling`: by how much the take came before the other player's contact.
    kimariji : the sounds that decided the poem among those still unread.
    t_poem_ns, t_poem_unc_ns : first sound of the kami.
    t_kimariji_ns : the instant the kimariji was complete, None where the sound's rhythm is not known.
    touches : proven and unprovable contacts, ordered by `t_ns`.
    evidence : True once `Port.evidence(seq)` has a bundle; that it became ready is an event of the log too.
    """

    seq: int
    order: int
    poem: int
    target_side: SideName | None
    target_at_mm: list[float] | None
    state: Literal["proposed", "ruled", "confirmed", "overruled", "reverted", "void"]
    status: Literal["decided", "review"]
    taken_by: SideName | None
    faults: Pair
    sends: Pair
    reasons: list[str]
    doubts: list[str]
    confidence: float
    note: str | None
    appealed_by: SideName | None
    lead_ns: int | None
    lead_unc_ns: int | None
    kimariji: str
    t_poem_ns: int
    t_poem_unc_ns: int
    t_kimariji_ns: int | None
    touches: list[TouchSeen]
    evidence: bool


class Reading(TypedDict):
    """The poem that is being read and not yet ruled; `poem` is 0 for the joka.

    `t_ku_ns` holds the instants at which its ku (phrases) begin to sound, as far as they are known, at most
    five. The panel keeps the poem to itself and shows each ku when it sounds, never earlier.
    """

    poem: int
    order: int
    t_ku_ns: list[int]


class SuggestedPoem(TypedDict):
    """A poem that may be the one being read, and how likely, 0..1."""

    poem: int
    confidence: float


class Pause(TypedDict):
    """Why the match stands still.

    `reason` is `operator`, `appeal`, `revert`, `review` (a ruling waits for a human), `eye` or `timeout`.
    """

    reason: str
    side: SideName | None


class Revertible(TypedDict):
    """An event that can be taken back: its number, its kind in the log, and its poem, if any."""

    seq: int
    kind: str
    poem: int | None


class PoliciesShown(TypedDict):
    """The house's policy for takes and for faults, as `desk.karuta.engine.policy.Policy` has it."""

    take: Literal["auto", "propose"]
    fault: Literal["auto", "propose", "log", "ignore"]


class Snapshot(TypedDict):
    """The whole match after event `seq`, as everyone may see it.

    Attributes
    ----------
    seq : the latest event this state includes, 0 before the first.
    memorise_ends_t_ns : end of the memorisation on the match clock; None outside `memorise`.
    missing : the cards that are not on the field, each where it belongs.
    to_do : what is still missing before the next poem, or before the match can begin.
    news : what there was to say since the latest poem, oldest first.
    takes_names : whether a person reads, whose poems officials may name.
    suggested : which poem the ear takes for the one being read while nobody has named it, best first.
    appeals_left : how many appeals each side has left; None where they are not limited.
    revertible : events that `revert` would take back now, latest first.
    policies : what becomes of each kind of ruling before a person has seen it.
    """

    seq: int
    match: MatchInfo
    phase: Phase
    pause: Pause | None
    memorise_ends_t_ns: int | None
    layout: list[CardOnField]
    missing: list[CardOnField]
    counts: Pair
    owes: Pair
    to_do: list[NoticeShown]
    news: list[NoticeShown]
    reading: Reading | None
    takes_names: bool
    suggested: list[SuggestedPoem]
    poems: list[PoemRuled]
    faults: Pair
    appeals_left: dict[SideName, int] | None
    revertible: list[Revertible]
    policies: PoliciesShown
    winner: SideName | None


class HallLink(TypedDict):
    """The link of this mat to the hall it plays in. The match goes on without it.

    Attributes
    ----------
    mat : its name in the hall.
    state : `joined`; `seeks` while no server answers, `refused` where one does not let it in, `troubled`
        where it takes nothing; `problem` says why, in the machine's words.
    unsent : how many entries of the log the hall has not confirmed.
    clock_unc_ms : how well the reader's clock is known (95 % half width); None while it is not.
    """

    mat: str
    state: Literal["joined", "seeks", "refused", "troubled"]
    unsent: int
    problem: str | None
    clock_unc_ms: float | None


class Health(TypedDict):
    """How well the machine sees and keeps up, measured over the last second or so. Not part of the log.

    `now_ns` is the match clock; `fps` what arrives and `fps_nominal` what the source promised (None without a
    source); `dropped` frames are lost for good since the start; `late_ms` is the age of the frame that was
    judged last; `warnings` are ids of `desk.panel.phrases.WARNINGS`; `hall` is there where the match is
    played in one.
    """

    now_ns: int
    fps: float | None
    fps_nominal: float | None
    dropped: int
    late_ms: float | None
    warnings: list[str]
    hall: NotRequired[HallLink]


class EventSeen(TypedDict):
    """One event of the log."""

    seq: int
    kind: str
    origin: str
    wall: str
    payload: Mapping[str, Any]


class CommandName(StrEnum):
    """What an official or a player can ask for, with the arguments in `Command.args`."""

    START = "start"
    """`{}`: the set-up is right, begin to memorise; while memorising: begin now."""
    CONFIRM = "confirm"
    """`{"ruling": seq}`: the proposed ruling stands."""
    OVERRULE = "overrule"
    """`{"ruling": seq, "taken_by": side or None, "faults": {"near": n, "far": n}, "note": text}`."""
    REVERT = "revert"
    """`{"event": seq}`: take one event back; the match pauses."""
    REREAD = "reread"
    """`{"ruling": seq or None}`: all void (misread, disturbance), the poem is read again."""
    DECLARE = "declare"
    """`{"what": what, "side": side or None, "card": card or None}`.

    `what` is `wrong_hand` (with side and card), `shared_fault` (side = the territory), `grabbed_hand`,
    `both_hands`, `false_start` (with side), `misread`, `timeout`, `rearranging`, `hand_raised` or
    `hand_lowered` (with side).
    """
    ACCEPT_FIELD = "accept_field"
    """`{}`: the field is in order as it lies."""
    APPEAL = "appeal"
    """`{"ruling": seq, "side": side}`: a player asks to look again; the match pauses."""
    PAUSE = "pause"
    """`{}`."""
    RESUME = "resume"
    """`{}`."""
    NAME_POEM = "name_poem"
    """`{"poem": 1..100}`: this is the poem that somebody reads now."""
    CORRECT_POEM = "correct_poem"
    """`{"poem": 1..100}`: the latest poem was this one; it is refereed anew."""
    SET_POLICIES = "set_policies"
    """`{"take": policy, "fault": policy}`: from the next ruling on."""


class Refusal(StrEnum):
    """Why a command changed nothing."""

    NOT_NOW = "not_now"
    """The match is in another phase."""
    NO_SUCH_EVENT = "no_such_event"
    """The named event or ruling does not exist or no longer stands."""
    NOT_REVERTIBLE = "not_revertible"
    """The named event cannot be taken back on its own."""
    NO_APPEALS_LEFT = "no_appeals_left"
    """The side has used its appeals."""
    IMPOSSIBLE = "impossible"
    """The outcome cannot happen, such as a take of a karafuda."""
    READ_ALREADY = "read_already"
    """The named poem has been read in this match."""
    NOT_KEPT = "not_kept"
    """The log could not take it: the disk is full, or cannot be written any more."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command as the panel hands it over: `args` have been checked for shape, not for sense.

    `origin` is `operator`, `near`, `far` or `viewer`; the engine writes it into the log.
    """

    name: CommandName
    args: Mapping[str, Any]
    origin: str


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What became of a command: the log sequence of its event, or why it was refused (exactly one is set)."""

    seq: int | None = None
    refusal: Refusal | None = None

    def __post_init__(self) -> None:
        if (self.seq is None) == (self.refusal is None):
            raise ValueError(f"exactly one of seq and refusal is set, got {self.seq} and {self.refusal}")


@dataclass(frozen=True, slots=True)
class Caption:
    """What is burnt into a clip.

    Attributes
    ----------
    lines : the ruling and what goes with it.
    contacts : a text for each contact, by its instant in nanoseconds, its card and its player: two players
        may touch one card at one instant.
    plain : the same where no font has Japanese characters.
    """

    lines: Sequence[str]
    contacts: Mapping[tuple[int, int | None, SideName | None], str] = field(default_factory=dict)
    plain: Caption | None = None


class Port(Protocol):
    """A running match as the panel sees it."""

    def state(self) -> Snapshot:
        """Return the match as it stands."""

    def health(self) -> Health:
        """Return the latest measurements; called about once a second."""

    def events(self, after_seq: int) -> AsyncIterator[EventSeen]:
        """Iterate over the events that follow number `after_seq`, in order and without gaps.

        First those in the log, then new ones as they come; ends when the match is closed. `state()` already
        includes an event when it is handed out. A slow listener reads on from the log and never holds up
        the engine.
        """

    async def command(self, command: Command) -> CommandResult:
        """Carry out a command and return when its event is in the log."""

    def evidence(self, ruling_seq: int) -> Path | None:
        """Return the bundle that proves a ruling, or None where there is none (yet).

        A ZIP file as `vision.match.evidence_ring` writes it, named by its SHA-256. Its manifest's `marks` are
        `{"poem": n, "t_poem_ns": t, "t_poem_unc_ns": u, "t_kimariji_ns": t or None, "touches": [...]}`,
        each touch a `TouchSeen` with `"at_px": [x, y]` (the card's centre in the pictures) or None.
        """

    def evidence_was_deleted(self) -> bool:
        """Tell whether the pictures of this match were deleted on purpose (`shinpan log forget`)."""

    async def clip(self, ruling_seq: int, caption: Caption) -> Path | None:
        """Return the same replay as an MP4 film to share, made when it is first asked for; None as above."""

    def preview(self) -> bytes | None:
        """Return the latest picture of the table as a small JPEG, or None without a source."""
