"""A card table on a film's page: steps, flags, pictures of each step, and a person's statements."""

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import av
import pytest

from desk.films.film import Seats
from desk.films.judgement import FilmHints
from desk.koikoi.lines import _undealt, minutes_of, with_lost_rounds
from desk.koikoi.page.story import stories
from desk.koikoi.scribe.unread_deal import LostRound
from desk.shelf.film_process import Whole
from desk.shelf.verdicts import Verdicts, read_verdicts
from tests.desk.koikoi.koikoi_script import Table, drawn, opened_desk, played
from tests.desk.shelf.judged_shelf import BOUT, Desk, small_film

DEALT = (8, 32, 5, 13, 17, 21, 25, 1)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def rounds(folder: Path) -> Verdicts:
    """A round with a take of another month's card, after a round that was not recognised."""
    folder.mkdir()
    desk, table = opened_desk(folder), Table(DEALT)
    for event in (table.look(), *table.move(0, played(9, 5)), *table.move(0, drawn(40))):
        desk.tell(event)
    for event in table.move(1, played(28, seat=1)):
        desk.tell(event)
    judged = with_lost_rounds(minutes_of(desk.game.match), (LostRound(0, 700.0),))
    judged |= {"dealer_assumed": 0, "stats": {}}
    judged["rounds"][1]["flags"].append({"event": 99, "id": "unsure", "text": "a card lies hidden"})
    told = tuple(stories(desk.game))
    return Verdicts("koikoi", length_ns=9 * 10**9, judged=judged, stories=told, hint=_undealt(()))


def test_rounds_are_told_step_by_step_with_what_was_flagged(desk: Desk, tmp_path: Path) -> None:
    address, verdicts = desk.film(), rounds(tmp_path / "game")
    desk.process.finish(verdicts)
    (folder,) = desk.folder.glob("films/film_*")
    assert read_verdicts(folder) == verdicts

    shown = desk.browser.get(f"/api{address}?lang=en").json()
    table = shown["table"]
    assert (shown["rounds"], shown["in_doubt"]) == (2, 1)
    lost, played_round = table["parts"]
    assert "A round at 0.7 s was not understood" in lost["title"]
    steps = played_round["steps"]
    assert [step["number"] for step in steps] == list(range(1, len(steps) + 1))
    assert steps[1]["text"].startswith("Player 1 played")
    ((flag,),) = [step["flags"] for step in steps if step["flags"]]
    assert flag["mend"] == "Put the field card back."
    assert [each["text"] for each in played_round["late"]] == ["a card lies hidden"]
    assert shown["flagged_text"] == "2 flags"
    assert table["dealer"].startswith("Nobody said who dealt first: Player 1")
    assert bool(table["doubt"])
    assert table["hint"].startswith("No deal was understood, so no round was judged: at most 0 cards")
    assert "2 rounds" in desk.browser.get("/films").text
    japanese = desk.browser.get(f"/api{address}?lang=ja").json()["table"]
    assert japanese["hint"].startswith("配札を読み取れず")
    assert japanese["parts"][0]["title"] != lost["title"]


def test_a_step_shows_its_pictures_and_makes_a_clip(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(*_: object, **__: object) -> None:
        raise AssertionError("films of strangers are opened in another process")

    monkeypatch.setattr("vision.sources.video_file.open_container", opened)
    address = desk.film()
    desk.process.finish(BOUT)
    (film,) = desk.folder.glob("films/film_*/film.mp4")
    small_film(film, seconds=5)

    for number in (0, 4):
        assert desk.browser.get(f"{address}/evidence/{number}.zip").status_code == 404
    bundle = desk.browser.get(f"{address}/evidence/2.zip")
    manifest = desk.browser.get(f"{address}/evidence/2/manifest.json").json()
    clip = desk.browser.get(f"{address}/evidence/2.mp4?lang=ja")
    with zipfile.ZipFile(io.BytesIO(bundle.content)) as archive:
        assert json.loads(archive.read("manifest.json")) == manifest
    instants_ms_seen = [frame["t_ns"] / 1e6 for frame in manifest["frames"]]
    assert 890 < instants_ms_seen[0] < 1010, "from the step before"
    assert 2950 < instants_ms_seen[-1] <= 3100
    assert manifest["marks"]["t_poem_ns"] == 2_500_000_000
    assert clip.status_code == 200
    with av.open(io.BytesIO(clip.content), "r") as container:
        *_, last = (picture.time for picture in container.decode(video=0))
    assert 4 < last < 6, "in its own time, and held long enough to be read"
    later = json.loads(json.dumps(BOUT.judged))
    for event in later["events"]:
        event["t_ms"] += 300
    assert desk.browser.post(f"/api{address}/judge", json={}).status_code == 200
    desk.process.finish(replace(BOUT, judged=later))
    told = desk.browser.get(f"{address}/evidence/2/manifest.json").json()["marks"]["t_poem_ns"]
    assert told == 2_800_000_000, "the pictures of the step that has this number now"
    film.write_bytes(b"no film any more")
    assert desk.browser.get(f"{address}/evidence/3.zip").status_code == 404
    monkeypatch.setattr("desk.machine.side_process.MOST_WAITING", 0)
    refused = desk.browser.get(f"{address}/evidence/3.zip?lang=ja")
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "60")
    assert "1分ほどしてから" in refused.json()["error"]


def test_what_a_person_says_of_a_table_is_checked_and_kept(desk: Desk) -> None:
    address = desk.film()
    desk.process.finish(BOUT)
    for wish, refusal in (
        ({"game": "koikoi", "players": 2, "dealer": 2}, "no_such_seat"),
        ({"game": "kendo", "rules": "kyogi"}, "other_rules"),
        ({"unread": "101"}, "cards_unclear"),
        ({"order": "x"}, "poems_unclear"),
    ):
        answer = desk.browser.post(f"/api{address}/judge", json=wish)
        assert answer.json()["refusal"] == refusal, wish
    wish = {"game": "koikoi", "players": 3, "dealer": 0, "unread": "1-3", "order": "3, 1"}
    assert desk.browser.post(f"/api{address}/judge", json=wish).status_code == 200
    told = desk.browser.get(f"/api{address}").json()["told"]
    assert told == {"game": "koikoi", "players": 3, "dealer": 0, "unread": "1-3", "order": "3, 1"}
    told = FilmHints(game="koikoi", order=(3, 1), unread=frozenset({1, 2, 3}), seats=Seats(3, 0))
    assert desk.process.finish(BOUT) == Whole(told, None)
