"""A log with an impossible entry is shown as far as it can be followed; its page says what is left out."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from desk.karuta.house.agreement import Agreement
from desk.karuta.house.house import House
from desk.log import database
from desk.log.event_log import EventLog, LogEntry, new_log
from desk.panel.app import create_app
from tests.desk.karuta.karuta_script import begin, play, whole_match

PAGES = ("", "record", "record?lang=ja", "record.json", "record.csv", "record.html", "replays", "api/view")


@pytest.fixture(scope="module")
def entries(tmp_path_factory: pytest.TempPathFactory) -> tuple[LogEntry, ...]:
    path = tmp_path_factory.mktemp("match") / "test_1.sqlite"
    play(begin(path), whole_match())
    with EventLog.read(path) as log:
        return tuple(log.entries())


def asked(folder: Path, *pages: str) -> list[httpx.Response]:
    """Return a house's answers about the matches in a folder."""

    async def ask() -> list[httpx.Response]:
        house = House(folder, Agreement())
        transport = httpx.ASGITransport(create_app(house=house), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8321") as browser:
            found = [await browser.get(page, headers={"Accept": "text/html"}) for page in pages]
        await house.close()
        return found

    return asyncio.run(asyncio.wait_for(ask(), 60))


def first(entries: Sequence[LogEntry], kind: str) -> int:
    return next(place for place, entry in enumerate(entries) if entry.kind == kind)


def altered(entries: Sequence[LogEntry], kind: str, payload: Mapping[str, object]) -> list[LogEntry]:
    place = first(entries, kind)
    said = [*entries]
    said[place] = replace(entries[place], payload=payload)
    return said


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("touch", {"payload": {"card": 101}}),
        ("poem_started", {"payload": {"poem": 101}}),
        ("ruled", {"payload": {}}),
        ("poem_finished", {"version": 99}),
        ("memorise_ended", {"kind": "rested"}),
        ("memorise_started", {"origin": "nobody"}),
    ],
)
def test_an_impossible_entry_is_left_out_and_told(
    tmp_path: Path, entries: tuple[LogEntry, ...], kind: str, change: dict[str, Any]
) -> None:
    said = [*entries]
    said[first(entries, kind)] = replace(said[first(entries, kind)], **change)
    new_log(tmp_path / "odd.sqlite", said).close()
    found = asked(tmp_path, *(f"/matches/odd/{page}" for page in PAGES), "/matches")
    assert [answer.status_code for answer in found] == [200] * len(found)
    told = f"Entry {first(entries, kind) + 1} of odd.sqlite is left out"
    assert told in found[1].text
    assert "odd.sqliteの" in found[2].text
    assert told in json.loads(found[3].text)["problems"][0]
    assert str(tmp_path) not in "".join(answer.text for answer in found)


@pytest.mark.parametrize("kind", ["poem_finished", "poem_started"])
def test_a_row_that_is_no_event_is_left_out(tmp_path: Path, entries: tuple[LogEntry, ...], kind: str) -> None:
    new_log(tmp_path / "odd.sqlite", entries).close()
    place = first(entries, kind) + 1
    with closing(database.connect(tmp_path / "odd.sqlite")) as connection:
        connection.execute("DROP TRIGGER event_never_changes")
        connection.execute("UPDATE event SET payload = '[1, 2' || ']' WHERE seq = ?", (place,))
    found = asked(tmp_path, "/matches/odd/record", "/matches")
    assert [answer.status_code for answer in found] == [200, 200]
    assert f"Entry {place} of odd.sqlite is left out" in found[0].text
    assert "1 entry of its log cannot be read" in found[1].text


def test_what_comes_before_and_after_stays(tmp_path: Path, entries: tuple[LogEntry, ...]) -> None:
    """The second poem is lost; the first one and the later ones are still in the record."""
    new_log(tmp_path / "whole.sqlite", entries).close()
    starts = [place for place, entry in enumerate(entries) if entry.kind == "poem_started"]
    said = [*entries]
    said[starts[1]] = replace(entries[starts[1]], payload={"poem": "none"})
    new_log(tmp_path / "odd.sqlite", said).close()
    found = asked(tmp_path, "/matches/whole/record.json", "/matches/odd/record.json")
    whole, odd = (json.loads(answer.text) for answer in found)
    poems = [poem["poem"] for poem in whole["poems"]]
    left = [poem["poem"] for poem in odd["poems"]]
    assert len(poems) > 2
    assert left == [poems[0], *poems[2:]]
    assert "problems" not in whole


@pytest.mark.parametrize(
    "change",
    [
        lambda entries: altered(entries, "match_opened", {"id": 5}),
        lambda entries: entries[1:2] and [replace(entries[1], seq=1)],
    ],
)
def test_a_match_that_cannot_be_read_says_why(
    tmp_path: Path,
    entries: tuple[LogEntry, ...],
    change: Callable[[Sequence[LogEntry]], Sequence[LogEntry]],
) -> None:
    new_log(tmp_path / "odd.sqlite", change(entries)).close()
    pages = ("odd/", "odd/?lang=ja", "odd/api/view", "none/")
    found = asked(tmp_path, *(f"/matches/{page}" for page in pages))
    assert [answer.status_code for answer in found] == [422, 422, 422, 404]
    assert "opening" in found[0].text or "match_opened" in found[0].text
    assert "表示できません" in found[1].text
    assert str(tmp_path) not in found[0].text


def test_the_list_says_which_file_cannot_be_read(tmp_path: Path, entries: tuple[LogEntry, ...]) -> None:
    new_log(tmp_path / "good.sqlite", entries).close()
    (tmp_path / "torn.sqlite").write_bytes(b"not a database at all")
    (found,) = asked(tmp_path, "/matches")
    assert "1 file cannot be read" in found.text
    assert "torn.sqlite is not a match log" in found.text
    assert str(tmp_path) not in found.text


def test_an_answer_that_no_rule_gives_is_shown(tmp_path: Path, entries: tuple[LogEntry, ...]) -> None:
    place = first(entries, "ruled")
    ruling = {**entries[place].payload["ruling"], "taken_by": "far"}
    new_log(tmp_path / "odd.sqlite", altered(entries, "ruled", {"ruling": ruling})).close()
    (found,) = asked(tmp_path, "/matches/odd/record")
    assert found.status_code == 200
    assert "what it says is shown" in found.text
