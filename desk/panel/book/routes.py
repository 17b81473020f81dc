"""The routes of the book: all players, one player or a pairing, and both as tables for spreadsheets.

The handlers are plain functions, which the server runs in threads of their own: the first reading of a
thousand logs does not hold up a running match.
"""

import json
from dataclasses import dataclass
from datetime import date
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, HTTPException, Query, Response
from fastapi.responses import HTMLResponse

from desk.machine.letters import alike
from desk.panel.answers import attachment
from desk.panel.book import charts
from desk.panel.book.port import BookPort, PlayerFigures
from desk.panel.book.spreadsheet import figures_csv, players_csv
from desk.panel.pages import Pages, Said
from desk.panel.phrases import ROWS
from desk.panel.words import N_, Words, texts
from referee.cards.poems import POEMS

_LONGEST_NAME = 200
_DUE_SHOWN = 20
_TEXTS = texts("desk.panel.book")
_UNKNOWN = N_("The book knows no such player, or no match of these two.")
Since = Annotated[str | None, Query(alias="from")]
Until = Annotated[str | None, Query(alias="to")]


@dataclass(frozen=True, slots=True)
class Asked:
    """The player and the period of a request; a form sends empty texts for fields that were left out."""

    name: Annotated[str, Query(max_length=_LONGEST_NAME)]
    against: Annotated[str | None, Query(max_length=_LONGEST_NAME)] = None
    since: Since = None
    until: Until = None


Wish = Annotated[Asked, Depends()]


class BookRoutes:
    """The routes of the book."""

    def __init__(self, book: BookPort, pages: Pages) -> None:
        self._book, self._pages = book, pages
        self.router = APIRouter()
        get = self.router.get
        get("/book", response_class=HTMLResponse)(self._players)
        get("/book.csv")(self._players_csv)
        get("/book/player", response_class=HTMLResponse)(self._player)
        get("/book/player/sheet", response_class=HTMLResponse)(self._sheet)
        get("/book/player.csv")(self._player_csv)
        get("/book/player.json")(self._player_json)

    def _players(self, said: Said, since: Since = None, until: Until = None) -> HTMLResponse:
        """Serve the page of all players."""
        return self._list(said, _days(since, until, said))

    def _list(self, said: Words, days: list[str | None], *, unknown: str | None = None) -> HTMLResponse:
        return self._pages.page(
            "book.html",
            said,
            unknown=unknown,
            players=self._book.players(*days),
            alike=alike(self._book.names()),
            left_out=self._book.left_out(),
            left_out_why=_TEXTS["left_out"],
            not_counted=self._book.not_counted(),
            since=days[0],
            until=days[1],
            asked=_address("", None, *days),
        )

    def _players_csv(self, said: Said, since: Since = None, until: Until = None) -> Response:
        """Return all players as a table for spreadsheets."""
        days = _days(since, until, said)
        return attachment(players_csv(self._book.players(*days)), "shinpan-book.csv")

    def _player(self, wish: Wish, said: Said) -> HTMLResponse:
        """Serve the page of a player, alone or against another."""
        return self._about("book_player.html", wish, said)

    def _sheet(self, wish: Wish, said: Said) -> HTMLResponse:
        """Serve a player on one page to print."""
        return self._about("book_sheet.html", wish, said)

    def _about(self, template: str, wish: Asked, said: Words) -> HTMLResponse:
        """Return a page about a player, or the list of players if the book does not know this one."""
        days = _days(wish.since, wish.until, said)
        figures = self._book.figures(wish.name, wish.against or None, *days)
        if figures is None:
            page = self._list(said, days, unknown=said(_UNKNOWN))
            page.status_code = 404
            return page
        return self._pages.page(
            template,
            said,
            figures=figures,
            opponents=self._book.opponents(wish.name),
            due=[] if wish.against else self._book.card_set(wish.name, "due", _DUE_SHOWN) or [],
            cells=list(charts.field_cells(figures["places"])),
            field=(charts.FIELD_WIDTH, charts.FIELD_HEIGHT),
            dots=charts.dot_plot(figures["cards"]),
            dots_width=charts.DOTS_WIDTH,
            week_plot=charts.week_plot(figures["weeks"]),
            family_plot=charts.family_plot(figures["families"], figures["cards"]),
            plot=(charts.PLOT_WIDTH, charts.PLOT_HEIGHT, charts.PLOT_BOTTOM),
            poems=POEMS,
            fault_names=_TEXTS["faults"],
            territories=_TEXTS["territories"],
            rows=ROWS,
            halves=_TEXTS["halves"],
            asked=_address(figures["player"], figures["against"], figures["since"], figures["until"]),
            address=lambda player, other: _address(player, other, figures["since"], figures["until"]),
        )

    def _player_csv(self, wish: Wish, said: Said) -> Response:
        """Return a player's figures as a table for spreadsheets."""
        return attachment(figures_csv(self._figures(wish, said)), "shinpan-book.csv")

    def _player_json(self, wish: Wish, said: Said) -> Response:
        """Return a player's figures for other programs."""
        figures = self._figures(wish, said)
        return attachment(json.dumps(figures, ensure_ascii=False, indent=1), "shinpan-book.json")

    def _figures(self, wish: Asked, said: Words) -> PlayerFigures:
        figures = self._book.figures(wish.name, wish.against or None, *_days(wish.since, wish.until, said))
        if figures is None:
            raise HTTPException(404, said(_UNKNOWN))
        return figures


def _days(since: str | None, until: str | None, said: Words) -> list[str | None]:
    """Return the first and the last day of the request; a form sends empty texts for None."""
    try:
        return [None if not day else date.fromisoformat(day).isoformat() for day in (since, until)]
    except ValueError:
        raise HTTPException(422, said("A day is written like 2026-01-04.")) from None


def _address(player: str, against: str | None, since: str | None, until: str | None) -> str:
    """Return the query string of a player's page."""
    asked = {"name": player, "against": against, "from": since, "to": until}
    return urlencode({key: value for key, value in asked.items() if value})
