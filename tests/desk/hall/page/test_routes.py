"""The board over HTTP: rights, and the effects of commands."""

import asyncio
import csv
import io
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from desk.hall.messages import MatHealth, MatState
from desk.hall.page.app import create_hall_app
from desk.panel.roles import Role, Roles
from desk.panel.stream import told_views
from referee.sides import BySide, Side
from tests.desk.hall.page.hall_port import Floor, entrants_csv, every_state, mat, tables_in
from tests.desk.panel.panel_port import ScriptedPort
from tests.desk.panel.visitor import browser_of

ROLES = Roles({"near-token": Role.NEAR, "op-token": Role.OPERATOR})


class Board:
    """A board with a tournament in a folder."""

    def __init__(self, folder: Path) -> None:
        self.floor = Floor(every_state(), ScriptedPort())
        self.tables, self.mats = tables_in(folder)
        self._app = create_hall_app(self.floor, self.tables, roles=ROLES)

    def ask(self, method: str, path: str, token: str | None = "op-token", **options: Any) -> httpx.Response:
        return browser_of(self._app, token or "").request(method, path, **options)

    def tell(self, token: str | None = "op-token", **body: Any) -> httpx.Response:
        return self.ask("POST", "/api/tournament?lang=en", token, json=body)

    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = self.ask("GET", "/api/tournament?lang=en").json()
        return found


@pytest.fixture
def board(tmp_path: Path) -> Board:
    return Board(tmp_path)


COMMANDS: list[tuple[str, dict[str, Any]]] = [
    ("/api/reading", {"json": {"wish": "go_on"}}),
    ("/api/tournament", {"json": {"name": "open_class", "division": "B", "system": "elimination"}}),
    ("/api/tournament", {"json": {"name": "draw", "division": "A"}}),
    ("/api/tournament", {"json": {"name": "result", "match": "A-1-1", "winner": 0}}),
    ("/api/tournament/entrants?name=x.csv", {"content": entrants_csv(4)}),
]


def test_only_the_operator_commands(board: Board) -> None:
    before = board.tables.seq
    for path, options in COMMANDS:
        for token in (None, "near-token", "wrong"):
            assert board.ask("POST", path, token, **options).status_code == 403, (path, token)
    assert (board.tables.seq, board.floor.wishes) == (before, [])


def test_everybody_may_look(board: Board) -> None:
    for lang, words in (("en", "Skip to the mats"), ("ja", "試合一覧へ")):
        assert words in board.ask("GET", f"/?lang={lang}", None).text
        page = board.ask("GET", f"/tournament?lang={lang}", None)
        assert page.status_code == 200
        assert 'id="draw"' not in page.text
    assert "Emi \\u003cb>" in board.ask("GET", "/", None).text, "a name is no element"
    assert board.ask("GET", "/api/floor", None).json()["mats"][0]["state"] == "appeal"


def test_the_reader_hears_the_operator_or_the_page_says_so(board: Board) -> None:
    assert board.ask("POST", "/api/reading", json={"wish": "pause"}).status_code == 200
    assert board.floor.wishes == [("pause", "board")]
    board.floor.is_heard = False
    assert board.ask("POST", "/api/reading?lang=en", json={"wish": "pause"}).json()["error"] == (
        "The reader cannot be reached."
    )
    assert board.ask("POST", "/api/reading", json={"wish": "sing"}).status_code == 422


def test_a_class_from_the_list_to_its_winner(board: Board) -> None:
    assert board.ask("POST", "/api/tournament/entrants?name=list.csv", content=entrants_csv(6)).json() == {
        "entered": 6
    }
    (course,) = board.view()["classes"]
    assert (course["round"], course["can_draw"], course["can_enter"]) == ("Not drawn yet", True, True)
    for round_name in ("Round 1", "Semi-finals", "Final"):
        assert board.tell(name="draw", division="A").status_code == 200
        assert board.tell(name="place_round", division="A").status_code == 200
        (course,) = board.view()["classes"]
        assert (course["round"], course["unplaced"]) == (round_name, 0)
        for pairing in course["rounds"][0]["pairings"]:
            match = pairing["boards"][0]["match"]
            assert board.tell(name="result", match=match, winner=0, cards=9).status_code == 200
    (course,) = board.view()["classes"]
    winner = course["rounds"][0]["pairings"][0]["entrants"][0]["name"]
    assert course["champion"] == f"{winner} wins Class A"
    assert course["standings"][0]["name"] == winner
    results = list(csv.DictReader(io.StringIO(board.ask("GET", "/tournament/results.csv", None).text[1:])))
    assert [row["ended"] for row in results].count("played") == 5
    assert "champion" in board.ask("GET", "/tournament/standings.csv", None).text


def test_a_mats_word_is_proposed_and_the_operator_decides(board: Board) -> None:
    board.ask("POST", "/api/tournament/entrants?name=list.csv", content=entrants_csv(2))
    board.tell(name="draw", division="A")
    board.tell(name="place_round", division="A")
    ((_, placed),) = board.tables.state.open_matches()
    won = MatState("mat-01", "", names=BySide(*placed.players), counts=BySide(6, 0), winner=Side.FAR)
    board.mats.mats["mat-01"] = won
    shown = board.view()["classes"][0]["rounds"][0]["pairings"][0]["boards"][0]
    assert shown["proposed"]["text"] == f"The mat says: {shown['players'][1]} by 6"
    assert shown["is_open"]
    board.tell(name="result", match="A-1-1", winner=1, cards=6)
    shown = board.view()["classes"][0]["rounds"][0]["pairings"][0]["boards"][0]
    assert (shown["result"], shown["proposed"]) == ("by 6", None)


def test_everything_else_an_operator_does(board: Board) -> None:
    members = [f"m{n}" for n in range(6)]
    assert (
        board.tell(name="open_class", division="T", system="swiss", rounds=2, teams=True).status_code == 200
    )
    for team in ("East", "West"):
        assert (
            board.tell(name="enter", division="T", entrant=team, club=team, members=members).status_code
            == 200
        )
    board.tell(name="draw", division="T")
    lineup = ["m5", None, "m1", "m2", "m3"]
    assert board.tell(name="lineup", number=1, players=lineup).status_code == 200
    pairing = board.view()["classes"][0]["rounds"][0]["pairings"][0]
    place = [entrant["number"] for entrant in pairing["entrants"]].index(1)
    assert [each["players"][place] for each in pairing["boards"]] == lineup
    assert board.tell(name="place", match="T-1-1-1", mat="mat-31").status_code == 200
    assert board.tell(name="cancel_draw", division="T").status_code == 200
    board.tell(name="draw", division="T")
    board.tell(name="result", match="T-1-1-1", winner=0)
    assert board.tell(name="clear", match="T-1-1-1").status_code == 200
    assert board.tell(name="withdraw", number=2).status_code == 200
    assert board.view()["classes"][0]["standings"][0]["name"] == "East"


WRONG: list[tuple[dict[str, Any], int, str]] = [
    ({"name": "draw", "division": "Z"}, 409, "「Z」という級はありません（ある級：A）"),
    ({"name": "place_round", "division": "A"}, 409, "級「A」：残りの試合はすべて席が決まっています"),
    ({"name": "withdraw", "number": 99}, 409, "99番の出場者はいません"),
    ({"name": "result", "match": "A-1-1", "winner": 2}, 422, "winner"),
    ({"name": "place", "match": "A-1-1", "mat": "Mat 1"}, 422, "mat"),
    ({"name": "win", "division": "A"}, 422, "name"),
]


def test_what_cannot_be_is_told_in_one_line_in_the_viewers_language(board: Board) -> None:
    board.ask("POST", "/api/tournament/entrants?name=list.csv", content=entrants_csv(4))
    for body, status, error in WRONG:
        answer = board.ask("POST", "/api/tournament?lang=ja", json=body)
        assert answer.status_code == status, body
        assert error in answer.json()["error"]


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"who,where\n1,2\n", "list.csv：初めの数行のどこかに「級」「氏名」"),
        (entrants_csv(2), "級「A」の選手 1はもう登録されています"),
        ("級,氏名\n---,花子\n".encode(), "list.csvの2行目：級はA、D2、小学生のように20文字までで"),
        (b'class,name\nA,"x"y\n', 'list.csvの2行目：引用符（"）が対になっていません'),
        (b"class,name\nA,\0\n", "list.csvの2行目：UTF-8の文字ではありません"),
    ],
)
def test_what_is_wrong_with_a_list_is_told_in_ones_language(board: Board, content: bytes, error: str) -> None:
    board.ask("POST", "/api/tournament/entrants?name=first.csv", content=entrants_csv(2))
    answer = board.ask("POST", "/api/tournament/entrants?lang=ja&name=list.csv", content=content)
    assert answer.status_code == 409
    assert answer.json()["error"].startswith(error)


def test_a_match_is_looked_at_and_its_replay_fetched_first(board: Board) -> None:
    assert board.ask("GET", "/matches/mat-12~m/", None).status_code == 200
    assert board.ask("GET", "/matches/mat-13~m/", None).status_code == 404
    board.ask("GET", "/matches/mat-12~m/evidence/4/manifest.json", None)
    assert board.floor.fetched == [("mat-12~m", 4)]
    command = {"name": "pause"}
    assert board.ask("POST", "/matches/mat-12~m/api/commands", json=command).status_code == 403


def test_what_changes_while_a_text_is_sent_is_sent_at_once(board: Board) -> None:
    async def second() -> str:
        events = told_views(board.floor.listen, lambda: json.dumps(board.floor.mats[0].state.poems))
        await anext(events)
        board.floor.change(1, mat(1, poems=99))
        await anext(events)
        async with asyncio.timeout(0.5):
            return str((await anext(events)).data)

    assert asyncio.run(second()) == "99"


def test_viewers_are_told_of_no_technical_fault(board: Board) -> None:
    board.floor.mats[0] = mat(1, health=MatHealth(warnings=("few_pictures",)))
    told = {token: board.ask("GET", "/api/floor?lang=en", token).json() for token in ("op-token", None)}
    assert told["op-token"]["mats"][0]["warnings"]
    assert not any(tile["warnings"] for tile in told[None]["mats"])
