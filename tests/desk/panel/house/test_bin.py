"""The list of matches: the operator deletes, undoes and puts back; others only look."""

import httpx
import pytest

from desk.panel.app import create_app
from desk.panel.house.port import BinRefusal, MatchListed
from desk.panel.roles import Role, Roles
from tests.desk.karuta.scripted_house import ScriptedHouse
from tests.desk.panel.visitor import browser_of


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


def ask(kept: ScriptedBin, path: str, roles: Roles | None = None, *, post: bool = False) -> httpx.Response:
    house = ScriptedHouse()
    house.bin = kept
    browser = browser_of(create_app(house=house, roles=roles))
    return browser.post(path) if post else browser.get(path)


def test_a_match_is_deleted_and_put_back() -> None:
    kept = ScriptedBin()
    assert ask(kept, "/api/matches/earlier/delete", post=True).json() == {"match": "earlier"}
    assert ask(kept, "/api/matches/gone/put-back", post=True).status_code == 200
    assert kept.moved == [("delete", "earlier"), ("put-back", "gone")]


@pytest.mark.parametrize(
    ("lang", "undo", "bin_"), [("en", "Undo", "Bin: 1 match"), ("ja", "取り消し", "ごみ箱：1試合")]
)
def test_the_page_offers_to_undo_at_once_and_later(lang: str, undo: str, bin_: str) -> None:
    page = ask(ScriptedBin(), f"/matches?lang={lang}").text
    assert 'data-move="delete" data-match="earlier"' in page
    assert bin_ in page
    assert f">{undo}<" not in page
    after = ask(ScriptedBin(), f"/matches?lang={lang}&deleted=gone").text
    assert f'data-match="gone" autofocus>{undo}<' in after
    assert f">{undo}<" not in ask(ScriptedBin(), f"/matches?lang={lang}&deleted=other").text


def test_only_the_operator_deletes() -> None:
    kept, roles = ScriptedBin(), Roles({"op": Role.OPERATOR})
    page = ask(kept, "/matches", roles).text
    assert "data-move" not in page
    assert ask(kept, "/api/matches/earlier/delete", roles, post=True).status_code == 403
    assert kept.moved == []
