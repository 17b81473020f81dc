"""What the referee of a card table says, in both languages and with names in place of seats and numbers."""

from __future__ import annotations

import pytest

from desk.koikoi.page.view import card_names, sum_text
from desk.panel.table.names import by_names
from desk.panel.words import words
from referee.cards.kendo import parse_card
from referee.kendo.events import Open, Play
from referee.kendo.house_rules import preset
from referee.kendo.minutes import play
from referee.koikoi import house_rules as koikoi
from referee.koikoi.events import Call, Deal, Declare
from referee.koikoi.events import Play as Lay
from referee.koikoi.match import Match, step
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


def test_a_flag_of_koikoi_names_players_and_cards() -> None:
    field = (8, 32, 5, 13, 17, 21, 25, 1)
    match = step(Match(koikoi.preset()), Deal(1, 2, 0, field))
    text = step(match, Lay(0, 9, (5,))).flags[-1].text
    told = by_names(text, NAMES, words("ja"), card_names("ja"))
    assert told == "3月 桜・赤短では2月 梅・赤短を取れません。戻してください"
    claimed = step(match, Declare(1, Call.TESHI)).flags
    assert not claimed, "an unknown hand may hold it"
    early = step(match, Declare(1, Call.STOP)).flags[-1].text
    assert early == "player 1 has nothing to decide: no base has grown: the declaration does not count"
    assert (
        by_names(early, NAMES, words("ja"))
        == "Junの役は増えていません。決めることはありません。宣言は無効です"
    )


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
