"""What the demo loads before its first picture, and serve before its page: people wait for every module."""

import os
import subprocess
import sys
from pathlib import Path

import desk

LATE = (
    "av", "babel.messages", "onnxruntime", "scipy", "segno", "soundfile", "sounddevice",
    "desk.panel.book.routes", "desk.panel.films.routes", "desk.panel.home.routes",
    "desk.tables.evidence.clip", "vision.sources.source_address",
)  # fmt: skip
PROBE = f"""
import asyncio, sys
from desk.commands import cli
from desk.commands.demo import command
from desk.karuta.simulated_hall import source
print([name for name in ("pydantic", "desk.karuta.engine.engine") if name in sys.modules])  # drawing begins
from desk.panel.server import PanelAddress

async def until_first_picture(address, app, told):
    address.server(app).config.load()
    match = matches[0]
    while match.preview() is None:
        await asyncio.sleep(0.01)

matches, build = [], PanelAddress.app
PanelAddress.app = lambda address, match: matches.append(match) or build(address, match)
PanelAddress.serve = until_first_picture
cli.main(["demo", "--cards", "4", "--size", "320x240", "--log", sys.argv[1]])
print([name for name in {LATE!r} if name in sys.modules])

from desk.home.home import Home
from desk.shelf.shelf import Shelf
print([name for name in ("scipy", "sounddevice", "onnxruntime") if name in sys.modules])  # what serve adds
"""


def test_the_first_picture_waits_for_nothing_that_it_does_not_need(tmp_path: Path) -> None:
    shown = subprocess.run(
        [sys.executable, "-c", PROBE, str(tmp_path / "match.sqlite")],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        cwd=Path(desk.__file__).parents[1],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    first, *_, shown_before, served_before = shown.stdout.splitlines()
    assert (first, shown_before, served_before) == ("[]", "[]", "[]")
