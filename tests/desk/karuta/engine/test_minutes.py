"""The minutes: what became of each poem, read from the log alone; and poems that are corrected."""

import random
from pathlib import Path

import pytest

from desk.karuta.engine.correction import correct_poem, latest_poem
from desk.karuta.engine.engine import Engine, Happened, Origin
from desk.karuta.engine.events import EvidenceKept, Remark
from desk.karuta.engine.minutes import Standing, counting_rounds, read_minutes
from desk.karuta.engine.policy import Policies, Policy
from referee.facts import UNSURE, Gap, KimarijiCompleted, PoemStarted, Touch
from referee.karuta.declarations import Misread, WrongHand
from referee.karuta.flow.events import Appeal, Confirm, Overrule, Pause, Revert, Tick
from referee.karuta.flow.state import Logged, Phase, effective
from referee.karuta.ruling import Ruling
from referee.sides import BySide, Side
from tests.desk.karuta.karuta_script import MS, START, begin, opening, play, poem, resume, settled

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


# --- a poem under a wrong name ---------------------------------------------------------------------------
@pytest.fixture
def auto(tmp_path: Path) -> Engine:
    return begin(tmp_path / "match.sqlite")


def corrected(auto: Engine, number: int, t_ms: int = 1000) -> None:
    was = latest_poem(auto)
    assert was is not None
    sounds = (PoemStarted(number, t_ms * MS, MS), KimarijiCompleted(number, (t_ms + 300) * MS, MS))
    correct_poem(auto, was, sounds, was.seen, Origin.OPERATOR)


def test_a_fault_becomes_a_take_when_the_poem_gets_its_right_name(auto: Engine) -> None:
    play(auto, [*opening(), *poem(4, 1000, (1, Side.NEAR, 900))])
    (wrong,) = read_minutes(auto.history)
    assert wrong.ruling.faults.near == 1
    corrected(auto, 1)
    (right,) = read_minutes(auto.history)
    assert (right.ruling.poem, right.ruling.taken_by, right.ruling.faults.near) == (1, Side.NEAR, 0)
    assert right.decided is not None
    assert right.standing is Standing.RULED


def test_a_corrected_match_goes_on_and_its_log_runs_again(auto: Engine, tmp_path: Path) -> None:
    play(auto, [*opening(), *poem(4, 1000, (1, Side.NEAR, 900)), settled(START.without(1), 3000)])
    corrected(auto, 1)
    assert auto.state.phase is Phase.RESTORE
    assert auto.state.asked, "the field is in order again: the next poem may come"
    play(auto, poem(4, 7000, (4, Side.FAR, 500)))
    assert [minute.ruling.poem for minute in read_minutes(auto.history)] == [1, 4]
    assert 4 not in auto.state.unread
    auto._log.close()
    assert resume(tmp_path / "match.sqlite").state == auto.state


def test_a_poem_that_is_still_being_played_is_corrected_without_a_ruling(auto: Engine) -> None:
    gap = Gap(1100 * MS, 1200 * MS, "camera_lost")
    play(auto, [*opening(), PoemStarted(4, 1000 * MS, 1), gap])
    corrected(auto, 1)
    assert (auto.state.phase, auto.state.poem) == (Phase.READING, 1)
    assert gap in auto.state.facts


def test_who_names_the_poem_ends_the_ears_doubt(auto: Engine) -> None:
    unsure = Gap(1000 * MS, 1000 * MS, UNSURE)
    play(
        auto,
        [*opening(), PoemStarted(4, 1000 * MS, 1, 0.93), unsure, *poem(4, 1000, (1, Side.NEAR, 900))[1:]],
    )
    (doubtful,) = read_minutes(auto.history)
    assert "gap" in doubtful.ruling.doubts
    corrected(auto, 1)
    (right,) = read_minutes(auto.history)
    assert right.ruling.doubts == ()


def test_what_officials_declared_is_kept(auto: Engine) -> None:
    play(auto, [*opening(), *poem(4, 1000, (1, Side.NEAR, 900))])
    auto.submit(WrongHand(Side.NEAR, 1), Origin.OPERATOR)
    corrected(auto, 1)
    (right,) = read_minutes(auto.history)
    assert right.ruling.taken_by is not Side.NEAR


def test_before_the_first_poem_there_is_nothing_to_correct(auto: Engine) -> None:
    assert latest_poem(auto) is None
    play(auto, opening())
    assert latest_poem(auto) is None
