"""What MkDocs asks while it builds the site; each function is named after the event at which it is called.

Pages that the code says better than a person are generated and never committed. Pages of the repository that
lie outside `docs/` come into the site, and links follow them. Japanese pages get the theme in Japanese.
"""

import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from manual.generated import filled, generated_pages  # noqa: E402 (MkDocs loads this file by its path)
from manual.languages import in_its_language  # noqa: E402
from manual.repository_pages import PAGES, linked  # noqa: E402

_GENERATED = generated_pages()


def on_config(config: Any) -> Any:
    """Put the generated pages, and those of the repository, into the menu."""
    pages = [address for address in _GENERATED if address.endswith(".md")]
    config.nav = filled(config.nav, [*pages, *PAGES.values()])
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are generated, and those that lie elsewhere in the repository."""
    for address, text in _GENERATED.items():
        files.append(File.generated(config, address, content=text))
    for source, address in PAGES.items():
        files.append(File.generated(config, address, content=(ROOT / source).read_text("utf-8")))
    return files


def on_page_markdown(markdown: str, page: Any, **_others: Any) -> str:
    """Turn links that leave `docs/` to where the site has their pages."""
    return linked(markdown, page.file.src_uri)


def on_page_context(context: dict[str, Any], page: Any, **_others: Any) -> dict[str, Any]:
    """Show each page with the menu and the words of its language."""
    return in_its_language(context, page)
