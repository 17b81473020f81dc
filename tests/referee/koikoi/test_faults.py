"""The situations a referee flags: each one injected into random lawful rounds of two, three and four players.

Every fault must be flagged with its own id at its own event, and the rest of the round, which goes on as if
the fault had been put right, must stay free of flags.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from referee.koikoi.captures import legal_takes
from referee.koikoi.events import Call, Deal, Declare, Draw, End, Event, Play
from referee.koikoi.flags import FlagId
from referee.koikoi.house_rules import preset
from referee.koikoi.match import Match, RoundRecord, play, step
from referee.koikoi.piles import cards_of, month_of, same_month
from referee.koikoi.round import Ending, Round
from tests.referee.koikoi.koikoi_table import random_round

KASU = preset()
ROUNDS = 20
ENOUGH = 6


def tables(events: Sequence[Event]) -> list[Round]:
    """Return the table before each event after the deal."""
    match = step(Match(KASU), events[0])
    before = []
    for event in events[1:]:
        assert match.table is not None
        before.append(match.table)
        match = step(match, event)
    return before


def strangers(table: Round, event: Play | Draw) -> list[int]:
    """Return field cards of other months than the card, and than the hand card of the turn."""
    months = {month_of(event.card), *(month_of(card) for card in [table.played] if card is not None)}
    return [card for card in cards_of(table.field) if month_of(card) not in months]


Injection = Callable[[list[Event], int, Round, random.Random], bool]
"""Makes the event at an index illegal; returns whether that was possible there."""


def wrong_month(events: list[Event], at: int, table: Round, rng: random.Random) -> bool:
    event = events[at]
    if not isinstance(event, Play | Draw) or not strangers(table, event):
        return False
    events[at] = replace(event, taken=(rng.choice(strangers(table, event)),))
    return True


def extra_card_taken(events: list[Event], at: int, table: Round, rng: random.Random) -> bool:
    event = events[at]
    if not isinstance(event, Play | Draw) or not event.taken or not strangers(table, event):
        return False
    events[at] = replace(event, taken=(*event.taken, rng.choice(strangers(table, event))))
    return True


def forgotten_capture(events: list[Event], at: int, table: Round, rng: random.Random) -> bool:
    event = events[at]
    if not isinstance(event, Play | Draw) or len(event.taken) != 1:
        return False
    events[at] = replace(event, taken=())
    return True


def took_one_of_three(events: list[Event], at: int, table: Round, rng: random.Random) -> bool:
    event = events[at]
    if not isinstance(event, Play | Draw) or len(event.taken) != 3:
        return False
    events[at] = replace(event, taken=event.taken[: rng.randrange(3)])
    return True


def took_both_of_two(events: list[Event], at: int, table: Round, rng: random.Random) -> bool:
    event = events[at]
    if not isinstance(event, Play | Draw):
        return False
    matches = cards_of(same_month(event.card, table.field))
    if len(matches) != 2:
        return False
    events[at] = replace(event, taken=matches)
    return True


def out_of_turn(events: list[Event], at: int, table: Round, rng: random.Random) -> bool:
    event = events[at]
    other = (table.turn + rng.randrange(1, table.players)) % table.players
    if not isinstance(event, Play) or not table.hand_counts[other] or other == table.last_turn:
        return False
    assert table.hands is not None
    events.insert(at, Play(other, rng.choice(cards_of(table.hands[other]))))
    return True


def two_hand_cards(events: list[Event], at: int, table: Round, rng: random.Random) -> bool:
    event = events[at]
    if not isinstance(event, Draw) or not table.hand_counts[event.player]:
        return False
    assert table.hands is not None
    card = rng.choice(cards_of(table.hands[event.player]))
    events.insert(at, Play(event.player, card, cards_of(rng.choice(legal_takes(card, table.field)))))
    return True


def no_hand_card(events: list[Event], at: int, table: Round, rng: random.Random) -> bool:
    # without the card the later decisions cannot be followed: the round is looked at up to the first one
    cut_at_first_decision(events)
    if at >= len(events) - 1 or not isinstance(events[at], Play):
        return False
    del events[at]
    return at < len(events) - 1


def no_draw(events: list[Event], at: int, table: Round, rng: random.Random) -> bool:
    cut_at_first_decision(events)
    if at >= len(events) - 1 or not isinstance(events[at], Draw):
        return False
    del events[at]
    return True


def cut_at_first_decision(events: list[Event]) -> None:
    decisions = [index for index, event in enumerate(events) if isinstance(event, Declare)]
    if decisions:
        del events[decisions[0] :]


def drew_twice(events: list[Event], at: int, table: Round, rng: random.Random) -> bool:
    if not isinstance(events[at], Play) or table.last_turn is None:
        return False
    assert table.hands is not None
    hidden = [card for card in cards_of(table.unseen) if not any(hand >> card & 1 for hand in table.hands)]
    if not hidden:
        return False
    card = rng.choice(hidden)
    events.insert(at, Draw(table.last_turn, card, cards_of(rng.choice(legal_takes(card, table.field)))))
    return True


def drew_first(events: list[Event], at: int, table: Round, rng: random.Random) -> bool:
    first, second = events[at], events[at + 1] if at + 1 < len(events) else End()
    if (
        not isinstance(first, Play)
        or not isinstance(second, Draw)
        or month_of(first.card) == month_of(second.card)
    ):
        return False
    events[at : at + 2] = [second, first]
    return True


def missing_decision(events: list[Event], at: int, table: Round, rng: random.Random) -> bool:
    if events[at] != Declare(table.turn, Call.KOIKOI):
        return False
    del events[at]
    return True


def illegal_declaration(events: list[Event], at: int, table: Round, rng: random.Random) -> bool:
    if not isinstance(events[at], Play | Draw):
        return False
    events.insert(at, Declare(table.last_turn or 0, rng.choice([Call.STOP, Call.KOIKOI])))
    return table.phase == "hand_card"


def duplicate_card(events: list[Event], at: int, table: Round, rng: random.Random) -> bool:
    event = events[at]
    if not isinstance(event, Draw):
        return False
    events.insert(at + 1, event)
    events[at] = replace(event, card=rng.choice(cards_of(table.seen)), taken=())
    del events[at + 1 :]
    return True


def play_after_end(events: list[Event], at: int, table: Round, rng: random.Random) -> bool:
    if at != len(events) - 1:
        return False
    events.append(Play(rng.randrange(table.players), rng.randrange(48)))
    return True


INJECTIONS: tuple[Injection, ...] = (
    wrong_month,
    extra_card_taken,
    forgotten_capture,
    took_one_of_three,
    took_both_of_two,
    out_of_turn,
    two_hand_cards,
    no_hand_card,
    no_draw,
    drew_twice,
    drew_first,
    missing_decision,
    illegal_declaration,
    duplicate_card,
    play_after_end,
)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("inject", INJECTIONS, ids=lambda inject: inject.__name__)
def test_every_injected_fault_is_flagged_and_nothing_else(inject: Injection, players: int) -> None:
    rng = random.Random(f"{inject.__name__} {players}")
    injected = 0
    while injected < ENOUGH:
        lawful = random_round(rng, players, KASU, dealer=rng.randrange(players))
        before = tables(lawful)
        for index in rng.sample(range(len(before)), len(before)):
            events = list(lawful)
            if not inject(events, index + 1, before[index], rng):
                continue
            injected += 1
            (record,) = play(KASU, events).rounds
            where = index + 2 if inject is play_after_end else index + 1
            assert [(flag.id, flag.event) for flag in record.flags] == [(inject.__name__, where)], events[
                : where + 2
            ]
            break


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("show_hands", [True, False])
def test_lawful_rounds_are_never_flagged(players: int, show_hands: bool) -> None:
    rng = random.Random(players)
    for _ in range(ROUNDS):
        (record,) = play(KASU, random_round(rng, players, KASU, show_hands=show_hands)).rounds
        assert record.flags == ()
        assert record.result is not None


# the smaller situations, one table each: field 1-2 plum ... as card numbers, nobody's hand is known
FIELD = (1, 9, 45, 12, 16, 20, 24, 30)
DEAL = Deal(1, 2, 0, FIELD)


def flagged(*events: Event, deal: Deal = DEAL) -> list[tuple[FlagId, int]]:
    return [(flag.id, flag.event) for flag in judged(*events, deal=deal).flags]


def judged(*events: Event, deal: Deal = DEAL) -> RoundRecord:
    return play(KASU, [deal, *events]).rounds[-1]


SANKO = (Play(0, 0, (1,)), Draw(0, 8, (9,)), Play(1, 2), Draw(1, 3, (2,)), Play(0, 44, (45,)), Draw(0, 5))
"""Player 0 takes three dry lights and must decide."""


HANDS = ((0, 4, 8, 13, 17, 21, 25, 31), (2, 6, 10, 14, 18, 22, 26, 32))


@pytest.mark.parametrize(
    ("events", "flags"),
    [
        ((Play(0, 0, (1,)), Draw(0, 4), Play(1, 2, (1,))), [(FlagId.WRONG_STRIP, 3)]),
        ((Play(0, 0, (2,)),), [(FlagId.WRONG_COUNT, 1)]),
        ((Play(0, 0, (0, 1)),), []),  # the card itself may be named among the taken
        ((Play(0, 0), Draw(0, 4, (1,))), [(FlagId.FORGOTTEN_CAPTURE, 1), (FlagId.LATE_CHANGE, 2)]),
        ((Play(1, 0, (1,)), Draw(1, 4), Play(0, 2), Draw(0, 3, (2,))), [(FlagId.OUT_OF_TURN, 1)]),
        ((Draw(0, 0, (9,)), Play(0, 4)), [(FlagId.WRONG_MONTH, 1), (FlagId.DREW_FIRST, 1)]),
        ((Draw(1, 4),), [(FlagId.OUT_OF_TURN, 1)]),
        ((Play(0, 0, (1,)), Draw(1, 4), Play(1, 2)), [(FlagId.OUT_OF_TURN, 2)]),
        ((*SANKO, Draw(0, 6)), [(FlagId.DREW_TWICE, 7)]),
        ((*SANKO, Play(0, 6, (5,))), [(FlagId.OUT_OF_TURN, 7)]),
        ((Play(0, 0, (1,)), Draw(0, 4), End()), [(FlagId.ENDED_EARLY, 3)]),
        ((Play(0, 0, (1,)), Draw(0, 4)), []),
        ((End(),), [(FlagId.ENDED_EARLY, 1)]),  # nobody has played at all
        ((*SANKO, Declare(0, Call.STOP), End()), []),
        ((Play(0, 0, (1,)), Draw(0, 30), Declare(0, Call.STOP)), [(FlagId.DUPLICATE_CARD, 2)]),
        (
            (*SANKO, Declare(0, Call.STOP), Play(1, 6), Draw(1, 7), Play(0, 10)),
            [(FlagId.PLAY_AFTER_END, 8)],  # one flag is enough
        ),
    ],
)
def test_small_situations(events: tuple[Event, ...], flags: list[tuple[FlagId, int]]) -> None:
    assert flagged(*events) == flags


@pytest.mark.parametrize(
    ("events", "flag"),
    [
        ((Play(0, 3, (1,)),), (FlagId.NO_HAND_CARD, 1)),
        ((Play(0, 2, (1,)),), (FlagId.DUPLICATE_CARD, 1)),
        ((Play(0, 0, (1,)), Draw(0, 2)), (FlagId.DUPLICATE_CARD, 2)),
        ((Play(0, 1),), (FlagId.DUPLICATE_CARD, 1)),
    ],
)
def test_a_card_that_is_not_in_the_hand(events: tuple[Event, ...], flag: tuple[FlagId, int]) -> None:
    assert flagged(*events, deal=replace(DEAL, hands=HANDS)) == [flag]


def test_a_player_without_hand_cards_cannot_have_played_out_of_turn() -> None:
    table = judged().table
    match = Match(KASU, readings=(replace(table, hand_counts=(2, 0)),), events=1)
    match = step(match, Play(1, 0, (1,)))
    assert [flag.id for flag in match.flags] == [FlagId.OUT_OF_TURN]
    # put back, or laid for the player on turn
    assert [reading.hand_counts for reading in match.readings] == [(2, 0), (1, 0)]


def test_a_missing_decision_can_be_made_good() -> None:
    for call, ending, calls in ((Call.KOIKOI, None, (1, 0)), (Call.STOP, Ending.STOP, (0, 0))):
        record = judged(*SANKO, Play(1, 6, (5,)), Declare(0, call))
        assert [(flag.id, flag.event) for flag in record.flags] == [(FlagId.MISSING_DECISION, 7)]
        assert record.table.calls == calls
        assert (record.result and record.result.ending) == ending


def test_the_decision_is_the_player_on_turns_own() -> None:
    for call in (Call.KOIKOI, Call.STOP):
        assert flagged(*SANKO, Declare(1, call)) == [(FlagId.ILLEGAL_DECLARATION, 7)]
        # whether the decider repeats it or was misheard, nothing more is wrong
        assert flagged(*SANKO, Declare(1, call), Declare(0, call)) == [(FlagId.ILLEGAL_DECLARATION, 7)]
    going_on = judged(*SANKO, Declare(1, Call.KOIKOI), Play(1, 6, (5,)))
    assert [flag.id for flag in going_on.flags] == [FlagId.ILLEGAL_DECLARATION]
    assert going_on.table.calls == (1, 0)


def test_silence_is_no_call() -> None:
    record = judged(*SANKO, Play(1, 6, (5,)), Draw(1, 7), Declare(0, Call.KOIKOI))
    assert [flag.id for flag in record.flags] == [FlagId.MISSING_DECISION, FlagId.ILLEGAL_DECLARATION]
    assert record.table.calls == (0, 0)


def test_a_decision_still_open_at_the_end_is_missing() -> None:
    record = judged(*SANKO, End())
    assert [(flag.id, flag.event) for flag in record.flags] == [(FlagId.MISSING_DECISION, 7)]
    assert record.result is not None
    assert (record.result.ending, record.points) == (Ending.EXHAUSTED, (0, 0))


def test_cards_that_are_dealt_again_without_a_reason_are_flagged_on_the_round_before() -> None:
    match = play(KASU, [DEAL, Deal(2, 2, 1, FIELD)])
    before, now = match.rounds
    assert [(flag.id, flag.event) for flag in before.flags] == [(FlagId.ENDED_EARLY, 1)]
    assert now.result is None


@pytest.mark.parametrize(
    ("events", "flag"),
    [
        ((Play(0, 0, (1,)), End()), (FlagId.NO_DRAW, 2)),
        ((Draw(0, 4), End()), (FlagId.NO_HAND_CARD, 1)),
        ((Draw(0, 4),), (FlagId.NO_HAND_CARD, 1)),
        ((Draw(0, 4), Draw(0, 6, (4,))), (FlagId.DREW_TWICE, 2)),
        ((*SANKO[:5], Declare(0, Call.STOP)), (FlagId.NO_DRAW, 6)),
        ((*SANKO[:4], Draw(0, 44, (45,)), Declare(0, Call.STOP)), (FlagId.NO_HAND_CARD, 5)),
    ],
)
def test_a_turn_that_lacks_a_card(events: tuple[Event, ...], flag: tuple[FlagId, int]) -> None:
    assert flag in flagged(*events)


def test_an_unread_card_may_hold_the_yaku() -> None:
    # the draw that made the yaku was not recorded: whoever declares is believed, the missing draw is flagged
    record = judged(*SANKO[:4], Play(0, 4), Declare(0, Call.KOIKOI), Play(1, 6, (4,)))
    assert [flag.id for flag in record.flags] == [FlagId.NO_DRAW]
    assert record.table.calls == (1, 0)


def test_an_unread_card_explains_one_capture() -> None:
    # player 0's draw is missing; card 46 seems never to have lain there, card 30 to have been left
    start = Play(0, 0, (1,)), Play(1, 2), Draw(1, 3, (2,))
    assert flagged(*start, Play(0, 44, (46,))) == [(FlagId.NO_DRAW, 2)]
    assert flagged(*start, Play(0, 31)) == [(FlagId.NO_DRAW, 2)]
    again = [(FlagId.NO_DRAW, 2), (FlagId.WRONG_MONTH, 4)]
    assert flagged(*start, Play(0, 31, (16,))) == again


def test_a_seat_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match=r"seats are numbered 0\.\.1, got 2"):
        judged(Play(2, 0))
