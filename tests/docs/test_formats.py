"""Schemas and program accept and refuse the same examples, intact or corrupted in many ways."""

import json
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import numpy as np
import pytest
from manual.format_pages import LOGS, line_schema

from calibration.decks.deck import Deck, deck_game
from calibration.decks.deck_file import MANIFEST, save_deck
from desk.errors import DeskError
from desk.karuta.engine.events import CODEC
from desk.kendo.events import BoutOpened
from desk.koikoi.events import GameOpened
from desk.log.event_codec import EventCodecError
from desk.log.jsonl_file import import_jsonl
from desk.practice.events import PracticeOpened
from desk.tables.recording import declarations_in
from desk.tables.source_kind import Source
from referee import toml_text
from referee.facts import HEARSAY
from referee.kendo import house_rules as kendo_rules
from referee.koikoi import house_rules as koikoi_rules
from referee.notation import parse_layout
from referee.tournament.events import TournamentOpened
from vision.plane.zones import zones_of
from vision.recordings.recording import RecordingError, load_recording, read_readings

FORMATS = Path(__file__).parents[2] / "docs" / "reference" / "formats"
EXAMPLES = FORMATS / "examples"
SPOILT: tuple[Any, ...] = (None, True, -1, 0, 7.5, 1e16, "", "other", [], {}, [[1, 2]])
Check = Callable[[Any], bool]


def schema_of(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((FORMATS / f"{name}.schema.json").read_text("utf-8"))
    return schema


def allows(name: str) -> Check:
    return jsonschema_rs.validator_for(schema_of(name)).is_valid


def spoilt(value: Any) -> Iterator[Any]:
    """Return a value with one part of it left out or replaced, in every way."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield {other: value[other] for other in value if other != key}
            yield from ({**value, key: bad} for bad in (*SPOILT, *spoilt(inner)))
    elif isinstance(value, list):
        yield value[1:]
        yield [*value, value[-1]]
        yield from ([bad, *value[1:]] for bad in (*SPOILT, *spoilt(value[0])))


def as_toml(value: Any) -> str:
    """Write a value as TOML does."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {as_toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(as_toml, value)) + "]"
    return json.dumps(value)


def accepts(load: Callable[[], object]) -> bool:
    try:
        load()
    except (RecordingError, DeskError):
        return False
    return True


def holds_none(value: Any) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return value is None or any(map(holds_none, inner))


def disagreements(values: list[Any], allowed: Check, accepted: Check) -> list[Any]:
    """Return what the schema allows and the program refuses; both must refuse and allow something."""
    verdicts = [(value, allowed(value), accepted(value)) for value in values]
    assert {schema for _, schema, _ in verdicts} == {program for *_, program in verdicts} == {True, False}
    return [value for value, schema, program in verdicts if schema and not program]


def test_a_recording_that_the_schema_allows_is_read(tmp_path: Path) -> None:
    head = toml_text.parse((EXAMPLES / "recording.toml").read_text("utf-8"))
    for name in ("video.mkv", "sound.flac", "second.mkv", "other"):
        (tmp_path / name).touch()
    (tmp_path / "reading.jsonl").write_bytes((EXAMPLES / "reading.jsonl").read_bytes())

    def read(value: Any) -> bool:
        lines = (f"{key} = {as_toml(inner)}\n" for key, inner in value.items())
        (tmp_path / "recording.toml").write_text("".join(lines), "utf-8")
        return accepts(lambda: load_recording(tmp_path))

    allowed = allows("recording")
    assert allowed(head)
    assert read(head)
    values = [value for value in spoilt(head) if not holds_none(value) and value.get("game") == "karuta"]
    assert disagreements(values, allowed, read) == []


def test_a_table_that_the_schema_allows_is_read() -> None:
    head = toml_text.parse((EXAMPLES / "table.toml").read_text("utf-8"))
    allowed = allows("recording")
    assert allowed(head)
    tables = list(spoilt(head["table"]))

    def of_table(table: Any) -> bool:
        return allowed({**head, "table": table})

    assert disagreements(tables, of_table, lambda table: accepts(lambda: zones_of(table, "x"))) == []


def test_readings_and_declarations_that_the_schemas_allow_are_read(tmp_path: Path) -> None:
    def read(name: str, load: Callable[[], object]) -> Check:
        def one(line: Any) -> bool:
            (tmp_path / name).write_text(json.dumps(line) + "\n", "utf-8")
            return accepts(load)

        return one

    reading = read("reading.jsonl", lambda: read_readings(tmp_path / "reading.jsonl"))
    words = ("koikoi", "stop", "other")
    declared = read("declarations.jsonl", lambda: declarations_in(tmp_path, 4, words))
    for name, schema, accepted in (
        ("reading.jsonl", "reading", reading),
        ("declarations.jsonl", "declaration", declared),
    ):
        lines = [json.loads(line) for line in (EXAMPLES / name).read_text("utf-8").splitlines()]
        assert all(map(allows(schema), lines))
        assert all(map(accepted, lines))
        values = [bad for line in lines for bad in spoilt(line) if bad.get("what") != ""]
        assert disagreements(values, allows(schema), accepted) == []
    assert set(schema_of("reading")["properties"]["doubt"]["enum"]) == {"", *HEARSAY}


def test_layouts_are_what_the_schema_says_to_the_letter() -> None:
    allowed = allows("layout")
    lines = (EXAMPLES / "layout.txt").read_text("utf-8").splitlines()
    texts = {
        line[:at] + letter + line[at + cut :]
        for line in lines
        for at in range(len(line))
        for letter in ("", "0", "|", "/", "@", "?", "!", " ")
        for cut in (0, 1)
    }
    verdicts = {text: parsed(text) for text in texts}
    twice = {text for text, problem in verdicts.items() if "twice" in problem}
    assert len(texts) > 900
    assert 100 < sum(not problem for problem in verdicts.values()) < len(texts) - 100
    assert [text for text in texts - twice if allowed(text) != (not verdicts[text])] == []


def parsed(text: str) -> str:
    """Return what the program has against a layout; nothing where it reads it."""
    try:
        parse_layout(text)
    except ValueError as error:
        return str(error)
    return ""


def test_a_deck_that_the_program_writes_is_what_the_schema_says(tmp_path: Path) -> None:
    path = tmp_path / "drawn.deck.zip"
    example = json.loads((EXAMPLES / "deck.json").read_text("utf-8"))
    blank = np.full((324, 198, 3), 255, np.uint8)
    cards = dict.fromkeys(deck_game("hanafuda").card_ids, blank)
    save_deck(Deck("hanafuda", example["name"], cards, notes=example["notes"]), path)
    manifest = json.loads(zipfile.ZipFile(path).read(MANIFEST))
    allowed = allows("deck")
    assert allowed(manifest)
    assert allowed(example)
    # all but the pictures is the same
    digest = re.compile(r"[0-9a-f]{64}")
    assert digest.sub("", json.dumps(manifest)) == digest.sub("", json.dumps(example))
    assert not any(
        allowed({key: manifest[key] for key in manifest if key != left_out}) for left_out in manifest
    )


def test_every_line_of_the_exported_match_is_what_the_schema_says(tmp_path: Path) -> None:
    log = next(each for each in LOGS if each.codec is CODEC)
    allowed = jsonschema_rs.validator_for(line_schema(log)).is_valid
    lines = [json.loads(line) for line in (EXAMPLES / "match.jsonl").read_text("utf-8").splitlines()]
    # the schema is of today's shapes; a line of an earlier version is upgraded when it is read
    known = {kind: shape.version for kind, shape in CODEC.shapes.items()}
    todays = [line for line in lines if "kind" not in line or line["version"] == known[line["kind"]]]
    assert len(todays) >= len(lines) - 1
    assert [line for line in todays if not allowed(line)] == []
    with import_jsonl(EXAMPLES / "match.jsonl", tmp_path / "match.sqlite") as kept:
        events = [CODEC.decode(entry.kind, entry.version, entry.payload) for entry in kept.entries()]
    assert len(events) == len(lines) - 1
    for line in lines[1:]:
        for key in line["payload"]:
            poorer = {name: value for name, value in line["payload"].items() if name != key}
            if not understood(line["kind"], line["version"], poorer):
                assert not allowed({**line, "payload": poorer}), (line["kind"], key)
        assert not allowed({**line, "kind": "unheard_of"})


def understood(kind: str, version: int, payload: Any) -> bool:
    try:
        CODEC.decode(kind, version, payload)
    except EventCodecError:
        return False
    return True


@pytest.mark.parametrize(
    ("name", "opening"),
    [
        ("koikoi-log", GameOpened("game", "simulator", 2, 0, koikoi_rules.preset(), "drawn")),
        ("kendo-log", BoutOpened("bout", "simulator", kendo_rules.preset(), "drawn", 63.0)),
        ("practice-log", PracticeOpened("practice_1", Source.CAMERA, "Hana", "0")),
        ("tournament-log", TournamentOpened("Spring", "2026-11-28")),
    ],
)
def test_what_opens_each_log_is_what_the_schema_says(name: str, opening: object) -> None:
    log = next(each for each in LOGS if each.name == name)
    allowed = jsonschema_rs.validator_for(line_schema(log)).is_valid
    kind, version, payload = log.codec.encode(opening)
    line = {"seq": 1, "t_ns": 0, "wall": "", "origin": "desk", "kind": kind, "version": version}
    assert allowed({**line, "payload": payload})
    for key in payload:
        assert not allowed({**line, "payload": {**payload, key: [[1]]}}), key
