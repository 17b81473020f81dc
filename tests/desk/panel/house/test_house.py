"""The panel's addresses around the matches: set-up, history, and earlier matches to look at."""

import asyncio
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from desk.panel.app import create_app
from desk.panel.house.port import BinRefusal, MatchListed, SourceKind
from desk.panel.house.setup_view import FINDINGS, finding_view
from desk.panel.match.port import SideName
from desk.panel.roles import Role, Roles
from desk.panel.words import words
from tests.desk.karuta.scripted_house import AGREED, ScriptedHouse, all_findings
from tests.desk.panel.panel_port import ScriptedPort
from tests.desk.panel.visitor import browser_of


def get(app: FastAPI, path: str, **options: Any) -> httpx.Response:
    return browser_of(app, **options).get(path)


def post(app: FastAPI, path: str, body: dict[str, Any], **options: Any) -> httpx.Response:
    return browser_of(app, **options).post(path, json=body)


# --- which match -----------------------------------------------------------------------------------------


def test_an_earlier_match_is_looked_at_under_its_own_address() -> None:
    house = ScriptedHouse(ScriptedPort("now"))
    target = house.earlier.card_of("near")
    browser = browser_of(create_app(house=house))
    asyncio.run(house.earlier.read(target))
    asyncio.run(house.earlier.rule(target, [house.earlier.touch(target, "near", 800)]))
    assert browser.get("/api/view").json()["match"] == "now"
    earlier = browser.get("/matches/earlier/api/view").json()
    assert earlier["match"] == "earlier"
    assert len(earlier["poems"]) == 1
    page = browser.get("/matches/earlier/", params={"lang": "en"})
    assert 'data-base="/matches/earlier"' in page.text
    assert 'data-role="viewer"' in page.text
    record = browser.get("/matches/earlier/record.json").json()
    assert len(record["poems"]) == 1
    assert browser.get("/matches/nobody/record").status_code == 404


def test_the_history_names_what_was_played_and_escapes_names() -> None:
    page = get(create_app(house=ScriptedHouse()), "/matches?lang=en").text
    assert "&lt;Hana&gt; wins" in page
    assert 'href="/matches/earlier/record"' in page
    assert "71 poems" in page


def interrupted(match_id: str, source: SourceKind = "camera") -> MatchListed:
    (match,) = ScriptedHouse().matches()
    return {**match, "id": match_id, "source": source, "where": "2", "over": False, "winner": None}


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_list_offers_to_go_on_with_what_was_interrupted(lang: str) -> None:
    house = ScriptedHouse(ScriptedPort("now"))
    house.interrupted = [interrupted("late"), interrupted("now"), interrupted("dice", "simulator")]
    page = get(create_app(house=house), f"/matches?lang={lang}").text
    assert page.count("go_on=") == 1
    assert 'href="/set-up?go_on=late"' in page
    assert 'class="button" href="/">' in page  # the one that runs here
    viewer = get(create_app(house=house, roles=Roles({"op": Role.OPERATOR})), f"/matches?lang={lang}").text
    assert "go_on=" not in viewer


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_match_goes_on_with_what_was_agreed(lang: str) -> None:
    house = ScriptedHouse()
    house.interrupted = [interrupted("late")]
    app = create_app(house=house)
    page = get(app, f"/set-up?go_on=late&lang={lang}").text
    assert 'data-go-on="late"' in page
    assert 'list="cameras" value="2"' in page
    assert 'value="simulator"' not in page
    assert "&lt;Hana&gt;" in page
    assert "data-go-on" not in get(app, f"/set-up?go_on=nobody&lang={lang}").text
    assert post(app, "/api/set-up/go-on", {"match": "late"}).json() == {"match": "/"}
    refused = post(app, "/api/set-up/go-on", {"match": "other"})
    assert (refused.status_code, refused.json()) == (409, {"error": "no other"})
    barred = create_app(house=house, roles=Roles({"op": Role.OPERATOR}))
    assert post(barred, "/api/set-up/go-on", {"match": "late"}).status_code == 403
    assert house.went_on == ["late", "other"]


# --- set-up ----------------------------------------------------------------------------------------------
def test_a_source_is_chosen_a_card_corrected_and_the_match_agreed() -> None:
    house = ScriptedHouse()
    app = create_app(house=house)
    shown = post(app, "/api/set-up/source?lang=en", {"kind": "camera", "where": "/dev/video0"}).json()
    assert house.set_up.chosen == [("camera", "/dev/video0")]
    assert len(shown["field"]) == 50
    assert shown["ready"]
    assert shown["failing"] == ["blur"]
    corrected = post(app, "/api/set-up/correct?lang=en", {"place": 3, "card": 71}).json()
    assert corrected["field"][3]["card"] == 71
    assert corrected["corrected"] == [3]
    assert post(app, "/api/set-up/correct", {"place": 77, "card": 71}).status_code == 409
    started = post(app, "/api/set-up/start", {**AGREED, "appeals": None, "near": "Hana"})
    assert started.json() == {"match": "/"}
    assert house.set_up.agreed is not None
    assert house.set_up.agreed["near"] == "Hana"
    assert house.set_up.agreed["appeals"] is None


def test_the_set_up_says_whether_its_start_leaves_a_match_that_is_not_over() -> None:
    def leaves(house: ScriptedHouse) -> Any:
        return get(create_app(house=house), "/api/set-up").json()["leaves"]

    played = ScriptedPort("now")
    assert leaves(ScriptedHouse()) is False
    assert leaves(ScriptedHouse(played)) is True
    played.snapshot["phase"] = "over"
    assert leaves(ScriptedHouse(played)) is False


def test_in_a_hall_the_set_up_tells_who_plays_here() -> None:
    house = ScriptedHouse()
    app = create_app(house=house)
    assert get(app, "/api/set-up?lang=en").json()["seat"] is None
    names: dict[SideName, str | None] = {"near": "花子", "far": "太郎"}
    house.set_up.seat = {"mat": "mat-07", "title": "A – 2", "names": names}
    told = get(app, "/api/set-up?lang=en").json()["seat"]
    assert told == {"text": "Mat 7 · A – 2: 花子 – 太郎 · The hall's reader reads.", "names": names}
    house.set_up.seat = {"mat": "mat-07", "title": None, "names": {"near": None, "far": None}}
    assert (
        get(app, "/api/set-up?lang=ja").json()["seat"]["text"] == "7番席 · 読み上げは会場の読手が行います。"
    )


def test_on_a_network_only_the_operator_sets_up() -> None:
    roles = Roles({"secret": Role.OPERATOR})
    app = create_app(house=ScriptedHouse(), roles=roles)
    waiting = get(app, "/set-up?lang=en")
    assert "The next match is being set up" in waiting.text
    assert post(app, "/api/set-up/source", {"kind": "camera", "where": "0"}).status_code == 403
    operator = {"shinpan_token": "secret"}
    assert "Where the pictures come from" in get(app, "/set-up?lang=en", cookies=operator).text


# --- findings --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("language", ["ja", "en"])
@pytest.mark.parametrize("finding", all_findings(), ids=list(FINDINGS))
def test_every_finding_is_told_and_mended_where_it_has_to_be(finding: Any, language: str) -> None:
    told = finding_view(finding, words(language))
    assert "{" not in told["found"]
    assert (told["mend"] is not None) == (finding["status"] in {"warn", "fail"})


# --- the bin: the operator deletes, undoes and puts back; others only look --------------------------------
class ScriptedBin:
    """A bin that notes what is moved."""

    def __init__(self) -> None:
        self.moved: list[tuple[str, str]] = []

    def matches(self) -> list[MatchListed]:
        return [{**match, "id": "gone"} for match in ScriptedHouse().matches()]

    def delete(self, match_id: str) -> BinRefusal | None:
        self.moved.append(("delete", match_id))
        return None

    def put_back(self, match_id: str) -> BinRefusal | None:
        self.moved.append(("put-back", match_id))
        return None


def with_bin(kept: ScriptedBin, roles: Roles | None = None) -> FastAPI:
    house = ScriptedHouse()
    house.bin = kept
    return create_app(house=house, roles=roles)


def test_a_match_is_deleted_and_put_back_by_the_operator_alone() -> None:
    kept, roles = ScriptedBin(), Roles({"op": Role.OPERATOR})
    assert "data-move" not in get(with_bin(kept, roles), "/matches").text
    assert post(with_bin(kept, roles), "/api/matches/earlier/delete", {}).status_code == 403
    assert kept.moved == []
    assert post(with_bin(kept), "/api/matches/earlier/delete", {}).json() == {"match": "earlier"}
    assert post(with_bin(kept), "/api/matches/gone/put-back", {}).status_code == 200
    assert kept.moved == [("delete", "earlier"), ("put-back", "gone")]


@pytest.mark.parametrize(
    ("lang", "undo", "bin_"), [("en", "Undo", "Bin: 1 match"), ("ja", "取り消し", "ごみ箱：1試合")]
)
def test_the_page_offers_to_undo_at_once_and_later(lang: str, undo: str, bin_: str) -> None:
    page, after, other = (
        get(with_bin(ScriptedBin()), f"/matches?lang={lang}{deleted}").text
        for deleted in ("", "&deleted=gone", "&deleted=other")
    )
    assert 'data-move="delete" data-match="earlier"' in page
    assert bin_ in page
    assert f">{undo}<" not in page + other
    assert f'data-match="gone" autofocus>{undo}<' in after


# --- phones join by links --------------------------------------------------------------------------------
LAN = "http://192.168.1.5:8321"


def test_only_the_operator_sees_the_links() -> None:
    roles = Roles({"op": Role.OPERATOR, "np": Role.NEAR})
    app = create_app(ScriptedPort(), roles=roles, addresses=(LAN,))
    page = get(app, "/invite?lang=en", token="op")
    assert page.status_code == 200
    assert page.text.count("<svg") == 3
    assert f"{LAN}/join/np" in page.text
    for token in ("", "np", "wrong"):
        page = get(app, "/invite", token=token)
        assert page.status_code == 403
        assert "/join/" not in page.text
        assert "/invite" not in get(app, "/", token=token).text


def test_without_the_lan_the_page_says_how_to_let_phones_in() -> None:
    app = create_app(ScriptedPort())
    assert "--lan" in get(app, "/invite?lang=ja").text
    assert "/invite" not in get(app, "/").text
