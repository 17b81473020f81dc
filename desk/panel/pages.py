"""Pages in the visitor's language: one template engine for the whole panel."""

import json
import re
from typing import Annotated

from fastapi import Depends, Query, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import HTTPConnection

from desk.panel.words import LANGUAGES, Words, choose_language, words

_JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")  # kana and kanji
Language = Annotated[str | None, Query(alias="lang")]
"""`?lang=ja`: overrides the earlier choice and the browser's preference."""


def said_of(asked: HTTPConnection) -> Words:
    """Return the texts in the visitor's language."""
    accept = asked.headers.get("accept-language", "")
    wishes = asked.query_params.get("lang"), asked.cookies.get("lang")
    return words(choose_language(*wishes, accept=accept))


async def _said(request: Request, lang: Language = None) -> Words:  # noqa: ARG001 (described to programs)
    return said_of(request)


Said = Annotated[Words, Depends(_said)]  # the texts in the language of a route's visitor


class Pages:
    """Renders the panel's templates; `has_home`: whether there is a home page."""

    def __init__(self, *, has_home: bool = False) -> None:
        self.has_home = has_home
        loader = PackageLoader("desk.panel")
        self._templates = Environment(
            loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )
        self._templates.globals |= {"has_home": has_home, "spoken": spoken, "languages": LANGUAGES}

    def page(self, template: str, said: Words, **values: object) -> HTMLResponse:
        """Return a rendered page; its cookie keeps the language."""
        text = self.text(template, said, **values)
        # a file's name may hold bytes that are no text; one such name takes no list of matches away
        response = HTMLResponse(text.encode("utf-8", "replace"))
        response.set_cookie("lang", said.language, max_age=31_536_000, samesite="strict")
        return response

    def text(self, template: str, said: Words, **values: object) -> str:
        return self._templates.get_template(template).render(
            _=said.plain, said=said, counted=said.counted, lang=said.language, **values
        )


def spoken(name: str) -> Markup:
    """Return the attribute that marks a Japanese name for screen readers and fonts; empty for others."""
    return Markup(' lang="ja"') if _JAPANESE.search(name) else Markup("")


def in_script(value: object) -> Markup:
    """Return JSON data, or their text, for a script element: a `<` in a note could otherwise end it."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return Markup(text.replace("<", "\\u003c"))  # noqa: S704 (escaped in this very line)
