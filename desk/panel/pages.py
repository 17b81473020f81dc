"""Pages in the visitor's language: one template engine for all that the panel shows."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from desk.panel.words import LANGUAGES, Words, choose_language, words

Language = Annotated[str | None, Query(alias="lang")]
"""`?lang=ja`: goes before what was chosen earlier and before the browser's own wish."""


class Pages:
    """Fills the panel's templates.

    Parameters
    ----------
    has_home : whether there is a home page to lead back to.
    """

    def __init__(self, *, has_home: bool = False) -> None:
        self._templates = Environment(
            loader=PackageLoader("desk.panel"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals["has_home"] = has_home

    def language(self, request: Request, wish: str | None) -> Words:
        """Return the texts of the language that the visitor wishes."""
        accept = request.headers.get("accept-language", "")
        return words(choose_language(wish, request.cookies.get("lang"), accept=accept))

    def page(self, template: str, said: Words, **values: object) -> HTMLResponse:
        """Return a filled page, which remembers the language."""
        text = self._templates.get_template(template).render(
            _=said.plain,
            said=said,
            counted=said.counted,
            lang=said.language,
            languages=LANGUAGES,
            **values,
        )
        response = HTMLResponse(text)
        response.set_cookie("lang", said.language, max_age=31_536_000, samesite="strict")
        return response


def in_script(text: str) -> Markup:
    """Make JSON safe inside a script element, which a `<` in somebody's note could otherwise end."""
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704 (escaped in this very line)
