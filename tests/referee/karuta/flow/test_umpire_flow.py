"""Cases of an umpire between the poems: what is owed, sent, waived and said. Times in milliseconds."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from referee.facts import FieldSettled, Hand, PoemStarted, Touch, Unprovable
from referee.karuta.declarations import PlayEnded, PlayingHand
from referee.karuta.flow.events import (
    Confirm,
    Event,
    FieldAccepted,
    HandRaised,
    IllegalEventError,
    MatchStopped,
    MemoriseEnded,
    MemoriseStarted,
    Overrule,
    PoemFinished,
    Rearranging,
    Revert,
    RightWaived,
    StopReason,
    Tick,
)
from referee.karuta.flow.follow_ups import FollowUp, MatchEnded, Notice, NoticeId, Proposed, ReadPoem, notice
from referee.karuta.flow.match import MatchState, Phase, start, step
from referee.karuta.flow.state import MINUTE_NS
from referee.karuta.house_rules import PRESETS
from referee.karuta.ruleset import BoundHand, RuleSet
from referee.karuta.ruling import Ruling
from referee.layout import Layout
from referee.notation import parse_layout
from referee.sides import BySide, Side
from tests.referee.karuta.flow.test_match import FAR, LINE, MS, NEAR, SMALL, field, ids, opened


def play(state: MatchState, *events: Event) -> tuple[MatchState, list[FollowUp]]:
    told: list[FollowUp] = []
    for event in events:
        state, follow_ups = step(state, event)
        told.extend(follow_ups)
    return state, told


def touch(card: int, player: Side, t_ms: float = 500, hand: Hand | None = None) -> Touch:
    return Touch(card, player, round(t_ms * MS), MS, hand=hand)


def read(poem: int, *facts: Event) -> Sequence[Event]:
    return PoemStarted(poem, 0, MS), *facts, PoemFinished(), Confirm()


# --- what is owed ----------------------------------------------------------------------------------------


def last_of_far() -> MatchState:
    """Near has three cards, far only 17; 17 is read, near takes it and owes one."""
    return play(opened("near 1 2 3|/|/| far 17|/|/|"), *read(17, touch(17, NEAR)))[0]


def test_accepting_the_field_does_not_give_the_match_to_whom_a_card_is_owed() -> None:
    state, told = play(last_of_far(), FieldAccepted())
    assert (state.phase, state.owed, state.ready) == (Phase.RESTORE, BySide(1, 0), False)
    assert MatchEnded(FAR) not in told
    state, told = play(state, field("near 1 2|/|/| far 3|/|/|"))
    assert told == [notice(NoticeId.CARD_SENT, side="near", card=3), ReadPoem()]
    assert state.owed == BySide(0, 0)


def test_the_field_is_accepted_while_it_is_memorised() -> None:
    state = play(start(SMALL), field(LINE), MemoriseStarted(0))[0]
    state, _ = play(state, FieldAccepted(parse_layout("near 2|1/3|/4| far 51|52/53|/54|")))
    assert (state.phase, state.accepted) == (Phase.MEMORISE, False)
    assert play(state, MemoriseEnded())[0].home.find(1) == parse_layout("near 2|1/|/| far |/|/|").find(1)


def test_a_card_that_lies_across_in_the_accepted_field_was_sent() -> None:
    state, told = play(last_of_far(), FieldAccepted(parse_layout("near 1 2|/|/| far 3|/|/|")))
    assert (state.owed, told) == (BySide(0, 0), [ReadPoem()])


def test_a_right_to_send_may_be_waived() -> None:
    state = play(opened(), field(LINE), *read(51, touch(51, NEAR)), field("near 1|2/3|/4| far |52/53|/54|"))[
        0
    ]
    state, told = play(state, RightWaived(NEAR))
    assert told == [notice(NoticeId.RIGHT_WAIVED, side="near", count=1), ReadPoem()]
    assert state.owed == BySide(0, 0)
    with pytest.raises(IllegalEventError, match="needs a right to send"):
        step(state, RightWaived(NEAR))


def test_no_right_is_waived_where_a_card_is_given_or_where_the_match_hangs_on_it() -> None:
    strict = play(opened(settings=replace(SMALL, rules=PRESETS["seed-001"])), *read(51, touch(51, NEAR)))[0]
    with pytest.raises(IllegalEventError, match="want the card to be sent"):
        step(strict, RightWaived(NEAR))
    with pytest.raises(IllegalEventError, match="the last card has to be sent"):
        step(last_of_far(), RightWaived(NEAR))


# --- cards that were scattered ---------------------------------------------------------------------------


def scattered(how: Layout) -> tuple[MatchState, list[FollowUp]]:
    """A dead card is read, far's hand drags near's card 1 into far's territory: near may send one."""
    state = play(opened(), *read(99, touch(1, FAR)))[0]
    assert state.owed == BySide(1, 0)
    return play(state, FieldSettled(how, 0))


ACROSS = parse_layout("near |2/3|/4| far 51 1|52/53|/54|")


@pytest.mark.parametrize(
    ("how", "missing"),
    [
        ({"faces_owner": False}, notice(NoticeId.CARD_DISPLACED, side="near", card=1)),
        ({"angle_rad": 0.7}, notice(NoticeId.CROOKED, side="far", card=1)),
        ({"angle_rad": -0.7}, notice(NoticeId.CROOKED, side="far", card=1)),
    ],
)
def test_a_card_across_as_nobody_lays_one_was_not_sent(how: dict[str, float], missing: Notice) -> None:
    """Turned away it was swept; aslant nobody knows, and it is laid anew or taken home."""
    dragged = Layout(tuple(replace(one, **how) if one.card == 1 else one for one in ACROSS))  # type: ignore[arg-type]
    state, told = scattered(dragged)
    assert play(state, FieldSettled(ACROSS, 0))[0].sent == frozenset()
    assert told == [
        missing,
        notice(NoticeId.OWES_CARDS, side="near", count=1),
    ]
    state, told = play(state, field("near 1|2/|/4| far 51 3|52/53|/54|"))
    assert told == [notice(NoticeId.CARD_SENT, side="near", card=3), ReadPoem()]


SWEPT = replace(touch(1, FAR), out_ns=(510 * MS, 900 * MS))
"""Far's hand drags near's card 1 out of its territory."""


def dragged(poem: int = 99) -> MatchState:
    state, told = play(opened(), *read(poem, SWEPT), FieldSettled(ACROSS, 0))
    assert notice(NoticeId.SENT_OR_SWEPT, side="near", card=1) in told
    assert (state.sent, state.ready, state.owed.near) == (
        frozenset(),
        False,
        state.records[-1].ruling.sends.near,
    )
    return state


LAID_ACROSS, SENT_3 = FieldSettled(ACROSS, 0), field("near 1|2/|/4| far 51 3|52/53|/54|")
LAID_ANEW = FieldSettled(
    Layout(tuple(replace(one, x_m=one.x_m + 0.1) if one.card == 1 else one for one in ACROSS)), 0
)
READ_98 = PoemStarted(98, 0, MS)
SCATTERED, DRAGGED = scattered(ACROSS)[0], dragged()
TWO_SCATTERED = scattered(parse_layout("near |2/3|/| far 51 1|52/53|/54 4|"))[0]


def words(told: Sequence[FollowUp]) -> str:
    """Return the notices that were told, and the cards that they name."""
    notices = [each for each in told if isinstance(each, Notice)]
    return " ".join(
        f"{each.id}" + f"({each.params.get('card')})" * ("card" in each.params) for each in notices
    )


ACROSS_IT_LIES: dict[str, tuple[MatchState, list[Event], str, set[int], int, bool]] = {
    "taken back alone it is owed again": (SCATTERED, [field(LINE)], "owes_cards", set(), 1, False),
    "taken back and sent after all": (SCATTERED, [field(LINE), LAID_ACROSS],
        "owes_cards card_sent(1)", {1}, 0, True),
    "and it stays sent": (SCATTERED, [field(LINE), LAID_ACROSS, field(LINE)],
        "owes_cards card_sent(1) sent_card_stays(1)", {1}, 0, False),
    "sent instead of the scattered one": (SCATTERED, [SENT_3], "card_sent(3)", {3}, 0, True),
    "reading on confirms what nobody took home": (SCATTERED, [READ_98], "card_sent(1)", set(), 0, False),
    "reading on confirms no more than is owed": (TWO_SCATTERED, [READ_98], "right_lost", set(), 0, False),
    "accepting the field confirms what lies across": (SCATTERED, [FieldAccepted(), field(LINE)],
        "sent_card_stays(1)", {1}, 0, False),
    "in place before it was sent": (opened(), [*read(99, touch(1, FAR)), field(LINE), LAID_ACROSS,
        field(LINE)],
        "field_not_seen owes_cards owes_cards card_sent(1) sent_card_stays(1)", {1}, 0, False),
    "carried out by the play, however straight it lies": (DRAGGED, [LAID_ACROSS], "", set(), 1, False),
    "taken home, and another one sent": (DRAGGED, [field(LINE), SENT_3],
        "owes_cards card_sent(3)", {3}, 0, True),
    "both at once": (DRAGGED, [SENT_3], "card_sent(3)", {3}, 0, True),
    "laid anew": (DRAGGED, [LAID_ANEW], "card_sent(1)", {1}, 0, True),
    "lifted and laid anew": (DRAGGED, [FieldSettled(ACROSS.without(1), 0), LAID_ANEW],
        "card_missing(1) owes_cards card_sent(1)", {1}, 0, True),
    "taken home, and sent after all": (DRAGGED, [field(LINE), LAID_ACROSS],
        "owes_cards card_sent(1)", {1}, 0, True),
    "shoved aside while tidying, and taken home": (DRAGGED, [LAID_ANEW, field(LINE), field(LINE)],
        "card_sent(1) owes_cards", set(), 1, False),
    "an official says so": (DRAGGED, [FieldAccepted()], "", {1}, 0, True),
    "the eye said nothing of it": (opened(), [field(LINE), *read(51, touch(51, NEAR)),
        field("near |2/3|/4| far 1|52/53|/54|")],
        "field_not_seen owes_cards sent_or_swept(1) owes_cards", set(), 1, False),
    "a look while the poem is read tells nothing": (opened(), [PoemStarted(99, 0, MS), field(LINE),
        touch(1, FAR), LAID_ACROSS, PoemFinished(), Confirm(), LAID_ACROSS],
        "sent_or_swept(1) owes_cards", set(), 1, False),
    "laid by a hand a poem before": (opened(), [*read(98), field(LINE), Rearranging(NEAR),
        field("near 2|1/3|/4| far 51|52/53|/54|"), field(LINE), *read(99, touch(1, FAR)), LAID_ACROSS],
        "field_not_seen rearranged(1) rearranged(2) card_displaced(1) card_displaced(2) field_not_seen "
        "owes_cards sent_or_swept(1) card_displaced(2) owes_cards",
        set(), 1, False),
    "nothing is owed": (opened(), [*read(2, SWEPT, touch(2, NEAR, 400)), LAID_ACROSS],
        "field_not_seen card_displaced(1) taken_card_on_field(2)", set(), 0, False),
}  # fmt: skip


@pytest.mark.parametrize("case", ACROSS_IT_LIES)
def test_whether_a_card_that_lies_across_was_sent(case: str) -> None:
    before, then, told, sent, owed, ready = ACROSS_IT_LIES[case]
    state, follow_ups = play(before, *then)
    assert words(follow_ups) == told
    assert (state.sent, state.owed.near, state.ready) == (frozenset(sent), owed, ready)
    assert all(state.home.side_of(card) is FAR for card in sent)


def test_reading_on_leaves_a_card_where_it_belongs() -> None:
    for before, side in ((SCATTERED, FAR), (TWO_SCATTERED, NEAR)):
        assert play(before, READ_98)[0].home.side_of(1) is side


def test_a_card_that_was_sent_needs_no_second_word_after_a_new_ruling() -> None:
    state = play(opened(), *read(51, touch(51, NEAR)), field("near 1|2/3|/4| far |52/53|/54|"))[0]
    state = play(state, field("near |2/3|/4| far 1|52/53|/54|"))[0]
    ruling = state.records[-1].ruling
    state, told = play(state, Overrule(replace(ruling, faults=BySide(0, 1), sends=BySide(2, 0))))
    assert notice(NoticeId.CARD_SENT, side="near", card=1) in told
    assert state.owed == BySide(1, 0)


def test_what_the_play_before_carried_out_may_be_sent() -> None:
    state = play(dragged(), field(LINE), field("near 1|2/|/4| far 51 3|52/53|/54|"))[0]
    home = FieldSettled(state.home, 0)
    state = play(state, *read(98, touch(2, FAR)), home, field("near |2/|/4| far 51 3 1|52/53|/54|"))[0]
    assert state.sent == {1}


def test_accepting_the_first_field_accepts_no_later_one() -> None:
    state, _ = play(start(SMALL), field(LINE), FieldAccepted())
    assert not state.accepted


# --- the last cards ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "poem", "facts", "settled", "winner"),
    [
        ("near 1|/|/| far 51 52|/|/|", 99, (touch(51, FAR),), "near |/|/| far 51 52|1/|/|", NEAR),
        ("near 1|/|/| far 51 52|/|/|", 1, (touch(1, FAR),), "near 52|/|/| far 51|/|/|", None),
        ("near 1|/|/| far 51|/|/|", 1, (touch(1, FAR),), "near 51|/|/| far |/|/|", FAR),
        ("near 1|/|/| far 51|/|/|", 1, (touch(51, NEAR, 400), touch(1, NEAR)), "near 51|/|/| far |/|/|", FAR),
        (
            "near 1|/|/| far 51 52|/|/|",
            1,
            (touch(51, NEAR, 400), touch(1, NEAR)),
            "near 52|/|/| far 51|/|/|",
            None,
        ),
    ],
    ids=[
        "far faults on a dead card, and near sends its last one",
        "far takes near's last card and sends one: the match goes on",
        "far takes near's last card and sends its own last one",
        "near takes its last card with a fault, and far sends its last one",
        "near takes its last card with a fault, and far still has one",
    ],
)
def test_who_wins_with_the_last_card(
    line: str, poem: int, facts: Sequence[Event], settled: str, winner: Side | None
) -> None:
    """Bylaw 1, note: the winner's own cards really come to 0, with what is owed sent before."""
    owed, _ = play(opened(line), *read(poem, *facts))
    assert owed.winner is None
    sent, told = play(owed, field(settled))
    assert (sent.winner, NoticeId.SENT_OR_SWEPT in ids(told)) == (None, True)
    at_rest = FieldSettled(owed.home, 0)
    assert play(owed, at_rest, field(settled))[0].winner is winner
    accepted, told = play(sent, FieldAccepted())
    assert accepted.winner is winner
    assert told.count(MatchEnded(winner)) == (winner is not None)
    assert not any(isinstance(each, ReadPoem) for each in told) or winner is None


# --- commands --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ruling", "message"),
    [
        (Ruling(99, NEAR, BySide(0, 0), BySide(0, 0)), "cannot give card 99 to near"),
        (Ruling(99, None, BySide(0, 0), BySide(9, 0)), "lets near 0, far 0 cards .* got near 9, far 0"),
        (Ruling(99, None, BySide(0, 0), BySide(0, -1)), "lets near 0, far 0 cards .* got near 0, far -1"),
        (Ruling(99, None, BySide(-1, 0), BySide(0, 0)), "0 to 2 faults of each player, got near -1, far 0"),
        (Ruling(99, None, BySide(0, 3), BySide(2, 0)), "0 to 2 faults of each player, got near 0, far 3"),
        (Ruling(99, None, BySide(0, 2), BySide(4, 0)), "lets near 2, far 0 cards .* got near 4, far 0"),
        (Ruling(99, None, BySide(1, 0), BySide(1, 0)), "lets near 0, far 1 cards .* got near 1, far 0"),
    ],
)
def test_an_official_is_refused_what_no_play_can_lead_to(ruling: Ruling, message: str) -> None:
    state = play(opened(), PoemStarted(99, 0, MS), PoemFinished())[0]
    with pytest.raises(IllegalEventError, match=message):
        step(state, Overrule(ruling))


def test_a_take_from_the_opponent_sends_a_card() -> None:
    state = play(opened(), PoemStarted(51, 0, MS), PoemFinished())[0]
    with pytest.raises(IllegalEventError, match=r"lets near 1, far 0 cards .* got near 0, far 0"):
        step(state, Overrule(Ruling(51, NEAR, BySide(0, 0), BySide(0, 0))))
    assert play(state, Overrule(Ruling(51, NEAR, BySide(0, 1), BySide(2, 0))))[0].owed == BySide(2, 0)


@pytest.mark.parametrize("sends", [0, 1])
def test_an_official_may_give_a_card_that_could_not_be_read(sends: int) -> None:
    state = play(opened("near ?|2/3|/4| far 51|52/53|/54|"), PoemStarted(1, 0, MS), PoemFinished())[0]
    ruled = play(state, Overrule(Ruling(1, NEAR, BySide(0, 0), BySide(sends, 0))))[0]
    assert ruled.records[-1].ruling.taken_by is NEAR
    with pytest.raises(IllegalEventError, match=r"lets near 0, far 0 or near 1, far 0 cards .* got near 2"):
        step(state, Overrule(Ruling(1, NEAR, BySide(0, 0), BySide(2, 0))))


MOVED = "near 1|2/3 4|/| far 51|52/53|/54|"


@pytest.mark.parametrize(
    "events",
    [
        [PoemStarted(99, 0, MS), Rearranging(NEAR), PoemFinished(), Confirm()],
        [PoemStarted(98, 0, MS), Rearranging(NEAR), PoemStarted(99, 0, MS), PoemFinished(), Confirm()],
        [PoemStarted(99, 0, MS), PoemFinished(), Confirm(), Rearranging(NEAR)],
    ],
    ids=["while a poem is read", "while the poem before is read", "while the field is restored"],
)
def test_cards_are_rearranged_at_any_time_if_that_is_announced(events: list[Event]) -> None:
    state, told = play(opened(), *events, field(MOVED))
    assert ids(told)[-1] is NoticeId.REARRANGED
    assert state.ready
    with pytest.raises(IllegalEventError, match="match is in ended"):
        step(replace(state, phase=Phase.ENDED), Rearranging(NEAR))


def test_without_a_word_a_moved_card_is_displaced() -> None:
    assert ids(play(opened(), *read(99), field(MOVED))[1])[-1] is NoticeId.CARD_DISPLACED


# --- the playing hand ------------------------------------------------------------------------------------


def takes_with(first: Hand | None, then: Hand | None, rule: BoundHand, *said: Event) -> list[FollowUp]:
    state = opened(settings=replace(SMALL, rules=RuleSet(playing_hand=rule)))
    home = "near |2/3|/4| far 51|52/53|/54|"
    state, _ = play(state, *said, *read(1, touch(1, NEAR, hand=first)), field(home))
    return play(state, *read(2, touch(2, NEAR, hand=then)))[1]


RIGHT, LEFT = Hand.RIGHT, Hand.LEFT


def test_a_hand_that_changes_after_the_first_take_is_noticed_and_the_take_counts() -> None:
    told = takes_with(RIGHT, LEFT, BoundHand.NOTICED)
    assert notice(NoticeId.HAND_CHANGED, side="near", hand="left") in told
    assert [each.ruling.taken_by for each in told if hasattr(each, "ruling")] == [NEAR, NEAR]


def test_the_hand_of_the_first_take_binds_where_the_house_rules_say_so() -> None:
    told = takes_with(RIGHT, LEFT, BoundHand.FIRST_TAKE)
    assert "wrong_hand_fault" in next(each.ruling.reasons for each in told if hasattr(each, "ruling"))


@pytest.mark.parametrize(
    ("first", "then", "rule", "said"),
    [
        (RIGHT, RIGHT, BoundHand.NOTICED, ()),
        (RIGHT, None, BoundHand.NOTICED, ()),
        (None, LEFT, BoundHand.NOTICED, ()),
        (RIGHT, LEFT, BoundHand.DECLARED, ()),
        (RIGHT, LEFT, BoundHand.NOTICED, (PlayingHand(NEAR, RIGHT),)),
    ],
)
def test_nothing_is_noticed_where_no_hand_changed_or_a_declared_one_is_judged(
    first: Hand | None, then: Hand | None, rule: BoundHand, said: tuple[Event, ...]
) -> None:
    assert NoticeId.HAND_CHANGED not in ids(takes_with(first, then, rule, *said))


# --- notes, never faults ---------------------------------------------------------------------------------


def test_swings_before_the_last_two_minutes_are_a_note() -> None:
    state = play(start(SMALL), field(LINE), MemoriseStarted(0))[0]
    swing = Unprovable(3, NEAR, 60_000 * MS, MS, "no_card_motion")
    assert play(state, swing)[1] == [notice(NoticeId.SWUNG_EARLY, side="near")]
    assert play(state, replace(swing, player=None))[1] == []
    state = play(state, Tick(13 * MINUTE_NS))[0]
    assert play(state, swing)[1] == []


RAISED, RAISED_LATE = (notice(id_, side="far") for id_ in (NoticeId.HAND_RAISED, NoticeId.HAND_RAISED_LATE))


def test_a_hand_raised_after_the_reader_was_asked_to_go_on_is_told_as_too_late() -> None:
    """Bylaw 16: not once the shimo has begun, with which the reader goes on."""
    state = play(opened(), *read(99), field(LINE))[0]
    assert state.ready
    state, told = play(state, HandRaised(FAR))
    assert told == [RAISED_LATE]
    assert not state.ready


def test_a_hand_raised_before_the_shimo_is_in_time() -> None:
    """Before the first poem; while a poem is played, whose shimo comes after it; while cards lie about."""
    assert play(opened(), HandRaised(FAR))[1] == [RAISED]
    playing = play(opened(), *read(99), field(LINE), PoemStarted(1, 0, MS), touch(1, NEAR, 500))[0]
    assert play(playing, HandRaised(FAR))[1] == [RAISED]
    assert RAISED in play(opened(), *read(99), field(MOVED), HandRaised(FAR))[1]
    assert play(play(playing, PoemFinished())[0], HandRaised(FAR))[1] == [RAISED]


def test_nothing_is_missing_any_more_when_an_official_ends_the_match() -> None:
    state = play(opened(), *read(99), field(MOVED))[0]
    assert state.problems
    assert play(state, MatchStopped(StopReason.TIME, None))[0].problems == ()


def test_an_official_ends_the_play() -> None:
    facts = (touch(1, NEAR), PlayEnded(1000 * MS, MS), touch(51, NEAR, 1500))
    state = play(opened(), *read(1, *facts))[0]
    assert state.faults == BySide(0, 0)


# --- the first edition -----------------------------------------------------------------------------------


def first_edition(line: str = LINE) -> MatchState:
    """Return a match that was opened under the rules of 0.2.0."""
    return opened(line, replace(SMALL, edition=1))


def test_a_match_of_the_first_edition_flows_as_it_did() -> None:
    given_away = play(first_edition("near 1 2 3|/|/| far 17|/|/|"), *read(17, touch(17, NEAR)))[0]
    assert play(given_away, FieldAccepted())[1] == [MatchEnded(FAR)]
    accepted, told = play(first_edition(), *read(51, touch(51, NEAR)), FieldAccepted())
    assert (accepted.owed, told[-1]) == (BySide(0, 0), ReadPoem())
    swept = Layout(tuple(replace(one, faces_owner=one.card != 1) for one in ACROSS))
    state = play(first_edition(), *read(99, touch(1, FAR)), FieldSettled(swept, 0))[0]
    assert state.sent == {1}
    assert ids(play(state, field(LINE))[1]) == [NoticeId.SENT_CARD_STAYS]
    nine = Ruling(99, None, BySide(0, 0), BySide(9, 0))
    assert play(first_edition(), PoemStarted(99, 0, MS), PoemFinished(), Overrule(nine))[0].owed.near == 9


def test_what_an_earlier_edition_ruled_is_taken_as_it_was_also_by_an_undo() -> None:
    told = Ruling(1, FAR, BySide(0, 1), BySide(2, 0), reasons=("take_own",))
    state = play(first_edition(), PoemStarted(1, 0, MS), touch(1, NEAR))[0]
    state, follow_ups = step(state, PoemFinished(), [told])
    assert follow_ups == (Proposed(told),)
    state = play(state, Confirm())[0]
    assert state.records[-1].ruling == told
    undone, follow_ups = step(state, Revert(len(state.log)))
    assert follow_ups[-1] == Proposed(told)
    assert undone.ruling == told
