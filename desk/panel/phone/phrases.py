"""Texts about a phone as camera, on the phone's page and on the desk's."""

from __future__ import annotations

from collections.abc import Mapping

from desk.panel.words import texts

_TEXTS = texts("desk.panel.phone")
STAGES: Mapping[str, str] = _TEXTS["stages"]
WARNINGS: Mapping[str, str] = _TEXTS["warnings"]
"""Texts of the phone's warnings, by the ids of `messages.Report`."""
PAGE_STRINGS: Mapping[str, str] = {
    **{f"warn_{name}": text for name, text in WARNINGS.items()},
    **_TEXTS["page_strings"],
}
"""Texts of the page's script."""
