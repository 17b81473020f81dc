"""The addresses of the panel, written from the applications' own description (OpenAPI).

The applications are built around ports that answer nothing: their description says what they may be asked.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import Any

from fastapi import FastAPI

from desk.kendo.card_game import KENDO
from desk.koikoi.card_game import KOIKOI
from desk.panel.app import create_app
from desk.panel.hall import stream as hall_stream
from desk.panel.hall.app import create_hall_app
from desk.panel.match import stream as match_stream
from desk.panel.practice.routes import create_practice_app
from desk.panel.reciter.routes import create_recite_app
from desk.panel.roles import Roles
from desk.panel.table import stream as table_stream
from desk.tables.live_game import game_app
from manual.markdown import block, cell, code, table

Schema = Mapping[str, Any]
_AGAIN = "/matches/{match_id}"
_LIMITS = {
    "minimum": "at least {:g}",
    "maximum": "at most {:g}",
    "exclusiveMinimum": "above {:g}",
    "exclusiveMaximum": "below {:.0f}",
    "maxLength": "at most {} characters",
    "maxItems": "at most {} items",
}


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
    home: Any = SimpleNamespace(tables={"koikoi": port, "kendo": port}, practice=port, enrolment=port)
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
    """Return a page for each application, its description as JSON, and `index.md`."""
    files = {}
    rows = []
    for panel in applications:
        described = panel.app.openapi()
        files[f"{panel.name}.md"] = _page(panel, described)
        files[f"{panel.name}.openapi.json"] = json.dumps(described, indent=1, ensure_ascii=False)
        rows.append((f"[{panel.title}]({panel.name}.md)", panel.about, str(len(described["paths"]))))
    files["index.md"] = (
        "# HTTP and events\n\nAnother program may ask whatever the pages of the panel ask. The applications "
        "themselves make these lists; beside each lies its OpenAPI description. With `--lan`, a command "
        "needs the cookie that the operator's or a player's link sets.\n\n"
        + table(("application", "served by", "addresses"), rows)
    )
    return files


def _page(panel: Panel, described: Schema) -> str:
    operations = [
        (method.upper(), path, operation)
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
        if not path.startswith(_AGAIN)
    ]
    rows = [
        (method, code(path), cell(_summary(operation)), _parameters(operation), _answer(operation))
        for method, path, operation in operations
    ]
    parts = [
        f"# {panel.title}\n\nServed by {panel.about}. [OpenAPI description]({panel.name}.openapi.json)\n",
        table(("method", "address", "what it does", "asked with", "answer"), rows),
    ]
    if any(path.startswith(_AGAIN) for path in described["paths"]):
        parts.append(f"A match that is kept has the same addresses below `{_AGAIN}`.\n")
    bodies = [each for each in operations if "requestBody" in each[2]]
    if bodies:
        parts.append("## What is sent\n")
    for method, path, operation in bodies:
        parts.append(f"### {method} {path}\n")
        parts += _body(operation["requestBody"]["content"], described)
    if panel.stream is not None:
        parts += ["## Server-sent events\n", block(inspect.getdoc(panel.stream) or "", "text")]
    return "\n".join(parts)


def _summary(operation: Schema) -> str:
    said: str = operation.get("description") or operation["summary"]
    return said.partition("\n\n")[0]


def _parameters(operation: Schema) -> str:
    return ", ".join(code(each["name"]) for each in operation.get("parameters", ()) if each["in"] != "path")


def _answer(operation: Schema) -> str:
    content = operation["responses"].get("200", {}).get("content", {})
    return ", ".join(code(kind.split(";")[0]) for kind in content) or "another page"


def _body(content: Schema, described: Schema) -> Iterator[str]:
    for kind, told in content.items():
        variants = list(_variants(told.get("schema", {}), described))
        if not variants:
            yield f"{code(kind)}\n"
        for variant in variants:
            yield _fields(variant, described)


def _variants(schema: Schema, described: Schema) -> Iterator[Schema]:
    """Iterate over the objects that a body may be."""
    if "$ref" in schema:
        yield from _variants(_found(schema, described), described)
    elif "oneOf" in schema or "anyOf" in schema:
        for each in schema.get("oneOf", schema.get("anyOf", ())):
            yield from _variants(each, described)
    elif "properties" in schema:
        yield schema


def _found(schema: Schema, described: Schema) -> Schema:
    found: Schema = described["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return found


def _fields(schema: Schema, described: Schema) -> str:
    needed = schema.get("required", ())
    rows = [
        (code(name), cell(shape(told, described)), "yes" if name in needed else "")
        for name, told in schema["properties"].items()
    ]
    return table(("field", "value", "needed"), rows)


def shape(schema: Schema, described: Schema) -> str:
    """Return in words what a value has to be."""
    if "$ref" in schema:
        return shape(_found(schema, described), described)
    if "const" in schema:
        return f"`{json.dumps(schema['const'], ensure_ascii=False)}`"
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(each, ensure_ascii=False)}`" for each in schema["enum"])
    if "anyOf" in schema or "oneOf" in schema:
        return " or ".join(shape(each, described) for each in schema.get("anyOf", schema.get("oneOf", ())))
    kind = schema.get("type", "any value")
    if kind == "object" and "properties" in schema:
        inner = ", ".join(
            f"`{name}` ({shape(told, described)})" for name, told in schema["properties"].items()
        )
        return f"object of {inner}"
    if kind == "array":
        kind = f"list of: {shape(schema.get('items', {}), described)}"
    limits = [text.format(schema[key]) for key, text in _LIMITS.items() if key in schema]
    return ", ".join([kind, *limits])
