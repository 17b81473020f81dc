"""Roles and rights. On this machine everyone is the operator; on a network the token of a link decides."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from fastapi import HTTPException, Request, Response
from fastapi.responses import RedirectResponse

from desk.panel.match.requests import Appeal, CommandRequest
from desk.panel.pages import said_of

T = TypeVar("T")
TOKEN_COOKIE = "shinpan_token"  # noqa: S105 (the cookie's name, not a secret)


class Role(StrEnum):
    """The role of a visitor of the panel."""

    VIEWER = "viewer"
    NEAR = "near"
    FAR = "far"
    OPERATOR = "operator"

    def may(self, asked: CommandRequest) -> bool:
        """Tell whether this role may give a command. Players may pause, and appeal for their own side."""
        if self in {Role.OPERATOR, Role.VIEWER}:
            return self is Role.OPERATOR
        return asked.name == "pause" or (isinstance(asked, Appeal) and asked.side == self.value)


@dataclass(frozen=True, slots=True)
class Roles:
    """The roles by token."""

    # role by token. Empty (the default, for 127.0.0.1 only) makes everyone the operator.
    tokens: dict[str, Role] = field(default_factory=dict)

    @classmethod
    def fresh(cls) -> Roles:
        """Draw new tokens for the two players and the operator."""
        return cls({secrets.token_urlsafe(12): role for role in (Role.NEAR, Role.FAR, Role.OPERATOR)})

    @property
    def operator(self) -> str | None:
        """The operator's token, None if everyone is the operator."""
        return next((token for token, role in self.tokens.items() if role is Role.OPERATOR), None)

    def renew(self) -> None:
        """Draw new tokens: whoever holds an old one only looks on from now on."""
        if self.tokens:
            drawn = Roles.fresh().tokens
            self.tokens.clear()
            self.tokens.update(drawn)

    def of(self, token: str | None) -> Role:
        """Return the role of a token: `OPERATOR` if there are no tokens, `VIEWER` for an unknown one."""
        return (held(self.tokens, token) or Role.VIEWER) if self.tokens else Role.OPERATOR

    def of_request(self, request: Request) -> Role:
        """Return the role of a visitor, whose browser keeps the token of a link in a cookie."""
        return self.of(request.cookies.get(TOKEN_COOKIE))

    def is_operator(self, request: Request) -> bool:
        return self.of_request(request) is Role.OPERATOR

    async def need_operator(self, request: Request) -> None:
        """Refuse everybody but the operator, in the visitor's language: the dependency of such addresses."""
        if not self.is_operator(request):
            raise HTTPException(403, said_of(request)("Only the operator may do this."))


def held(tokens: Mapping[str, T], token: str | None) -> T | None:
    """Return what a token stands for, None if it is unknown; the time taken tells no token."""
    shown = (token or "").encode()
    return next((of for known, of in tokens.items() if hmac.compare_digest(known.encode(), shown)), None)


def joined(path: str, token: str, roles: Roles, request: Request) -> RedirectResponse:
    """Redirect a visitor to a page and give the role of a token.

    An unknown token changes nothing, and no token takes the operator's role away: officials look at players'
    links, too.
    """
    response = RedirectResponse(path, status_code=303)
    is_known = roles.tokens and roles.of(token) is not Role.VIEWER
    if is_known and not roles.is_operator(request):
        keep_token(response, token)
    return response


def keep_token(response: Response, token: str) -> None:
    """Let a visitor's browser keep a token."""
    response.set_cookie(TOKEN_COOKIE, token, httponly=True, samesite="strict")
