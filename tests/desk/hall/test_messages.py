"""The messages of a hall survive packing and unpacking, and its users have the rights of their roles."""

import json
from dataclasses import replace

import pytest

from desk.errors import DeskError
from desk.hall import subjects
from desk.hall.messages import (
    EventBatch,
    LastRuling,
    MatHealth,
    MatState,
    Message,
    MessageError,
    Pairing,
    PlayCue,
    PoemCue,
    ReadingCommand,
    ReadingPhase,
    ReadingState,
    ReadingWish,
    pack,
    unpack,
)
from desk.hall.subjects import Role, rights
from desk.log.event_log import LogEntry
from desk.panel.words import words
from referee.sentence import Sentence
from referee.sides import BySide, Side

ENTRY = LogEntry(7, 1_000, "2026-11-28T10:00:00.000+09:00", "eye", "touch", 1, {"card": 3, "t": [1, None]})
RULING = LastRuling(9, 3, "decided", "ruled", Side.NEAR, BySide(0, 1), 5_000_000, 2_000_000)
SAID: list[Message] = [
    EventBatch("mat-07", "match_1", (ENTRY,)),
    MatState(
        "mat-07",
        "2026-11-28T10:00:00.000+09:00",
        "match_1",
        9,
        BySide("山田", None),
        last=RULING,
        hands=(Side.FAR,),
        health=MatHealth(59.9, 12.0, 1, ("dark",), 3, 400_000, 87_000_000, 1_000_000),
    ),
    PoemCue("s", 4, 17, 5, 6, (("ち", 5), ("は", 7))),
    PlayCue("s", 17, "kami", "high", "4-3-1-5", 99),
    ReadingState("s", ReadingPhase.WAITS, 3, (1, 2), ("mat-07",), limit_s=None),
    ReadingCommand(ReadingWish.GO_ON, "operator"),
    Pairing("mat-07", "p1", "A 級 2", BySide("山田", None)),
]


@pytest.mark.parametrize("message", SAID, ids=lambda message: type(message).__name__)
def test_a_message_comes_back_as_it_was_sent(message: Message) -> None:
    assert unpack(pack(message)) == message


def test_what_ails_the_reader_is_said_in_the_language_of_the_boards_page() -> None:
    problem = Sentence("{path}: {why}", path="a", why=Sentence("expected one argument"))
    told = unpack(pack(ReadingState("s", ReadingPhase.WAITS, problem=problem)))
    assert isinstance(told, ReadingState)
    assert told.problem is not None
    assert words("ja").complaint(told.problem) == "a：値が一つ必要です"
    assert words("en").complaint(told.problem) == "a: expected one argument"


@pytest.mark.parametrize("told", [5, [], {}, {"text": "{a.b}", "values": {"a": 1}}])
def test_what_is_no_sentence_is_no_message(told: object) -> None:
    state = json.loads(pack(ReadingState("s", ReadingPhase.WAITS)))
    state["payload"]["problem"] = told
    with pytest.raises(MessageError):
        unpack(json.dumps(state).encode())


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "expected a message"),
        (b"\xff\xfe", "expected a message"),
        (b"[" * 100_000, "expected a message"),
        (b'{"kind": "mat_state", "version": 1}', "payload"),
        (b'{"kind": "mat_state", "version": true, "payload": {}}', "expected a message"),
        (b'{"kind": "unheard_of", "version": 1, "payload": {}}', "unheard_of"),
        (b'{"kind": "mat_state", "version": 2, "payload": {}}', "update shinpan"),
        (b'{"kind": "mat_state", "version": 1, "payload": {"mat": 3}}', "mat"),
    ],
)
def test_what_is_no_message_is_told_in_one_line(data: bytes, told: str) -> None:
    with pytest.raises(MessageError, match=told) as error:
        unpack(data)
    assert "\n" not in str(error.value)


def test_half_a_sign_takes_no_message_away() -> None:
    said = Pairing("mat-07", "p1", "A 級 2", BySide("山田", "\ud800"))
    assert unpack(pack(said)) == replace(said, names=BySide("山田", "?"))


def test_no_mat_makes_a_name_look_like_anothers() -> None:
    said = Pairing("mat-07", "p1", "A", BySide("Ken\u200b", f"\u202e{'x' * 99}"))
    assert unpack(pack(said)) == replace(said, names=BySide("Ken", "x" * 60))


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
