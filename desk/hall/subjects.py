"""The subjects of a hall, and the rights of its users.

| subject | who says it | what (`desk.hall.messages`) | kept in stream |
|---|---|---|---|
| `hall.event.MAT.MATCH` | the mat | `EventBatch`, in order and without gaps | `EVENTS` |
| `hall.state.MAT` | the mat | `MatState`, at every change and every 2 s | `STATES`, the latest |
| `hall.reading.cue` | the reader | any `Cue`, once it is public | `READING` |
| `hall.reading.play` | the reader | `PlayCue`, ahead of time: only loudspeakers receive it | none |
| `hall.reading.state` | the reader | `ReadingState`, at every change and every 2 s | `STATES`, the latest |
| `hall.reading.command` | board | `ReadingCommand` | none |
| `hall.clock` | mats ask, the reader answers | `ClockAsked`, `ClockTold` | none |
| `hall.pairing.MAT` | board | `Pairing`: the next players there | `PAIRINGS`, the latest |
| `hall.replay.MAT` | board asks, the mat answers | `ReplayWanted`, a piece of the bundle | none |
| `hall.work.>`, `hall.result.>` | operator and workers | the archive's own | `WORK`, `RESULTS` |

Every user has a NATS account of its own, in which nothing happens but what its rights bring in and let out.
The streams lie in an account that no user but the operator enters. So the *reply* subject of a request,
against which NATS checks no right, leads back into the account of who asked, whatever it names.

The name of a mat consists of `a-z`, `0-9` and `-`, the id of a match of letters, digits and `_`, so neither
can add a part to a subject.
"""

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
EVERY_REPLAY = "hall.replay.*"
WORK = "hall.work.>"
RESULTS = "hall.result.>"
KEPT = (EVERY_EVENT, EVERY_STATE, READING_CUE, READING_STATE, EVERY_PAIRING, WORK, RESULTS)
"""Subjects whose messages are kept in streams."""
JUDGES = "judges"  # the consumer of the stream `WORK`, which all workers share

_MAT = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?")
_MATCH = re.compile(r"[A-Za-z0-9_]{1,64}")


def check_mat(name: str) -> str:
    """Return the name of a mat; DeskError if it cannot be part of a subject."""
    if not _MAT.fullmatch(name):
        raise DeskError(
            "expected a mat's name of a-z, 0-9 and -, at most 32 characters, such as mat-07; got {name!r}",
            name=name,
        )
    return name


def events_of(mat: str, match: str) -> str:
    if not _MATCH.fullmatch(match):
        raise DeskError("expected a match's id of letters, digits and _, got {match!r}", match=match)
    return f"hall.event.{check_mat(mat)}.{match}"


def match_of(subject: str) -> tuple[str, str]:
    """Return the mat and the match in a subject of events, the inverse of `events_of`.

    NATS allows more in a subject than a name may have, such as the `/` of a path.
    """
    parts = subject.split(".")
    if len(parts) != 4 or events_of(parts[2], parts[3]) != subject:
        raise DeskError("expected a subject such as hall.event.MAT.MATCH, got {subject!r}", subject=subject)
    return parts[2], parts[3]


def state_of(mat: str) -> str:
    return f"hall.state.{check_mat(mat)}"


def pairing_of(mat: str) -> str:
    return f"hall.pairing.{check_mat(mat)}"


def replay_of(mat: str) -> str:
    """Return the subject of requests for a mat's replays."""
    return f"hall.replay.{check_mat(mat)}"


def inbox_of(user: str) -> str:
    """Return the prefix of the subjects of answers to a user (nats-py's `inbox_prefix`)."""
    return f"_INBOX.{user}"


class Role(StrEnum):
    """The role of a user of the hall."""

    MAT = "mat"  # a mat refereed by shinpan; receives the reader's cues
    SPEAKER = "speaker"  # a mat with its own loudspeaker: also receives, ahead of time, what to play
    READER = "reader"
    BOARD = "board"  # shows all mats, draws and keeps the results
    OPERATOR = "operator"
    """Runs the hall: may do everything that the servers can do, but signs for nobody else."""
    WORKER = "worker"  # judges the archive's recordings


@dataclass(frozen=True, slots=True)
class Rights:
    """A user's rights, as subjects with NATS wildcards."""

    says: tuple[str, ...]  # it publishes them
    hears: tuple[str, ...] = ()  # whoever says them, it hears
    answers: tuple[str, ...] = ()  # requests that it answers, one reply to each
    asks: tuple[str, ...] = ()  # requests that others answer
    reads: tuple[str, ...] = ()  # requests to JetStream that only read, or take work and confirm it


def rights(role: Role, user: str) -> Rights:
    """Return the rights of a user beside the operator's, who may do everything."""
    match role:
        case Role.MAT | Role.SPEAKER:
            own = f"hall.event.{check_mat(user)}.*"
            heard = (READING_CUE, READING_STATE, pairing_of(user))
            return Rights(
                says=(own, state_of(user)),
                hears=(*heard, READING_PLAY) if role is Role.SPEAKER else heard,
                answers=(replay_of(user),),
                asks=(CLOCK,),
                reads=(latest("EVENTS", own), latest("READING", READING_CUE), latest("PAIRINGS", heard[-1])),
            )
        case Role.READER:
            return Rights(
                says=(READING_CUE, READING_PLAY, READING_STATE),
                hears=(READING_COMMAND, EVERY_STATE),
                answers=(CLOCK,),
                reads=(latest("STATES", READING_STATE), DIRECT.format("READING")),
            )
        case Role.BOARD:
            return Rights(
                says=(EVERY_PAIRING, READING_COMMAND),
                hears=(EVERY_EVENT, EVERY_STATE, READING_STATE),
                asks=(EVERY_REPLAY,),
                reads=(DIRECT.format("EVENTS"), DIRECT.format("STATES")),
            )
        case Role.WORKER:
            return Rights(
                says=(WORK, RESULTS),
                reads=(
                    DIRECT.format("RESULTS"),
                    latest("RESULTS", RESULTS),
                    DIRECT.format("WORK"),
                    f"$JS.API.CONSUMER.MSG.NEXT.WORK.{JUDGES}",
                    f"$JS.ACK.WORK.{JUDGES}.>",
                ),
            )
        case Role.OPERATOR:
            return Rights(says=(WORK,))


DIRECT = "$JS.API.DIRECT.GET.{}"
"""JetStream's request for messages of a stream, by number: it changes nothing, and makes no consumer."""


def latest(stream: str, subject: str) -> str:
    """Return JetStream's request for the latest message of a subject; a body is refused there."""
    return f"{DIRECT.format(stream)}.{subject}"


def may_say(role: Role, user: str, subject: str) -> bool:
    """Tell whether a user may say or ask something, for messages that come with a signature."""
    mine = rights(role, user)
    return any(covers(said, subject) for said in (*mine.says, *mine.asks))


def may_answer(role: Role, user: str, subject: str) -> bool:
    return any(covers(answered, subject) for answered in rights(role, user).answers)


def covers(pattern: str, subject: str) -> bool:
    """Tell whether a pattern with NATS wildcards names a subject, or all that another pattern names."""
    wanted, parts = pattern.split("."), subject.split(".")
    for place, part in enumerate(wanted):
        if part == ">":
            return len(parts) > place
        if place >= len(parts) or parts[place] == ">" or part not in {"*", parts[place]}:
            return False
    return len(wanted) == len(parts)
