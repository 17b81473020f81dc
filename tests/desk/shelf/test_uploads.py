"""Uploads resume after a lost connection, and no film fills the disk."""

import asyncio
import errno
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from calibration.files.storage import LEFT_FREE_BYTES
from desk.panel.films.port import FilmRefusedError
from desk.shelf.uploads import MOST_BYTES, Uploads, plain_name, suffix_of
from tests.desk.shelf.judged_shelf import pieces

DATA = bytes(range(256)) * 40


@pytest.fixture
def uploads(tmp_path: Path) -> Uploads:
    return Uploads(tmp_path / "uploads")


def refused(upload: object) -> FilmRefusedError:
    with pytest.raises(FilmRefusedError) as refusal:
        upload() if callable(upload) else asyncio.run(upload)  # type: ignore[arg-type]
    return refusal.value


def test_what_came_before_a_line_broke_is_kept_and_the_rest_follows(uploads: Uploads, tmp_path: Path) -> None:
    begun = uploads.begin("../My match.MOV", len(DATA))
    assert (begun["name"], begun["offset"]) == ("My match.MOV", 0)

    async def broken() -> AsyncIterator[bytes]:
        yield DATA[:700]
        raise ConnectionResetError

    with pytest.raises(ConnectionResetError):
        asyncio.run(uploads.append(begun["id"], 0, broken()))
    (listed,) = Uploads(tmp_path / "uploads").listed()  # a desk that was started anew knows it
    assert listed["offset"] == 700
    assert refused(uploads.append(begun["id"], 0, pieces(DATA))).values == {"offset": 700}
    done = asyncio.run(uploads.append(begun["id"], 700, pieces(DATA[700:])))
    assert done["offset"] == done["size"]
    uploads.take_out(done, tmp_path / "film.mov")
    assert (tmp_path / "film.mov").read_bytes() == DATA
    assert uploads.listed() == []


def test_two_windows_do_not_write_into_one_film(uploads: Uploads) -> None:
    begun = uploads.begin("a.mp4", len(DATA))

    async def both() -> None:
        async def slow() -> AsyncIterator[bytes]:
            yield DATA[:100]
            with pytest.raises(FilmRefusedError, match="elsewhere"):
                await uploads.append(begun["id"], 0, pieces(DATA))
            yield DATA[100:]

        assert (await uploads.append(begun["id"], 0, slow()))["offset"] == len(DATA)

    asyncio.run(both())


def test_what_the_disk_or_the_desk_has_no_room_for_is_refused_before_it_is_sent(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path, free_bytes=lambda _: LEFT_FREE_BYTES + 5000)
    assert refused(lambda: uploads.begin("a", 0)).refusal == "empty"
    assert refused(lambda: uploads.begin("a", MOST_BYTES + 1)).refusal == "too_large"
    assert refused(lambda: uploads.begin("a", 5001)).values == {"size": 5001, "free": 5000}
    uploads.begin("a", 3000)
    assert uploads.room()["free"] == 2000  # what was promised to another film is not free
    assert refused(lambda: uploads.begin("b", 2001)).refusal == "no_room"
    assert len(list(tmp_path.iterdir())) == 2


def test_too_much_and_a_full_disk_end_an_upload(uploads: Uploads, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = uploads.begin("a.mp4", 900)
    assert refused(uploads.append(begun["id"], 0, pieces(DATA, 500))).refusal == "too_much"
    assert refused(uploads.append("0" * 32, 0, pieces(DATA))).refusal == "no_such_upload"
    assert refused(uploads.append("../etc", 0, pieces(DATA))).refusal == "no_such_upload"

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    offset = uploads.listed()[0]["offset"]
    monkeypatch.setattr("asyncio.to_thread", full)
    assert refused(uploads.append(begun["id"], offset, pieces(DATA[:100]))).refusal == "disk_full"


DAY_S = 24 * 3600
NOON_S = 1_790_000_000.0


def test_what_lies_there_untouched_for_a_week_of_days_is_deleted(tmp_path: Path) -> None:
    now_s = [NOON_S]
    uploads = Uploads(tmp_path, now_s=lambda: now_s[0])
    begun = uploads.begin("a.mp4", 900)
    for _ in range(7):
        assert [each["id"] for each in uploads.listed()] == [begun["id"]]
        assert len(Uploads(tmp_path, now_s=lambda: now_s[0]).listed()) == 1
        now_s[0] += DAY_S
    assert uploads.listed() == []
    assert list(tmp_path.iterdir()) == []


def test_a_clock_that_jumps_deletes_nothing(tmp_path: Path) -> None:
    now_s = [NOON_S]
    uploads = Uploads(tmp_path, now_s=lambda: now_s[0])
    begun = uploads.begin("a.mp4", len(DATA))
    asyncio.run(uploads.append(begun["id"], 0, pieces(DATA[:700])))
    for jump_s in (0, 2 * DAY_S, 0, 90 * DAY_S, 0, 3650 * DAY_S, -20_000 * DAY_S, 0):
        now_s[0] = NOON_S + jump_s
        assert [each["offset"] for each in uploads.listed()] == [700]
    done = asyncio.run(uploads.append(begun["id"], 700, pieces(DATA[700:])))
    assert done["offset"] == len(DATA)


def test_what_arrived_is_on_the_disk_before_it_is_said_to_be(
    uploads: Uploads, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced = list[str]()
    sync = os.fsync

    def noted(descriptor: int) -> None:
        synced.append(Path(f"/proc/self/fd/{descriptor}").readlink().name)
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", noted)
    begun = uploads.begin("a.mp4", len(DATA))
    synced.clear()
    done = asyncio.run(uploads.append(begun["id"], 0, pieces(DATA)))
    assert synced == [f"{begun['id']}.part"]
    synced.clear()
    (tmp_path / "film_1").mkdir()
    uploads.take_out(done, tmp_path / "film_1" / "film.mp4")
    assert synced == ["film_1", "uploads"]


def test_what_an_ended_desk_left_of_an_upload_is_deleted(tmp_path: Path) -> None:
    """One of the two files alone: no upload can go on with it."""
    (tmp_path / f"{'a' * 32}.part").write_bytes(b"")
    (tmp_path / f"{'b' * 32}.json").write_text('{"name": "b.mp4", "size": 9}')
    assert Uploads(tmp_path).listed() == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "shown", "suffix"),
    [
        ("C:\\films\\IMG_1.MOV", "IMG_1.MOV", ".mov"),
        ("試合.mp4", "試合.mp4", ".mp4"),
        ("a\x00\x1b.mkv", "a.mkv", ".mkv"),
        ("evil.mp4/..", "..", ".mp4"),
        ("///", "film", ".mp4"),
        ("x.sh;rm", "x.sh;rm", ".mp4"),
    ],
)
def test_a_name_is_shown_and_never_a_path(name: str, shown: str, suffix: str) -> None:
    assert (plain_name(name), suffix_of(name)) == (shown, suffix)
