"""The two seats and values held for each of them."""

from hypothesis import given
from hypothesis import strategies as st

from referee.sides import BySide, Side

pairs = st.builds(BySide, st.integers(), st.integers())


def test_seats_are_opposite() -> None:
    assert (Side.NEAR.opponent, Side.FAR.opponent) == (Side.FAR, Side.NEAR)


@given(pairs)
def test_a_pair_is_read_by_its_seat(pair: BySide[int]) -> None:
    assert [pair[side] for side in Side] == [pair.near, pair.far]
    assert list(pair.items()) == [(Side.NEAR, pair.near), (Side.FAR, pair.far)]
    assert BySide.of(lambda side: pair[side]) == pair


@given(pairs, st.integers())
def test_one_seat_is_replaced_and_the_other_kept(pair: BySide[int], value: int) -> None:
    for side in Side:
        changed = pair.replaced(side, value)
        assert (changed[side], changed[side.opponent]) == (value, pair[side.opponent])


@given(pairs)
def test_swapping_twice_changes_nothing(pair: BySide[int]) -> None:
    assert pair.swap().swap() == pair
    assert pair.swap().near == pair.far


@given(pairs)
def test_both_values_are_mapped(pair: BySide[int]) -> None:
    assert pair.map(str) == BySide(str(pair.near), str(pair.far))
    assert BySide.both(3) == BySide(3, 3)
