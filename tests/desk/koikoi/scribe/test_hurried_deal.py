"""Deals without a resting table, as the first player acted at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from desk.koikoi.events import LoggedEvent, TableSeen
from desk.koikoi.scribe.look import CardSeenBriefly
from tests.desk.koikoi.koikoi_script import events_of, opened_desk, planned
from vision.simulator.cardtable.koikoi.game import RoundPlan


def with_a_first_card_that_takes_none() -> Iterator[RoundPlan]:
    """Yield rounds whose first hand card stays in the middle."""
    for seed in count():
        plan = planned(seed)
        if not plan.turns[0].moves[0].taken:
            yield plan


def in_a_hurry(plan: RoundPlan, unseen: int | None = None) -> Iterator[LoggedEvent]:
    """Yield a round whose table first rests when the first drawn card has been turned up.

    The cards that are laid before are seen one by one, all but `unseen`.
    """
    deal, *others = events_of(plan)
    assert isinstance(deal, TableSeen)
    yield TableSeen(replace(deal.look, t_ms=10.0, field=frozenset()))
    for number, card in enumerate([*plan.dealt, plan.turns[0].moves[0].card]):
        if card != unseen:
            yield CardSeenBriefly(100.0 * (number + 1), card, seats=frozenset({plan.turns[0].player}))
    resting = next(n for n, one in enumerate(others) if isinstance(one, TableSeen) and one.look.turn)
    yield from others[resting:]


@pytest.mark.parametrize("number", range(3))
def test_the_deal_is_what_was_seen_first_in_the_middle(tmp_path: Path, number: int) -> None:
    plan = [plan for plan, _ in zip(with_a_first_card_that_takes_none(), range(3), strict=False)][number]
    desk = opened_desk(tmp_path)
    for event in in_a_hurry(plan):
        desk.tell(event)
    assert plan.final is not None
    record = desk.game.match.rounds[-1]
    assert list(record.points) == plan.final["points"]
    assert not desk.game.match.flags
    assert not desk.game.scribe.flags


def test_where_a_card_of_it_was_not_seen_the_deal_is_not_known(tmp_path: Path) -> None:
    plan = next(with_a_first_card_that_takes_none())
    desk = opened_desk(tmp_path)
    for event in in_a_hurry(plan, unseen=plan.dealt[2]):
        desk.tell(event)
        if isinstance(event, TableSeen) and event.look.turn:
            break
    assert desk.game.scribe.awaits_deal
