"""Pictures of a card table's steps: cut once the table rests, limited in size, named by the log."""

import json
import os
import zipfile
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from desk.panel.match.bundle import read_member
from desk.tables.evidence.events import EvidenceKept, delete, evidence_at, was_deleted
from desk.tables.evidence.keeper import AFTER_NS, APART_NS, EvidenceKeeper, make_room
from desk.tables.evidence.sound import wave_of
from recitation.sound.recent_sound import TimedSound
from vision.frames.frame import Frame
from vision.match.evidence_ring import MANIFEST

MS = 1_000_000


def picture(t_ms: int) -> Frame:
    return Frame(np.full((48, 64), t_ms % 251, np.uint8), t_ms * MS, MS, t_ms // 20)


class Kept:
    """A table whose pictures come fifty times a second, with the instants at which it comes to rest."""

    def __init__(self, folder: Path, rests: set[int], until_ms: int) -> None:
        self.events: list[EvidenceKept] = []
        keeper = EvidenceKeeper(folder, self.events.append)
        for t_ms in range(0, until_ms, 20):
            # the eye tells of a rest a little later
            keeper.look(picture(t_ms), [t_ms - 200] if t_ms - 200 in rests else [])
        keeper.drain()
        keeper.close()


def instants_ms(path: Path) -> list[float]:
    with zipfile.ZipFile(path) as archive:
        return [frame["t_ns"] / MS for frame in json.loads(archive.read(MANIFEST))["frames"]]


def test_each_step_has_the_pictures_since_the_one_before_and_a_little_after(tmp_path: Path) -> None:
    kept = Kept(tmp_path, {2000, 3400, 12000}, 12300)
    assert [(event.from_ms, event.t_ms) for event in kept.events] == [(0, 2000), (2000, 3400), (6000, 12000)]
    assert {path.name for path in tmp_path.iterdir()} == {event.name for event in kept.events}
    first, second, last = (instants_ms(tmp_path / event.name) for event in kept.events)
    assert (first[0], first[-1], second[0], second[-1]) == (0, 2500, 2000, 3900)
    # who thinks for long is not filmed all that time, and the film ends before half a second is over
    assert (last[0], last[-1]) == (6000, 12200)
    assert min(b - a for a, b in pairwise(last)) * MS >= APART_NS


def test_a_step_finds_its_pictures_and_others_find_none() -> None:
    history = [(1, "opened"), (4, EvidenceKept(2000, 0, "a.zip")), (7, EvidenceKept(9000, 3000, "b.zip"))]
    found = [evidence_at(history, t_ms) for t_ms in (1500.0, 2000.0, 2500.0, 9000.0, 9001.0)]
    assert found == [4, 4, None, 7, None]
    # the log was gone on with when the clock had begun anew
    assert evidence_at([*history, (9, EvidenceKept(1800, 900, "c.zip"))], 1500.0) == 9


def test_a_steps_sound_is_that_of_its_pictures(tmp_path: Path) -> None:
    asked: list[tuple[int, int]] = []

    def sound(from_ns: int, to_ns: int) -> TimedSound | None:
        asked.append((from_ns // MS, to_ns // MS))
        return TimedSound(np.full(480, 0.25, np.float32), from_ns, 7) if len(asked) == 1 else None

    kept: list[EvidenceKept] = []
    keeper = EvidenceKeeper(tmp_path, kept.append, sound=sound)
    for t_ms in range(0, 4000, 20):
        keeper.look(picture(t_ms), [t_ms] if t_ms in {1000, 3000} else [])
    keeper.close()
    assert asked == [(0, 1000 + AFTER_NS // MS), (1000, 3000 + AFTER_NS // MS)]
    first, silent = (json.loads(read_member(tmp_path / event.name, MANIFEST)) for event in kept)
    assert (first["sound"]["t_ns"], first["sound"]["t_unc_ns"]) == (0, 7)
    assert wave_of(read_member(tmp_path / kept[0].name, first["sound"]["file"])) == pytest.approx(
        0.25, abs=1e-3
    )
    assert "sound" not in silent


def test_the_oldest_pictures_make_room_for_the_latest(tmp_path: Path) -> None:
    for age, name in enumerate(("c.zip", "b.mp4", "a.zip")):
        (tmp_path / name).write_bytes(bytes(100))
        os.utime(tmp_path / name, (1000 - age, 1000 - age))
    (tmp_path / "deleted.txt").write_text("other files stay")
    make_room(tmp_path, 200, tmp_path / "c.zip")
    assert {path.name for path in tmp_path.iterdir()} == {"c.zip", "b.mp4", "deleted.txt"}
    make_room(tmp_path, 10, tmp_path / "c.zip")  # never what has just been written
    assert {path.name for path in tmp_path.iterdir()} == {"c.zip", "deleted.txt"}


def test_a_full_disk_is_said_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "evidence"
    folder.write_text("a file lies where the folder should be")
    keeper = EvidenceKeeper(folder, lambda _: None)
    keeper.look(picture(0), [0])
    keeper.look(picture(600), [600])
    keeper.drain()
    keeper._writer.submit(lambda: None).result()
    lost = [keeper.is_lost]
    folder.unlink()
    keeper.look(picture(1000), [1000])
    keeper.drain()
    keeper.close()
    assert [*lost, keeper.is_lost] == [True, False]
    assert capsys.readouterr().err.count("no replay is kept") == 1


def test_pictures_and_films_are_deleted_and_nothing_else(tmp_path: Path) -> None:
    for name in ("a.zip", "a.mp4", ".shinpan-1-2.part", "notes.txt"):
        (tmp_path / name).write_bytes(b"1234")
    assert not was_deleted(tmp_path)
    assert delete(tmp_path) == (3, 12)
    assert was_deleted(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"notes.txt", "deleted.txt"}
    (tmp_path / "later.zip").write_bytes(b"12")  # the match went on
    assert delete(tmp_path) == (1, 2)


def test_the_mark_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unlink(_path: Path, missing_ok: bool = False) -> None:
        raise OSError(30, "Read-only file system", "a.zip")

    (tmp_path / "a.zip").write_bytes(b"1234")
    monkeypatch.setattr(Path, "unlink", unlink)
    with pytest.raises(OSError, match="Read-only"):
        delete(tmp_path)
    assert was_deleted(tmp_path)
