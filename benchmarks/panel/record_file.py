"""How large the record of a match is as one file, and how soon it opens.

`uv run python -m benchmarks.panel.record_file MATCH.sqlite [--replays 90]`

Takes a match with its replays, such as one that was played with `shinpan serve`, from its log. Where it has
fewer replays than asked for, they come again in turn. Chromium opens the file from the disk, without a desk.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import httpx
from playwright.sync_api import sync_playwright

from benchmarks.command import read_options, write_json
from benchmarks.panel.latency import CHROMIUM
from desk.karuta.house.history import match_in
from desk.karuta.house.panel_port import MatchPort
from desk.panel.app import create_app
from desk.panel.match.port import Snapshot


def main() -> int:
    """Print the size of the record and the time until it is open."""
    arguments = read_options(__doc__, Path("match.sqlite"), replays=90)
    (log,) = arguments.folders
    port = match_in(log, strict=False, is_stored=True)
    ruled = [poem for poem in port.state()["poems"] if poem["evidence"]]
    if not ruled:
        sys.stderr.write(f"{log}: expected a match with replays\n")
        return 2
    shown: Snapshot = {
        **port.state(),
        "poems": [*itertools.islice(itertools.cycle(ruled), arguments.replays)],
    }
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "record.html"
        begun_s = time.perf_counter()
        file.write_bytes(asyncio.run(_record(port, shown)))
        figures = {
            "replays": len(shown["poems"]),
            "different": len(ruled),
            "made in, s": round(time.perf_counter() - begun_s, 1),
            "MB": round(file.stat().st_size / 1e6, 1),
            "opens in, s": _opens_in_s(file),
        }
    sys.stdout.write(", ".join(f"{what} {value}" for what, value in figures.items()) + "\n")
    write_json(arguments.json, figures)
    return 0


async def _record(port: MatchPort, shown: Snapshot) -> bytes:
    port.state = lambda: shown  # type: ignore[method-assign]
    transport = httpx.ASGITransport(create_app(port))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as browser:
        return (await browser.get("/record.html?lang=en", timeout=None)).raise_for_status().content


def _opens_in_s(file: Path) -> float:
    """Return the least of three times from the address to the loaded page, seconds."""
    times: Sequence[float] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for _ in range(3):
            page, begun_s = browser.new_page(), time.perf_counter()
            page.goto(file.as_uri())
            times = [*times, time.perf_counter() - begun_s]
            page.close()
        browser.close()
    return round(min(times), 2)


if __name__ == "__main__":
    sys.exit(main())
