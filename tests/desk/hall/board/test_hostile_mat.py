"""A mat may send anything: it harms no other mat, and takes no page of the board away from its viewers."""

import asyncio
import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("nats", reason="the extra 'hall' is not installed (uv sync --extra hall)")

import httpx

from desk.hall import subjects
from desk.hall.board.floor import Floor
from desk.hall.messages import EventBatch, LastRuling, MatState, MessageError, pack, unpack
from desk.hall.page.app import create_hall_app
from desk.log.event_log import LogEntry
from referee.sides import BySide, Side
from tests.desk.hall.halls import WALL, SmallHall, needs_server, until, whole_log

pytestmark = needs_server
BIG, HALF = 10**400, "\ud800"


def forged(match: str, literal: str = "", **fields: object) -> bytes:
    """Return a batch with one entry of these fields; `literal` takes the place of the text `LITERAL`."""
    entry = {
        "seq": 1,
        "t_ns": 1,
        "wall": WALL,
        "origin": "rules",
        "kind": "ruled",
        "version": 1,
        "payload": {},
        **fields,
    }
    payload = {"mat": "mat-01", "match": match, "entries": [entry]}
    told = json.dumps({"kind": "event_batch", "version": 1, "payload": payload})
    return told.replace('"LITERAL"', literal).encode()


NESTED = '{"a":' * 900 + "1" + "}" * 900
HOSTILE = {
    "number": forged("number", t_ns=2**63),
    "larger": forged("larger", t_ns="LITERAL", literal="9" * 4000),
    "version": forged("version", version=0),
    "versions": forged("versions", version=2**63),
    "wall": forged("wall", wall=HALF),
    "origin": forged("origin", origin=f"{HALF}x"),
    "kind": forged("kind", kind=f"a\0{HALF}"),
    "nan": forged("nan", payload={"x": "LITERAL"}, literal="NaN"),
    "infinity": forged("infinity", t_ns="LITERAL", literal="1e999"),
    "signs": forged("signs", payload={HALF: HALF}),
    "nested": forged("nested", payload="LITERAL", literal=NESTED),
    "deeper": forged("deeper", payload="LITERAL", literal=NESTED.replace("1", NESTED)),
    "seq": forged("seq", seq=2**63),
    "none": b"\xff\xfe",
}


async def test_no_message_of_a_mat_keeps_a_board_from_hearing_others(hall: SmallHall, tmp_path: Path) -> None:
    """One that no log can hold was tried again and again, or ended what takes in the events of all."""
    floor = Floor(hall.ticket("board"), tmp_path / "board")
    floor.open()
    async with hall.link("mat-01") as thief, hall.link("mat-02") as other:
        for match, data in HOSTILE.items():
            await thief.keep(subjects.events_of("mat-01", match), data)
            entries = (LogEntry(1, 1, WALL, "rules", "ruled", 1, {"after": match}),)
            await other.keep(subjects.events_of("mat-02", match), pack(EventBatch("mat-02", match, entries)))
            await until(lambda match=match: floor.copies.last_seq("mat-02", match) == 1)  # type: ignore[misc]
    await floor.close()


def altered(value: Any, to: object) -> Iterator[Any]:
    """Iterate over plain data in each of which one value is another one."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inside in items:
        for new in [to, *altered(inside, to)]:
            copy = dict(value) if isinstance(value, dict) else list(value)
            copy[key] = new
            yield copy


async def test_no_state_of_a_mat_takes_the_boards_page_away(
    hall: SmallHall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desk.hall.page.stream._FRESH_S", -1.0)  # every look builds the page anew
    last = LastRuling(1, 1, "decided", "proposed", Side.NEAR, BySide(0, 0), 1, 1, Side.FAR)
    state = json.loads(pack(MatState("mat-01", WALL, "m", 1, last=last, hands=(Side.NEAR,))))
    values: list[object] = [BIG, -1, HALF, "<b>", "x" * 9999, None, 1.5, [], {}, "LITERAL"]
    said = [{**state, "payload": payload} for to in values for payload in altered(state["payload"], to)]

    floor = Floor(hall.ticket("board"), tmp_path / "board")
    app = create_hall_app(floor, allowed_hosts=("board",))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    shown = 0
    async with httpx.AsyncClient(transport=transport, base_url="http://board") as viewer:
        for each in said:
            data = json.dumps(each).replace('"LITERAL"', "NaN").encode()
            floor._take(subjects.state_of("mat-01"), data, 0.0)
            if floor.mats.pop("mat-01", None) is None:
                continue
            floor._take(subjects.state_of("mat-01"), data, 0.0)
            answer = await viewer.get("/api/floor")
            assert answer.status_code == 200, each
            shown += 1
    assert shown > 50


@pytest.mark.parametrize("poem", [0, 101, -1, BIG])
def test_a_poem_that_there_is_not_is_no_message(poem: int) -> None:
    last = LastRuling(1, 7, "decided", "proposed", None, BySide(0, 0))
    data = pack(MatState("mat-01", WALL, last=last)).replace(b'"poem":7', f'"poem":{poem}'.encode())
    with pytest.raises(MessageError):
        unpack(data)


async def test_no_event_of_a_mat_breaks_the_page_of_its_match(hall: SmallHall, tmp_path: Path) -> None:
    """An unknown reason, card -1 and half a sign were answered by 500."""
    entries = whole_log(tmp_path)
    first = {entry.kind: number for number, entry in reversed([*enumerate(entries)])}
    values = ["nonsense", HALF, -1, 0, 101, 10**12, BIG, None, [], {}]
    logs = [
        (*entries[:number], replace(entries[number], payload=payload), *entries[number + 1 :])
        for number in first.values()
        for to in values
        for payload in altered(dict(entries[number].payload), to)
    ]
    chosen = random.Random(60).sample(logs, 250)  # all 1,560 took four minutes and were answered alike
    reasons = {"ruling": {**entries[first["ruled"]].payload["ruling"], "reasons": ["nonsense"]}}
    chosen.append((*entries[: first["ruled"]], replace(entries[first["ruled"]], payload=reasons)))

    floor = Floor(hall.ticket("board"), tmp_path / "board")
    transport = httpx.ASGITransport(
        create_hall_app(floor, allowed_hosts=("board",)), raise_app_exceptions=False
    )
    answers = set()
    async with httpx.AsyncClient(transport=transport, base_url="http://board") as viewer:
        for number, said in enumerate(chosen):
            try:
                batch = pack(EventBatch("mat-01", f"m{number}", said))
                floor.copies.take(subjects.events_of("mat-01", f"m{number}"), batch)
            except MessageError:
                continue  # no log can hold it
            for page in ("", "api/view", "record?lang=ja", "record.json", "record.csv"):
                answer = await viewer.get(f"/matches/mat-01~m{number}/{page}")
                assert answer.status_code in (200, 422), (page, said)
                answers.add(answer.status_code)
    assert answers == {200, 422}
    await asyncio.to_thread(floor.copies.close)


async def test_no_log_of_a_mat_takes_the_list_of_matches_away(
    hall: SmallHall, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = whole_log(tmp_path)

    def with_payload(kind: str, **fields: object) -> tuple[LogEntry, ...]:
        return tuple(
            replace(each, payload={**each.payload, **fields}) if each.kind == kind else each
            for each in entries
        )

    logs = {
        "poem": with_payload("poem_started", poem="five"),
        "none": with_payload("poem_started", poem=None),
        "names": with_payload("match_opened", names={"near": HALF, "far": "Ben"}),
        "rules": with_payload("match_opened", settings=5),
        "ruled": with_payload("ruled", ruling=[]),
    }

    floor = Floor(hall.ticket("board"), tmp_path / "board")
    app = create_hall_app(floor, allowed_hosts=("board",))
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://board") as viewer:
        floor.copies.take(subjects.events_of("mat-02", "good"), pack(EventBatch("mat-02", "good", entries)))
        for match, said in logs.items():
            floor.copies.take(subjects.events_of("mat-01", match), pack(EventBatch("mat-01", match, said)))
            assert "mat-02~good" in (await viewer.get("/matches")).text, match
        for match, status in (("poem", 200), ("rules", 422), ("ruled", 200)):
            answer = await viewer.get(f"/matches/mat-01~{match}/record")
            assert answer.status_code == status, match
            assert ("is left out" in answer.text) == (status == 200)
        assert (await viewer.get("/matches/mat-02~good/")).status_code == 200
    await asyncio.to_thread(floor.copies.close)

    assert "mat-01~rules: " in capsys.readouterr().err
