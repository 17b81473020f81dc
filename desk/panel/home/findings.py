"""Texts of the findings before a game at a card table: what was checked, the result, and the remedy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from desk.panel.home.port import TableShown
from desk.panel.house.port import FindingShown
from desk.panel.house.setup_view import STATUSES, phone_view
from desk.panel.phrases import phrase
from desk.panel.table.stream import NO_MARKER
from desk.panel.words import Words, picked, texts

PROBLEMS: Final[Mapping[str, str]] = texts("desk.panel.home")["problems"]
"""Texts of the problems that come as ids; others come as messages."""


def table_view(shown: TableShown, said: Words) -> dict[str, Any]:
    """Return the state of a card table's set-up with all texts of its page."""
    problem, findings, phone = shown["problem"], shown["findings"], shown["phone"]
    is_awaited = phone is not None and phone["stage"] != "streaming"
    if is_awaited:
        problem = None  # the phone's state is shown next to its QR code
    return {
        **shown,
        "problem": None if problem is None else said.complaint(problem),
        "findings": [_finding(finding, said) for finding in findings],
        "phone": None if phone is None else phone_view(phone, said),
        "ready": bool(findings) and problem is None and not is_awaited and not shown["opening"],
        "failing": [finding["id"] for finding in findings if finding["status"] == "fail"],
    }


def _finding(finding: FindingShown, said: Words) -> dict[str, Any]:
    name, found, mend = _TEXTS[finding["id"]](finding, said)
    return {
        **picked(finding, "id", "status"),
        "status_text": phrase(said, STATUSES, finding["status"]),
        "name": name,
        "found": found,
        "mend": mend if finding["status"] in {"warn", "fail"} else None,
    }


def _pace(finding: FindingShown, said: Words) -> tuple[str, str, str]:
    fps = finding["values"]["fps"]
    if finding["status"] == "unknown":
        found = said("waiting for the first ones")
    else:
        found = said("as they were made") if fps is None else said("{n} a second", n=fps)
    mend = said("Give the camera more light or choose a smaller picture: 15 pictures a second are good.")
    return said("Pictures"), found, mend


def _markers(finding: FindingShown, said: Words) -> tuple[str, str, str]:
    missing = finding["values"]["missing"]
    if finding["status"] == "ok":
        found = said("all four markers are seen")
    elif finding["status"] == "unknown":
        found = said("waiting for a picture")
    else:
        found = " ".join(said(NO_MARKER[number]) for number in missing) or said("not found yet")
    mend = said(
        "Lay the printed mat out flat, all four corners in the picture, and take hands away for a moment."
    )
    return said("The mat"), found, mend


def _cards(finding: FindingShown, said: Words) -> tuple[str, str, str]:
    read, unread = finding["values"]["read"], finding["values"]["unread"]
    if finding["status"] == "unknown":
        found = said("looked for once the mat is found")
    elif read or unread:
        found = said("{read} read, {unread} not read", read=read, unread=unread)
    else:
        found = said("none on the table: deal once the game has begun")
    mend = said(
        "Lay cards flat and apart, without a reflection. If few are read, another deck lies there: choose "
        "the enrolled one, or enrol it (shinpan enrol)."
    )
    return said("Cards"), found, mend


_TEXTS: Final = {"pace": _pace, "markers": _markers, "cards": _cards}
"""Texts of each finding: what was checked, the result, the remedy."""
