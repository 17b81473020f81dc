"""The rights at a card table: links for the players' phones and for the operator."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from fastapi import Request
from fastapi.responses import RedirectResponse

from desk.panel.roles import TOKEN_COOKIE, Role, Roles, held

OPERATOR: Final = "operator"
VIEWER: Final = "viewer"
_COOKIE: Final = "shinpan_seat"


@dataclass(slots=True)
class SeatLinks:
    """The tokens of the seats and of the operator. Those of a house are drawn anew together with its own."""

    # seat number or `operator` by token. Empty (the default, for 127.0.0.1 only) makes everyone the operator.
    tokens: Mapping[str, int | str] = field(default_factory=dict)
    house: Roles | None = None  # the roles of the house around the table: its operator is the table's
    _drawn_with: str | None = None  # the house's operator token of then

    @classmethod
    def fresh(cls, players: int, house: Roles | None = None) -> SeatLinks:
        """Draw new tokens for every seat, and for the operator unless a house has one."""
        seats: dict[str, int | str] = {secrets.token_urlsafe(12): seat for seat in range(players)}
        if house is None:
            seats[secrets.token_urlsafe(12)] = OPERATOR
        return cls(seats, house, None if house is None else house.operator)

    @property
    def shown(self) -> Mapping[str, int | str]:
        """Seat number or `operator` by token, to be shown as links."""
        self._look()
        operator = None if self.house is None else self.house.operator
        return self.tokens if operator is None else {**self.tokens, operator: OPERATOR}

    def of(self, token: str | None) -> int | str:
        """Return the seat number of a token, `operator`, or `viewer`."""
        if not self.tokens or (self.house is not None and self.house.of(token) is Role.OPERATOR):
            return OPERATOR
        self._look()
        seat = held(self.tokens, token)
        return VIEWER if seat is None else seat

    def of_request(self, request: Request) -> int | str:
        """Return the seat number of a request's sender, `operator`, or `viewer`."""
        # the operator of a house is the operator of all of its tables, whatever seat the phone had before
        house = self.of(request.cookies.get(TOKEN_COOKIE))
        return house if house == OPERATOR else self.of(request.cookies.get(_COOKIE))

    def _look(self) -> None:
        """Draw new tokens once the house has drawn its own."""
        if self.house is not None and self.tokens and self.house.operator != self._drawn_with:
            drawn = SeatLinks.fresh(len(self.tokens), self.house)
            self.tokens, self._drawn_with = drawn.tokens, drawn._drawn_with


def seated(path: str, token: str, links: SeatLinks, request: Request) -> RedirectResponse:
    """Redirect a phone to the page and give it the seat of a token.

    An unknown token changes nothing, and the operator stays the operator.
    """
    response = RedirectResponse(path, status_code=303)
    if links.tokens and links.of(token) != VIEWER and links.of_request(request) != OPERATOR:
        response.set_cookie(_COOKIE, token, httponly=True, samesite="strict")
    return response
