"""The page in place of a missing one gives the reason and links; other clients get JSON."""

from typing import Any

import pytest
from fastapi import APIRouter

from desk.panel.app import create_app, single_page_app
from desk.panel.roles import Role, Roles
from tests.desk.karuta.scripted_house import ScriptedHouse
from tests.desk.panel.home.scripted_home import ScriptedHome
from tests.desk.panel.visitor import browser_of

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
