"""Players of simulated rounds handle cards in their own ways, and the cards lie afterwards as they should."""

from itertools import combinations

import numpy as np
import pytest

from vision.plane.printed_table import koikoi_table
from vision.plane.zones import Rect
from vision.simulator.cardtable.koikoi.game import RoundPlan, plan_round
from vision.simulator.cardtable.koikoi.manners import MANNERS, find_manners
from vision.simulator.cardtable.koikoi.table import Filmed, film_rounds
from vision.simulator.cardtable.looks import find_look

ZONES = koikoi_table(3)


def filmed(manners: str, seed: int = 4) -> tuple[RoundPlan, Filmed]:
    plan = plan_round(seed, 3)
    return plan, film_rounds([plan], ZONES, find_look("wood"), seed=seed, manners=find_manners(manners))


def lying_in(filmed: Filmed, rect: Rect) -> set[int]:
    """The cards that lie in a zone, or not farther beside it than a card is long, when the film ends."""
    end_s = filmed.script.length_s
    cards = set()
    for card, track in filmed.script.cards.items():
        x, y, *_, flip = track.at(end_s)
        inside = rect[0] - 27 <= x <= rect[2] + 27 and rect[1] - 27 <= y <= rect[3] + 27
        if inside and np.cos(flip) > 0:
            cards.add(card)
    return cards


def hands_reaching(filmed: Filmed) -> int:
    """How many instants of a tenth of a second see two hands move."""
    instants = np.arange(0, filmed.script.length_s, 0.1)
    moving = [
        sum(hand.is_moving(t_s, t_s + 0.01) for hand in filmed.script.hands.values()) for t_s in instants
    ]
    return sum(number > 1 for number in moving)


@pytest.mark.parametrize("manners", list(MANNERS))
def test_the_round_ends_as_it_was_planned(manners: str) -> None:
    plan, film = filmed(manners)
    middle, piles = set(plan.dealt), [set[int]() for _ in range(3)]
    for turn in plan.turns:
        for move in turn.moves:
            if move.taken:
                piles[move.strip] |= {move.card, *move.taken}
            else:
                middle.add(move.card)
            middle -= set(move.taken)
    assert lying_in(film, ZONES.field) == middle
    assert [lying_in(film, strip) for strip in ZONES.capture] == piles


def test_players_who_slip_move_more() -> None:
    _, plain = filmed("plain")
    _, slipping = filmed("slipping")
    assert slipping.script.length_s > plain.script.length_s + 5
    assert slipping.rounds[0]["final"]["points"] == plain.rounds[0]["final"]["points"]


def test_hurried_players_reach_in_while_others_leave() -> None:
    assert hands_reaching(filmed("plain")[1]) == 0
    assert hands_reaching(filmed("hurried")[1]) > 3


def test_a_packet_shows_only_its_uppermost_card() -> None:
    _, film = filmed("stacking")
    end_s = film.script.length_s
    places = [film.script.cards[card].at(end_s)[:2] for card in lying_in(film, ZONES.capture[0])]
    assert min(float(np.hypot(*(a - b))) for a, b in combinations(places, 2)) < 6


def test_unknown_manners_are_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="plain, late, flowing, hurried, stacking, slipping"):
        find_manners("rude")
