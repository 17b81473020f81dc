"""The matches of this machine: listed, looked at, refereed again, deleted and put back."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from benchmarks.book.club_matches import ClubMatch
from desk.book.book import Book
from desk.commands.cli import main
from desk.karuta.engine.engine import Engine, Origin
from desk.karuta.house.history import MatchBin, list_matches, log_path, match_in
from desk.karuta.house.second_judgement import rejudge, steps_again
from desk.log.event_log import EventLog, LogEntry
from desk.log.jsonl_file import import_jsonl
from desk.panel.match.record import WITHDRAWN, poem_rows
from referee.facts import PoemStarted
from referee.karuta.flow.events import MatchStopped, Revert, StopReason
from referee.karuta.house_rules import PRESETS
from referee.notation import parse_layout
from referee.sides import BySide, Side
from tests.desk.karuta.karuta_script import (
    OPENED,
    ScriptedClock,
    begin,
    opening,
    play,
    poem,
    settled,
    whole_match,
)

FIRST_EDITION = Path(__file__).parents[4] / "docs" / "reference" / "formats" / "examples" / "match.jsonl"
MATCH = OPENED.id


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    play(begin(tmp_path / f"{MATCH}.sqlite"), whole_match())
    return tmp_path


def test_matches_are_listed_with_their_outcome_without_other_files(kept: Path) -> None:
    (kept / "notes.sqlite").write_text("no database")
    EventLog.create(kept / "empty.sqlite").close()
    (listed,) = list_matches(kept)
    assert (listed["id"], listed["poems"], listed["winner"], listed["over"]) == (MATCH, 3, "near", True)
    assert list_matches(kept / "nowhere") == []
    engine = Engine.resume(EventLog.open(kept / f"{MATCH}.sqlite"), clock=ScriptedClock())
    engine.submit(Revert(len(engine.state.log)), Origin.OPERATOR)
    (listed,) = list_matches(kept)
    assert (listed["winner"], listed["over"]) == (None, False), "an end that was taken back is none"


def test_a_match_that_an_official_ended_says_why_and_is_the_same_when_it_is_opened_again(
    tmp_path: Path,
) -> None:
    path = tmp_path / f"{MATCH}.sqlite"
    play(begin(path), [*opening(), MatchStopped(StopReason.FORFEIT, Side.FAR)])
    (listed,) = list_matches(tmp_path)
    assert (listed["winner"], listed["over"], listed["stopped"]) == ("far", True, "forfeit")
    shown = match_in(path, is_stored=True).state()
    assert (shown["phase"], shown["winner"], shown["stopped"]) == ("over", "far", "forfeit")
    assert shown["revertible"][0]["kind"] == "match_stopped"


def test_a_poem_that_was_undone_and_read_again_counts_once(tmp_path: Path) -> None:
    engine = begin(tmp_path / f"{MATCH}.sqlite")
    play(engine, [*opening(), *poem(1, 1000, (1, Side.NEAR, 900))])
    assert list_matches(tmp_path)[0]["poems"] == 1
    started = next(each.seq for each in engine.history if isinstance(each.event, PoemStarted))
    number = engine.game_number(started)
    assert number is not None
    engine.submit(Revert(number), Origin.OPERATOR)
    assert list_matches(tmp_path)[0]["poems"] == 0, "taken back"
    play(engine, poem(1, 9000, (1, Side.NEAR, 900)))
    stored = match_in(tmp_path / f"{MATCH}.sqlite", is_stored=True)
    counting = [row for row in poem_rows(stored.state()) if row["state"] not in WITHDRAWN]
    assert list_matches(tmp_path)[0]["poems"] == len(counting) == 1


@pytest.mark.parametrize("name", ["restored", "a (1)", "春の会 1回戦", "100%?#"])
def test_a_match_that_was_restored_under_another_name_is_listed_by_its_file(kept: Path, name: str) -> None:
    text, folder = kept / "m.jsonl", kept / "new"
    assert main(["log", "export", str(kept / f"{MATCH}.sqlite"), "--jsonl", str(text)]) == 0
    assert main(["log", "import", str(text), str(folder / f"{name}.sqlite")]) == 0
    (listed,) = list_matches(folder)
    assert (listed["id"], listed["is_renamed"], listed["poems"]) == (name, True, 3)
    match_in(folder / f"{name}.sqlite")


@pytest.mark.parametrize(
    "name", ["../{match}", "a/../{match}", "..\\{match}", ".{match}", "c:{match}", "", "none", "a/b"]
)
def test_a_name_that_leads_elsewhere_is_no_match(kept: Path, name: str) -> None:
    (kept / "folder").mkdir()
    EventLog.create(kept / f".{MATCH}.sqlite").close()
    assert log_path(kept / "folder", name.format(match=MATCH)) is None
    assert log_path(kept, name.format(match=MATCH)) is None


# --- re-refereeing ---------------------------------------------------------------------------------------
def test_a_match_leads_bit_by_bit_to_its_own_rulings(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(kept / f"{MATCH}.sqlite")]) == 0
    out = capsys.readouterr().out
    assert "bit for bit as the log says" in out
    assert "3 poems judged again: no rulings would differ" in out


def test_other_rules_show_what_would_differ(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"{MATCH}.sqlite"
    engine = begin(path)
    # on a dead card near touches both territories and far one: seed-000 sets nothing off
    play(engine, [*opening(), *poem(50, 1000, (3, Side.NEAR, 400), (1, Side.NEAR, 500), (2, Side.FAR, 500))])
    play(engine, [settled(engine.state.home, 3000)])
    differing = [name for name in PRESETS.names if rejudge(engine, PRESETS[name])]
    assert "kyogi" not in differing
    assert differing, "no preset rules this poem otherwise: the test needs another poem"
    assert main(["replay", str(path), "--rules", differing[0], "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["broken"] is None
    (difference,) = told["differences"]
    assert (difference["order"], difference["poem"], difference["by"]) == (1, 50, "facts")
    assert difference["now"] != difference["proposed"]


def test_of_a_match_of_an_earlier_version_it_is_said_that_its_rulings_are_the_logs(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with import_jsonl(FIRST_EDITION, tmp_path / "match.sqlite") as log:
        engine = Engine.resume(log)
    assert engine.state.records[0].ruling.confidence == 1.0
    assert rejudge(engine) == [], "other rulings are told, not other confidences"
    assert main(["replay", str(tmp_path / "match.sqlite"), "--check"]) == 0
    assert "its rulings are those of edition 1 of the rules: they were taken from the log" in (
        capsys.readouterr().out
    )
    assert main(["replay", str(tmp_path / "match.sqlite"), "--check", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["edition"] == 1
    assert main(["replay", str(kept / f"{MATCH}.sqlite"), "--check"]) == 0
    assert "edition" not in capsys.readouterr().out


def test_a_tampered_log_is_told_at_its_first_lie(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    forged = kept / "forged.sqlite"
    with EventLog.open(kept / f"{MATCH}.sqlite") as log, EventLog.create(forged) as copy:
        entries = list(log.entries())
        lie = next(entry for entry in entries if entry.kind == "ruled")
        payload = {"ruling": {**lie.payload["ruling"], "taken_by": "far"}}
        for entry in entries:
            copy.append([_with(entry, payload) if entry is lie else entry])
    with EventLog.open(forged) as log:
        engine, broken = steps_again(log)
    assert broken is not None
    assert f"entry {lie.seq} of the log" in broken
    assert len(engine.history) == lie.seq
    assert main(["replay", str(forged), "--check"]) == 1
    (checked,) = capsys.readouterr().out.splitlines()
    assert "up to here, where entry" in checked
    assert main(["replay", str(forged)]) == 1
    assert "up to here, where entry" in capsys.readouterr().out


def _with(entry: LogEntry, payload: dict[str, Any]) -> LogEntry:
    return LogEntry(entry.seq, entry.t_ns, entry.wall, entry.origin, entry.kind, entry.version, payload)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("no_such_match.sqlite",), "there is none at no_such_match.sqlite"),
        (("LOG", "--rules", "chess"), "there is no ruleset 'chess'"),
        (("LOG", "--check", "--rules", "kyogi"), "--check takes the log as it is: leave out --rules"),
        (("LOG", "--video"), "the pictures of test_1 were not kept"),
        (("LOG", "--video", "/no/such"), "/no/such is not a folder"),
    ],
)
def test_a_wrong_call_is_one_clear_line(
    kept: Path, arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(kept / f"{MATCH}.sqlite") if word == "LOG" else word for word in arguments]
    assert main(["replay", *words]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("command", [["replay"], ["log", "show"]])
def test_a_match_that_is_not_there_is_answered_with_those_that_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    matches = tmp_path / "shinpan" / "matches"
    matches.mkdir(parents=True)
    play(begin(matches / "test_1.sqlite"), whole_match())
    assert main([*command, "test_2"]) == 2
    assert "there is no match 'test_2'" in (err := capsys.readouterr().err)
    assert err.endswith("the latest there: test_1\n")


# --- deleted matches -------------------------------------------------------------------------------------
FIELD = parse_layout("near 1 2|/|/| far 11 12|/|/|")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("one", "two"):
        match = ClubMatch(tmp_path / f"{name}.sqlite", BySide("Hana", "Ken"), cards_per_side=2, layout=FIELD)
        match.finish(Side.NEAR)
        match.write()
    (tmp_path / "one.evidence").mkdir()
    (tmp_path / "one.evidence" / "3.zip").write_bytes(b"replay")
    return tmp_path


def names(folder: Path) -> set[str]:
    return {match["id"] for match in list_matches(folder)}


def test_a_deleted_match_counts_nowhere_and_comes_back_with_its_replays(folder: Path) -> None:
    kept = MatchBin(folder)
    before = EventLog.read(folder / "one.sqlite")
    entries = list(before.entries())
    before.close()
    assert kept.delete("one") is None
    assert (names(folder), [match["id"] for match in kept.matches()]) == ({"two"}, ["one"])
    assert not list(folder.glob("one*")), "nothing of it stays behind"
    book = Book(folder)
    assert {player["matches"] for player in book.players()} == {1}
    assert kept.put_back("one") is None
    assert names(folder) == {"one", "two"}
    assert kept.matches() == []
    assert (folder / "one.evidence" / "3.zip").read_bytes() == b"replay"
    with EventLog.read(folder / "one.sqlite") as log:
        assert list(log.entries()) == entries
    book.refresh()
    assert {player["matches"] for player in book.players()} == {2}
    book.close()


def test_a_wrong_id_and_a_match_that_is_played_move_nothing(folder: Path) -> None:
    kept = MatchBin(folder, lambda match_id: match_id == "one")
    (folder.parent / "outside.sqlite").write_text("not a match")
    assert kept.delete("nowhere") == kept.put_back("one") == kept.delete("../outside") == "missing"
    assert kept.delete("one") == "running"
    assert (folder.parent / "outside.sqlite").exists()
    assert names(folder) == {"one", "two"}


def test_nothing_in_the_bin_is_overwritten(folder: Path) -> None:
    kept = MatchBin(folder)
    shutil.copy(folder / "one.sqlite", folder / "safe")
    assert kept.delete("one") is None
    shutil.move(folder / "safe", folder / "one.sqlite")
    assert kept.delete("one") == kept.put_back("one") == "taken"
    assert names(folder) == {"one", "two"}
    assert [match["id"] for match in kept.matches()] == ["one"]


def test_what_is_in_the_file_beside_a_log_moves_with_it(folder: Path) -> None:
    reader = EventLog.read(folder / "two.sqlite")  # keeps SQLite from tidying up
    try:
        assert MatchBin(folder).delete("two") is None
    finally:
        reader.close()
    assert [match["id"] for match in MatchBin(folder).matches()] == ["two"]
    assert not list(folder.glob("two*"))


def test_a_disk_that_moves_nothing_leaves_the_match(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "bin").write_text("a file where the bin should be")
    assert MatchBin(folder).delete("one") == "failed"
    assert names(folder) == {"one", "two"}
    assert "cannot be moved" in capfd.readouterr().err
