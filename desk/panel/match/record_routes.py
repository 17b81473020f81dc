"""The routes of a match's record: a page to read and print, JSON and CSV."""

from __future__ import annotations

import json

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from desk.panel import phrases
from desk.panel.answers import attachment, data
from desk.panel.match.record import as_csv, as_json, closest, fastest, is_taken, poem_rows, side_sums
from desk.panel.match.sentence import SIDES, outcome_text, side_names
from desk.panel.match.stages import Stages
from desk.panel.pages import Language, Pages


class RecordRoutes:
    """The routes of the records.

    Parameters
    ----------
    stages : finds the match.
    pages : renders the templates.
    has_house : whether there is a history to link to.
    """

    def __init__(self, stages: Stages, pages: Pages, *, has_house: bool) -> None:
        self._stages = stages
        self._pages = pages
        self._has_house = has_house
        self.router = APIRouter()
        self.router.get("/record", response_class=HTMLResponse)(self._page)
        self.router.get("/record.json")(self._json)
        self.router.get("/record.csv", response_class=Response, responses=data("text/csv"))(self._csv)

    async def _page(self, request: Request, lang: Language = None) -> HTMLResponse:
        """Serve the record of the match."""
        stage = self._stages.of(request)
        said = self._pages.language(request, lang)
        snapshot = stage.port.state()
        rows = poem_rows(snapshot)
        names = side_names(said, snapshot["match"]["names"])
        return self._pages.page(
            "record.html",
            said,
            base=stage.base,
            has_house=self._has_house,
            match=snapshot["match"],
            winner=snapshot["winner"],
            outcome=outcome_text(snapshot["winner"], snapshot["stopped"], names, said)
            if snapshot["phase"] == "over"
            else None,
            counts=snapshot["counts"],
            names=names,
            sums={side: side_sums(rows, side) for side in SIDES},
            rows=rows,
            taken=[ruled for ruled in snapshot["poems"] if is_taken(ruled)],
            fastest=fastest(rows),
            closest=closest(rows),
            states=phrases.STATES,
        )

    async def _json(self, request: Request) -> Response:
        """Return the record for other programs."""
        snapshot = self._stages.of(request).port.state()
        return attachment(json.dumps(as_json(snapshot), ensure_ascii=False, indent=1), "shinpan-record.json")

    async def _csv(self, request: Request) -> Response:
        """Return the record as a table for spreadsheets."""
        snapshot = self._stages.of(request).port.state()
        return attachment(as_csv(poem_rows(snapshot)), "shinpan-record.csv")
