"""What stands in the way of people on a page: what axe finds, and what does not fit the window."""

from __future__ import annotations

from importlib.resources import files

import pytest
from playwright.sync_api import Page

WIDTHS = (1920, 820, 360)  # a projector, a tablet and a phone


def barriers(page: Page) -> list[str]:
    """Return what axe finds on a page that was opened with `bypass_csp`."""
    pytest.importorskip(
        "axe_playwright_python", reason="needs axe-core: uv pip install axe-playwright-python"
    )
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8"))
    found = page.evaluate("axe.run({ resultTypes: ['violations'] })")
    return [f"{problem['id']}: {problem['nodes'][0]['html']}" for problem in found["violations"]]


def too_wide(page: Page, widths: tuple[int, ...] = WIDTHS) -> list[int]:
    """Return the widths of the window at which the page sticks out."""

    def sticks_out(width: int) -> bool:
        page.set_viewport_size({"width": width, "height": 900})
        return bool(page.evaluate("document.documentElement.scrollWidth") > width)

    return [*filter(sticks_out, widths)]


def too_small(page: Page, pressed: str = "button, a[href], summary") -> list[str]:
    """Return what is smaller than a fingertip (44 px) of all that is pressed."""
    found: list[str] = page.evaluate(
        """(pressed) => [...document.querySelectorAll(pressed)]
            .filter((element) => element.checkVisibility() && !element.classList.contains('skip'))
            .map((element) => [element.id || element.textContent.trim(), element.getBoundingClientRect()])
            .filter(([, box]) => box.width < 43.9 || box.height < 43.9)
            .map(([name, box]) => `${name}: ${box.width} x ${box.height}`)""",
        pressed,
    )
    return found
