"""A card table always says what it waits for, and a word at the wrong time hears when it can be said."""

import asyncio
import json
from itertools import product
from typing import Any

import pytest
from fastapi import FastAPI

from desk.kendo.card_game import KENDO
from desk.kendo.desk import Refused as KendoRefused
from desk.kendo.page.phrases import WHEN as WORDS
from desk.kendo.page.routes import KendoRoutes
from desk.koikoi.page.phrases import AWAITED as OF_GAME
from desk.koikoi.page.phrases import PHASES
from desk.koikoi.page.phrases import awaited as game_awaits
from desk.panel.pages import Pages
from desk.panel.table.seat_links import SeatLinks
from desk.panel.words import words
from desk.tables.game_page import PageFrame
from desk.tables.live_game import game_app, page_of
from tests.desk.kendo.kendo_script import opened_desk
from tests.desk.panel.visitor import browser_of
from vision.simulator.art.kendo.deck import drawn_kendo_deck


def test_no_state_of_a_game_is_without_words() -> None:
    for phase, deciding, over in product(PHASES, (None, 1), (False, True)):
        if phase == "decision":
            continue  # the page's word for a seat that decides
        game = {"phase": phase, "deciding": deciding, "over": over}
        assert bool(OF_GAME[game_awaits(game)].text) is not over


def said(app: FastAPI, command: dict[str, object], language: str) -> str:
    answer = browser_of(app).post(f"/kendo/commands?lang={language}", json=command)
    assert answer.status_code == 409
    return str(answer.json()["error"])


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("what", sorted(WORDS))
def test_a_word_that_cannot_be_said_now_hears_when_it_can(tmp_path: Any, what: str, language: str) -> None:
    desk = opened_desk(tmp_path)
    app = game_app(KENDO, page_of(KENDO, desk, drawn_kendo_deck()))
    if what == "pass":  # nobody knows yet who opens, so that either may
        desk.say = lambda *_args, **_more: KendoRefused.NOT_NOW  # type: ignore[method-assign]
    told = said(app, {"name": "say", "player": 0, "what": what}, language)
    assert told == words(language).plain(WORDS[what])


@pytest.mark.parametrize("has_home", [True, False])
def test_a_game_whose_pictures_ended_says_how_it_is_ended_here(tmp_path: Any, has_home: bool) -> None:
    health: dict[str, object] = {"fps": None, "warnings": [], "hindrance": "ended"}
    page = page_of(KENDO, opened_desk(tmp_path), drawn_kendo_deck(), health=lambda: dict(health))
    frame = PageFrame(Pages(has_home=has_home), SeatLinks(), (), None)

    async def first_tick() -> str:
        answer = await KendoRoutes(page, frame).events(words("en"))
        messages: Any = answer.body_iterator
        async for message in messages:
            if message.event == "tick":
                return str(json.loads(message.data)["offer"])
        raise AssertionError

    ends = (
        "the home page ends the game with 'End it'." if has_home else "Ctrl-C in the terminal ends the game."
    )
    assert asyncio.run(first_tick()).endswith(ends)
