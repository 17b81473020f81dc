"""Deleting the pictures of a match: they are gone, other files stay, and the page shows it."""

from pathlib import Path

import pytest

from desk.tables.evidence.deletion import delete, was_deleted


def test_pictures_and_films_are_deleted_and_nothing_else(tmp_path: Path) -> None:
    for name in ("a.zip", "a.mp4", ".shinpan-1-2.part", "notes.txt"):
        (tmp_path / name).write_bytes(b"1234")
    assert not was_deleted(tmp_path)
    assert delete(tmp_path) == (3, 12)
    assert was_deleted(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"notes.txt", "deleted.txt"}
    (tmp_path / "later.zip").write_bytes(b"12")  # the match went on
    assert delete(tmp_path) == (1, 2)


def test_a_match_without_pictures_is_not_marked(tmp_path: Path) -> None:
    assert delete(tmp_path / "none.evidence") == (0, 0)
    assert not was_deleted(tmp_path / "none.evidence")


def test_the_mark_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unlink(_path: Path, missing_ok: bool = False) -> None:
        raise OSError(30, "Read-only file system", "a.zip")

    (tmp_path / "a.zip").write_bytes(b"1234")
    monkeypatch.setattr(Path, "unlink", unlink)
    with pytest.raises(OSError, match="Read-only"):
        delete(tmp_path)
    assert was_deleted(tmp_path)
