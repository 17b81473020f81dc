"""What the referee of a card table says, in both languages and with names in place of seats and numbers."""

import pytest

from desk.koikoi.page.view import sum_text
from desk.panel.table.names import by_names
from desk.panel.words import words
from referee.cards.kendo import parse_card
from referee.kendo.events import Open, Play
from referee.kendo.house_rules import preset
from referee.kendo.minutes import play
from referee.koikoi import house_rules as koikoi
from referee.koikoi.piles import pile_of
from referee.koikoi.score import scorer

NAMES = ("Hana", "Jun")


def refusal(*names: str) -> str:
    """Return why seat 1 may not answer MEN UCHI with these cards."""
    laid = tuple(map(parse_card, names))
    told = play(preset(), [Open(0), Play(0, (parse_card("men_uchi"),)), Play(1, laid)])
    return told.flags[-1].text


def test_a_row_that_forbids_a_play_says_why_in_both_languages() -> None:
    text = refusal("maki_waza", "do>kote")
    assert text == "no row allows maki_waza + do>kote"
    assert by_names(text, NAMES, words("en")) == "no row allows MAKI WAZA + DO → KOTE"
    assert by_names(text, NAMES, words("ja")) == "MAKI WAZA + DO → KOTEを一緒に出せる決まりはありません"


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "(5 + 10) x 2 (koi-koi) x 2 (large sum) = 60"),
        ("ja", "(5 + 10) × 2（こいこい） × 2（倍付け） = 60"),
    ],
)
def test_a_sum_names_its_factors_in_the_visitors_language(language: str, told: str) -> None:
    pile = pile_of((1, 5, 9, 21, 33, 37, 8, 32))
    formula = scorer(koikoi.preset("nintendo")).score(pile, 0, 1).formula
    assert sum_text(formula, words(language)) == told
    assert sum_text("2", words(language)) == "", "the points stand beside it already"
