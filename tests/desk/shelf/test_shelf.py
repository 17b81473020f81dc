"""A film from its upload to a match of the list and an archive, through the panel's own addresses."""

import errno
import json
import zipfile
from pathlib import Path

import pytest

from desk.films.judgement import FilmHints
from desk.karuta.house.history import MatchBin, list_matches
from desk.panel.house.rules import risk_text
from desk.panel.words import words
from desk.shelf.entry import read_entry
from desk.shelf.film_process import Corrected, Whole
from desk.shelf.shelf import Shelf
from desk.shelf.verdicts import Verdicts
from referee.facts import ASSUMED
from referee.karuta.risk import risk_of
from referee.karuta.ruleset import KYOGI
from referee.sentence import Sentence
from referee.sides import Side
from tests.desk.shelf.judged_shelf import FILM, REPLAY, Desk, judged, small_film

NOTHING_FOUND = Sentence(
    "nothing to judge was found in {film}: {why}, and no card left the field; name the poems that were read",
    film=Sentence("the film"),
    why=Sentence("it has no sound"),
)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_a_film_that_arrived_in_parts_is_whole_and_is_judged(desk: Desk) -> None:
    address = desk.film()
    (stored,) = desk.folder.glob("films/film_*/film.mp4")
    assert stored.read_bytes() == FILM
    assert [job for _, _, job, _ in desk.process.jobs] == [Whole(FilmHints(), None)]

    shown = desk.browser.get(f"/api{address}").json()
    assert (shown["state"], shown["name"]) == ("waiting", "試合.mp4")
    assert "Waits for another film" in desk.browser.get("/films").text
    busy = desk.browser.post(f"/api{address}/judge", json={})
    assert (busy.status_code, busy.json()["refusal"]) == (409, "busy")


def test_only_the_operator_changes_anything_or_takes_the_whole_film_along(desk: Desk) -> None:
    address = desk.film()
    desk.process.finish(judged())
    for browser in map(desk.browser_of, ("near", "nobody")):
        for path, body in (
            ("/api/films/uploads", {"name": "a", "size": 1}),
            (f"/api/films/uploads/{'0' * 32}/delete", {}),
            (f"/api{address}/judge", {}),
            (f"/api{address}/correct", {"number": 1, "poem": 2}),
            (f"/api{address}/keep", {}),
            (f"/api{address}/delete", {}),
        ):
            assert browser.post(path, json=body).status_code == 403, path
        patched = browser.patch(
            f"/api/films/uploads/{'0' * 32}", content=b"x", headers={"Upload-Offset": "0"}
        )
        assert patched.status_code == 403
        for method, path in (("PATCH", f"/api/films/uploads/{'0' * 32}"), ("POST", "/api/films/uploads")):
            foreign = browser.request(method, path, headers={"Origin": "http://elsewhere.example"})
            assert foreign.status_code == 403
            assert "elsewhere" in foreign.json()["error"]
        huge = browser.patch("/api/films", content=b"x" * 100_000)
        assert huge.status_code == 413  # only what is uploaded may be large
        assert browser.get(f"{address}/case.zip").status_code == 403
        page = browser.get(address).text
        assert "delete-dialog" not in page
        assert browser.get(f"/api{address}/poems/1").status_code == 200
    assert desk.process.jobs == []
    assert len(list(desk.folder.glob("films/film_*"))) == 1


def test_the_page_says_what_was_ruled_in_both_languages_and_what_is_in_doubt(desk: Desk) -> None:
    address = desk.film()
    desk.process.finish(judged())
    shown = desk.browser.get(f"/api{address}?lang=en").json()
    taken = [(one["poem"], one["taken_by"], one["doubted"]) for one in shown["readings"]]
    assert taken == [(1, "near", False), (51, "near", True), (100, None, False)]
    assert shown["readings"][0]["label"] == "Near takes from their own territory; no card is sent."
    assert (shown["poems"], shown["in_doubt"]) == (3, 1)
    assert shown["risk"] == risk_text(risk_of(KYOGI).to_json(), words("en"))
    poem = desk.browser.get(f"/api{address}/poems/2?lang=ja").json()
    assert poem["doubt"] == "歌が聞き取れず、なくなった札から推定しています。"
    assert [each["card"] for each in poem["perhaps"]] == [52, 53]
    assert (poem["poem"]["state"], poem["poem_in_doubt"]) == ("proposed", True)
    assert len(poem["field"]) == 8
    assert poem["marks"][0]["kind"] == "target"
    dead = desk.browser.get(f"/api{address}/poems/3?lang=en").json()["poem"]
    assert dead["faults"] == {"near": 1, "far": 0}
    assert desk.browser.get(f"/api{address}/poems/4").status_code == 404
    assert desk.browser.get(f"{address}/evidence/1.zip").content == b"pictures"
    assert desk.browser.get(f"{address}/evidence/1.mp4").status_code == 404  # it is damaged
    assert desk.browser.get(f"{address}/evidence/2.zip").status_code == 404
    assert desk.browser.get(f"{address}/strip.bin").status_code == 404


def test_a_question_is_answered_and_what_was_said_is_kept(desk: Desk) -> None:
    address = desk.film()
    desk.process.finish(Verdicts(ask="poems", problem=NOTHING_FOUND))
    shown = desk.browser.get(f"/api{address}?lang=en").json()
    assert shown["question"] == "Which poems are read in it, in order?"
    assert shown["problem"] == (
        "Nothing to judge was found in the film: it has no sound, and no card left the field; name the "
        "poems that were read."
    )
    japanese = desk.browser.get(f"/api{address}?lang=ja").json()["problem"]
    assert japanese == (
        "この動画から判定できるものが見つかりません（音声がありません）。場を離れた札もありません。"
        "読まれた歌を順に入力してください。"
    )
    wrong = desk.browser.post(f"/api{address}/judge", json={"poems": "17, 460"})
    assert "such as 17, 46, 3" in wrong.json()["error"]
    assert desk.browser.post(f"/api{address}/judge", json={"poems": "１７、4"}).status_code == 200
    again = desk.browser.get(f"/api{address}").json()
    assert (again["state"], again["told"]["poems"]) == ("waiting", "17, 4")
    assert desk.process.finish(judged()) == Whole(FilmHints(poems=(17, 4)), None)

    desk.browser.post(f"/api{address}/judge", json={"poems": "", "game": "karuta", "fps": None})
    # what is emptied is forgotten
    assert desk.process.finish(judged()) == Whole(FilmHints(game="karuta"), None)


def test_a_correction_is_one_poem_and_its_failure_leaves_the_others_alone(desk: Desk) -> None:
    address = desk.film()
    desk.process.finish(judged())
    gone = desk.browser.post(f"/api{address}/correct", json={"number": 9, "poem": 4})
    assert gone.json()["refusal"] == "no_such_poem"
    for wish in ({"number": 1, "poem": 101}, {"number": 0, "poem": 1}, {"number": 1, "t_ms": -1.0}):
        assert desk.browser.post(f"/api{address}/correct", json=wish).status_code == 422
    wish = {"number": 2, "poem": 52, "t_ms": 20100.0}
    assert desk.browser.post(f"/api{address}/correct", json=wish).status_code == 200
    before = desk.browser.get(f"/api{address}").json()
    job = desk.process.finish(problem=Sentence("the film has no poem {n}", n=9))
    assert job == Corrected(FilmHints(), None, 2, 52, 20_100_000_000)
    after = desk.browser.get(f"/api{address}").json()
    assert after["version"] > before["version"]
    assert (after["state"], after["problem"]) == ("judged", "The film has no poem 9.")
    assert len(after["readings"]) == 3


def test_a_film_that_is_shorter_than_it_arrived_is_told(desk: Desk) -> None:
    desk.film()
    desk.process.finish(judged())
    (folder,) = (desk.folder / "films").glob("film_*")
    (film,) = folder.glob("film.mp4")
    film.write_bytes(film.read_bytes()[:-1])
    size = film.stat().st_size

    assert desk.browser.post(f"/api/films/{folder.name}/judge", json={}).status_code < 300
    told = desk.shelf.film(folder.name)
    assert told is not None
    assert told["problem"]["values"] == {"there": size, "size": size + 1}
    assert not desk.process.is_waiting(folder.name)


def test_a_film_that_is_corrected_and_kept_again_replaces_its_first_match(desk: Desk) -> None:
    address = desk.film()
    desk.process.finish(judged())
    kept = []
    for _ in range(3):
        answer = desk.browser.post(f"/api{address}/keep", json={"near": "Aki", "far": "Ken"})
        kept.append(str(answer.json()["match"]).split("/")[2])
        desk.browser.post(f"/api{address}/correct", json={"number": 2, "poem": 52})
        desk.process.finish(judged())
    first, second, third = kept
    matches = desk.folder / "matches"
    assert [listed["id"] for listed in list_matches(matches)] == [third]
    assert {listed["id"] for listed in MatchBin(matches).matches()} == {first, second}
    (entry,) = (read_entry(folder) for folder in desk.folder.glob("films/film_*"))
    assert entry is not None
    assert entry["kept"] == [first, second, third], "whoever is forgotten in one of them is in its pictures"
    assert MatchBin(matches).put_back(first) is None, "nothing is lost"


def test_a_disputed_case_is_an_archive_to_judge_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def opened(*_: object, **__: object) -> None:
        raise AssertionError("films of strangers are opened in another process")

    monkeypatch.setattr("vision.sources.video_file.open_container", opened)
    address = desk.film()
    desk.process.finish(judged())
    (film,) = desk.folder.glob("films/film_*/film.mp4")
    small_film(film, seconds=1)

    answer = desk.browser.get(f"{address}/case.zip")
    assert "attachment" in answer.headers["content-disposition"]
    case = desk.folder / "case.zip"
    case.write_bytes(answer.content)
    with zipfile.ZipFile(case) as archive:
        names = {Path(name).name: name for name in archive.namelist()}
        texts = {"README.txt", "rulings.json", "recording.toml", "reading.jsonl"}
        assert set(names) == {*texts, "film.mp4", REPLAY}
        assert archive.read(names["film.mp4"]) == film.read_bytes()
        lines = archive.read(names["reading.jsonl"]).decode().splitlines()
        rulings = json.loads(archive.read(names["rulings.json"]))["poems"]
    assert [json.loads(line).get("doubt") for line in lines] == [None, ASSUMED, None]
    assert rulings[0]["ruling"]["taken_by"] == Side.NEAR
    (made,) = desk.folder.glob("films/film_*/case.zip")
    desk.shelf.correct(address.split("/")[2], 1, 4, None)
    desk.process.finish(judged())
    assert not made.exists()  # it held what was ruled before


def test_a_full_disk_is_told_where_something_is_kept(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    address = desk.film()
    desk.process.finish(judged())

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "/home/somebody/case.zip")

    for name in ("SIDE_PROCESS.do", "keep_match", "clip_of"):
        monkeypatch.setattr(f"desk.shelf.shelf.{name}", full)
    monkeypatch.setattr("desk.shelf.entry.keep_text", full)

    for answer in (
        desk.browser.get(f"{address}/case.zip?lang=ja"),
        desk.browser.post(f"/api{address}/keep?lang=ja", json={}),
        desk.browser.post(f"/api{address}/judge?lang=ja", json={"fps": 60.0}),
    ):
        assert (answer.status_code, answer.json()["refusal"]) == (507, "not_kept")
        assert "somebody" not in answer.text
    assert desk.browser.get(f"{address}/evidence/1.mp4").status_code == 404
    assert desk.browser.get(f"/api{address}").json()["state"] == "judged"
    assert desk.process.jobs == []


def test_a_film_that_arrived_as_the_desk_was_ended_is_found_again(desk: Desk) -> None:
    desk.film()
    (folder,) = desk.folder.glob("films/film_*")
    (folder / "film.json").unlink()
    (desk.folder / "films" / "film_20260101_000000").mkdir()  # it ended before the film was there
    (found,) = Shelf(desk.folder / "films", desk.folder / "matches").films()
    assert (found["id"], found["name"], found["size"]) == (folder.name, "film.mp4", len(FILM))
    assert found["state"] == "new"


def test_a_deleted_film_leaves_nothing_but_the_match(desk: Desk) -> None:
    address = desk.film()
    desk.process.finish(judged())
    desk.browser.post(f"/api{address}/keep", json={})
    assert desk.browser.post(f"/api{address}/delete", json={}).status_code == 200
    assert desk.browser.get(address).status_code == 404
    assert desk.browser.post(f"/api{address}/delete", json={}).status_code == 404
    assert list(desk.folder.glob("films/film_*")) == []
    assert len(list_matches(desk.folder / "matches")) == 1


def test_names_of_films_are_no_paths(desk: Desk) -> None:
    desk.film()

    for name in ("film_0", "uploads", "film_2026010101%2f..%2fx"):
        for path in ("", "/strip.bin", "/evidence/1/manifest.json", "/case.zip"):
            assert desk.browser.get(f"/films/{name}{path}").status_code in {404, 409}, (name, path)
