"""A page has the menu of its language, and leads to itself in the other one."""

from types import SimpleNamespace
from typing import Any

import pytest
from manual.languages import in_its_language


def page(address: str) -> Any:
    url = address.removesuffix(".md").removesuffix("index") + ("" if address.endswith("index.md") else "/")
    return SimpleNamespace(file=SimpleNamespace(src_uri=address, url=url or "./"))


PAGES = [page(each) for each in ("index.md", "hall.md", "glossary.md", "ja/index.md", "ja/hall.md")]


@pytest.mark.parametrize(
    ("place", "language", "menu", "links"),
    [
        (0, "en", ["Home", "Guides"], [".", "ja/"]),
        (1, "en", ["Home", "Guides"], ["hall/", "ja/hall/"]),
        (2, "en", ["Home", "Guides"], ["glossary/", "ja/"]),  # in English only
        (3, "ja", ["ホーム"], [".", "ja/"]),
        (4, "ja", ["ホーム"], ["hall/", "ja/hall/"]),
    ],
)
def test_each_language_has_its_menu_and_its_way_to_the_other(
    place: int, language: str, menu: list[str], links: list[str]
) -> None:
    entries = [SimpleNamespace(title=title, children=None) for title in ("Home", "Guides")]
    japanese = SimpleNamespace(title="日本語", children=[SimpleNamespace(title="ホーム")])
    nav = SimpleNamespace(items=[*entries, japanese], pages=PAGES)
    config = SimpleNamespace(theme={}, extra={})
    shown = in_its_language({"config": config, "nav": nav}, PAGES[place])
    assert config.theme["language"] == language
    assert [item.title for item in shown["nav"].items] == menu
    assert [each["link"] for each in config.extra["alternate"]] == links
    assert len(nav.items) == 3  # the whole menu stays for the next page
