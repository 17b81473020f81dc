"""The rights of the users of a hall."""

import pytest

from desk.errors import DeskError
from desk.hall import subjects
from desk.hall.subjects import Role, allowed


def covers(pattern: str, subject: str) -> bool:
    """Tell whether a subject is one that a pattern with NATS wildcards names."""
    wanted, parts = pattern.split("."), subject.split(".")
    for place, part in enumerate(wanted):
        if part == ">":
            return len(parts) > place
        if place >= len(parts) or part not in {"*", parts[place]}:
            return False
    return len(wanted) == len(parts)


def may_publish(role: Role, user: str, subject: str) -> bool:
    return any(covers(pattern, subject) for pattern in allowed(role, user).publish)


def may_hear(role: Role, user: str, subject: str) -> bool:
    return any(covers(pattern, subject) for pattern in allowed(role, user).subscribe)


def test_a_mat_speaks_for_itself_alone() -> None:
    assert may_publish(Role.MAT, "mat-07", subjects.events_of("mat-07", "match_1"))
    assert may_publish(Role.MAT, "mat-07", subjects.state_of("mat-07"))
    for foreign in (
        subjects.events_of("mat-08", "match_1"),
        subjects.state_of("mat-08"),
        subjects.READING_CUE,
        subjects.READING_COMMAND,
        subjects.pairing_of("mat-07"),
        "$JS.API.STREAM.DELETE.EVENTS",
        "$JS.API.DIRECT.GET.EVENTS",
        f"$JS.API.DIRECT.GET.EVENTS.{subjects.events_of('mat-08', 'match_1')}",
    ):
        assert not may_publish(Role.MAT, "mat-07", foreign), foreign


def test_only_a_loudspeaker_hears_what_will_be_read() -> None:
    assert may_hear(Role.SPEAKER, "mat-07", subjects.READING_PLAY)
    assert not may_hear(Role.MAT, "mat-07", subjects.READING_PLAY)
    assert not may_hear(Role.MAT, "mat-07", "_INBOX.mat-08.abc")
    assert may_hear(Role.MAT, "mat-07", "_INBOX.mat-07.abc")


def test_nobody_but_the_operator_changes_streams() -> None:
    for role in set(Role) - {Role.OPERATOR}:
        for stream in ("EVENTS", "READING", "TOURNAMENT"):
            for deed in ("CREATE", "UPDATE", "DELETE", "PURGE", "MSG.DELETE", "RESTORE"):
                assert not may_publish(role, "mat-07", f"$JS.API.STREAM.{deed}.{stream}")


@pytest.mark.parametrize("name", ["", "Mat", "mat.7", "mat 7", "-mat", "mat-", ">", "*", "m" * 33, "mat\n"])
def test_a_name_that_would_break_a_subject_is_refused(name: str) -> None:
    with pytest.raises(DeskError, match="mat's name"):
        subjects.check_mat(name)


@pytest.mark.parametrize("match", ["", "a.b", "*", "m" * 65, "x\n"])
def test_a_match_that_would_break_a_subject_is_refused(match: str) -> None:
    with pytest.raises(DeskError, match="match's id"):
        subjects.events_of("mat-07", match)


def test_a_subject_tells_its_mat_and_match() -> None:
    assert subjects.match_of(subjects.events_of("mat-07", "match_1")) == ("mat-07", "match_1")
    with pytest.raises(DeskError, match="expected a subject"):
        subjects.match_of("hall.state.mat-07")
