"""Karafuda: random ones, and those that resemble the cards on the field."""

import pytest

from recitation.reading.order import karafuda


def test_chance_is_a_seed_and_never_a_card_in_play() -> None:
    cards = set(range(1, 51))
    chosen = karafuda(cards, 20, seed=3)
    assert len(chosen) == 20
    assert not chosen & cards
    assert chosen == karafuda(cards, 20, seed=3) != karafuda(cards, 20, seed=4)


def test_look_alikes_share_the_most_sounds() -> None:
    # asaborake, wata no hara, kimi ga tame: each has exactly one other that shares six sounds
    assert karafuda({31, 11, 15}, 3, seed=1, confusable=1.0) == {64, 76, 50}


@pytest.mark.parametrize(("count", "confusable"), [(100, 0.0), (-1, 0.0), (1, 1.5)])
def test_what_cannot_be_is_refused(count: int, confusable: float) -> None:
    with pytest.raises(ValueError, match=r"expected 0\.\.99 karafuda|confusable must be"):
        karafuda({1}, count, 0, confusable)
