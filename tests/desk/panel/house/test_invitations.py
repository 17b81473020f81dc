"""Phones join by links; only the operator sees the links."""

import httpx

from desk.panel.app import create_app
from desk.panel.house.routes import invitations
from desk.panel.roles import Role, Roles
from tests.desk.panel.panel_port import ScriptedPort
from tests.desk.panel.visitor import browser_of

LAN = "http://192.168.1.5:8321"


def visit(
    path: str, *, roles: Roles | None = None, addresses: tuple[str, ...] = (), token: str = ""
) -> httpx.Response:
    app = create_app(ScriptedPort(), roles=roles, addresses=addresses)
    return browser_of(app, token).get(path)


def test_fresh_tokens_are_long_and_never_the_same() -> None:
    first, second = Roles.fresh(), Roles.fresh()
    assert set(first.tokens.values()) == {Role.NEAR, Role.FAR, Role.OPERATOR}
    assert not set(first.tokens) & set(second.tokens)
    assert all(len(token) >= 16 for token in first.tokens)


def test_each_role_has_its_link_and_its_code() -> None:
    roles = Roles({"op": Role.OPERATOR})
    viewer, operator = invitations(LAN, roles)
    assert (viewer["role"], viewer["address"]) == (Role.VIEWER, f"{LAN}/")
    assert (operator["role"], operator["address"]) == (Role.OPERATOR, f"{LAN}/join/op")
    assert viewer["qr_svg"].startswith("<svg")
    assert viewer["qr_svg"] != operator["qr_svg"]


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
