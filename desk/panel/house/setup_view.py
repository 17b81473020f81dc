"""The data of the set-up page, in one language."""

from collections.abc import Mapping
from typing import Any

from desk.panel import phrases
from desk.panel.house.port import FindingShown, PhoneShown, Seat, SetUpShown, SourceOffered
from desk.panel.match.sentence import side_names
from desk.panel.match.view import card_view
from desk.panel.phrases import mat_number, phrase
from desk.panel.words import N_, Words, picked, texts

_PHONE = texts("desk.panel.phone")
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
        **picked(finding, "id", "status"),
        "name": words(name),
        "found": words(found, **finding["values"]),
        "mend": words(mend) if finding["status"] in {"warn", "fail"} else None,
    }


def problem_text(problem: str, words: Words) -> str:
    """Return the text of a problem: an id of `PROBLEMS`, or a message, which is returned as it is."""
    return phrase(words, PROBLEMS, problem) if problem in PROBLEMS else words.complaint(problem)


STATUSES: Mapping[str, str] = _TEXTS["statuses"]


def set_up_view(shown: SetUpShown, words: Words) -> dict[str, Any]:
    names = side_names(words, {"near": None, "far": None})
    source = shown["source"]
    findings = [finding_view(finding, words) for finding in shown["findings"]]
    return {
        "source": source and {**source, "kind_text": phrase(words, phrases.SOURCES, source["kind"])},
        **picked(shown, "deck", "opening"),
        "problem": None if shown["problem"] is None else problem_text(shown["problem"], words),
        "findings": [{**each, "status_text": phrase(words, STATUSES, each["status"])} for each in findings],
        "field": [card_view(placed, names, words) for placed in shown["layout"]],
        **picked(shown, "corrected", "counts"),
        "counts_text": words("{near} cards near, {far} far", **shown["counts"]),
        "ready": bool(shown["layout"]) and source is not None,
        "phone": None if shown["phone"] is None else phone_view(shown["phone"], words),
        "seat": None if shown["seat"] is None else seat_view(shown["seat"], source, words),
        "failing": [each["id"] for each in findings if each["status"] == "fail"],
    }


def seat_view(seat: Seat, source: SourceOffered | None, words: Words) -> dict[str, Any]:
    """Return this mat's place in a hall as text; a recording or a simulation has its own reader."""
    parts = [words("Mat {n}", n=mat_number(seat["mat"]))]
    if seat["title"] is not None:
        called = side_names(words, seat["names"])
        parts.append(f"{seat['title']}: {called['near']} – {called['far']}")
    if source is None or source["kind"] == "camera":
        parts.append(words("The hall's reader reads."))
    return {"text": " · ".join(parts), "names": seat["names"]}


def phone_view(shown: PhoneShown, words: Words) -> dict[str, Any]:
    clock_ms = shown["clock_ms"]
    notes = [phrase(words, _PHONE["warnings"], warning) for warning in shown["warnings"]]
    if clock_ms is not None:
        notes.append(words("Its clock is known to ± {ms} ms.", ms=round(clock_ms, 1)))
    if shown["dropped"]:
        notes.append(words("{n} pictures were lost on the way.", n=shown["dropped"]))
    return {
        **picked(shown, "links", "fingerprint", "stage"),
        "stage_text": phrase(words, _PHONE["stages"], shown["stage"]),
        "notes": notes,
    }
