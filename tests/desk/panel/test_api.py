"""The panels answer what they describe, and their examination finds what is not described."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.responses import JSONResponse, PlainTextResponse

from tests.desk.panel.examination import Examination
from tests.desk.panel.pages import PAGES, Page


@pytest.mark.parametrize("name", PAGES)
def test_no_server_error_and_no_undescribed_answer(name: str, tmp_path: Path) -> None:
    page = PAGES[name](tmp_path)
    try:
        examination = Examination(page)
        examination.ask_all(1, 5)
    finally:
        page.close()
    assert examination.requests >= 5
    assert not examination.problems


def test_what_is_not_described_is_found() -> None:
    app = FastAPI()

    @app.get("/broken")
    async def broken() -> None:
        raise ZeroDivisionError("by zero")

    @app.get("/teapot")
    async def teapot() -> JSONResponse:
        return JSONResponse({}, 418)

    @app.get("/text")
    async def text() -> PlainTextResponse:
        return PlainTextResponse("no JSON")

    @app.get("/events")
    async def events() -> None:
        raise AssertionError("endless, and not asked")

    page = Page(app)
    try:
        examination = Examination(page)
        examination.ask_all(1, 1)
    finally:
        page.close()
    found = sorted(problem.split(": ")[:2] for problem in examination.problems)
    assert found == [["GET /broken", "ZeroDivisionError"], ["GET /teapot", "418"], ["GET /text", "200"]]
