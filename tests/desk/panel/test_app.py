"""The panel's addresses: pages, commands and roles."""

import asyncio
import json
import re
from typing import Any

import pytest
from fastapi import APIRouter

from desk.panel.app import create_app, single_page_app
from desk.panel.roles import Role, Roles
from tests.desk.karuta.scripted_house import ScriptedHouse
from tests.desk.panel.commands import NAMES
from tests.desk.panel.home.scripted_home import ScriptedHome
from tests.desk.panel.panel_port import ScriptedPort
from tests.desk.panel.visitor import browser_of

OVERRULE = {
    "name": "overrule",
    "ruling": 2,
    "taken_by": "far",
    "faults": {"near": 1, "far": 0},
    "note": "seen",
}


async def with_one_ruling(port: ScriptedPort) -> None:
    target = port.card_of("near")
    await port.read(target)
    await port.rule(target, [port.touch(target, "near", 800)])


def script(page: str, name: str) -> Any:
    text = page.split(f'<script type="application/json" id="{name}">')[1].split("</script>", maxsplit=1)[0]
    return json.loads(text)


# --- pages -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("lang", "text"), [("ja", "場の札"), ("en", "Cards on the field")])
def test_the_page_speaks_the_chosen_language_and_carries_the_match(lang: str, text: str) -> None:
    page = browser_of(create_app(ScriptedPort())).get("/", params={"lang": lang})
    assert page.status_code == 200
    assert f'<html lang="{lang}"' in page.text
    assert text in page.text
    assert len(script(page.text, "view")["field"]) == 50
    assert script(page.text, "faces")["17"][0] == "からくれな"


def test_the_language_follows_the_browser_and_is_remembered() -> None:
    browser = browser_of(create_app(ScriptedPort()))
    japanese = browser.get("/", headers={"Accept-Language": "ja,en;q=0.5"})
    assert '<html lang="ja"' in japanese.text
    browser.get("/", params={"lang": "en"})
    again = browser.get("/", headers={"Accept-Language": "ja,en;q=0.5"})
    assert '<html lang="en"' in again.text


def test_a_note_cannot_break_out_of_the_page() -> None:
    port = ScriptedPort()
    browser = browser_of(create_app(port))
    asyncio.run(with_one_ruling(port))
    port.snapshot["poems"][-1]["note"] = "</script><script>alert(1)</script>"
    page = browser.get("/").text
    assert "<script>alert" not in page
    assert script(page, "view")["latest"]["note"] == "</script><script>alert(1)</script>"


def test_the_page_loads_nothing_from_elsewhere_and_is_light() -> None:
    browser = browser_of(create_app(ScriptedPort()))
    page = browser.get("/")
    assert page.headers["content-security-policy"].startswith("default-src 'self'")
    assert "://" not in page.text.replace("http://www.w3.org", "")
    sizes = [int(page.headers["content-length"])]
    waiting, loaded = set(re.findall(r'(?:href|src)="(/static/[^"#]+)', page.text)), set()
    while waiting:
        address = waiting.pop()
        loaded.add(address)
        response = browser.get(address)
        assert response.status_code == 200, address
        imported = re.findall(r'from "\./(\w+\.js)"', response.text)
        waiting |= {f"/static/{name}" for name in imported} - loaded
        sizes.append(int(response.headers["content-length"]))
    assert sum(sizes) < 100_000


def test_an_earlier_poem_can_be_looked_at() -> None:
    port = ScriptedPort()
    browser = browser_of(create_app(port))
    asyncio.run(with_one_ruling(port))
    known = browser.get("/api/poems/2", params={"lang": "ja"})
    assert known.json()["sentence"] == "手前が自陣から取り。送り札なし。"
    assert browser.get("/api/poems/99").status_code == 404


# --- commands --------------------------------------------------------------------------------------------


def test_a_refused_command_says_why_in_the_viewers_language() -> None:
    port = ScriptedPort()
    browser = browser_of(create_app(port))
    asyncio.run(with_one_ruling(port))
    refused = browser.post("/api/commands?lang=ja", json={"name": "confirm", "ruling": 1})
    assert refused.status_code == 409
    assert refused.json()["refusal"] == "no_such_event"
    assert "判定" in refused.json()["error"]


@pytest.mark.parametrize(
    ("body", "english", "japanese"),
    [
        ({"name": "confirm", "ruling": 0}, "ruling: expected 1 or more", "1以上にしてください"),
        ({"name": "confirm", "ruling": "2"}, "ruling: expected a whole number", "整数を書いてください"),
        ({"name": "pause", "extra": 1}, "extra is not known here", "extraはここにはない項目です"),
        ({"name": "applaud"}, "expected one of 'start', ", "次のどれかにしてください：'start', "),
        ({**OVERRULE, "taken_by": "left"}, "expected one of 'near', 'far'", "次のどれかにしてください"),
        ({**OVERRULE, "note": "x" * 501}, "expected at most 500 characters", "500文字以内にしてください"),
        ({"name": "confirm"}, "ruling is missing", "rulingがありません"),
        ({"name": "stop_match", "reason": "forfeit", "winner": None}, "a forfeit has a winner", ""),
        ({"name": "stop_match", "reason": "no_result", "winner": "near"}, "nobody wins a match", ""),
    ],
)
def test_what_is_wrong_with_a_command_is_said_in_the_visitors_language(
    body: dict[str, Any], english: str, japanese: str
) -> None:
    port = ScriptedPort()
    browser = browser_of(create_app(port))
    assert english in browser.post("/api/commands", json=body).json()["error"]
    refused = browser.post("/api/commands", json=body, headers={"Accept-Language": "ja"})
    assert japanese in refused.json()["error"]
    assert "Input" not in refused.json()["error"]
    assert (refused.status_code, port.commands) == (422, [])


@pytest.mark.parametrize("name", NAMES)
def test_every_command_of_the_port_can_be_asked_for(name: str) -> None:
    bodies: dict[str, dict[str, Any]] = {
        "confirm": {"ruling": 2},
        "overrule": OVERRULE,
        "revert": {"event": 2},
        "declare": {"what": "wrong_hand", "side": "near", "card": 17},
        "appeal": {"ruling": 2, "side": "far"},
        "name_poem": {"poem": 17},
        "correct_poem": {"poem": 17},
        "stop_match": {"reason": "time", "winner": None},
        "set_policies": {"take": "propose", "fault": "log"},
    }
    port = ScriptedPort()
    browser = browser_of(create_app(port))
    asyncio.run(with_one_ruling(port))
    done = browser.post("/api/commands", json={"name": name, **bodies.get(name, {})})
    assert done.json() == {"seq": 3}
    command = port.commands[-1]
    assert (command.request.name, command.origin) == (name, "operator")
    told = command.request.model_dump(exclude={"name"}, exclude_unset=True)
    assert told == {key: value for key, value in bodies.get(name, {}).items() if key != "name"}


# --- the page in place of a missing one gives the reason and links; other clients get JSON -----------------
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture
def panel() -> Any:
    house = ScriptedHouse()
    house.match = None
    return create_app(house=house, home=ScriptedHome(), roles=Roles({"chief": Role.OPERATOR}))


@pytest.mark.parametrize(
    ("path", "status", "says"),
    [
        ("/record", 404, "This page is not there"),
        ("/matches/none/", 404, "This page is not there"),
        ("/record?lang=ja", 404, "このページはありません"),
        ("/koikoi/evening?day=yesterday&lang=ja", 422, "このページはありません"),
        ("/enrol/set-up", 403, "This page is for the operator"),
    ],
)
def test_a_browser_is_shown_where_to_go_on(panel: Any, path: str, status: int, says: str) -> None:
    answer = browser_of(panel).get(path, headers=BROWSER)
    assert answer.status_code == status
    assert f'<h1 class="phase">{says}</h1>' in answer.text
    assert 'href="/home"' in answer.text
    assert 'href="/matches"' in answer.text
    other = browser_of(panel).get(path, headers={"Accept": "application/json"})
    assert other.status_code == status
    assert set(other.json()) <= {"error", "detail"}


def test_where_one_game_is_served_alone_its_page_is_the_way_on() -> None:
    app = single_page_app(APIRouter(), "/koikoi", ["127.0.0.1"])
    answer = browser_of(app).get("/koikoi/rounds/9", headers=BROWSER)
    assert answer.status_code == 404
    assert '<a class="button" href="/koikoi">To the page</a>' in answer.text
