"""No key handler of a page takes a key with which somebody composes kana."""

import re
from pathlib import Path

import desk.panel

STATIC = Path(desk.panel.__file__).parent / "static"


def test_every_key_handler_leaves_alone_what_the_input_method_takes() -> None:
    heard = [
        (script.name, line)
        for script in STATIC.rglob("*.js")
        for line in script.read_text("utf-8").splitlines()
        if re.search(r"key(down|up|press)", line)
    ]
    assert len(heard) > 10, "the handlers were not found"
    assert [found for found in heard if not re.search(r"keydown(\", |: )typed\(", found[1])] == []


def test_no_template_handles_keys_by_itself() -> None:
    templates = (STATIC.parent / "templates").glob("*.html")
    assert [
        page.name for page in templates if re.search(r"key(down|up|press)", page.read_text("utf-8"))
    ] == []
