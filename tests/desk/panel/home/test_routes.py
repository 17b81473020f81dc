"""The home page and the set-ups behind it, as a browser gets them."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from desk.book.book import Book
from desk.panel.app import create_app
from desk.panel.book.port import BookPort
from desk.panel.home.wish import EnrolAgreed
from desk.panel.roles import Role, Roles
from tests.desk.karuta.scripted_house import ScriptedHouse
from tests.desk.panel.book.book_port import small_book
from tests.desk.panel.home.scripted_home import EVENING, ScriptedHome
from tests.desk.panel.visitor import browser_of

AGREED = {"rules": "house", "names": ["Hana", ""], "dealer": 1}
READ = {"voice": "high", "rhythm": "4-3-1-5", "order": "shuffle", "mode": "kami-only", "sound": "none"}


class Browser:
    """Asks a panel whose operator holds the token `chief`."""

    def __init__(self, home: ScriptedHome, token: str = "chief", book: BookPort | None = None) -> None:
        self.house = ScriptedHouse()
        self.house.match = None
        roles = Roles({"chief": Role.OPERATOR})
        self._browser = browser_of(create_app(house=self.house, home=home, roles=roles, book=book), token)

    def ask(
        self, path: str, body: dict[str, Any] | None = None, method: str = "", language: str = "en"
    ) -> httpx.Response:
        address = httpx.URL(path).copy_set_param("lang", language)
        return self._browser.request(method or ("GET" if body is None else "POST"), address, json=body)


@pytest.fixture
def home() -> ScriptedHome:
    return ScriptedHome()


def test_without_a_match_the_panel_opens_at_the_home_page(home: ScriptedHome) -> None:
    browser = Browser(home)
    assert browser.ask("/").headers["location"] == "/home"
    text = browser.ask("/home").text
    assert all(f'href="{page}"' in text for page in ("/set-up", "/koikoi/set-up", "/kendo/set-up"))
    assert "To the running game" not in text
    asyncio.run(browser.house.set_up.choose("camera", "0"))
    assert browser.ask("/").headers["location"] == "/set-up", "a source was named on the command line"
    assert "/films" not in text, "this panel takes no films"


@pytest.mark.parametrize("game", ["koikoi", "kendo"])
def test_a_table_is_set_up_played_and_ended(home: ScriptedHome, game: str) -> None:
    browser, table = Browser(home), home.tables[game]
    table.refusal = "no_table"
    refused = browser.ask(f"/api/{game}/set-up/start", AGREED)
    assert (refused.status_code, refused.json()["error"]) == (409, "Choose a source and open it.")
    table.refusal = None
    assert browser.ask(f"/{game}").headers["location"] == f"/{game}/set-up"
    assert browser.ask(f"/{game}/view").status_code == 404
    opened = browser.ask(f"/api/{game}/set-up/source", {"kind": "camera", "where": "0", "players": 2}).json()
    assert [each["id"] for each in opened["findings"]] == ["pace", "markers", "cards"]
    assert opened["findings"][0]["found"] == "9 a second"
    assert "top left" in opened["findings"][1]["found"]
    assert "bottom left" in opened["findings"][1]["found"]
    assert opened["failing"] == ["markers"]
    assert opened["phone"] is None
    phone = browser.ask(f"/api/{game}/set-up/source", {"kind": "camera", "where": "phone"}).json()["phone"]
    assert phone["notes"] == ["Its clock is known to ± 1.2 ms."]
    assert browser.ask(f"/api/{game}/set-up/start", AGREED).json() == {"page": f"/{game}"}
    assert table.agreed == ("house", ["Hana", ""], 1)
    assert browser.ask(f"/{game}").json() == {"played": game}
    assert browser.ask("/api/home").json()[game] is True
    assert "To the running game" in browser.ask("/home").text
    running = table.running
    assert browser.ask(f"/api/home/end/{game}", {}).json()[game] is False
    assert running is not None
    assert running.over.is_set()
    assert browser.ask("/api/home/end/chess", {}).status_code == 404


def test_the_table_of_yaku_is_that_of_the_chosen_switches(home: ScriptedHome) -> None:
    browser = Browser(home)
    usual = browser.ask("/koikoi/set-up/yaku/nintendo").text
    chosen = browser.ask("/koikoi/set-up/yaku/nintendo?viewing=never&months=3").text
    assert 'data-yaku="hanamizake"' in usual
    assert 'data-yaku="hanamizake"' not in chosen
    assert "<td>is not played</td>" in chosen
    assert "<td>3 months</td>" in chosen
    assert "&amp;viewing=never&amp;months=3" in chosen  # the other language is of the same rules
    for unknown in ("poker", "nintendo?viewing=often", "nintendo?poker=1", "%2Fetc%2Fpasswd"):
        assert browser.ask(f"/koikoi/set-up/yaku/{unknown}").status_code == 404


def test_a_reading_is_set_up_and_what_cannot_be_read_is_said(home: ScriptedHome) -> None:
    browser = Browser(home)
    page = browser.ask("/recite/set-up").text
    assert "this machine has none" in page
    assert "my slowest twenty" in page
    home.reading.refusal = "there is no voice 'high'"
    refused = browser.ask("/api/recite/set-up/start", READ)
    assert (refused.status_code, refused.json()["error"]) == (409, "there is no voice 'high'")
    home.reading.refusal = None
    assert browser.ask("/api/recite/set-up/start", READ).json() == {"page": "/recite"}
    assert home.reading.agreed is not None
    assert home.reading.agreed.mode == "kami-only"
    assert browser.ask("/api/recite/set-up/start", {**READ, "joka": False}).json() == {"page": "/recite"}
    assert not home.reading.agreed.joka
    assert browser.ask("/recite").json() == {"played": "recite"}
    assert browser.ask("/api/koikoi/set-up/start", AGREED).status_code == 200
    text = browser.ask("/home").text
    assert '<button data-end="recite" data-unlogged>' in text, "no log of a reading is promised"
    assert '<button data-end="koikoi">' in text


@pytest.mark.parametrize(
    ("language", "told"), [("en", "Nothing is being played"), ("ja", "今は何も行われていません")]
)
def test_a_command_to_an_ended_game_hears_its_language(home: ScriptedHome, language: str, told: str) -> None:
    browser = Browser(home)
    late = browser.ask("/api/recite/acts", {"name": "go"}, language=language)
    assert late.status_code == 404
    assert late.json()["detail"].startswith(told)
    command = browser.ask("/api/commands", {"name": "pause"}, language=language)
    assert command.status_code == 404
    assert (
        command.json()["error"]
        == {"en": "No match is running.", "ja": "進行中の試合はありません。"}[language]
    )


def test_everybody_has_a_timer_that_says_when_the_time_to_memorise_is_over(home: ScriptedHome) -> None:
    viewer = Browser(home, token="nobody")
    assert "15:00" in viewer.ask("/memorise").text
    for name in ("two_minutes", "time"):
        sound = viewer.ask(f"/memorise/{name}.wav")
        assert (sound.headers["content-type"], sound.content[:4]) == ("audio/wav", b"RIFF")
    assert viewer.ask("/memorise/noon.wav").status_code == 422


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Book]:
    found = small_book(tmp_path / "logs")
    yield found
    found.close()


PRACTICE = {"where": "0", "player": "Mei", "voice": "high", "rhythm": "4-3-1-5", "karafuda": 2}


def test_a_practice_of_a_set_is_begun_with_its_cards(home: ScriptedHome, book: Book) -> None:
    browser = Browser(home, book=book)
    page = browser.ask("/practise/set-up").text
    assert '<option value="Mei">' in page
    assert "This machine has no loudspeaker" in page
    assert browser.ask("/practise").headers["location"] == "/practise/set-up"
    wish = {**PRACTICE, "from_book": {"player": "Ken & 蒼", "card_set": "due", "most": 1}}
    assert browser.ask("/api/practise/set-up/start", wish).json() == {"page": "/practise"}
    assert home.practice.agreed is not None
    chosen = book.card_set("Ken & 蒼", "due", 1)
    assert chosen is not None
    assert home.practice.cards == [chosen[0]["poem"]]
    assert browser.ask("/practise").json() == {"played": "practise"}
    assert browser.ask("/api/home").json()["practise"] is True
    assert "To the practice" in browser.ask("/home").text


@pytest.mark.parametrize("path", ["/api/practise/set-up/start", "/api/recite/set-up/start"])
@pytest.mark.parametrize(
    ("wish", "told"),
    [
        ({"player": "Nobody", "card_set": "due"}, "The book knows no player of this name."),
        ({"player": "Mei", "card_set": "confused"}, "The book has no such cards now"),
    ],
)
def test_a_set_that_the_book_does_not_have_is_said(
    home: ScriptedHome, book: Book, path: str, wish: dict[str, Any], told: str
) -> None:
    usual = PRACTICE if "practise" in path else READ
    answer = Browser(home, book=book).ask(path, {**usual, "from_book": wish})
    assert answer.status_code == 409
    assert answer.json()["error"].startswith(told)
    assert home.practice.agreed is None
    assert home.reading.agreed is None


def test_the_reciter_reads_a_set_of_the_book(home: ScriptedHome, book: Book) -> None:
    browser = Browser(home, book=book)
    assert "Cards I lost this month" in browser.ask("/recite/set-up").text
    wish = {**READ, "from_book": {"player": "<Hana>", "card_set": "due"}}
    assert browser.ask("/api/recite/set-up/start", wish).json() == {"page": "/recite"}
    assert home.reading.agreed is not None
    cards = {int(card) for card in home.reading.agreed.cards.split(",")}
    assert cards == {card["poem"] for card in book.card_set("<Hana>", "due") or ()}
    assert cards


ENROL = {"game": "kendo", "name": "dojo", "camera": "0"}


def test_a_deck_is_enrolled_from_the_home_page(home: ScriptedHome) -> None:
    browser = Browser(home)
    assert 'href="/enrol/set-up"' in browser.ask("/home").text
    page = browser.ask("/enrol/set-up?game=kendo").text
    assert '<option value="kendo" selected>' in page
    assert "club" in page
    assert browser.ask("/enrol").headers["location"] == "/enrol/set-up"
    assert browser.ask("/api/enrol/set-up/start", ENROL).json() == {"page": "/enrol"}
    assert home.enrolment.agreed == EnrolAgreed.model_validate(ENROL)
    assert browser.ask("/enrol").json() == {"played": "enrol"}
    assert browser.ask("/api/home/end/enrol", {}).json()["enrol"] is False


def test_an_interrupted_game_goes_on_with_its_players_and_deck(home: ScriptedHome) -> None:
    browser, table = Browser(home), home.tables["koikoi"]
    table.left = [
        {
            "id": "koikoi_1",
            "started": "2026-01-04T19:30:00+09:00",
            "left": "2026-01-04T20:10:00+09:00",
            "names": ["父", None],
            "players": 2,
            "deck": "club",
        }
    ]
    for offered in (browser.ask("/koikoi/set-up").text, browser.ask("/matches").text):
        assert 'href="/koikoi/set-up?go_on=koikoi_1"' in offered
        assert 'aria-label="Go on: 父 – Player 2, 2026-01-04 19:30"' in offered
    assert "中断した対局：こいこい" in browser.ask("/matches", language="ja").text
    assert "koikoi_1" not in Browser(home, token="nobody").ask("/matches").text
    page = browser.ask("/koikoi/set-up?go_on=koikoi_1", language="ja").text
    assert 'data-go-on="koikoi_1"' in page
    assert '<input type="hidden" name="deck" value="club">' in page
    assert 'value="simulator"' not in page
    assert "20:10に中断したときのとおりに札を並べてください" in page
    assert browser.ask("/api/koikoi/set-up/go-on", {"game": "koikoi_1"}).json() == {"page": "/koikoi"}
    assert table.gone_on == "koikoi_1"


def test_a_viewer_sees_what_is_played_and_begins_nothing(home: ScriptedHome) -> None:
    viewer = Browser(home, token="nobody")
    page = viewer.ask("/home").text
    assert "The operator begins a game." in page
    assert "/koikoi/set-up" not in page
    for path in ("/koikoi/set-up", "/kendo/set-up", "/recite/set-up", "/api/koikoi/set-up"):
        assert viewer.ask(path).status_code == 403, path
    for path, body in (
        ("/api/koikoi/set-up/source", {"kind": "camera", "where": "0"}),
        ("/api/kendo/set-up/start", AGREED),
        ("/api/koikoi/set-up/go-on", {"game": "koikoi_1"}),
        ("/api/recite/set-up/start", READ),
        ("/api/practise/set-up/start", PRACTICE),
        ("/api/enrol/set-up/start", ENROL),
        ("/api/home/end/koikoi", {}),
    ):
        assert viewer.ask(path, body).status_code == 403, path
    assert home.tables["koikoi"].source is None
    assert home.reading.agreed is None


def test_an_evening_is_shown_and_exported_and_an_empty_one_says_what_to_do(home: ScriptedHome) -> None:
    browser = Browser(home)
    assert 'href="/koikoi/set-up"' in browser.ask("/koikoi/evening").text
    home.shown = EVENING
    page = browser.ask("/koikoi/evening").text
    assert "20:15" in page
    assert "Player 2 <b>3</b>" in page
    assert 'href="?day=2026-01-02"' in page
    rows = browser.ask("/koikoi/evening.csv").text.lstrip("\ufeff").splitlines()
    assert rows == [
        "Player,Points,Games,Games won,Months won,Koi-Koi calls,Best month",
        "'=Hana,12,1,1,4,2,8",
    ]
    assert browser.ask("/koikoi/evening?day=yesterday").status_code == 422
