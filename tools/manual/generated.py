"""All pages and files that are generated, by their addresses in the site."""

from collections.abc import Sequence
from typing import Any

from manual.address_pages import address_pages, panels
from manual.command_pages import command_pages
from manual.format_pages import format_pages
from manual.rule_pages import japanese_reasons, rule_pages


def generated_pages() -> dict[str, str]:
    """Return every generated file of the site: address below `docs/` to text."""
    parts = {
        "reference/commands": command_pages(),
        "reference/http": address_pages(panels()),
        "reference/rules": rule_pages(),
        "reference/formats": format_pages(),
    }
    pages = {f"{folder}/{name}": text for folder, part in parts.items() for name, text in part.items()}
    return {**pages, "ja/rules.md": japanese_reasons()}


def filled(menu: Sequence[Any], pages: Sequence[str]) -> list[Any]:
    """Return the site's menu with the pages of a folder that it does not name for each `folder/*`."""
    named = {entry for entry in menu if isinstance(entry, str)}
    entries: list[Any] = []
    for entry in menu:
        if isinstance(entry, dict):
            entries.append(
                {
                    title: filled(part, pages) if isinstance(part, list) else part
                    for title, part in entry.items()
                }
            )
        elif entry.endswith("/*"):
            entries += [page for page in pages if page.startswith(entry[:-1]) and page not in named]
        else:
            entries.append(entry)
    return entries
