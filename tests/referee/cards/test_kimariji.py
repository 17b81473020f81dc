"""Kimariji match a naive definition, and shrink while poems are read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.cards.kimariji import Shrunk, kimariji, shrunk_by
from referee.cards.poems import POEMS


def test_kimariji_of_a_full_set_is_the_printed_one() -> None:
    assert all(kimariji(number) == poem.kimariji for number, poem in POEMS.items())
    assert (kimariji(87), kimariji(17), kimariji(31)) == ("む", "ちは", "あさぼらけあ")


@given(st.sets(st.integers(1, 100), min_size=1), st.data())
def test_kimariji_is_shortest_and_decides(among: set[int], data: st.DataObject) -> None:
    number = data.draw(st.sampled_from(sorted(among)))
    found = kimariji(number, among)
    assert POEMS[number].sounds.startswith(found)
    assert [other for other in among if POEMS[other].sounds.startswith(found)] == [number]
    shorter = found[:-1]
    assert not shorter or any(POEMS[other].sounds.startswith(shorter) for other in among - {number})


def test_the_last_poem_is_decided_at_its_first_sound() -> None:
    assert kimariji(31, {31}) == kimariji(31, ()) == "あ"


def test_a_partner_shrinks_when_its_twin_was_read() -> None:
    unread = set(range(1, 101)) - {52, 64}
    assert Shrunk(poem=31, before="あさぼ", now="あさぼ", since=1) not in shrunk_by(1, unread)
    assert shrunk_by(64, {31, 39, 64}) == (Shrunk(poem=31, before="あさぼらけあ", now="あさぼ", since=64),)


def test_a_read_poem_that_has_no_twin_shrinks_nothing() -> None:
    assert shrunk_by(87, POEMS.keys()) == ()


@pytest.mark.parametrize(("number", "among"), [(0, None), (101, None), (1, {1, 200})])
def test_numbers_out_of_range_are_refused(number: int, among: set[int] | None) -> None:
    with pytest.raises(ValueError, match=r"1\.\.100"):
        kimariji(number, among)
