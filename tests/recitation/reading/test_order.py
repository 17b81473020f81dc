"""Reading orders: each from its seed, each again."""

from collections import Counter

import pytest

from recitation.reading.order import Order, OrderError, karafuda, reading_order
from referee.cards.kimariji import kimariji


def test_shuffle_reads_every_poem_once_and_the_seed_decides() -> None:
    first = reading_order(Order.SHUFFLE, 7)
    assert sorted(first) == list(range(1, 101))
    assert first == reading_order(Order.SHUFFLE, 7)
    assert first != reading_order(Order.SHUFFLE, 8)


def test_number_and_count() -> None:
    assert reading_order(Order.NUMBER, 0, [30, 2, 17]) == (2, 17, 30)
    assert reading_order(Order.NUMBER, 0, [30, 2, 17], count=2) == (2, 17)


def test_random_draws_with_replacement() -> None:
    drawn = reading_order(Order.RANDOM, 1, range(1, 11), count=200)
    assert len(drawn) == 200
    assert set(drawn) == set(range(1, 11))
    assert max(Counter(drawn).values()) > 1


def test_kimariji_order_begins_with_the_seven_that_one_sound_decides() -> None:
    order = reading_order(Order.KIMARIJI, 0)
    assert "".join(kimariji(number) for number in order[:7]) == "むすめふさほせ"
    initials = [kimariji(number)[0] for number in order]
    assert "".join(dict.fromkeys(initials)) == "むすめふさほせうつしもゆいちひきはやよかみたこおわなあ"
    assert initials == sorted(initials, key=initials.index), "poems of one initial stand together"
    sizes = list(Counter(initials).values())
    assert sizes == sorted(sizes)


@pytest.mark.parametrize(
    ("poems", "count", "told"),
    [
        ([0, 1], None, "joka"),
        ([101], None, r"expected poem numbers 1\.\.100, got \[101\]"),
        ([4, 4], None, r"each poem once.*\[4\]"),
        ([], None, "at least one poem"),
        ([1, 2], 3, r"read 1\.\.2 poems"),
        ([1, 2], 0, r"got 0"),
    ],
)
def test_a_wrong_deck_is_refused_with_the_reason(poems: list[int], count: int | None, told: str) -> None:
    with pytest.raises(OrderError, match=told):
        reading_order(Order.SHUFFLE, 0, poems, count)


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
