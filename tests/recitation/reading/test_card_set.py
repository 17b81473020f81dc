"""Sets of cards as people and other programs write them."""

import base64
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recitation.reading.card_set import (
    COLOURS,
    CardSetError,
    in_two_ways,
    parse_cards,
    sets_from_url,
    url_of_sets,
)
from recitation.reading.order import Order, OrderError, karafuda, reading_order
from referee.cards.kimariji import kimariji
from referee.cards.poems import POEMS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("17", {17}),
        ("1, 5 9", {1, 5, 9}),
        ("3..6", {3, 4, 5, 6}),
        ("98-100,1", {98, 99, 100, 1}),
        ("8?", set(range(80, 90))),
        ("*0", set(range(10, 101, 10))),
        ("*[13579]", set(range(1, 100, 2))),
        *((text, {1}) for text in ("１", "１，", " １ ")),
        *((text, {1, 2, 3}) for text in ("１-３", "１～３", "1 〜 3", "１ー３", "１，２、３")),
        ("む", {87}),
        ("むらさき", set()),
        ("あさぼ、わたのはら", {31, 64, 11, 76}),
        ("all", set(POEMS)),
    ],
)
def test_items(text: str, expected: set[int]) -> None:
    if expected:
        assert parse_cards(text) == expected
    else:
        with pytest.raises(CardSetError):
            parse_cards(text)


def test_the_five_colours_share_out_the_hundred() -> None:
    assert sorted(number for colour in COLOURS.values() for number in colour) == list(POEMS)
    assert {len(colour) for colour in COLOURS.values()} == {20}
    assert parse_cards("blue, pink") == COLOURS["blue"] | COLOURS["pink"]
    assert parse_cards("青 桃") == parse_cards("青札、ピンク") == COLOURS["blue"] | COLOURS["pink"]
    assert parse_cards("黄色 緑 橙") == COLOURS["yellow"] | COLOURS["green"] | COLOURS["orange"]
    assert parse_cards("青", {"青": frozenset({1})}) == {1}, "a set of this name is meant"
    with pytest.raises(CardSetError) as refused:
        parse_cards("紫")
    assert all(colour in str(refused.value) for colour in COLOURS)
    assert "[13579]" not in str(refused.value)


@pytest.mark.parametrize("text", ["", "0", "101", "9-3", "5-101", "red", "ん", "1,,x", "[", "17a"])
def test_what_fits_no_poem_is_refused(text: str) -> None:
    with pytest.raises(CardSetError, match="expected numbers"):
        parse_cards(text)


@given(st.dictionaries(st.text(max_size=8), st.sets(st.sampled_from(sorted(POEMS))), min_size=1, max_size=4))
def test_addresses_go_both_ways(named: dict[str, set[int]]) -> None:
    assert sets_from_url(url_of_sets("練習", named)) == named


def test_an_address_as_the_app_writes_it() -> None:
    content = '{"五色":[{"一番と六番":"x"},{"一番":"1"}]}'  # x is 33 in base 36: bits 0 and 5
    data = base64.urlsafe_b64encode(content.encode()).decode()
    read = sets_from_url("wasuramoti://fudaset/" + data)
    assert read == {"一番と六番": {1, 6}, "一番": {1}}


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/fudaset/abc",
        "wasuramoti://fudaset/",
        "wasuramoti://fudaset/!!!",
        "wasuramoti://fudaset/" + base64.urlsafe_b64encode(b"[1,2]").decode(),
        "wasuramoti://fudaset/" + base64.urlsafe_b64encode(b'{"a":[{"b":"-1"}]}').decode(),
        "wasuramoti://fudaset/" + base64.urlsafe_b64encode(b'{"a":[{"b":7}]}').decode(),
        "wasuramoti://fudaset/"
        + base64.urlsafe_b64encode(b'{"a":[{"b":"zzzzzzzzzzzzzzzzzzzzzzz"}]}').decode(),
        "wasuramoti://fudaset/" + "A" * 200_000,
    ],
)
def test_damaged_addresses_are_refused(url: str) -> None:
    with pytest.raises(CardSetError, match=r"address|begins with"):
        sets_from_url(url)


def test_a_sets_name_goes_before_what_it_may_mean_otherwise() -> None:
    named = {"17": frozenset({1, 2})}
    assert parse_cards("17,３", named) == {1, 2, 3}
    assert in_two_ways("17,３", named) == ["17"]


def test_first_sounds_are_written_in_a_row_as_people_do() -> None:
    alone = parse_cards("むすめふさほせ")
    assert {POEMS[number].sounds[0] for number in alone} == {*"むすめふさほせ"}
    assert len(alone) == 7
    assert parse_cards("うつしもゆ") == parse_cards("う, つ, し, も, ゆ")
    assert parse_cards("あき") == {1, 79}  # a beginning of two sounds stays one
    with pytest.raises(CardSetError, match="got 'むすめん'"):
        parse_cards("むすめん")


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
