"""The panel's port to a real engine: snapshots that survive JSON, events without gaps, evidence."""

import asyncio
import json
from pathlib import Path

import pytest

from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.events import EvidenceKept
from desk.karuta.engine.minutes import read_minutes
from desk.karuta.house.panel_port import MatchPort
from desk.panel.match.port import EventSeen, Health
from desk.panel.match.view import view
from desk.panel.words import words
from referee.sides import Side
from tests.desk.karuta.karuta_script import (
    ScriptedClock,
    begin,
    opening,
    play,
    poem,
    whole_match,
)

HEALTH: Health = {
    "now_ns": 0,
    "fps": None,
    "fps_nominal": None,
    "dropped": 0,
    "late_ms": None,
    "warnings": [],
}


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    return begin(tmp_path / "match.sqlite")


def port_of(engine: Engine, folder: Path) -> MatchPort:
    return MatchPort(engine, clock=ScriptedClock(), evidence_folder=folder, health=lambda: HEALTH)


@pytest.mark.parametrize("stop", range(len(whole_match()) + 1))
def test_every_moment_of_a_match_can_be_shown(engine: Engine, tmp_path: Path, stop: int) -> None:
    port = port_of(engine, tmp_path)
    play(engine, whole_match()[:stop])
    snapshot = port.state()
    assert json.loads(json.dumps(snapshot, allow_nan=False)) == snapshot
    assert snapshot["seq"] == engine.last_seq
    for language in ("en", "ja"):
        assert view(snapshot, 5, words(language))["seq"] == engine.last_seq


def test_events_come_from_the_log_and_then_as_they_happen(engine: Engine, tmp_path: Path) -> None:
    port = port_of(engine, tmp_path)
    play(engine, opening())
    known = engine.last_seq

    async def listen() -> list[EventSeen]:
        heard: list[EventSeen] = []
        async for event in port.events(2):
            heard.append(event)
            assert port.state()["seq"] >= event["seq"]
            if event["seq"] == known:
                # far more than a listener's queue holds, while this listener is busy
                play(engine, whole_match()[3:])
                asyncio.get_running_loop().call_later(0.05, port.close)
        return heard

    heard = asyncio.run(asyncio.wait_for(listen(), 10))
    assert [event["seq"] for event in heard] == list(range(3, engine.last_seq + 1))
    assert json.loads(json.dumps(heard)) == heard
    assert {"memorise_started", "poem_started", "match_ended"} <= {event["kind"] for event in heard}


NAME = f"{'ab' * 32}.zip"


def test_evidence_is_found_by_every_number_its_ruling_had(engine: Engine, tmp_path: Path) -> None:
    port = port_of(engine, tmp_path)
    play(engine, [*opening(), *poem(1, 1000, (1, Side.NEAR, 900))])
    (minute,) = read_minutes(engine.history)
    assert port.evidence(minute.seq) is None
    engine.note(EvidenceKept(minute.seqs[0], NAME), Origin.DESK)
    assert port.evidence(minute.seq) is None, "the file is not there"
    (tmp_path / NAME).write_bytes(b"zip")
    assert port.state()["poems"][-1]["evidence"]
    assert {port.evidence(seq) for seq in minute.seqs} == {tmp_path / NAME}
    assert port.evidence(10_000) is None
