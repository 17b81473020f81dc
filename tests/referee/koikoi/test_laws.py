"""Invariants of the game over random rounds, and the number of legal games from fixed deals."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.koikoi.captures import legal_takes
from referee.koikoi.events import Call, Deal, Declare, Draw, Event, Play
from referee.koikoi.house_rules import preset
from referee.koikoi.judge import judge
from referee.koikoi.match import Match, play, step
from referee.koikoi.piles import DECK, cards_of
from referee.koikoi.round import Phase, Round, begin
from tests.referee.koikoi.koikoi_table import random_round, shuffled_deal

KASU = preset()

seeds = st.integers(0, 2**32)
tables = st.integers(2, 4)


def together(table: Round) -> list[int]:
    """Return all places of the table that hold cards."""
    assert table.hands is not None
    return [table.field, *table.piles, *table.hands]


@settings(max_examples=40, deadline=None)
@given(seed=seeds, players=tables)
def test_48_cards_are_conserved(seed: int, players: int) -> None:
    match = Match(KASU)
    for event in random_round(random.Random(seed), players, KASU):
        match = step(match, event)
        table = match.table
        assert table is not None
        places = together(table)
        union = 0
        for place in places:
            assert place & union == 0
            union |= place
        assert union.bit_count() + table.stock == DECK.bit_count()
        assert table.hands is not None
        assert tuple(hand.bit_count() for hand in table.hands) == table.hand_counts


def turned(event: Event, players: int, by: int) -> Event:
    """Return the same event with all seats shifted by `by`."""
    if isinstance(event, Deal):
        assert event.hands is not None
        hands = tuple(event.hands[(seat - by) % players] for seat in range(players))
        return replace(event, dealer=(event.dealer + by) % players, hands=hands)
    if isinstance(event, Play | Draw | Declare):
        return replace(event, player=(event.player + by) % players)
    return event


@settings(max_examples=40, deadline=None)
@given(seed=seeds, players=tables, by=st.integers(1, 3))
def test_moving_everybody_a_seat_further_moves_the_result(seed: int, players: int, by: int) -> None:
    events = random_round(random.Random(seed), players, KASU)
    here = play(KASU, events)
    there = play(KASU, [turned(event, players, by) for event in events])
    for seat in range(players):
        assert there.totals[(seat + by) % players] == here.totals[seat]
    assert here.next_dealer is not None
    assert there.next_dealer == (here.next_dealer + by) % players
    (mine,), (theirs,) = here.rounds, there.rounds
    assert mine.result is not None
    assert theirs.result is not None
    assert theirs.result.ending == mine.result.ending


@settings(max_examples=25, deadline=None)
@given(seed=seeds, players=tables)
def test_hidden_hands_change_nothing(seed: int, players: int) -> None:
    seen = random_round(random.Random(seed), players, KASU)
    deal = seen[0]
    assert isinstance(deal, Deal)
    hidden = play(KASU, [replace(deal, hands=None), *seen[1:]])
    assert hidden.totals == play(KASU, seen).totals
    assert hidden.flags == ()


def perft(table: Round, stock: tuple[int, ...], turns: int) -> int:
    """Count the legal ways to play a number of turns with the stock in this order."""
    if turns == 0 or table.result is not None:
        return 1
    count = 0
    assert table.hands is not None
    for card in cards_of(table.hands[table.turn]):
        for take in legal_takes(card, table.field):
            played = only(table, Play(table.turn, card, cards_of(take)))
            for drawn_take in legal_takes(stock[0], played.field):
                after = only(played, Draw(played.turn, stock[0], cards_of(drawn_take)))
                if after.phase is Phase.DECISION:
                    count += 1  # a stop
                    after = only(after, Declare(after.turn, Call.KOIKOI))
                count += perft(after, stock[1:], turns - 1)
    return count


def only(table: Round, event: Play | Draw | Declare) -> Round:
    verdict = judge(table, event, 0)
    assert verdict.lawful
    (future,) = verdict.futures
    return future


def test_perft(golden: Callable[[str, str], None]) -> None:
    lines = [
        "# Lawful ways to play 1, 2, 3 turns (once 4 for two seats) from fixed deals: each stop is one way,",
        "# play goes on after every koi-koi. Cards are indices 0..47; the stock is turned from the left.",
    ]
    for players, depths in ((2, (4, 3)), (3, (3, 3)), (4, (3, 3))):
        for seed, depth in zip((1, 2), depths, strict=True):
            deal, stock = shuffled_deal(random.Random(seed), players, KASU)
            assert deal.hands is not None
            counts = [perft(begin(deal, KASU), tuple(stock), turns + 1) for turns in range(depth)]
            hands = " / ".join(written(hand) for hand in deal.hands)
            lines.append(
                f"field {written(deal.field)} hands {hands} stock {written(stock[:depth])}: {counts}"
            )
    golden("koikoi_perft.txt", "\n".join(lines) + "\n")


def written(cards: Sequence[int]) -> str:
    return ",".join(map(str, cards))
