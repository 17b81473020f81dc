"""Texts of the set-up's findings in the pictures: what was checked, the result, and the remedy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from desk.panel.house.port import FindingShown
from desk.panel.phrases import phrase
from desk.panel.words import N_, Words


@dataclass(frozen=True, slots=True)
class _Texts:
    name: str
    found: str
    mend: str


FINDINGS: Mapping[str, _Texts] = {
    "fps": _Texts(
        N_("Pictures per second"),
        N_("{fps} of {nominal} promised"),
        N_(
            "Choose a faster mode of the camera (60 or more), give it more light so that it exposes for less "
            "long, and plug it into a port of its own."
        ),
    ),
    "steady": _Texts(
        N_("Even pace"),
        N_("{lost} pictures lost in the last seconds"),
        N_("Close other programs, use a shorter cable and a port without a hub, or a smaller picture."),
    ),
    "exposure": _Texts(
        N_("Exposure"),
        N_("{ms} ms"),
        N_("Set the exposure by hand to 4 ms or less and add light: a longer one smears fast hands."),
    ),
    "light": _Texts(
        N_("Light"),
        N_("paper at {paper} of 255, {clipped} % of the cards too bright"),
        N_("Paper should be light gray: add light, or shorten the exposure where it is white all over."),
    ),
    "noise": _Texts(
        N_("Noise"),
        N_("{noise} of 255"),
        N_("Add light and turn the camera's gain down."),
    ),
    "blur": _Texts(
        N_("Focus"),
        N_("edges {blur_mm} mm wide"),
        N_("Focus by hand on the cards and switch autofocus off; wipe the lens."),
    ),
    "exposure_held": _Texts(
        N_("Automatic exposure"),
        N_("may be on"),
        N_("Switch it off in the camera's settings: it may change the light in the middle of a poem."),
    ),
    "white_balance_held": _Texts(
        N_("Automatic white balance"),
        N_("may be on"),
        N_("Switch it off in the camera's settings: its driver does not hold it."),
    ),
    "focus_held": _Texts(
        N_("Autofocus"),
        N_("may be on"),
        N_("Switch it off in the camera's settings, unless its lens has none: its driver does not hold it."),
    ),
    "scale": _Texts(
        N_("Size of the cards"),
        N_("{card_px} pixels wide"),
        N_("Move the camera nearer or choose a larger picture: 38 pixels are needed, 50 are good."),
    ),
    "angle": _Texts(
        N_("Angle"),
        N_("{tilt_deg}° from straight down"),
        N_("Hang the camera over the middle of the field: seen aslant, hands hide what is behind them."),
    ),
    "in_view": _Texts(
        N_("Whole field in view"),
        N_("{margin_mm} mm of margin"),
        N_(
            "Move the camera up, or aside, until both territories have a hand's breadth of floor around them."
        ),
    ),
    "cards": _Texts(
        N_("Cards"),
        N_("{near} near, {far} far, {unread} not read"),
        N_("Lay the cards flat and uncovered; tap one that was read wrongly and say which it is."),
    ),
}
"""Texts of each finding, in the order of the page."""
PROBLEMS: Mapping[str, str] = {
    "no_field": N_("No field of cards is in sight yet: lay out the cards, and take the hands away."),
    "field_not_read": N_("The cards were found, but not as a field of two territories."),
    "no_card_read": N_(
        "Not a single card could be read: lay the cards in view, sharp and evenly lit, choose the deck if it "
        "was enrolled, or tap a card and say which it is."
    ),
    "film_without_cards": N_(
        "Not a single card could be read in this recording, so nothing can be refereed: the whole field must "
        "be in view, sharp, from above, with the near player at the lower edge. Choose the deck if it was "
        "enrolled, or open another recording."
    ),
    "phone_awaited": N_("No phone sends pictures yet: read the code below with its camera."),
    "phone_away": N_("The phone is away: open its page again, or read the code below anew."),
    "mirrored": N_(
        "The pictures are mirrored: switch off mirroring in the camera, or in the program that they come "
        "through."
    ),
    "sideways": N_(
        "The players sit left and right in the pictures: turn the camera by a quarter, so that one of them "
        "sits at the lower edge."
    ),
}


def finding_view(finding: FindingShown, words: Words) -> dict[str, Any]:
    """Return the texts of a finding; the remedy only if one is needed."""
    texts = FINDINGS[finding["id"]]
    found = texts.found
    if finding["status"] == "unknown":
        found = N_("not known")
    elif finding["values"].get("nominal", "") is None:
        found = N_("{fps} a second; how many were promised is not known")
    return {
        "id": finding["id"],
        "status": finding["status"],
        "name": words(texts.name),
        "found": words(found, **finding["values"]),
        "mend": words(texts.mend) if finding["status"] in {"warn", "fail"} else None,
    }


def problem_text(problem: str, words: Words) -> str:
    """Return the text of a problem: an id of `PROBLEMS`, or a message, which is returned as it is."""
    return phrase(words, PROBLEMS, problem) if problem in PROBLEMS else words.complaint(problem)
