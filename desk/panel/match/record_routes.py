"""The routes of a match's record: a page to read and print, JSON, CSV, and one file that needs no desk."""

import asyncio
import base64
import json
import re
from collections.abc import AsyncIterator
from importlib.resources import files
from typing import Any, Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, StreamingResponse
from markupsafe import Markup, escape

from desk.errors import DeskError
from desk.machine.side_process import BusyError
from desk.panel.answers import attachment, data
from desk.panel.house.rules import risk_text, rules_title
from desk.panel.match import record
from desk.panel.match.poem_view import poem_view, reaction_text, state_text
from desk.panel.match.port import Caption, Port
from desk.panel.match.sentence import SIDES, outcome_text, ruling_sentence, side_names
from desk.panel.match.stages import Stages
from desk.panel.pages import Pages, Said
from desk.panel.words import Words

_CLIP = re.compile(r"@@clip (\d+)@@")
_VIDEO: Final = b'<video controls preload="none" playsinline src="data:video/mp4;base64,DATA"></video>'
_SMALL: Final = Caption((), is_small=True)
_MOST_BYTES: Final = 150 << 20
"""Size of all films in one file; a browser on a phone opens a page of 200 MB, as text of base64."""


class RecordRoutes:
    """The routes of the records."""

    def __init__(self, stages: Stages, pages: Pages, *, has_house: bool) -> None:
        self._stages, self._pages, self._has_house = stages, pages, has_house
        self.router = APIRouter()
        get = self.router.get
        get("/record", response_class=HTMLResponse)(self._page)
        get("/record.html", response_class=HTMLResponse)(self._file)
        get("/replays", response_class=HTMLResponse)(self._replays)
        get("/record.json")(self._json)
        get("/record.csv", response_class=Response, responses=data("text/csv"))(self._csv)

    async def _page(self, request: Request, said: Said) -> HTMLResponse:
        """Serve the record of the match."""
        stage = await self._stages.of(request)
        values = {"base": stage.base, "has_house": self._has_house, "style": None, "replays": []}
        return self._pages.page("record.html", said, **values, **_shown(stage.port, said))

    async def _file(self, request: Request, said: Said) -> StreamingResponse:
        """Return the record with its replays as one file, which opens without the desk.

        Replays that were not asked for before are encoded while the file is sent.
        """
        port = (await self._stages.of(request)).port
        snapshot = port.state()
        names = side_names(said, snapshot["match"]["names"])
        seen = [ruled for ruled in snapshot["poems"] if ruled["evidence"]]
        text = self._pages.text(
            "record.html",
            said,
            base="",
            has_house=False,
            style=Markup(files("desk.panel").joinpath("static", "panel.css").read_text("utf-8")),  # noqa: S704
            replays=[poem_view(ruled, names, said) for ruled in seen],
            **_shown(port, said),
        )
        name = f"shinpan-{snapshot['match']['id']}.html"
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        return StreamingResponse(_with_clips(text, port, said), media_type="text/html", headers=headers)

    async def _replays(self, request: Request, said: Said) -> HTMLResponse:
        """Serve two replays beside each other."""
        stage = await self._stages.of(request)
        snapshot = stage.port.state()
        names = side_names(said, snapshot["match"]["names"])
        poems = [
            {"seq": ruled["seq"], "label": f"{ruled['order']} {ruled['kimariji']} – {text}"}
            for ruled in snapshot["poems"]
            if ruled["evidence"] and (text := ruling_sentence(ruled, names, said))
        ]
        return self._pages.page("side_by_side.html", said, base=stage.base, poems=poems)

    async def _json(self, request: Request) -> Response:
        """Return the record for other programs."""
        port = (await self._stages.of(request)).port
        told = record.as_json(port.state(), port.health().get("problems", ()))
        return attachment(json.dumps(told, ensure_ascii=False, indent=1), "shinpan-record.json")

    async def _csv(self, request: Request) -> Response:
        """Return the record as a table for spreadsheets."""
        return attachment(record.as_csv((await self._stages.of(request)).port.state()), "shinpan-record.csv")


def _shown(port: Port, said: Words) -> dict[str, Any]:
    snapshot = port.state()
    rows = record.poem_rows(snapshot)
    quickest = record.fastest(rows)
    names = side_names(said, snapshot["match"]["names"])
    outcome = outcome_text(snapshot["winner"], snapshot["stopped"], names, said)
    return {
        "match": {**snapshot["match"], "rules": rules_title(snapshot["match"]["rules"], said)},
        "risk": risk_text(snapshot["match"]["risk"], said),
        "problems": [said.complaint(each) for each in port.health().get("problems", ())],
        "winner": snapshot["winner"],
        "outcome": outcome if snapshot["phase"] == "over" else None,
        "counts": snapshot["counts"],
        "names": names,
        "sums": {side: record.side_sums(rows, side) for side in SIDES},
        "rows": rows,
        "taken": [ruled for ruled in snapshot["poems"] if record.is_taken(ruled)],
        "fastest": quickest,
        "fastest_text": None if quickest is None else reaction_text(quickest["reaction_ms"] or 0.0, said),
        "closest": record.closest(rows),
        "doubtful": [poem_view(ruled, names, said) for ruled in record.most_doubtful(snapshot["poems"])],
        "state_text": lambda row: state_text(row["state"], row["simulated"], said),
    }


async def _with_clips(text: str, port: Port, said: Words) -> AsyncIterator[bytes]:
    """Yield a page piece by piece, with each ruling's film where the text names it, or why it has none."""
    begin, sent_bytes = 0, 0
    for place in _CLIP.finditer(text):
        yield text[begin : place.start()].encode()
        begin = place.end()
        data, why = None, said("This replay was deleted or is damaged.")
        try:
            clip = await port.clip(int(place[1]), _SMALL)
            data = None if clip is None else await asyncio.to_thread(clip.read_bytes)
        except BusyError:
            why = said("This replay was not made: the desk had too much to do. Save the record again.")
        except (DeskError, OSError):
            pass
        if data is not None and sent_bytes + len(data) > _MOST_BYTES:
            data = None
            why = said("This replay is left out, as the file would be too large: see it at the desk.")
        if data is None:
            yield f'<p class="soft">{escape(why)}</p>'.encode()
        else:
            sent_bytes += len(data)
            yield _VIDEO.replace(b"DATA", base64.b64encode(data))
    yield text[begin:].encode()
