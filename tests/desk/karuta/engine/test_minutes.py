"""The minutes: what became of each poem, read from the log alone."""

import random
from pathlib import Path

import pytest

from desk.karuta.engine.engine import Engine, Happened, Origin
from desk.karuta.engine.events import EvidenceKept, Remark
from desk.karuta.engine.minutes import Standing, counting_rounds, read_minutes
from desk.karuta.engine.policy import Policies, Policy
from referee.facts import KimarijiCompleted, PoemStarted, Touch
from referee.karuta.declarations import Misread
from referee.karuta.flow.events import Appeal, Confirm, Overrule, Pause, Revert, Tick
from referee.karuta.flow.state import Logged, effective
from referee.karuta.ruling import Ruling
from referee.sides import BySide, Side
from tests.desk.karuta.karuta_script import MS, START, begin, opening, play, poem, settled

NOBODY = Ruling(1, None, BySide.both(0), BySide.both(0))
WAIT = Policies(take=Policy.PROPOSE)


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    """A match in which every ruling waits for a person."""
    engine = begin(tmp_path / "match.sqlite", WAIT)
    play(engine, opening())
    return engine


def standings(engine: Engine) -> list[tuple[int, Standing]]:
    return [(minute.ruling.poem, minute.standing) for minute in read_minutes(engine.history)]


def test_a_proposal_and_then_what_becomes_of_it(engine: Engine) -> None:
    assert standings(engine) == []
    play(engine, poem(1, 1000, (1, Side.NEAR, 900)))
    assert standings(engine) == [(1, Standing.PROPOSED)]
    engine.submit(Confirm(), Origin.OPERATOR)
    assert standings(engine) == [(1, Standing.CONFIRMED)]
    play(engine, poem(50, 5000))
    engine.submit(Overrule(Ruling(50, None, BySide(1, 0), BySide(0, 1))), Origin.OPERATOR)
    assert standings(engine) == [(1, Standing.CONFIRMED), (50, Standing.OVERRULED)]


def test_policy_and_reading_on_let_rulings_stand(tmp_path: Path) -> None:
    auto = begin(tmp_path / "auto.sqlite")
    play(auto, [*opening(), *poem(1, 1000, (1, Side.NEAR, 900))])
    assert standings(auto) == [(1, Standing.RULED)]
    waiting = begin(tmp_path / "waiting.sqlite", WAIT)
    play(waiting, [*opening(), *poem(1, 1000, (1, Side.NEAR, 900)), PoemStarted(50, 9000 * MS, 1)])
    assert standings(waiting) == [(1, Standing.RULED)]


def test_who_touches_a_card_before_the_poem_begins_stands_in_its_minute(tmp_path: Path) -> None:
    auto = begin(tmp_path / "auto.sqlite")
    early = Touch(2, Side.FAR, 900 * MS, 1)
    play(auto, [*opening(), early, *poem(1, 1000, (1, Side.NEAR, 1900))])
    (minute,) = read_minutes(auto.history)
    assert [contact.card for contact in minute.contacts] == [2, 1]
    assert "early_touch_fault" in minute.ruling.reasons


def test_contacts_and_sounds_are_kept_in_order_of_time(engine: Engine) -> None:
    start, *others = poem(1, 1000, (2, Side.NEAR, 950), (1, Side.NEAR, 900))
    decided = KimarijiCompleted(1, 1400 * MS, 1)
    play(engine, [start, decided, *others])
    (minute,) = read_minutes(engine.history)
    assert minute.start == start
    assert minute.decided == decided
    assert [contact.card for contact in minute.contacts] == [1, 2]


def test_a_poem_that_begins_again_before_its_ruling_keeps_its_first_sounds(engine: Engine) -> None:
    play(engine, poem(1, 1000, (1, Side.NEAR, 900)))
    (before,) = read_minutes(engine.history)
    play(engine, [PoemStarted(1, 9000 * MS, 1), KimarijiCompleted(1, 9400 * MS, 1)])
    (minute,) = read_minutes(engine.history)
    assert (minute.start, minute.contacts) == (before.start, before.contacts)
    assert minute.order == 1


def test_a_ruling_taken_back_is_shown_until_the_next_poem(engine: Engine) -> None:
    play(engine, poem(1, 1000, (1, Side.NEAR, 900)))
    start_seq = next(each.seq for each in engine.history if isinstance(each.event, PoemStarted))
    engine.submit(Confirm(), Origin.OPERATOR)
    confirm = engine.last_seq
    while engine.game_number(confirm) is None:
        confirm -= 1
    engine.submit(Revert(engine.game_number(confirm) or 0), Origin.OPERATOR)
    assert standings(engine) == [(1, Standing.PROPOSED)]
    engine.submit(Revert(engine.game_number(start_seq) or 0), Origin.OPERATOR)
    assert standings(engine) == [(1, Standing.REVERTED)]
    play(engine, poem(50, 9000))
    assert standings(engine) == [(50, Standing.PROPOSED)]


def test_a_contact_that_is_told_late_changes_the_ruling_of_its_poem(engine: Engine) -> None:
    play(engine, poem(1, 1000, (1, Side.NEAR, 900)))
    (before,) = read_minutes(engine.history)
    *_, late, _ = poem(1, 1000, (1, Side.FAR, 700))
    play(engine, [late])
    (after,) = read_minutes(engine.history)
    assert after.seqs[:-1] == before.seqs
    assert (before.ruling.taken_by, after.ruling.taken_by) == (Side.NEAR, Side.FAR)
    assert len(after.contacts) == 2


def test_a_misread_poem_is_void_and_read_again(engine: Engine) -> None:
    play(engine, poem(1, 1000, (1, Side.NEAR, 900)))
    engine.submit(Misread(), Origin.READER)
    assert standings(engine) == [(1, Standing.VOID)]
    play(engine, [settled(START, 5000), *poem(1, 9000, (1, Side.FAR, 900))])
    assert standings(engine) == [(1, Standing.VOID), (1, Standing.PROPOSED)]
    assert [minute.order for minute in read_minutes(engine.history)] == [1, 2]


def test_notes_appeals_and_evidence_belong_to_their_ruling(engine: Engine) -> None:
    play(engine, poem(1, 1000, (1, Side.NEAR, 900)))
    (proposed,) = read_minutes(engine.history)
    engine.note(EvidenceKept(proposed.seq, "ab.zip"), Origin.DESK)
    engine.submit(Appeal(Side.FAR), Origin.FAR)
    engine.submit(Overrule(NOBODY), Origin.OPERATOR)
    (overruled,) = read_minutes(engine.history)
    engine.note(Remark(overruled.seq, "the sleeve moved it"), Origin.OPERATOR)
    (minute,) = read_minutes(engine.history)
    assert minute.evidence == "ab.zip"
    assert minute.appealed_by is Side.FAR
    assert minute.note == "the sleeve moved it"


def test_what_counts_after_any_undo_is_what_the_rules_say() -> None:
    dice = random.Random(3)
    for _ in range(50):
        log = [
            Revert(dice.randint(1, number)) if dice.random() < 0.3 else Tick(number)
            for number in range(1, 20)
        ]
        told = [
            event for event, _ in effective([Logged(event) for event in log]) if not isinstance(event, Pause)
        ]
        history = [Happened(seq, 0, "", Origin.DESK, event) for seq, event in enumerate(log, 1)]
        assert [each.cause.event for each in counting_rounds(history)] == told
