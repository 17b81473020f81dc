"""Roles and rights. On this machine everyone is the operator; on a network the token of a link decides."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from fastapi import Request
from fastapi.responses import RedirectResponse

from desk.panel.match.port import CommandName

TOKEN_COOKIE = "shinpan_token"  # noqa: S105 (the cookie's name, not a secret)


class Role(StrEnum):
    """The role of a visitor of the panel."""

    VIEWER = "viewer"
    NEAR = "near"
    FAR = "far"
    OPERATOR = "operator"

    def may(self, name: CommandName, side: str | None) -> bool:
        """Tell whether this role may give a command. Players may pause, and appeal for their own side."""
        if self is Role.OPERATOR:
            return True
        if self is Role.VIEWER:
            return False
        return name is CommandName.PAUSE or (name is CommandName.APPEAL and side == self)


@dataclass(frozen=True, slots=True)
class Roles:
    """The roles by token.

    Attributes
    ----------
    tokens : role by token. Empty (the default, for 127.0.0.1 only) makes everyone the operator.
    """

    tokens: Mapping[str, Role] = field(default_factory=dict)

    @classmethod
    def fresh(cls) -> Roles:
        """Draw new tokens for the two players and the operator."""
        return cls({secrets.token_urlsafe(12): role for role in (Role.NEAR, Role.FAR, Role.OPERATOR)})

    def of(self, token: str | None) -> Role:
        """Return the role of a token: `OPERATOR` if there are no tokens, `VIEWER` for an unknown one."""
        if not self.tokens:
            return Role.OPERATOR
        shown = (token or "").encode()
        for known, role in self.tokens.items():
            if hmac.compare_digest(known.encode(), shown):
                return role
        return Role.VIEWER

    def of_request(self, request: Request) -> Role:
        """Return the role of a visitor, whose browser keeps the token of a link in a cookie."""
        return self.of(request.cookies.get(TOKEN_COOKIE))


def joined(path: str, token: str, roles: Roles) -> RedirectResponse:
    """Redirect a visitor to a page and give the role of a token; an unknown token changes nothing."""
    response = RedirectResponse(path, status_code=303)
    if roles.tokens and roles.of(token) is not Role.VIEWER:
        response.set_cookie(TOKEN_COOKIE, token, httponly=True, samesite="strict")
    return response
