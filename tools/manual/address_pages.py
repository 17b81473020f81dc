"""The addresses of the panel, written from the applications' own description (OpenAPI).

The applications are built around ports that answer nothing: their description says what they may be asked.
"""

import inspect
import json
from collections.abc import Iterable
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Any

from fastapi import FastAPI

from desk.hall.page import stream as hall_stream
from desk.hall.page.app import create_hall_app
from desk.kendo.card_game import KENDO
from desk.koikoi.card_game import KOIKOI
from desk.panel.app import create_app
from desk.panel.match import stream as match_stream
from desk.panel.practice.routes import create_practice_app
from desk.panel.reciter.routes import create_recite_app
from desk.panel.roles import Roles
from desk.panel.table import stream as table_stream
from desk.tables.live_game import game_app
from manual.markdown import block, table


@dataclass(frozen=True, slots=True)
class Panel:
    """One application: its file name here, its title, what it is for, and the module of its stream."""

    name: str
    title: str
    about: str
    app: FastAPI
    stream: ModuleType | None = None


def panels() -> tuple[Panel, ...]:
    """Return every application that a browser or a program may ask."""
    port: Any = object()
    home: Any = SimpleNamespace(
        tables={"koikoi": port, "kendo": port}, reading=port, practice=port, enrolment=port
    )
    desk = create_app(house=port, home=home, book=port, films=port, roles=Roles(), addresses=["http://"])
    koikoi = game_app(KOIKOI, port, drawn_table=port)
    hall = create_hall_app(port, port)
    kendo, recite = game_app(KENDO, port), create_recite_app(port)
    practise = create_practice_app(port)
    on_desk = "`shinpan serve` or `shinpan"
    return (
        Panel("desk", "The desk: karuta, book and films", "`shinpan serve`", desk, match_stream),
        Panel("koikoi", "A table of Koi-Koi", f"{on_desk} koikoi live`", koikoi, table_stream),
        Panel("kendo", "A bout of Kendo cards", f"{on_desk} kendo live`", kendo, table_stream),
        Panel("recite", "The reciter", f"{on_desk} recite`", recite),
        Panel("practise", "Practice", f"{on_desk} practise`", practise),
        Panel("hall", "The board of a hall", "`shinpan hall board`", hall, hall_stream),
    )


def address_pages(applications: Iterable[Panel]) -> dict[str, str]:
    """Return each application's description as JSON, and `index.md` with what its streams send."""
    files, rows, streams = {}, [], []
    for panel in applications:
        described = panel.app.openapi()
        name = f"{panel.name}.openapi.json"
        files[name] = json.dumps(described, indent=1, ensure_ascii=False)
        rows.append((f"[{panel.title}]({name})", panel.about, str(len(described["paths"]))))
        if panel.stream is not None:
            said = inspect.getdoc(panel.stream) or ""
            streams.append(f"\n## Server-sent events: {panel.title}\n\n{block(said, 'text')}")
    files["index.md"] = (
        "# HTTP and events\n\nAnother program may ask whatever the pages of the panel ask. The applications "
        "themselves make these descriptions (OpenAPI). A match that is kept has the same addresses below "
        "`/matches/{match_id}`. With `--lan`, a command needs the cookie that the operator's or a player's "
        "link sets.\n\n" + table(("application", "served by", "addresses"), rows) + "".join(streams)
    )
    return files
