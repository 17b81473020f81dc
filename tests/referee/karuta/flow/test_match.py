"""The flow of a match: set-up to end, sends, holds, appeals, undo, and replays of random matches."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.facts import FieldSettled, Gap, Hand, PoemStarted, Touch
from referee.karuta.declarations import BrokeRule, Conduct, Misread, PlayingHand, WrongHand
from referee.karuta.flow.events import (
    Appeal,
    Confirm,
    Event,
    FieldAccepted,
    HandLowered,
    HandRaised,
    IllegalEventError,
    JokaFinished,
    MatchStopped,
    MemoriseEnded,
    MemoriseStarted,
    Overrule,
    Pause,
    PoemFinished,
    Rearranging,
    Resume,
    Revert,
    StopReason,
    Tick,
)
from referee.karuta.flow.follow_ups import (
    FollowUp,
    MatchEnded,
    Notice,
    NoticeId,
    OpenReplay,
    Proposed,
    ReadJoka,
    ReadPoem,
    Ruled,
    WakeAt,
    notice,
)
from referee.karuta.flow.match import MatchState, Phase, Settings, start, step
from referee.karuta.house_rules import PRESETS
from referee.karuta.ruleset import LastCard, RuleSet, UnusedRight
from referee.karuta.ruling import Ruling
from referee.notation import format_layout, parse_layout
from referee.sides import BySide, Side

MS = 1_000_000
MINUTE_NS = 60_000 * MS
NEAR, FAR = Side.NEAR, Side.FAR
LINE = "near 1|2/3|/4| far 51|52/53|/54|"
SMALL = Settings(cards_per_side=4)


def field(line: str) -> FieldSettled:
    return FieldSettled(parse_layout(line), 0)


def started(poem: int, t_ms: int = 1000) -> PoemStarted:
    return PoemStarted(poem, t_ms * MS, MS)


def touch(card: int, player: Side, t_ms: int = 2000, hand: Hand | None = None) -> Touch:
    return Touch(card, player, t_ms * MS, MS, hand=hand)


def play(state: MatchState, *events: Event) -> tuple[MatchState, list[FollowUp]]:
    """Apply events one after the other; return the state and the follow-ups of the last."""
    follow_ups: tuple[FollowUp, ...] = ()
    for event in events:
        state, follow_ups = step(state, event)
    return state, list(follow_ups)


def opened(line: str = LINE, settings: Settings = SMALL) -> MatchState:
    """Return a match that waits for its first poem."""
    return play(start(settings), field(line), MemoriseStarted(0), MemoriseEnded(), JokaFinished())[0]


def ids(follow_ups: Sequence[FollowUp | Notice]) -> list[NoticeId]:
    return [follow_up.id for follow_up in follow_ups if isinstance(follow_up, Notice)]


def read(poem: int, *contacts: Touch) -> tuple[Event, ...]:
    return (started(poem), *contacts, PoemFinished())


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"cards_per_side": 0}, r"1\.\.50, got 0"),
        ({"cards_per_side": 51}, r"1\.\.50, got 51"),
        ({"practice_swings_ns": -1}, "0 <= practice_swings_ns"),
        ({"memorise_ns": 60, "practice_swings_ns": 61}, "got 61 and 60"),
        ({"appeals": -1}, "at least 0, got -1"),
    ],
)
def test_settings_beyond_their_limits_are_refused(values: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Settings(**values)  # type: ignore[arg-type]
    assert Settings(cards_per_side=1).cards_per_side == 1
    assert Settings(cards_per_side=50, memorise_ns=0, practice_swings_ns=0, appeals=0).appeals == 0


# --- before the first poem -------------------------------------------------------------------------------


def test_the_layout_check_speaks_when_something_changes() -> None:
    state, problems = play(start(), field(LINE))
    assert problems == [notice(NoticeId.CARD_COUNT, side=side, count=4, expected=25) for side in (NEAR, FAR)]
    assert play(state, field(LINE))[1] == []
    assert play(start(SMALL), field(LINE))[0].problems == ()


def test_memorising_takes_fifteen_minutes_with_practice_swings_in_the_last_two() -> None:
    with pytest.raises(IllegalEventError, match="the field was not seen yet"):
        step(start(), MemoriseStarted(0))
    state, wake = play(start(SMALL), field(LINE), MemoriseStarted(0))
    assert wake == [WakeAt(13 * MINUTE_NS), WakeAt(15 * MINUTE_NS)]
    assert play(state, Tick(12 * MINUTE_NS))[1] == []
    state, swings = play(state, Tick(13 * MINUTE_NS))
    assert swings == [notice(NoticeId.PRACTICE_SWINGS, minutes=2)]
    assert play(state, Tick(14 * MINUTE_NS))[1] == []
    assert play(state, touch(1, FAR))[1] == [notice(NoticeId.TOUCHED_WHILE_MEMORISING, side="far", card=1)]
    nameless = Touch(None, None, 0, 1)
    assert play(state, nameless)[1] == []
    unread = notice(NoticeId.TOUCHED_WHILE_MEMORISING, side="far", card=0)
    assert play(state, replace(nameless, player=FAR))[1] == [unread]
    state, begun = play(state, Tick(15 * MINUTE_NS))
    assert begun == [notice(NoticeId.GREETING), ReadJoka()]
    assert state.phase is Phase.JOKA
    assert play(state, Tick(16 * MINUTE_NS))[1] == []
    assert play(state, JokaFinished())[1] == [ReadPoem()]


def test_the_german_rules_have_neither_joka_nor_practice_swings() -> None:
    settings = replace(SMALL, rules=PRESETS["seed-000"])
    state, wake = play(start(settings), field(LINE), MemoriseStarted(0))
    assert wake == [WakeAt(15 * MINUTE_NS)]
    assert play(state, Tick(14 * MINUTE_NS))[1] == []
    assert play(state, MemoriseEnded())[1] == [notice(NoticeId.GREETING), ReadPoem()]


def test_cards_may_be_corrected_while_memorising() -> None:
    state, _ = play(start(SMALL), field("near 1|/3|/4| far 51|52/53|/54|"), MemoriseStarted(0))
    assert ids(state.problems) == [NoticeId.CARD_COUNT]
    assert play(state, field(LINE))[0].problems == ()


def test_an_official_may_accept_a_layout_as_it_lies() -> None:
    state, _ = play(start(), field(LINE), FieldAccepted())
    assert (state.problems, format_layout(state.home)) == ((), LINE)
    declared = play(start(), FieldAccepted(parse_layout(LINE)))[0]
    assert format_layout(declared.home) == LINE


def test_karafuda_are_the_poems_without_a_card() -> None:
    state = opened()
    assert len(state.karafuda) == 92
    after, _ = play(state, *read(1, touch(1, NEAR)), Confirm())
    assert after.karafuda == state.karafuda
    assert after.unread == state.unread - {1}


# --- a poem ----------------------------------------------------------------------------------------------


def test_a_poem_from_the_first_sound_to_the_next_call() -> None:
    state, proposed = play(opened(), *read(51, touch(51, NEAR)))
    assert isinstance(proposed[0], Proposed)
    assert proposed[0].ruling.sends == BySide(1, 0)
    state, ruled = play(state, Confirm())
    assert isinstance(ruled[0], Ruled)
    assert ids(ruled) == [NoticeId.FIELD_NOT_SEEN, NoticeId.OWES_CARDS]
    state, missing = play(state, field("near 1|2/3|/4| far |52/53|/54|"))
    assert missing == [notice(NoticeId.OWES_CARDS, side="near", count=1)]
    state, sent = play(state, field("near 1|2/3|/| far 4|52/53|/54|"))
    assert sent == [notice(NoticeId.CARD_SENT, side="near", card=4), ReadPoem()]
    assert state.home.counts() == BySide(3, 4)
    assert state.faults == BySide(0, 0)


def test_the_field_may_settle_before_the_ruling_is_confirmed() -> None:
    state, _ = play(opened(), *read(1, touch(1, NEAR)), field("near |2/3|/4| far 51|52/53|/54|"))
    assert isinstance(play(state, Confirm())[1][-1], ReadPoem)


def test_displaced_cards_hold_the_reader() -> None:
    state, _ = play(opened(), *read(1, touch(1, NEAR)), Confirm())
    state, missing = play(state, field("near |2/|3/4| far 51|52/53|/54|"))
    assert missing == [notice(NoticeId.CARD_DISPLACED, side="near", card=3)]
    assert not state.ready
    assert play(state, field("near |2/3|/4| far 51|52/53|/54|"))[1] == [ReadPoem()]


def test_the_taken_card_has_to_leave() -> None:
    state, missing = play(opened(), *read(1, touch(1, NEAR)), Confirm(), field(LINE))
    assert missing == [notice(NoticeId.TAKEN_CARD_ON_FIELD, card=1)]
    assert not state.ready


def test_announced_rearranging_is_followed() -> None:
    state, _ = play(opened(), *read(100), Confirm(), field(LINE), Rearranging(NEAR))
    assert not state.ready
    moved = "near |1 2/3|/4| far 51|52/53|/54|"
    state, news = play(state, field(moved))
    assert news == [notice(NoticeId.REARRANGED, side="near", card=1), ReadPoem()]
    assert format_layout(state.home) == moved
    assert not play(state, field(LINE))[0].ready


def test_an_official_may_accept_the_field_between_poems() -> None:
    state, _ = play(opened(), *read(51, touch(51, NEAR)), Confirm())
    state, go = play(state, FieldAccepted())
    assert go == [ReadPoem()]
    assert state.owed == BySide(1, 0)  # near may still send until the next kami
    state, sent = play(state, field("near |2/3|/4| far 1|52/53|/54|"))
    assert sent == [notice(NoticeId.CARD_SENT, side="near", card=1)]
    assert state.ready


def test_accepting_the_field_follows_what_is_seen_and_loses_no_card() -> None:
    state, _ = play(opened(), *read(51, touch(51, NEAR)), Confirm())
    state, _ = play(state, field("near |2/?|/| far 4|52/53|99/51|"), FieldAccepted())
    assert format_layout(state.home) == "near 1|2/3|/| far 4|52/53|/54|"
    assert state.owed == BySide(0, 0)


def test_a_raised_hand_holds_the_reader() -> None:
    state, raised = play(opened(), HandRaised(FAR))
    assert raised == [notice(NoticeId.HAND_RAISED, side="far")]
    assert not state.ready
    assert play(state, HandLowered(NEAR))[1] == []
    assert play(state, HandLowered(FAR))[1] == [ReadPoem()]


def test_pause_and_resume() -> None:
    state, nothing = play(opened(), Pause())
    assert (state.ready, nothing) == (False, [])
    assert play(state, Resume())[1] == [ReadPoem()]
    assert play(state, started(1))[0].phase is Phase.READING


@pytest.mark.parametrize(("rule", "id_", "left"), [("lost", "right_lost", 0), ("kept", "right_kept", 1)])
def test_a_right_not_used_before_the_next_poem(rule: str, id_: str, left: int) -> None:
    state = opened(settings=replace(SMALL, rules=RuleSet(unused_right=UnusedRight(rule))))
    state, unused = play(state, *read(51, touch(51, NEAR)), Confirm(), started(2))
    assert unused == [Notice(NoticeId(id_), {"side": "near", "count": 1})]
    assert (state.phase, state.owed.near) == (Phase.READING, left)


def test_reading_on_confirms_what_was_proposed() -> None:
    state, follow_ups = play(opened(), started(1), touch(1, NEAR), started(100))
    assert [type(follow_up) for follow_up in follow_ups[:3]] == [Proposed, Notice, Ruled]
    assert follow_ups[1] == notice(NoticeId.CONFIRMED_BY_READING_ON, poem=1)
    assert not any(isinstance(follow_up, ReadPoem) for follow_up in follow_ups)
    assert (state.poem, state.read, state.home.counts().near) == (100, (1,), 3)
    assert play(state, started(100))[1] == [], "a second report of the same start changes nothing"


def test_late_facts_are_ruled_on_anew() -> None:
    state, again = play(opened(), *read(1, touch(1, NEAR)), touch(51, NEAR))
    assert isinstance(again[0], Proposed)
    assert again[0].ruling.faults == BySide(1, 0)
    assert state.phase is Phase.RULING


LOST = Gap(900 * MS, 1100 * MS, "unplugged")
"""The camera is lost as a poem begins; its first sound, at 1,000 ms, is learnt of afterwards."""


@pytest.mark.parametrize(
    "before",
    [
        pytest.param((), id="before the first poem"),
        pytest.param((*read(2, touch(2, NEAR, 500)), Confirm()), id="while the field is put in order"),
        pytest.param(
            (*read(2, touch(2, NEAR, 500)), Confirm(), field(LINE.replace("|2", "|"))),
            id="the field is put in order afterwards",
        ),
        pytest.param(read(2, touch(2, NEAR, 500)), id="while a ruling waits"),
        pytest.param((started(2, 400), touch(2, NEAR, 500)), id="while the last poem is open"),
    ],
)
def test_a_gap_that_a_poem_begins_in_leaves_it_to_a_person(before: Sequence[Event]) -> None:
    def doubts(*events: Event) -> tuple[str, ...]:
        return _proposed(play(opened(), *before, *events, PoemFinished())[0]).doubts

    assert doubts(LOST, started(52), touch(52, FAR)) == (), "what was seen afterwards is proof enough"
    assert "gap" in doubts(LOST, started(52))
    assert "gap" in doubts(LOST, started(52, 1100)), "the poem begins as the gap ends"
    assert "gap" not in doubts(LOST, started(52, 1101))
    disordered = play(opened(), *read(2, touch(2, NEAR, 500)), Confirm(), LOST, field(LINE), field(LINE))[0]
    assert not disordered.ready
    assert "gap" in _proposed(play(disordered, started(52), PoemFinished())[0]).doubts


def _proposed(state: MatchState) -> Ruling:
    assert state.ruling is not None
    return state.ruling


def test_a_touch_once_the_field_is_in_order_is_early() -> None:
    state, proposed = play(opened(), touch(2, FAR, 900), *read(1))
    assert isinstance(proposed[0], Proposed)
    assert "early_touch_fault" in proposed[0].ruling.reasons
    restoring, _ = play(
        opened(), *read(1, touch(1, NEAR)), Confirm(), touch(2, FAR), field(LINE.replace("1|", "|", 1))
    )
    assert restoring.ready
    ruling = play(restoring, *read(2))[0].ruling
    assert ruling is not None
    assert ruling.reasons == ("nobody_took",)
    assert state.ruling is not None


def _ruling(poem: int, taken_by: Side | None = None, sends: BySide[int] | None = None) -> Ruling:
    return Ruling(poem, taken_by, BySide(0, 0), sends or BySide(0, 0))


def test_touches_between_poems_are_forgotten_when_the_field_is_out_of_order() -> None:
    state, _ = play(opened(), touch(2, FAR, 900), HandRaised(NEAR), HandLowered(NEAR), *read(1))
    assert state.ruling is not None
    assert state.ruling.faults == BySide(0, 0)


def test_the_playing_hand_is_known_for_the_whole_match() -> None:
    state, _ = play(opened(), PlayingHand(FAR, Hand.LEFT), *read(1, touch(1, FAR, hand=Hand.RIGHT)))
    assert state.ruling is not None
    assert "wrong_hand_fault" in state.ruling.reasons


def test_a_declaration_on_the_last_poem_reopens_its_ruling() -> None:
    state, _ = play(opened(), *read(51, touch(51, NEAR)), Confirm())
    state, again = play(state, WrongHand(NEAR, 51))
    assert isinstance(again[0], Proposed)
    assert again[0].ruling.taken_by is None
    assert (state.phase, state.records, state.read, state.owed) == (Phase.RULING, (), (), BySide(0, 0))
    assert play(opened(), BrokeRule(NEAR, Conduct.OTHER))[0].phase is Phase.RESTORE


def test_after_a_reopened_ruling_the_reader_is_asked_again() -> None:
    state, _ = play(opened(), *read(99), Confirm(), field(LINE), *read(100), Confirm())
    state, asked = play(state, field(LINE))
    assert asked == [ReadPoem()]
    state, _ = play(state, BrokeRule(NEAR, Conduct.OTHER))
    assert [record.poem for record in state.records] == list(state.read) == [99]
    state, ruled = play(state, Confirm())
    assert ruled[-1] == ReadPoem()
    assert state.read == (99, 100)


def test_a_misread_poem_is_read_again() -> None:
    state, void = play(opened(), started(1), touch(1, NEAR), Misread())
    assert ids(void) == [NoticeId.POEM_VOID, NoticeId.FIELD_NOT_SEEN]
    assert (state.phase, state.read) == (Phase.RESTORE, ())
    state, again = play(state, field(LINE))
    assert again == [ReadPoem(1)]
    assert play(state, *read(1, touch(1, NEAR)), Confirm())[0].again is None


def test_a_poem_read_twice_is_for_the_officials() -> None:
    state, follow_ups = play(opened(), *read(100), Confirm(), field(LINE), started(100))
    assert ids(follow_ups) == [NoticeId.POEM_READ_TWICE]
    state, _ = play(state, PoemFinished())
    assert state.ruling is not None
    assert state.ruling.doubts == ("poem_read_twice",)
    assert play(state, Confirm())[0].read == (100, 100)


def test_shrunk_kimariji_are_told_for_the_cards_on_the_field() -> None:
    line = "near 31|52/3|/4| far 39|64/53|/54|"
    _, ruled = play(opened(line), *read(64, touch(64, FAR)), Confirm())
    assert notice(NoticeId.KIMARIJI_SHRUNK, poem=31, before="あさぼらけあ", now="あさぼ", since=64) in ruled
    told = [
        follow_up.params["poem"]
        for follow_up in ruled
        if isinstance(follow_up, Notice) and "since" in follow_up.params
    ]
    assert told == [31]


# --- overruling and appeals ------------------------------------------------------------------------------


def test_an_official_overrules_a_proposal() -> None:
    state, _ = play(opened(), *read(1, touch(1, NEAR)))
    state, ruled = play(state, Overrule(_ruling(1, FAR, BySide(0, 1))))
    assert ruled[0] == Ruled(replace(_ruling(1, FAR, BySide(0, 1)), reasons=("overruled",)))
    record = state.records[0]
    assert (record.proposed.taken_by, record.ruling.taken_by) == (NEAR, FAR)
    assert state.owed == BySide(0, 1)


def test_overruling_is_named_first_and_once() -> None:
    state, _ = play(opened(), *read(1, touch(1, NEAR)))
    ruling = replace(
        _ruling(1, FAR, BySide(0, 1)), reasons=("take_from_opponent", "overruled"), doubts=("gap",)
    )
    stands = play(state, Overrule(ruling))[0].records[0].ruling
    assert (stands.reasons, stands.doubts) == (("overruled", "take_from_opponent"), ())


def test_an_official_overrules_the_last_ruling_until_the_next_poem() -> None:
    state, _ = play(opened(), *read(51, touch(51, NEAR)), Confirm())
    sent = "near 1|2/3|/| far 4|52/53|/54|"
    at_rest = FieldSettled(state.home, 0)
    state, _ = play(state, at_rest, field(sent), Overrule(_ruling(51, FAR)))
    assert state.owed == BySide(0, 0)
    assert ids(state.problems) == [NoticeId.SENT_WITHOUT_RIGHT]


def test_overruling_needs_a_ruling_on_that_poem() -> None:
    state, _ = play(opened(), *read(1))
    with pytest.raises(IllegalEventError, match="on poem 1, got one on poem 2"):
        step(state, Overrule(_ruling(2)))
    with pytest.raises(IllegalEventError, match="no poem has been ruled on"):
        step(opened(), Overrule(_ruling(1)))


def test_appeals_open_the_replay_as_often_as_agreed() -> None:
    state = opened(settings=replace(SMALL, appeals=1))
    state, replay = play(state, *read(1, touch(1, NEAR)), Appeal(FAR))
    assert replay == [OpenReplay(1, FAR)]
    with pytest.raises(IllegalEventError, match="limited to 1 for each player, and far used them"):
        step(state, Appeal(FAR))
    state, replay = play(state, Confirm(), Appeal(NEAR))
    assert replay == [OpenReplay(1, NEAR)]
    assert state.appeals == BySide(1, 1)
    unlimited, _ = play(opened(), *read(1), *[Appeal(FAR)] * 5)
    assert unlimited.appeals.far == 5


@pytest.mark.parametrize("event", [Confirm(), MemoriseEnded(), MemoriseStarted(0), Misread(), Appeal(NEAR)])
def test_commands_out_of_place_are_refused(event: Event) -> None:
    state = opened()
    with pytest.raises(IllegalEventError, match=f"{type(event).__name__} (belongs to|needs)"):
        step(state, event)


@pytest.mark.parametrize(
    "fact", [started(1), started(0), touch(1, NEAR), field(LINE), PoemFinished(), JokaFinished(), Tick(0)]
)
def test_reports_are_never_refused(fact: Event) -> None:
    state, follow_ups = play(start(SMALL), fact)
    assert (state.phase, follow_ups) == (Phase.SET_UP, [])


def test_a_settled_field_during_the_joka_is_only_looked_at() -> None:
    state, _ = play(start(SMALL), field(LINE), MemoriseStarted(0), MemoriseEnded())
    assert play(state, field("near |/|/| far |/|/|"))[1] == []


# --- the end ---------------------------------------------------------------------------------------------


def test_the_last_own_card_wins() -> None:
    state, ended = play(opened("near 1|/|/| far 51|/|/|"), *read(1, touch(1, NEAR)), Confirm())
    assert ended[-2:] == [notice(NoticeId.CLOSING_BOW), MatchEnded(NEAR)]
    assert (state.phase, state.winner) == (Phase.ENDED, NEAR)
    assert play(state, started(51), touch(51, FAR))[0].winner is NEAR
    with pytest.raises(IllegalEventError, match="match is in ended"):
        step(state, Confirm())


def test_a_card_that_comes_back_keeps_the_match_going() -> None:
    last_with_fault = read(1, touch(1, NEAR), touch(51, NEAR))
    state, _ = play(opened("near 1|/|/| far 51 52|/|/|"), *last_with_fault, Confirm())
    assert (state.phase, state.owed) == (Phase.RESTORE, BySide(0, 1))
    sent = play(state, FieldSettled(state.home, 0), field("near 52|/|/| far 51|/|/|"))[0]
    assert (sent.phase, sent.home.counts()) == (Phase.RESTORE, BySide(1, 1))
    owed, kept = play(state, started(51))
    assert (owed.winner, kept) == (None, [notice(NoticeId.RIGHT_KEPT, side="far", count=1)])
    strict = replace(state, settings=replace(SMALL, rules=RuleSet(last_card=LastCard.LOST)))
    lost, told = play(strict, started(51))
    assert (lost.winner, told[-1]) == (NEAR, MatchEnded(NEAR))
    accepted, told = play(state, FieldAccepted())
    assert (accepted.phase, accepted.ready) == (Phase.RESTORE, False)
    assert told == [notice(NoticeId.OWES_CARDS, side="far", count=1)]


def test_a_match_without_poems_left_ends_without_a_winner() -> None:
    state = replace(opened(), read=tuple(number for number in range(1, 101) if number != 9))
    state, ended = play(state, *read(9), Confirm())
    bow = notice(NoticeId.CLOSING_BOW)
    assert ended[-3:] == [notice(NoticeId.NO_POEMS_LEFT), bow, MatchEnded(None)]
    assert (state.phase, state.winner) == (Phase.ENDED, None)


def test_a_match_without_poems_left_waits_for_the_last_send() -> None:
    state = replace(opened(), read=tuple(number for number in range(1, 101) if number != 51))
    state, _ = play(state, *read(51, touch(51, NEAR)), Confirm())
    assert state.phase is Phase.RESTORE
    at_rest = FieldSettled(state.home, 0)
    assert MatchEnded(None) in play(state, at_rest, field("near 1|2/3|/| far 4|52/53|/54|"))[1]


# --- undo ------------------------------------------------------------------------------------------------


def test_undo_brings_back_the_state_before_an_event_and_pauses() -> None:
    before, _ = play(opened(), *read(1, touch(1, NEAR)))
    after, _ = play(before, Confirm())
    undone, follow_ups = play(after, Revert(len(after.log)))
    assert replace(undone, log=before.log, paused=False) == before
    assert undone.paused
    assert before.ruling is not None
    assert follow_ups == [notice(NoticeId.REVERTED, seq=len(after.log)), Proposed(before.ruling)]
    assert len(undone.log) == len(after.log) + 1
    redone, _ = play(undone, Revert(len(undone.log)))
    assert replace(redone, log=after.log, paused=False) == after, "an undo can be undone"
    first, _ = play(opened(), Revert(1))
    assert replace(first, log=(), paused=False) == start(SMALL)


@pytest.mark.parametrize("seq", [0, 5])
def test_only_events_that_happened_can_be_undone(seq: int) -> None:
    state = opened()
    assert len(state.log) == 4
    with pytest.raises(IllegalEventError, match=r"1\.\.4"):
        step(state, Revert(seq))


sides = st.sampled_from(Side)
fields = st.sampled_from(
    [
        LINE,
        "near |2/3|/4| far 51|52/53|/54|",
        "near 1|2/3|/| far 4|52/53|/54|",
        "near ?|2/3|/4| far |52/53|/54 1|",
    ]
).map(field)
events: st.SearchStrategy[Event] = st.one_of(
    fields,
    fields,
    st.builds(started, st.sampled_from([0, 1, 51, 100]), st.integers(0, 3000)),
    st.builds(touch, st.sampled_from([1, 2, 51, 52]), sides, st.integers(0, 3000)),
    st.builds(HandRaised, sides),
    st.builds(HandLowered, sides),
    st.builds(Rearranging, sides),
    st.builds(WrongHand, sides, st.just(1)),
    st.builds(Appeal, sides),
    st.builds(Revert, st.integers(1, 30)),
    st.builds(Tick, st.integers(0, 20 * MINUTE_NS)),
    st.builds(Overrule, st.builds(_ruling, st.sampled_from([1, 51]), sides)),
    st.sampled_from(
        [PoemFinished(), PoemFinished(), Confirm(), Confirm(), Misread(), FieldAccepted(), Pause(), Resume()]
    ),
)


@given(st.lists(events, max_size=20))
def test_any_match_replays_to_the_same_state(attempts: list[Event]) -> None:
    state = opened()
    for event in attempts:
        before = state
        try:
            state, _ = step(state, event)
        except IllegalEventError:
            continue
        assert [logged.event for logged in state.log] == [*(logged.event for logged in before.log), event]
        undone, _ = step(state, Revert(len(state.log)))
        paused, _ = step(before, Pause())
        assert replace(undone, log=()) == replace(paused, log=())
    assert (
        reduce(lambda past, event: step(past, event)[0], (logged.event for logged in state.log), start(SMALL))
        == state
    )
    assert {placed.card for placed in state.home} <= {1, 2, 3, 4, 51, 52, 53, 54, None}


@pytest.mark.parametrize("moment", ["laid out", "memorising", "restoring", "reading", "paused"])
def test_an_official_ends_a_match_at_any_moment_and_takes_that_back(moment: str) -> None:
    events: dict[str, Sequence[Event]] = {
        "laid out": [field(LINE)],
        "memorising": [field(LINE), MemoriseStarted(0)],
        "restoring": [field(LINE), MemoriseStarted(0), MemoriseEnded(), JokaFinished()],
        "reading": [field(LINE), MemoriseStarted(0), MemoriseEnded(), JokaFinished(), started(1)],
        "paused": [field(LINE), MemoriseStarted(0), MemoriseEnded(), JokaFinished(), Pause()],
    }
    before, _ = play(start(SMALL), *events[moment])
    over, follow_ups = play(before, MatchStopped(StopReason.FORFEIT, FAR))
    assert follow_ups == [MatchEnded(FAR)]
    assert (over.phase, over.winner, over.stopped) == (Phase.ENDED, FAR, StopReason.FORFEIT)
    assert (over.poem, over.paused, over.home, over.read) == (None, False, before.home, before.read)
    assert (over.asked, over.facts, over.problems) == (False, (), ())
    again, _ = play(over, Revert(len(over.log)))
    assert (again.phase, again.poem, again.winner, again.stopped) == (before.phase, before.poem, None, None)


def test_nothing_that_is_seen_or_read_after_the_end_changes_anything() -> None:
    over, _ = play(opened(), MatchStopped(StopReason.TIME, None))
    for event in (started(2), touch(2, NEAR), PoemFinished(), Tick(MINUTE_NS), JokaFinished()):
        after, follow_ups = play(over, event)
        assert (replace(after, log=over.log), follow_ups) == (over, [])


def test_a_ruling_is_decided_before_the_match_ends() -> None:
    waits, _ = play(opened(), started(1), touch(1, NEAR), PoemFinished())
    with pytest.raises(IllegalEventError, match="MatchStopped belongs to"):
        step(waits, MatchStopped(StopReason.EARLY, NEAR))
    over, _ = play(waits, Confirm(), MatchStopped(StopReason.EARLY, NEAR))
    with pytest.raises(IllegalEventError, match="the match is in ended"):
        step(over, MatchStopped(StopReason.EARLY, NEAR))


@pytest.mark.parametrize(
    ("reason", "winner", "problem"),
    [(StopReason.FORFEIT, None, "a winner"), (StopReason.NO_RESULT, NEAR, "no winner")],
)
def test_a_forfeit_has_a_winner_no_result_none(reason: StopReason, winner: Side | None, problem: str) -> None:
    with pytest.raises(IllegalEventError, match=f"has {problem}"):
        step(opened(), MatchStopped(reason, winner))
