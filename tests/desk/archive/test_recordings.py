"""Recordings of an archive are found; their key covers everything that their rulings depend on."""

from pathlib import Path

import pytest

from desk.archive import recordings
from desk.archive.recordings import HouseRules, holds_many, key_of, recordings_in
from desk.errors import DeskError

HOUSE = HouseRules()


def recording(folder: Path, video: bytes = b"pictures") -> Path:
    folder.mkdir(parents=True)
    (folder / "recording.toml").write_text('format = 1\ngame = "karuta"\nvideo = "video.mkv"\n')
    (folder / "video.mkv").write_bytes(video)
    return folder


def test_recordings_at_any_depth_each_once(tmp_path: Path) -> None:
    one, two = (
        recording(tmp_path / "day" / "mat-1"),
        recording(tmp_path / "day" / "evening" / "mat-2", b"x" * 900),
    )
    recording(tmp_path / "day" / ".trash" / "mat-3")
    found = recordings_in([tmp_path / "day", two])
    assert [(each.name, each.folder) for each in found] == [("evening/mat-2", two), ("mat-1", one)]
    assert found[0].size - found[1].size == 900 - len(b"pictures")
    assert holds_many(tmp_path / "day")
    assert not holds_many(one)


def test_no_two_recordings_share_a_name(tmp_path: Path) -> None:
    for day in ("x/day", "y/day", "night"):
        recording(tmp_path / day / "mat-1")
    found = recordings_in([tmp_path / "night", tmp_path / "x" / "day", tmp_path / "y" / "day"])
    assert [each.name for each in found] == ["mat-1", "day/mat-1", str(tmp_path / "y" / "day" / "mat-1")]


@pytest.mark.parametrize(
    ("name", "message"), [("film.mp4", "a film is judged alone"), ("empty", "found no recording.toml")]
)
def test_what_holds_no_recording(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "film.mp4").touch()
    (tmp_path / "empty").mkdir()
    with pytest.raises(DeskError, match=message):
        recordings_in([tmp_path / name])


def test_a_key_changes_with_whatever_a_ruling_depends_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = recording(tmp_path / "a")
    copy = recording(tmp_path / "b")
    rules = tmp_path / "house.toml"
    rules.write_text("x = 1\n")
    keys = [
        key_of(folder, HOUSE),
        key_of(folder, HouseRules("seed-000")),
        key_of(folder, HouseRules(str(rules))),
    ]
    assert key_of(copy, HOUSE) == keys[0]
    (folder / ".DS_Store").touch()
    assert key_of(folder, HOUSE) == keys[0]
    rules.write_text("x = 2\n")
    keys.append(key_of(folder, HouseRules(str(rules))))
    (folder / "video.mkv").write_bytes(b"Pictures")
    keys.append(key_of(folder, HOUSE))
    (folder / "reading.jsonl").touch()
    keys.append(key_of(folder, HOUSE))
    monkeypatch.setattr(recordings, "program_digest", lambda: "another program")
    keys.append(key_of(folder, HOUSE))
    assert len(set(keys)) == len(keys)


def test_the_program_is_known_by_its_code_and_its_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recordings, "_ROOMS", ("referee.tournament",))
    small = recordings.program_digest.__wrapped__()
    assert recordings.program_digest.__wrapped__() == small
    monkeypatch.setattr(recordings, "_ROOMS", ("referee.kendo",))
    assert recordings.program_digest.__wrapped__() != small
