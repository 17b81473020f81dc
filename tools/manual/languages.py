"""English and Japanese in one site: the pages below `ja/` get a menu and a theme of their own."""

import copy
from typing import Any

_JAPANESE = "ja/"
_NAMES = {"en": ("English", ""), "ja": ("日本語", "ja/")}
_SECTION = "日本語"


def in_its_language(context: dict[str, Any], page: Any) -> dict[str, Any]:
    """Return a page's context with only its language's menu, and with links to the page in all languages."""
    is_japanese = page.file.src_uri.startswith(_JAPANESE)
    language = "ja" if is_japanese else "en"
    config, whole = context["config"], context["nav"]
    config.theme["language"] = language
    config.extra["alternate"] = list(_alternates(page, {each.file.src_uri for each in whole.pages}))
    menu = copy.copy(whole)
    japanese = next(item for item in whole.items if item.title == _SECTION)
    menu.items = japanese.children if is_japanese else [item for item in whole.items if item is not japanese]
    return {**context, "nav": menu}


def _alternates(page: Any, known: set[str]) -> Any:
    here = page.file.src_uri.removeprefix(_JAPANESE)
    for language, (name, folder) in _NAMES.items():
        there = page.file.url.removeprefix(_JAPANESE) if f"{folder}{here}" in known else ""
        yield {"lang": language, "name": name, "link": f"{folder}{there}".replace("./", "") or "."}
