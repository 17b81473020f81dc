"""What stands in the way of people on a page, by axe and by the window's size; and waiting for its script."""

from importlib.resources import files
from typing import Any

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


_POLLED = """
([condition, argument]) => new Promise((done, fail) => {{
  const holds = {condition};
  const look = () => (holds(argument) ? done() : setTimeout(look, 20));
  setTimeout(() => fail(new Error("never: " + condition)), {patience_ms});
  look();
}})
"""
PATIENCE_MS = 60_000


def until(page: Page, condition: str, argument: Any = None) -> None:
    """Wait until a JavaScript function of `argument` answers true.

    Playwright's `wait_for_function` looks a second time by `eval`, which the pages' policy forbids.
    """
    page.evaluate(_POLLED.format(condition=condition, patience_ms=PATIENCE_MS), [condition, argument])
