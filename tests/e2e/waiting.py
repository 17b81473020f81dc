"""Wait for what a page's own script says."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

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
