"""Pages of the repository that lie outside `docs/` and belong to the site, and links between all of them.

In the repository a page links to others by their place in it. The site has its own places: what is a page
there is linked to; what is only a file of the repository is named without a link.
"""

import posixpath
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = {
    "benchmarks/RESULTS.md": "project/results.md",
    **{
        page.relative_to(ROOT).as_posix(): f"project/results/{page.parent.name}.md"
        for page in sorted((ROOT / "benchmarks").glob("*/RESULTS.md"))
    },
    "examples/README.md": "project/examples.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "SECURITY.md": "project/security.md",
    "tools/README.md": "project/tools.md",
}
"""Where the site has pages of the repository."""
MADE_PAGES = {
    "docs/reference/index.md#commands": "reference/commands/index.md",
    "docs/reference/index.md#karuta-rules": "reference/rules/karuta.md",
    "docs/reference/index.md#reasons-in-japanese": "ja/rules.md",
    "docs/reference/index.md#koi-koi-rules": "reference/rules/koikoi.md",
    "docs/reference/index.md#rules-of-the-kendo-cards": "reference/rules/kendo.md",
    "docs/reference/index.md#http-and-events": "reference/http/index.md",
}
"""Generated pages of the site, by what a clone says in their place."""
_PLACES = {address: source for source, address in PAGES.items()}
_CODE_OR_LINK = re.compile(
    r"^```.*?^```|`[^`\n]+`|(?P<mark>!?)\[(?P<text>[^\]\[]*(?:\[[^\]]*\][^\]\[]*)*)\]\((?P<to>[^)\s]+)\)",
    re.MULTILINE | re.DOTALL,
)
"""What is written as code holds no links."""


class DeadLinkError(ValueError):
    """A page links to something that the repository does not have."""


def linked(markdown: str, address: str) -> str:
    """Return a page's text with every link as the site needs it.

    Raises DeadLinkError where a link leads to no file.

    `markdown`: the text. `address`: of the page in the site, such as `guides/decks.md`.
    """
    source = _PLACES.get(address, f"docs/{address}")
    if not (ROOT / source).is_file():  # a generated page: its links are right already
        return markdown
    return _CODE_OR_LINK.sub(lambda found: _in_site(found, source, address), markdown)


def _in_site(link: re.Match[str], source: str, address: str) -> str:
    if link["to"] is None:
        return link[0]
    to, hash_mark, anchor = link["to"].partition("#")
    if not to or re.match(r"[a-z]+:", to):
        return link[0]
    target = posixpath.normpath(posixpath.join(posixpath.dirname(source), to))
    if made := MADE_PAGES.get(f"{target}#{anchor}"):
        place, hash_mark, anchor = made, "", ""
    elif target.startswith("docs/"):
        place = target.removeprefix("docs/")  # MkDocs itself looks whether it is there
    elif target in PAGES:
        place = PAGES[target]
    elif (ROOT / target).exists():
        return link["text"]
    else:
        raise DeadLinkError(f"{source} links to {link['to']}, which is not there")
    place = posixpath.relpath(place, posixpath.dirname(address) or ".")
    return f"{link['mark']}[{link['text']}]({place}{hash_mark}{anchor})"
