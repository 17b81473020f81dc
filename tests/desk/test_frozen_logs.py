"""Logs of released versions are ruled as they were: a rule may change, but no ruling that was made."""

import json
from pathlib import Path

import pytest

from desk.karuta.engine.engine import Engine
from desk.karuta.engine.events import kinds_of
from desk.kendo.desk import KendoDesk
from desk.kendo.lines import minutes_of as bout_minutes
from desk.koikoi.desk import KoiKoiDesk
from desk.koikoi.lines import minutes_of as match_minutes
from desk.log.event_log import EventLog
from desk.log.jsonl_file import import_jsonl
from desk.practice.events import Outcome
from referee.karuta.flow.events import Event
from referee.karuta.flow.state import Phase
from referee.karuta.house_rules import PRESETS
from tests.desk.frozen_logs import LOGS, freeze, play_karuta, scripts
from tests.desk.frozen_records import attempts_of, play_practice, play_tournament, tables_in

FROZEN = sorted(LOGS.glob("*/*.jsonl"))


def named(game: str) -> list[Path]:
    return [path for path in FROZEN if path.name.startswith(game)]


def shown(path: Path) -> str:
    return f"{path.parent.name} {path.stem}"


@pytest.mark.parametrize("path", named("karuta"), ids=shown)
def test_a_karuta_match_of_an_earlier_version_is_ruled_as_it_was(path: Path, tmp_path: Path) -> None:
    with import_jsonl(path, tmp_path / "match.sqlite") as log:
        state = Engine.resume(log).state
    assert state.phase is Phase.ENDED
    ruled = [json.loads(line) for line in path.read_text("utf-8").splitlines()[1:]]
    told = [entry["payload"]["ruling"] for entry in ruled if entry["kind"] == "ruled"]
    for record, old in zip(state.records[::-1], told[::-1], strict=False):
        now = record.ruling
        assert (now.poem, now.taken_by, now.sends.near, now.sends.far) == (
            old["poem"],
            old["taken_by"],
            old["sends"]["near"],
            old["sends"]["far"],
        )
        assert (now.confidence, list(now.reasons)) == (old["confidence"], old["reasons"])
    ended = [entry["payload"]["winner"] for entry in ruled if entry["kind"] == "match_ended"]
    assert state.winner == ended[-1]


@pytest.mark.parametrize("path", named("koikoi"), ids=shown)
def test_a_game_of_koikoi_of_an_earlier_version_has_its_points(path: Path, tmp_path: Path) -> None:
    with import_jsonl(path, tmp_path / "game.sqlite") as log:
        minutes = match_minutes(KoiKoiDesk(log).game.match)
    assert json.loads(json.dumps(minutes)) == json.loads(path.with_suffix(".minutes.json").read_text("utf-8"))


@pytest.mark.parametrize("path", named("kendo"), ids=shown)
def test_a_bout_of_an_earlier_version_has_its_score_and_flags(path: Path, tmp_path: Path) -> None:
    with import_jsonl(path, tmp_path / "bout.sqlite") as log:
        minutes = bout_minutes(KendoDesk(log).game.scribe.minutes)
    assert json.loads(json.dumps(minutes)) == json.loads(path.with_suffix(".minutes.json").read_text("utf-8"))


@pytest.mark.parametrize("path", named("tournament"), ids=shown)
def test_a_tournament_of_an_earlier_version_has_its_tables(path: Path, tmp_path: Path) -> None:
    import_jsonl(path, tmp_path / "tournament.sqlite").close()
    tables = tables_in(tmp_path / "tournament.sqlite")
    assert tables == json.loads(path.with_suffix(".minutes.json").read_text("utf-8"))


@pytest.mark.parametrize("path", named("practice"), ids=shown)
def test_a_practice_of_an_earlier_version_has_its_attempts(path: Path, tmp_path: Path) -> None:
    import_jsonl(path, tmp_path / "practice.sqlite").close()
    told = attempts_of(tmp_path / "practice.sqlite")
    assert json.loads(json.dumps(told)) == json.loads(path.with_suffix(".minutes.json").read_text("utf-8"))


def test_the_next_release_freezes_a_tournament_and_a_practice(tmp_path: Path) -> None:
    tables = play_tournament(tmp_path / "tournament.sqlite")
    assert tables_in(tmp_path / "tournament.sqlite") == tables
    attempts = play_practice(tmp_path / "practice.sqlite")["attempts"]
    assert {each["outcome"] for each in attempts} == set(Outcome)


def test_every_preset_of_the_first_frozen_version_is_there() -> None:
    assert {path.stem for path in FROZEN if path.parent.name == "0.2.0"} <= {name for name, _ in scripts()}
    assert len(FROZEN) >= 10


def test_the_next_release_freezes_every_event_that_a_match_can_have(tmp_path: Path) -> None:
    play_karuta(tmp_path / "match.sqlite", PRESETS["kyogi"])
    with EventLog.read(tmp_path / "match.sqlite") as log:
        told = {entry.kind for entry in log.entries()}
    assert kinds_of(Event) <= told
    with EventLog.open(tmp_path / "match.sqlite") as log:
        assert Engine.resume(log).state.phase is Phase.ENDED


def test_what_is_frozen_is_never_written_again() -> None:
    with pytest.raises(FileExistsError):
        freeze("0.2.0")
