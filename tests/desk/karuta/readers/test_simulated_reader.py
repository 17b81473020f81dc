"""The silent reader: every ku and every kimariji has its instant."""

import pytest

from desk.karuta.readers.simulated_reader import kimariji_completed, ku_instants_ns
from referee.cards.kimariji import kimariji
from referee.cards.poems import POEMS
from referee.facts import PoemStarted

START_NS = 5_000_000_000


@pytest.mark.parametrize("poem", POEMS)
def test_five_ku_follow_each_other_within_the_rhythm(poem: int) -> None:
    instants = ku_instants_ns(PoemStarted(poem, START_NS, 1))
    assert len(instants) == 5
    assert instants == sorted(set(instants))
    assert instants[0] == START_NS
    assert instants[3] - START_NS == 6_000_000_000, "5 s of kami and 1 s of pause"


@pytest.mark.parametrize("poem", POEMS)
def test_the_kimariji_is_said_within_the_kami_and_not_at_once(poem: int) -> None:
    completed = kimariji_completed(PoemStarted(poem, START_NS, 7), POEMS)
    assert completed.poem == poem
    assert completed.t_unc_ns == 7
    assert 0.1e9 * len(kimariji(poem)) / 2 < completed.t_ns - START_NS < 5e9


def test_fewer_unread_poems_decide_sooner() -> None:
    start = PoemStarted(17, START_NS, 1)  # ちは, one sound once no other ち is left
    alone = kimariji_completed(start, {17, 1, 2})
    assert alone.t_ns < kimariji_completed(start, POEMS).t_ns
