"""What is stated of decided rulings stands on every page that shows some, the same everywhere.

That of films is in `tests/desk/shelf/test_shelf.py`."""

import pytest
from fastapi import FastAPI

from desk.hall.page.app import create_hall_app
from desk.panel.app import create_app
from desk.panel.house.rules import risk_text
from desk.panel.practice.routes import create_practice_app
from desk.panel.words import words
from referee.karuta.risk import Risk, risk_of
from referee.karuta.ruleset import KYOGI
from tests.desk.hall.page.hall_port import Floor, every_state
from tests.desk.panel.panel_port import ScriptedPort
from tests.desk.panel.practice.test_routes import Door
from tests.desk.panel.visitor import browser_of

OF_A_MATCH = Risk(0.56, 0.85, 1000, 2)  # what the log of the scripted match says
PAGES: dict[str, tuple[FastAPI, Risk]] = {
    "/": (create_app(ScriptedPort()), OF_A_MATCH),
    "/record": (create_app(ScriptedPort()), OF_A_MATCH),
    "/practise": (create_practice_app(Door()), risk_of(KYOGI)),
    "/?": (create_hall_app(Floor(every_state(), ScriptedPort())), risk_of(KYOGI)),
}


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("address", PAGES)
def test_a_page_states_the_risk_of_its_rulings(address: str, language: str) -> None:
    app, risk = PAGES[address]
    page = browser_of(app).get(address, params={"lang": language})
    assert f"<p>{risk_text(risk.to_json(), words(language))}</p>" in page.text
