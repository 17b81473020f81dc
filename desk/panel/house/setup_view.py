"""The set-up of a match as its page shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from desk.panel import phrases
from desk.panel.house.findings import finding_view, problem_text
from desk.panel.house.port import SetUpShown
from desk.panel.match.sentence import side_names
from desk.panel.match.view import card_view
from desk.panel.phrases import phrase
from desk.panel.words import N_, Words

STATUSES: Mapping[str, str] = {
    "ok": N_("good"),
    "warn": N_("could be better"),
    "fail": N_("needs fixing"),
    "unknown": N_("not known"),
}


def set_up_view(shown: SetUpShown, words: Words) -> dict[str, Any]:
    """Put the set-up into words.

    Parameters
    ----------
    shown : how far it has come.
    words : the language.
    """
    names = side_names(words, {"near": None, "far": None})
    source = shown["source"]
    findings = [finding_view(finding, words) for finding in shown["findings"]]
    return {
        "source": source and {**source, "kind_text": phrase(words, phrases.SOURCES, source["kind"])},
        "deck": shown["deck"],
        "opening": shown["opening"],
        "problem": None if shown["problem"] is None else problem_text(shown["problem"], words),
        "findings": [{**each, "status_text": phrase(words, STATUSES, each["status"])} for each in findings],
        "field": [card_view(placed, names, words) for placed in shown["layout"]],
        "corrected": shown["corrected"],
        "counts": shown["counts"],
        "counts_text": words(
            "{near} cards near, {far} far", near=shown["counts"]["near"], far=shown["counts"]["far"]
        ),
        "ready": bool(shown["layout"]) and source is not None,
        "failing": [each["id"] for each in findings if each["status"] == "fail"],
    }
