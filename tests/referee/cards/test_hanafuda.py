"""The 48 hanafuda: ids, counts of each kind, and the cards the yaku name."""

import csv
from collections import Counter
from pathlib import Path

import pytest

from referee.cards.hanafuda import HANAFUDA, Category, Ribbon, by_index


def test_ids_and_indexes_count_through_the_months() -> None:
    assert list(HANAFUDA) == [f"{month:02}-{slot}" for month in range(1, 13) for slot in range(1, 5)]
    assert [by_index(index) for index in range(48)] == list(HANAFUDA.values())
    assert [card.index for card in HANAFUDA.values()] == list(range(48))


def test_a_month_is_ordered_bright_animal_ribbon_chaff() -> None:
    order = list(Category)
    for month in range(1, 13):
        categories = [order.index(card.category) for card in HANAFUDA.values() if card.month == month]
        assert categories == sorted(categories)


def test_counts_of_each_kind() -> None:
    assert Counter(card.category for card in HANAFUDA.values()) == {
        "hikari": 5,
        "tane": 9,
        "tan": 10,
        "kasu": 24,
    }
    assert Counter(card.ribbon for card in HANAFUDA.values() if card.ribbon) == {
        Ribbon.AKATAN: 3,
        Ribbon.AOTAN: 3,
        Ribbon.PLAIN: 4,
    }
    assert all((card.ribbon is not None) == (card.category is Category.TAN) for card in HANAFUDA.values())


def test_a_card_has_its_terms_in_both_languages() -> None:
    moon = HANAFUDA["08-1"]
    assert (moon.name_ja, moon.flower_ja, moon.category.kanji) == ("月", "芒", "光")
    assert (moon.name_en, moon.flower_en, moon.category.english) == ("moon", "pampas grass", "bright")


@pytest.mark.shared
def test_ids_and_categories_are_those_of_the_decks(shared: Path) -> None:
    decks = sorted((shared / "data/hanafuda_decks").glob("*/index.csv"))
    assert decks
    for deck in decks:
        with deck.open(encoding="utf-8", newline="") as lines:
            listed = {row["card_id"]: row["category"] for row in csv.DictReader(lines)}
        assert listed == {card.id: card.category.value for card in HANAFUDA.values()}, deck


@pytest.mark.parametrize("index", [-1, 48])
def test_index_out_of_range_is_refused(index: int) -> None:
    with pytest.raises(ValueError, match=r"0\.\.47"):
        by_index(index)
