"""Texts of the set-up's findings in the pictures: what was checked, the result, and the remedy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from desk.panel.house.port import FindingShown
from desk.panel.phrases import phrase
from desk.panel.words import N_, Words, texts

_TEXTS = texts("desk.panel.house")
FINDINGS: Mapping[str, Mapping[str, str]] = _TEXTS["findings"]
"""Texts of each finding, in the order of the page."""
PROBLEMS: Mapping[str, str] = _TEXTS["problems"]


def finding_view(finding: FindingShown, words: Words) -> dict[str, Any]:
    """Return the texts of a finding; the remedy only if one is needed."""
    name, found, mend = FINDINGS[finding["id"]].values()
    if finding["status"] == "unknown":
        found = N_("not known")
    elif finding["values"].get("nominal", "") is None:
        found = N_("{fps} a second; how many were promised is not known")
    return {
        "id": finding["id"],
        "status": finding["status"],
        "name": words(name),
        "found": words(found, **finding["values"]),
        "mend": words(mend) if finding["status"] in {"warn", "fail"} else None,
    }


def problem_text(problem: str, words: Words) -> str:
    """Return the text of a problem: an id of `PROBLEMS`, or a message, which is returned as it is."""
    return phrase(words, PROBLEMS, problem) if problem in PROBLEMS else words.complaint(problem)
