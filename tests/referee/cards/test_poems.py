"""The hundred poems: complete, consistent in themselves, and agreed with the public listings."""

import csv
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.cards.kimariji import Shrunk, kimariji, shrunk_by
from referee.cards.poems import JOKA, POEMS, common_prefix, decisive_prefix


def test_kimariji_lengths_are_the_known_ones() -> None:
    lengths = Counter(len(poem.kimariji) for poem in POEMS.values())
    assert lengths == {1: 7, 2: 42, 3: 37, 4: 6, 5: 2, 6: 6}


@pytest.mark.parametrize("number", [0, *range(1, 101)])
def test_every_ku_is_written_alike_in_kanji_and_kana(number: int) -> None:
    poem = POEMS[number] if number else JOKA
    for written, kana, pron, count in [
        (poem.kami, poem.kami_kana, poem.kami_pron, 3),
        (poem.shimo, poem.shimo_kana, poem.shimo_pron, 2),
    ]:
        kus = list(zip(written.split(" "), kana.split(" "), pron.split(" "), strict=True))
        assert len(kus) == count
        for ku, ku_kana, ku_pron in kus:
            assert re.fullmatch(re.sub("[^ぁ-ゖ]+", "[ぁ-ゖ]+", ku), ku_kana), (ku, ku_kana)
            assert len(re.sub("[ゃゅょ]", "", ku_pron)) == len(ku_kana)


def test_ku_have_five_or_seven_kana_but_for_the_known_surplus() -> None:
    for poem in POEMS.values():
        lengths = [len(ku) for ku in f"{poem.kami_kana} {poem.shimo_kana}".split()]
        surplus = [length - usual for length, usual in zip(lengths, (5, 7, 5, 7, 7), strict=True)]
        assert set(surplus) <= {0, 1}, poem


def test_joka_has_no_card() -> None:
    assert (JOKA.number, JOKA.torifuda, JOKA.kimariji) == (0, "", "")
    assert JOKA.sounds == "なにわずにさくやこのはなふゆごもり"


def test_torifuda_columns_run_from_right_to_left() -> None:
    assert POEMS[1].torifuda_columns == ("わかころも", "てはつゆに", "ぬれつつ")
    rest = Counter(len(poem.torifuda_columns[2]) for poem in POEMS.values())
    assert rest == {4: 88, 5: 11, 6: 1}
    assert len(POEMS[21].torifuda_columns[2]) == 6


@pytest.mark.shared
def test_poems_agree_with_the_public_listings(shared: Path) -> None:
    with (shared / "data/poems/consensus.csv").open(encoding="utf-8", newline="") as lines:
        listed = {int(row["no"]): row for row in csv.DictReader(lines)}
    assert listed.keys() == POEMS.keys()
    for number, row in listed.items():
        poem = POEMS[number]
        ours = {
            "kami_kana": poem.kami_kana.replace(" ", ""),
            "shimo_kana": poem.shimo_kana.replace(" ", ""),
            "torifuda_unvoiced": poem.torifuda,
            "kami_pron": poem.sounds,
            "shimo_pron": poem.shimo_pron.replace(" ", ""),
            "kimariji_pron": poem.kimariji,
            "kimariji_len": str(len(poem.kimariji)),
        }
        assert ours == {key: row[key] for key in ours}


def test_decisive_prefix_needs_texts_that_differ() -> None:
    with pytest.raises(ValueError, match="tells it apart"):
        decisive_prefix("あき", ["あきか"])


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        ("あさぼらけあ", "あさぼらけう", "あさぼらけ"),
        ("むらさめの", "すみのえの", ""),
        ("きみがため", "きみがためは", "きみがため"),
    ],
)
def test_two_poems_share_the_kana_with_which_both_begin(one: str, other: str, shared: str) -> None:
    assert common_prefix(one, other) == common_prefix(other, one) == shared


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
