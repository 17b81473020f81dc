"""The panel's port to a real engine: snapshots that survive JSON, events without gaps, evidence."""

import asyncio
import json
from pathlib import Path

import pytest

from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.engine.events import EvidenceKept
from desk.karuta.engine.minutes import read_minutes
from desk.karuta.engine.policy import Policies, Policy
from desk.karuta.house.panel_port import MatchPort
from desk.panel.match.port import EventSeen, Health, Port
from desk.panel.match.view import view
from desk.panel.words import words
from referee.facts import KimarijiCompleted, Unprovable
from referee.sides import Side
from tests.desk.karuta.karuta_script import (
    MS,
    START,
    ScriptedClock,
    begin,
    opening,
    play,
    poem,
    sent,
    settled,
    whole_match,
)
from tests.desk.panel.commands import command as command_of

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


def test_it_is_the_port_the_panel_asks_for(engine: Engine, tmp_path: Path) -> None:
    port: Port = port_of(engine, tmp_path)
    assert port.health() == HEALTH
    assert port.preview() is None


@pytest.mark.parametrize("stop", range(len(whole_match()) + 1))
def test_every_moment_of_a_match_can_be_shown(engine: Engine, tmp_path: Path, stop: int) -> None:
    port = port_of(engine, tmp_path)
    play(engine, whole_match()[:stop])
    snapshot = port.state()
    assert json.loads(json.dumps(snapshot, allow_nan=False)) == snapshot
    assert snapshot["seq"] == engine.last_seq
    for language in ("en", "ja"):
        assert view(snapshot, 5, words(language))["seq"] == engine.last_seq


def test_a_snapshot_tells_what_is_the_matter(engine: Engine, tmp_path: Path) -> None:
    port = port_of(engine, tmp_path)
    assert port.state()["phase"] == "set_up"
    play(engine, opening())
    assert port.state()["phase"] == "restore"
    assert port.state()["counts"] == {"near": 2, "far": 2}
    start, *rest = poem(3, 1000, (3, Side.NEAR, 400))
    play(engine, [start])
    assert port.state()["reading"] == {"poem": 3, "order": 1, "t_ku_ns": []}
    play(
        engine,
        [KimarijiCompleted(3, 1200 * MS, 1), Unprovable(4, Side.FAR, 1300 * MS, MS, "under_head"), *rest],
    )
    state = port.state()
    assert state["reading"] is None
    assert state["owes"] == {"near": 1, "far": 0}
    (ruled,) = state["poems"]
    assert (ruled["state"], ruled["taken_by"], ruled["sends"]) == ("ruled", "near", {"near": 1, "far": 0})
    assert (ruled["target_side"], ruled["kimariji"]) == ("far", "あし")
    assert ruled["t_kimariji_ns"] == 1200 * MS
    place = START.find(3)
    assert place is not None
    where = [round(place.x_m * 1000, 1), round(place.y_m * 1000, 1)]
    assert ruled["target_at_mm"] == where
    unproven, touch = ruled["touches"]
    assert (touch["card"], touch["at_mm"], touch["unprovable"]) == (3, where, None)
    assert (unproven["card"], unproven["unprovable"]) == (4, "under_head")
    play(engine, [settled(START.without(3), 3000)])
    assert {"id": "owes_cards", "params": {"side": "near", "count": 1}} in port.state()["to_do"]
    play(engine, [settled(sent(START.without(3), 2), 4000)])
    assert port.state()["to_do"] == []
    assert {"id": "card_sent", "params": {"side": "near", "card": 2}} in port.state()["news"]


def test_the_winner_is_told(engine: Engine, tmp_path: Path) -> None:
    play(engine, whole_match())
    state = port_of(engine, tmp_path).state()
    assert (state["phase"], state["winner"]) == ("over", "near")


def test_why_the_match_stands_still(tmp_path: Path) -> None:
    engine = begin(tmp_path / "match.sqlite", Policies(take=Policy.PROPOSE))
    port = port_of(engine, tmp_path)
    play(engine, [*opening(), *poem(1, 1000, (1, Side.NEAR, 900))])

    def ask(name: str, origin: str = "operator", **args: object) -> None:
        assert asyncio.run(port.command(command_of(name, origin, **args))).refusal is None

    assert port.state()["pause"] == {"reason": "review", "side": None}
    seq = port.state()["poems"][-1]["seq"]
    ask("appeal", "far", ruling=seq, side="far")
    assert port.state()["pause"] == {"reason": "appeal", "side": "far"}
    ask("resume")
    ask("confirm", ruling=seq)
    assert port.state()["pause"] is None
    ask("pause")
    assert port.state()["pause"] == {"reason": "operator", "side": None}
    latest = port.state()["revertible"][0]
    assert (latest["kind"], latest["poem"]) == ("confirm", 1)
    ask("revert", event=latest["seq"])
    assert port.state()["pause"] == {"reason": "revert", "side": None}


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


def test_a_waiting_listener_hears_what_comes_later(engine: Engine, tmp_path: Path) -> None:
    port = port_of(engine, tmp_path)

    async def listen() -> list[int]:
        asyncio.get_running_loop().call_later(0.02, play, engine, opening())
        asyncio.get_running_loop().call_later(0.06, port.close)
        return [event["seq"] async for event in port.events(0)]

    assert asyncio.run(asyncio.wait_for(listen(), 10)) == list(range(1, engine.last_seq + 1))


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
