"""Take the README's pictures of the panel: real states of a simulated match, refereed from its pixels.

    uv run python tools/screenshots.py [--poems 5] [--seed 7]

Starts `shinpan demo`, opens the panel in the windows below, waits until so many poems are ruled, and writes
`docs/images/panel-*.jpg`. Needs a Chromium: sudo apt-get install chromium fonts-noto-cjk.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

IMAGES = Path(__file__).parents[1] / "docs" / "images"
CHROMIUM = "/usr/bin/chromium"
PORT = 8377
LAPTOP = {"width": 1440, "height": 900}
WINDOWS: Mapping[str, tuple[str, dict[str, Any]]] = {
    "panel-laptop": ("/?lang=en", {"viewport": LAPTOP}),
    "panel-laptop-dark": ("/?lang=ja", {"viewport": LAPTOP, "color_scheme": "dark"}),
    "panel-phone": ("/?lang=ja", {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2}),
    "panel-projector": ("/?lang=ja&mode=projector", {"viewport": {"width": 1920, "height": 1080}}),
}
"""Address and window of each picture."""
PATIENCE_MS = 300_000


def main() -> None:
    """Take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--poems", type=int, default=5, help="so many poems are ruled before (default: 5)")
    parser.add_argument("--seed", type=int, default=7, help="the dice of the match (default: 7)")
    arguments = parser.parse_args()
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "match.sqlite"
        words = ["demo", "--seed", str(arguments.seed), "--port", str(PORT), "--log", str(log)]
        demo = subprocess.Popen([sys.executable, "-m", "desk", *words], stdout=subprocess.PIPE, text=True)
        try:
            assert demo.stdout is not None
            address = next(line.split()[1] for line in demo.stdout if line.startswith("panel:"))
            with sync_playwright() as playwright:
                arguments_of_chromium = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments_of_chromium)
                take_all(browser, address, arguments.poems)
                browser.close()
        finally:
            demo.terminate()
            demo.wait()


def take_all(browser: Browser, address: str, poems: int) -> None:
    """Open every window, wait for the ruling, and take the pictures while it stands."""
    pages = {name: open_page(browser, address, *window) for name, window in WINDOWS.items()}
    for name, page in pages.items():
        page.wait_for_function(
            """(poems) => document.querySelectorAll('#timeline li').length >= poems
                && document.querySelector('#badge').checkVisibility()
                && document.querySelector('#screen').dataset.index""",
            arg=poems,
            timeout=PATIENCE_MS,
        )
        page.keyboard.press("Shift+ArrowRight")  # the replay stands at the first contact
        page.wait_for_timeout(300)
        picture = IMAGES / f"{name}.jpg"  # a quarter of the size of a PNG, for a repository that is cloned
        page.screenshot(path=picture, type="jpeg", quality=86)
        print(picture)


def open_page(browser: Browser, address: str, path: str, window: dict[str, Any]) -> Page:
    """Open the panel in a window of its own."""
    # without motion the replay does not play by itself
    page = browser.new_context(reduced_motion="reduce", **window).new_page()
    page.goto(address + path, timeout=PATIENCE_MS)
    return page


if __name__ == "__main__":
    main()
