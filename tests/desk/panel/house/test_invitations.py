"""Phones join by links; only the operator sees the links."""

import httpx

from desk.panel.app import create_app
from desk.panel.roles import Role, Roles
from tests.desk.panel.panel_port import ScriptedPort
from tests.desk.panel.visitor import browser_of

LAN = "http://192.168.1.5:8321"


def visit(
    path: str, *, roles: Roles | None = None, addresses: tuple[str, ...] = (), token: str = ""
) -> httpx.Response:
    app = create_app(ScriptedPort(), roles=roles, addresses=addresses)
    return browser_of(app, token).get(path)


def test_the_operator_sees_the_links() -> None:
    roles = Roles({"op": Role.OPERATOR, "np": Role.NEAR})
    page = visit("/invite?lang=en", roles=roles, addresses=(LAN,), token="op")
    assert page.status_code == 200
    assert page.text.count("<svg") == 3
    assert f"{LAN}/join/np" in page.text


def test_nobody_else_sees_the_links() -> None:
    roles = Roles({"op": Role.OPERATOR, "np": Role.NEAR})
    for token in ("", "np", "wrong"):
        page = visit("/invite", roles=roles, addresses=(LAN,), token=token)
        assert page.status_code == 403
        assert "/join/" not in page.text
        assert "/invite" not in visit("/", roles=roles, addresses=(LAN,), token=token).text


def test_without_the_lan_the_page_says_how_to_let_phones_in() -> None:
    page = visit("/invite?lang=ja")
    assert "--lan" in page.text
    assert "/invite" not in visit("/").text
