"""The pages of the book as a browser gets them."""

import csv
import json
import re
from collections.abc import Iterator, Mapping
from html import unescape

import httpx
import pytest
from fastapi import FastAPI

from desk.panel.app import create_app
from tests.desk.karuta.scripted_house import ScriptedHouse
from tests.desk.panel.book.book_port import small_book
from tests.desk.panel.visitor import browser_of

HANA = {"name": "<Hana>", "lang": "en"}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FastAPI]:
    book = small_book(tmp_path_factory.mktemp("club"))
    yield create_app(house=ScriptedHouse(), book=book)
    book.close()


def ask(app: FastAPI, path: str, asked: Mapping[str, str] | None = None) -> httpx.Response:
    return browser_of(app).get(path, params=asked)


def text_of(page: httpx.Response) -> str:
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", page.text).split()))


@pytest.mark.parametrize(("lang", "words"), [("en", "The club's book"), ("ja", "会の戦績帳")])
def test_the_list_names_players_and_logs_that_were_left_out(app: FastAPI, lang: str, words: str) -> None:
    page = ask(app, "/book", {"lang": lang})
    assert page.status_code == 200
    text = text_of(page)
    assert words in text
    assert "<Hana> 1 1 3" in text
    told = "notes.sqlite" + {"en": " is not a match log", "ja": "は試合のログではありません"}[lang]
    assert f"notes.sqlite : {told}" in text, "without the folder it lies in"
    assert "<Hana>" not in page.text


def test_a_players_page_holds_every_figure_and_each_chart_its_table(app: FastAPI) -> None:
    page = ask(app, "/book/player", HANA)
    text = text_of(page)
    assert "3 of 3 · 100 % (41 % – 100 %)" in text
    assert "210 ms (… – …) · half of the cards −40 to 330 ms · 3 takes" in text
    assert "Before the kimariji 1 of 3" in text
    assert page.text.count("<svg") == 4
    assert page.text.count("the table below says the same") == 3
    assert page.text.count("the table of cards says the same") == 1
    dots, families, weeks = 3, 3, 1
    assert page.text.count("<circle") == dots + families + weeks
    assert "style=" not in page.text, "the panel's policy blocks it"
    ken = text_of(ask(app, "/book/player", {"name": "Ken & 蒼", "against": "<Hana>", "lang": "en"}))
    assert "0 of 3" in ken
    assert "A card while a dead card was read 1" in ken
    assert "Ken & 蒼 against <Hana>" in ken


def test_a_player_on_one_page_to_print_has_the_charts_and_leads_back(app: FastAPI) -> None:
    page = ask(app, "/book/player/sheet", HANA)
    text = text_of(page)
    assert page.text.count("<svg") == 3
    assert "Slowest cards" in text
    assert "<details" not in page.text, "paper opens nothing"
    assert 'href="/book/player?name=%3CHana%3E"' in page.text
    assert ask(app, "/book/player/sheet", {"name": "Nobody"}).status_code == 404


def test_links_lead_to_the_pairing_and_keep_the_days(app: FastAPI) -> None:
    page = ask(app, "/book/player", {**HANA, "from": "2026-01-01", "to": ""})
    (link,) = [unescape(each) for each in re.findall(r'<th scope="row"><a href="([^"]+)"', page.text)]
    assert "from=2026-01-01" in link
    pairing = ask(app, link)
    assert "<Hana> against Ken & 蒼" in text_of(pairing)
    assert 'value="2026-01-01"' in pairing.text


def test_files_hold_the_same_figures(app: FastAPI) -> None:
    figures = json.loads(ask(app, "/book/player.json", HANA).text)
    rows = list(csv.DictReader(ask(app, "/book/player.csv", HANA).text.removeprefix("\ufeff").splitlines()))
    cards = [row for row in rows if row["table"] == "card"]
    assert [float(row["median_ms"]) for row in cards] == [
        card["reaction"]["median_ms"] for card in figures["cards"]
    ]
    assert "<Hana>" in ask(app, "/book.csv").text


def test_who_is_not_known_gets_the_list_and_a_wrong_day_one_line(app: FastAPI) -> None:
    missing = ask(app, "/book/player", {"name": "Nobody", "lang": "en"})
    assert missing.status_code == 404
    assert "The book knows no such player" in missing.text
    assert "&lt;Hana&gt;" in missing.text
    wrong = ask(app, "/book", {"from": "4 January", "lang": "en"})
    assert (wrong.status_code, "2026-01-04" in wrong.text) == (422, True)
    assert ask(app, "/book/player.csv", {"name": "Nobody"}).status_code == 404
    assert ask(app, "/book/player", {"name": "x" * 9999}).status_code == 422


def test_the_book_is_linked_from_the_matches_and_its_names_are_offered(app: FastAPI) -> None:
    assert 'href="/book"' in ask(app, "/matches").text
    offered = ask(app, "/set-up").text
    assert '<option value="Ken &amp; 蒼">' in offered
    without = create_app(house=ScriptedHouse())
    assert 'href="/book"' not in ask(without, "/matches").text
    assert ask(without, "/book").status_code == 404
