"""What logs may hold: for each game a JSON Schema of an exported log's lines, and a list of its events.

The schemas come from the classes by which the program itself writes and reads the events.
"""

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import TypeAdapter

from desk.karuta.engine import events as karuta
from desk.kendo import events as kendo
from desk.koikoi import events as koikoi
from desk.log.event_codec import EventCodec
from desk.log.jsonl_file import FORMAT_VERSION
from desk.practice import events as practice
from desk.tournament.desk import TOURNAMENT_CODEC
from manual.markdown import cell, code, table

_Adapter = tuple[str, Literal["validation"], TypeAdapter[Any]]
DIALECT = "https://json-schema.org/draft/2020-12/schema"


@dataclass(frozen=True, slots=True)
class Log:
    """The log of one game: its file name here, its title, and what its events are."""

    name: str
    title: str
    codec: EventCodec


LOGS = (
    Log("karuta-log", "a match of karuta", karuta.CODEC),
    Log("koikoi-log", "a game of Koi-Koi", koikoi.KOIKOI_CODEC),
    Log("kendo-log", "a bout of Kendo cards", kendo.KENDO_CODEC),
    Log("practice-log", "a practice", practice.CODEC),
    Log("tournament-log", "a tournament", TOURNAMENT_CODEC),
)


def format_pages() -> dict[str, str]:
    """Return for each game the schema of its log's lines, and the page that lists its events."""
    files = {}
    for log in LOGS:
        files[f"{log.name}.schema.json"] = json.dumps(line_schema(log), indent=1, ensure_ascii=False)
        files[f"{log.name}.md"] = _page(log)
    return files


def line_schema(log: Log) -> dict[str, Any]:
    """Return the JSON Schema of one line of an exported log: its header, or an event with its payload."""
    adapters: list[_Adapter] = [
        (kind, "validation", TypeAdapter(shape.type)) for kind, shape in log.codec.shapes.items()
    ]
    payloads, kept = TypeAdapter.json_schemas(adapters)
    events = [
        _object(
            seq={"type": "integer", "minimum": 1},
            t_ns={"type": "integer"},
            wall={"type": "string"},
            origin={"type": "string"},
            kind={"const": kind},
            version={"const": log.codec.shapes[kind].version},
            payload=schema,
        )
        for (kind, _), schema in payloads.items()
    ]
    header = _object(format={"const": "shinpan-log"}, version={"const": FORMAT_VERSION})
    return {
        "$schema": DIALECT,
        "title": f"A line of the exported log of {log.title}",
        "anyOf": [header, *events],
        "$defs": kept.get("$defs", {}),
    }


def _object(**properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _page(log: Log) -> str:
    return "\n".join(
        [
            f"# Events of {log.title}\n",
            "`shinpan log export` writes a log as text, one event a line; "
            f"[{log.name}.schema.json]({log.name}.schema.json) is the JSON Schema of such a line.\n",
            table(("event", "version", "what it says"), _rows(log)),
        ]
    )


def _rows(log: Log) -> Iterator[tuple[str, str, str]]:
    for kind, shape in log.codec.shapes.items():
        said = (inspect.getdoc(shape.type) or "").split("\n\n")[0]
        yield code(kind), str(shape.version), cell(re.sub(r"`[a-z_.]+\.(\w+)`", r"`\1`", said))
