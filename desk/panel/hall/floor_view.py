"""The data of the floor's page, in one language."""

import math
from typing import Any

from desk.panel import phrases as match_phrases
from desk.panel.hall.port import FloorShown, LastShown, MatShown, ReadingShown
from desk.panel.match.port import SideName
from desk.panel.match.sentence import SIDES, side_names
from desk.panel.phrases import mat_number, phrase
from desk.panel.words import Words, texts
from referee.cards.poems import POEMS

_TEXTS = texts("desk.panel.hall")
_URGENT = frozenset({"silent", "appeal", "looks", "hand"})


def floor_view(floor: FloorShown, said: Words, *, with_faults: bool) -> dict[str, Any]:
    """Return the floor in one language; a mat that needs somebody has `urgent`.

    `with_faults`: whether to tell technical faults, which are for officials and not for a public board.
    """
    reading = floor["reading"]
    waits_for = [] if reading is None else reading["waits_for"]
    mats = [_mat(mat, said, is_awaited=mat["mat"] in waits_for) for mat in floor["mats"]]
    is_linked = floor["link"] in {"joined", "none"}
    faults = [] if is_linked else [phrase(said, _TEXTS["links"], floor["link"])]
    if floor["problem"] is not None:
        faults.append(said.complaint(floor["problem"]))
    if not with_faults:
        mats = [{**mat, "warnings": []} for mat in mats]
    states = [mat["state"] for mat in mats]
    return {
        "link": None if is_linked else said("This board is not up to date at the moment."),
        "fault": ": ".join(faults) if with_faults else "",
        "mats": mats,
        "reading": None if reading is None else _reading(reading, said, with_faults=with_faults),
        "sums": [
            said.counted("{n} mat", "{n} mats", len(mats)),
            said("{n} playing", n=sum(mat["follows"] or _plays_alone(mat) for mat in floor["mats"])),
            said("{n} over", n=states.count("over")),
            said("{n} to look at", n=sum(mat["urgent"] for mat in mats)),
        ],
    }


def state_of(mat: MatShown) -> str:
    """Return the id of the state that a mat's tile shows."""
    last = mat["last"]
    if mat["silent_s"] is not None:
        return "silent"
    if mat["phase"] in {"idle", "over"}:
        return mat["phase"]
    if mat["pause"] == "appeal":
        return "appeal"
    if mat["pause"] in {"review", "eye"} or (last is not None and last["standing"] == "proposed"):
        return "looks"
    if mat["pause"] is not None:
        return "paused"
    if mat["hands"]:
        return "hand"
    if mat["ready"]:
        return "ready"
    if mat["follows"]:
        return "busy"
    return "alone" if _plays_alone(mat) else "opening"


def _plays_alone(mat: MatShown) -> bool:
    """Tell whether a match runs with its own reader: the hall's reader does not wait for it."""
    return not mat["follows"] and mat["phase"] not in {"idle", "set_up", "memorise", "over"}


def _mat(mat: MatShown, said: Words, *, is_awaited: bool) -> dict[str, Any]:
    state = state_of(mat)
    text = _TEXTS["states"][state]
    names = side_names(said, mat["names"])
    return {
        "mat": mat["mat"],
        "number": mat_number(mat["mat"]),
        "address": None if mat["address"] is None else f"/matches/{mat['address']}/",
        "title": mat["title"],
        "state": state,
        "state_text": said(text),
        "urgent": state in _URGENT,
        "awaited": is_awaited,
        "names": names,
        "counts": mat["counts"] if mat["phase"] != "idle" else None,
        "winner": mat["winner"],
        "last": None if mat["last"] is None else _last(mat["last"], names, said),
        "doing": _doing(mat, said),
        "warnings": _warnings(mat, said),
    }


def _last(last: LastShown, names: dict[SideName, str], said: Words) -> dict[str, Any]:
    faults = [said("Fault: {side}", side=names[side]) for side in SIDES if last["faults"][side]]
    by, lead = last["taken_by"], []
    if last["lead_ms"] is not None and last["lead_unc_ms"] is not None:
        lead = [said("by {t} ms ± {unc}", t=round(last["lead_ms"]), unc=round(last["lead_unc_ms"]) or 1)]
    return {
        "card": POEMS[last["poem"]].kimariji,
        "by": by,
        "text": said("nobody") if by is None else names[by],
        "more": " · ".join(lead + faults),
        "standing": last["standing"],
    }


def _doing(mat: MatShown, said: Words) -> str:
    """Return a few words on what a mat is doing."""
    names = side_names(said, mat["names"])
    if mat["silent_s"] is not None:
        return said("for {n} s", n=round(mat["silent_s"])) if math.isfinite(mat["silent_s"]) else ""
    if mat["phase"] == "over":
        return "" if mat["winner"] is None else said("{name} wins", name=names[mat["winner"]])
    if mat["pause"] is not None:
        last = mat["last"]
        side = None if last is None else last["appealed_by"]
        who = said("A player") if side is None else names[side]
        return phrase(said, match_phrases.PAUSES, mat["pause"], side=who)
    if mat["hands"]:
        return said(", ").join(names[side] for side in mat["hands"])
    return "" if mat["phase"] == "idle" else phrase(said, match_phrases.PHASES, mat["phase"])


def _warnings(mat: MatShown, said: Words) -> list[str]:
    warnings = [phrase(said, match_phrases.WARNINGS, name) for name in mat["warnings"]]
    if mat["unsent"] > 50:  # more entries than one poem has: the link is slow or was down
        warnings.append(said("{n} entries are not sent yet", n=mat["unsent"]))
    if mat["follows"] and mat["clock_unc_ms"] is None:
        warnings.append(said("The hall's clock is not known there yet"))
    return warnings


def _reading(reading: ReadingShown, said: Words, *, with_faults: bool) -> dict[str, Any]:
    phase = phrase(said, _TEXTS["reading"], reading["phase"])
    if reading["silent"]:
        phase = said("Nothing is heard of the reader")
    number = said("Poem {n} of 100", n=reading["number"])
    if not reading["number"]:
        number = said("Before the first poem")
    left = None
    if reading["limit_s"] is not None and reading["phase"] == "waits":
        left = said("reads on in {n} s", n=max(0, round(reading["limit_s"] - reading["waited_s"])))
    latest = reading["latest"]
    return {
        "phase": "silent" if reading["silent"] else reading["phase"],
        "phase_text": phase,
        "number": number,
        "latest": None if latest is None else said("last: {card}", card=POEMS[latest].kimariji),
        "waits_for": [mat_number(mat) for mat in reading["waits_for"]],
        "hands": [mat_number(mat) for mat in reading["hands"]],
        "lost": [mat_number(mat) for mat in reading["lost"]],
        "ready": said("{n} of {m} ready", n=reading["mats"] - len(reading["waits_for"]), m=reading["mats"]),
        "left": left,
        "problem": said.complaint(reading["problem"] or "") if with_faults else None,
    }
