"""The replays of a card game over HTTP: whole, picture by picture, as a film, or the reason for none."""

import errno
import zipfile
from pathlib import Path

import httpx
import pytest
from fastapi import APIRouter

from desk.errors import DeskError
from desk.panel.app import single_page_app
from desk.panel.match.port import Caption
from desk.panel.table.replay_routes import add_step_replays
from desk.panel.words import Words
from referee.sentence import Sentence
from tests.desk.panel.visitor import browser_of

KEPT, DELETED, DAMAGED = 3, 4, 5


class Replayed:
    """A game with a replay, one that was deleted and one that is damaged; it is its own port of replays."""

    def __init__(self, folder: Path) -> None:
        self.captions: list[Caption] = []
        self._paths = {seq: folder / f"{seq}.zip" for seq in (KEPT, DELETED, DAMAGED)}
        with zipfile.ZipFile(self._paths[KEPT], "w") as archive:
            archive.writestr("manifest.json", "{}")
            archive.writestr("0000.jpg", b"\xff\xd8")
        self._paths[DAMAGED].write_bytes(b"no archive any more")

    @property
    def replays(self) -> "Replayed":
        return self

    def evidence(self, seq: int) -> Path | None:
        return self._paths.get(seq)

    async def clip(self, seq: int, caption: Caption) -> Path | None:
        self.captions.append(caption)
        if seq == DAMAGED:
            raise DeskError("no bundle of pictures")
        return self._paths[seq]


@pytest.fixture
def game(tmp_path: Path) -> Replayed:
    return Replayed(tmp_path)


def ask(game: Replayed, path: str) -> httpx.Response:
    def told(seq: int, said: Words) -> list[str]:
        return [f"{said.language} {seq}"]

    router = APIRouter(prefix="/koikoi")
    add_step_replays(router, game, told)
    return browser_of(single_page_app(router, "/koikoi", ["127.0.0.1"])).get(f"/koikoi/evidence/{path}")


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("3.zip", "application/zip"),
        ("3.mp4", "video/mp4"),
        ("3/manifest.json", "application/json"),
        ("3/0000.jpg", "image/jpeg"),
    ],
)
def test_a_replay_is_handed_out_and_no_browser_keeps_it(game: Replayed, path: str, kind: str) -> None:
    answer = ask(game, path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, kind)
    assert answer.headers["cache-control"] == "no-store"


def test_a_film_is_captioned_in_the_visitors_language_and_in_english(game: Replayed) -> None:
    assert ask(game, "3.mp4?lang=ja").status_code == 200
    assert ask(game, "3.mp4?lang=en").status_code == 200
    assert game.captions == [Caption(["ja 3"], plain=Caption(["en 3"])), Caption(["en 3"])]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        *((f"4{name}", 410) for name in (".zip", ".mp4", "/manifest.json")),
        *((f"9{name}", 404) for name in (".zip", ".mp4", "/manifest.json")),
        *((f"5{name}", 404) for name in (".mp4", "/manifest.json")),
        ("3/0009.jpg", 404),
    ],
)
def test_what_is_not_there_says_whether_it_was_deleted(game: Replayed, path: str, status: int) -> None:
    assert ask(game, path).status_code == status


def test_a_full_disk_is_told_where_no_film_is_made(game: Replayed, monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(_seq: int, _caption: Caption) -> Path:
        raise OSError(errno.ENOSPC, Sentence("less than {gb:g} GB is free, which is left to logs", gb=1.0))

    monkeypatch.setattr(game, "clip", full)
    refused = ask(game, "3.mp4")
    assert refused.status_code == 507
    assert "less than 1 GB is free" in refused.text
