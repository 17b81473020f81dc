"""The subjects of a hall, and the rights of its users.

| subject | who publishes | what (`desk.hall.messages`) | kept in stream |
|---|---|---|---|
| `hall.event.MAT.MATCH` | the mat | `EventBatch`, in order and without gaps | `EVENTS` |
| `hall.state.MAT` | the mat | `MatState`, at every change and every 2 s | `STATES`, the latest |
| `hall.reading.cue` | the reader | any `Cue`, once it is public | `READING` |
| `hall.reading.play` | the reader | `PlayCue`, ahead of time: only loudspeakers receive it | none |
| `hall.reading.state` | the reader | `ReadingState`, at every change and every 2 s | `STATES`, the latest |
| `hall.reading.command` | operator, board | `ReadingCommand` | none |
| `hall.clock` | mats ask, the reader answers | `ClockAsked`, `ClockTold` | none |
| `hall.pairing.MAT` | board | `Pairing`: the next players there | `PAIRINGS`, the latest |
| `hall.replay.MAT` | board asks, the mat answers | `ReplayWanted`, a piece of the bundle | none |
| `hall.tournament.>` | board | the board's own | `TOURNAMENT` |
| `hall.work.>`, `hall.result.>` | operator and workers | the archive's own | `WORK`, `RESULTS` |

The name of a mat consists of `a-z`, `0-9` and `-`, the id of a match of letters, digits and `_`, so neither
can add a part to a subject. Answers go to the inbox of the user who asked, `_INBOX.USER.>`, which nobody else
may subscribe to.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from desk.errors import DeskError

READING_CUE = "hall.reading.cue"
READING_PLAY = "hall.reading.play"
READING_STATE = "hall.reading.state"
READING_COMMAND = "hall.reading.command"
CLOCK = "hall.clock"
EVERY_EVENT = "hall.event.*.*"
EVERY_STATE = "hall.state.*"
EVERY_PAIRING = "hall.pairing.*"
TOURNAMENT = "hall.tournament.>"
WORK = "hall.work.>"
RESULTS = "hall.result.>"

_MAT = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?")
_MATCH = re.compile(r"[A-Za-z0-9_]{1,64}")


def check_mat(name: str) -> str:
    """Return the name of a mat.

    Raises
    ------
    DeskError
        If it cannot be part of a subject.
    """
    if not _MAT.fullmatch(name):
        raise DeskError(
            f"expected a mat's name of a-z, 0-9 and -, at most 32 characters, such as mat-07; got {name!r}"
        )
    return name


def events_of(mat: str, match: str) -> str:
    """Return the subject of a match's events."""
    if not _MATCH.fullmatch(match):
        raise DeskError(f"expected a match's id of letters, digits and _, got {match!r}")
    return f"hall.event.{check_mat(mat)}.{match}"


def match_of(subject: str) -> tuple[str, str]:
    """Return the mat and the match in a subject of events, the inverse of `events_of`.

    NATS allows more in a subject than a name may have, such as the `/` of a path.
    """
    parts = subject.split(".")
    if len(parts) != 4 or events_of(parts[2], parts[3]) != subject:
        raise DeskError(f"expected a subject such as hall.event.MAT.MATCH, got {subject!r}")
    return parts[2], parts[3]


def state_of(mat: str) -> str:
    """Return the subject of a mat's state."""
    return f"hall.state.{check_mat(mat)}"


def pairing_of(mat: str) -> str:
    """Return the subject of a mat's pairings."""
    return f"hall.pairing.{check_mat(mat)}"


def replay_of(mat: str) -> str:
    """Return the subject of requests for a mat's replays."""
    return f"hall.replay.{check_mat(mat)}"


def inbox_of(user: str) -> str:
    """Return the prefix of the subjects of answers to a user (nats-py's `inbox_prefix`)."""
    return f"_INBOX.{user}"


class Role(StrEnum):
    """The role of a user of the hall."""

    MAT = "mat"
    """A mat refereed by shinpan; receives the reader's cues."""
    SPEAKER = "speaker"
    """A mat with its own loudspeaker: also receives, ahead of time, what to play."""
    READER = "reader"
    BOARD = "board"
    """Shows all mats, draws and keeps the results."""
    OPERATOR = "operator"
    """Runs the hall: may do everything."""
    WORKER = "worker"
    """Judges the archive's recordings."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """Subjects that a user may publish and subscribe to, with NATS wildcards."""

    publish: tuple[str, ...]
    subscribe: tuple[str, ...]


def allowed(role: Role, user: str) -> Allowed:
    """Return the subjects that a user may publish and subscribe to.

    Parameters
    ----------
    role : the user's role.
    user : the user's name; a mat's is the mat's.
    """
    inbox = f"{inbox_of(user)}.>"
    # users answer requests, so servers allow one reply to each (`allow_responses`)
    match role:
        case Role.MAT | Role.SPEAKER:
            heard = [READING_CUE, READING_STATE, pairing_of(user), replay_of(user), inbox]
            return Allowed(
                (
                    f"hall.event.{check_mat(user)}.*",
                    state_of(user),
                    CLOCK,
                    # the latest message, for users that join late or resume
                    f"$JS.API.DIRECT.GET.EVENTS.hall.event.{user}.*",
                    f"$JS.API.DIRECT.GET.READING.{READING_CUE}",
                    f"$JS.API.DIRECT.GET.STATES.{READING_STATE}",
                    f"$JS.API.DIRECT.GET.PAIRINGS.{pairing_of(user)}",
                ),
                tuple([*heard, READING_PLAY] if role is Role.SPEAKER else heard),
            )
        case Role.READER:
            return Allowed(
                (READING_CUE, READING_PLAY, READING_STATE, *_reading("READING", "STATES")),
                (READING_COMMAND, EVERY_STATE, CLOCK, inbox),
            )
        case Role.BOARD:
            return Allowed(
                (
                    "hall.pairing.*",
                    "hall.replay.*",
                    TOURNAMENT,
                    READING_COMMAND,
                    *_reading("EVENTS", "STATES", "READING", "PAIRINGS", "TOURNAMENT", "RESULTS"),
                ),
                ("hall.>", inbox),
            )
        case Role.WORKER:
            return Allowed((RESULTS, "hall.work.>", *_reading("WORK", "RESULTS")), (WORK, inbox))
        case Role.OPERATOR:
            return Allowed((">",), (">",))


def _reading(*streams: str) -> tuple[str, ...]:
    """Return JetStream's API subjects for reading streams without changing them."""
    return (
        "$JS.API.INFO",
        *(
            subject.format(stream)
            for stream in streams
            for subject in (
                "$JS.API.STREAM.INFO.{}",
                "$JS.API.DIRECT.GET.{}",
                "$JS.API.DIRECT.GET.{}.>",
                "$JS.API.CONSUMER.CREATE.{}",
                "$JS.API.CONSUMER.CREATE.{}.>",
                "$JS.API.CONSUMER.DURABLE.CREATE.{}.>",
                "$JS.API.CONSUMER.INFO.{}.>",
                "$JS.API.CONSUMER.DELETE.{}.>",
                "$JS.API.CONSUMER.MSG.NEXT.{}.>",
                "$JS.ACK.{}.>",
                "$JS.FC.{}.>",
            )
        ),
    )
