"""The rights of the users of a hall."""

import pytest

from desk.errors import DeskError
from desk.hall import subjects
from desk.hall.subjects import Role, may_say, rights


@pytest.mark.parametrize(
    ("pattern", "subject", "covered"),
    [
        ("a.*", "a.b", True),
        ("a.*", "a.b.c", False),
        ("a.*", "a.>", False),
        ("a.>", "a.b.c", True),
        ("a.>", "a", False),
        ("a.b", "a.*", False),
        ("a.*", "a.*", True),
        (">", "a.>", True),
    ],
)
def test_a_pattern_covers_what_it_names(pattern: str, subject: str, covered: bool) -> None:
    assert subjects.covers(pattern, subject) is covered


def test_a_mat_speaks_for_itself_alone() -> None:
    assert may_say(Role.MAT, "mat-07", subjects.events_of("mat-07", "match_1"))
    assert may_say(Role.MAT, "mat-07", subjects.state_of("mat-07"))
    for foreign in (
        subjects.events_of("mat-08", "match_1"),
        subjects.state_of("mat-08"),
        subjects.READING_CUE,
        subjects.READING_COMMAND,
        subjects.pairing_of("mat-07"),
        "$JS.API.STREAM.DELETE.EVENTS",
        "hall.event.mat-07.*.more",
    ):
        assert not may_say(Role.MAT, "mat-07", foreign), foreign


def test_nobody_makes_a_consumer_or_changes_a_stream() -> None:
    """A consumer has its messages delivered wherever its maker wants, with the server's own rights."""
    for role in Role:
        for subject in rights(role, "mat-07").reads:
            assert not subjects.covers(subject, "$JS.API.CONSUMER.CREATE.EVENTS")
            for deed in ("CONSUMER.CREATE", "CONSUMER.DURABLE", "STREAM.CREATE", "STREAM.UPDATE", "DELETE"):
                assert deed not in subject
            for deed in ("STREAM.PURGE", "STREAM.MSG", "STREAM.RESTORE", "STREAM.SNAPSHOT"):
                assert deed not in subject


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
