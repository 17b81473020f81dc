"""The data of the floor's page, in one language."""

import math
from typing import Any

from desk.hall.messages import LastRuling, ReadingState
from desk.hall.page.port import FloorShown, MatShown
from desk.panel import phrases as match_phrases
from desk.panel.match.port import SideName
from desk.panel.match.sentence import side_names
from desk.panel.phrases import mat_number, phrase
from desk.panel.words import Words, texts
from referee.cards.poems import POEMS
from referee.sides import Side

_TEXTS = texts("desk.hall.page")
_URGENT = frozenset({"silent", "appeal", "looks", "hand"})
_NS_PER_MS = 1_000_000


def floor_view(floor: FloorShown, said: Words, *, with_faults: bool) -> dict[str, Any]:
    """Return the floor in one language; a mat that needs somebody has `urgent`.

    `with_faults`: whether to tell technical faults, which are for officials and not for a public board.
    """
    reading = floor.reading
    waits_for = () if reading is None else reading.waits_for
    mats = [_mat(mat, said, is_awaited=mat.state.mat in waits_for) for mat in floor.mats]
    is_linked = floor.link in {"joined", "none"}
    faults = [] if is_linked else [phrase(said, _TEXTS["links"], floor.link)]
    if floor.problem is not None:
        faults.append(said.complaint(floor.problem))
    if not with_faults:
        mats = [{**mat, "warnings": []} for mat in mats]
    states = [mat["state"] for mat in mats]
    shown = None
    if reading is not None:
        shown = _reading(reading, said, is_silent=floor.is_reader_silent, with_faults=with_faults)
    return {
        "link": None if is_linked else said("This board is not up to date at the moment."),
        "fault": ": ".join(faults) if with_faults else "",
        "mats": mats,
        "reading": shown,
        "sums": [
            said.counted("{n} mat", "{n} mats", len(mats)),
            said("{n} playing", n=sum(mat.state.follows or _plays_alone(mat) for mat in floor.mats)),
            said("{n} over", n=states.count("over")),
            said("{n} to look at", n=sum(mat["urgent"] for mat in mats)),
        ],
    }


def state_of(mat: MatShown) -> str:
    """Return the id of the state that a mat's tile shows."""
    state = mat.state
    if mat.silent_s is not None:
        return "silent"
    if state.phase in {"idle", "over"}:
        return state.phase
    if state.pause == "appeal":
        return "appeal"
    if state.pause in {"review", "eye"} or (state.last is not None and state.last.standing == "proposed"):
        return "looks"
    if state.pause is not None:
        return "paused"
    if state.hands:
        return "hand"
    if state.ready:
        return "ready"
    if state.follows:
        return "busy"
    return "alone" if _plays_alone(mat) else "opening"


def _plays_alone(mat: MatShown) -> bool:
    """Tell whether a match runs with its own reader: the hall's reader does not wait for it."""
    return not mat.state.follows and mat.state.phase not in {"idle", "set_up", "memorise", "over"}


def _mat(mat: MatShown, said: Words, *, is_awaited: bool) -> dict[str, Any]:
    state, shown = mat.state, state_of(mat)
    text = _TEXTS["states"][shown]
    names = side_names(said, {"near": state.names.near, "far": state.names.far})
    return {
        "mat": state.mat,
        "number": mat_number(state.mat),
        "address": None if mat.address is None else f"/matches/{mat.address}/",
        "title": mat.title,
        "state": shown,
        "state_text": said(text),
        "urgent": shown in _URGENT,
        "awaited": is_awaited,
        "names": names,
        "counts": None if state.phase == "idle" else dict(state.counts.items()),
        "winner": state.winner,
        "last": None if state.last is None else _last(state.last, names, said),
        "doing": _doing(mat, names, said),
        "warnings": _warnings(mat, said),
    }


def _last(last: LastRuling, names: dict[SideName, str], said: Words) -> dict[str, Any]:
    faults = [said("Fault: {side}", side=names[side.value]) for side in Side if last.faults[side]]
    by, lead = last.taken_by, []
    if last.lead_ns is not None and last.lead_unc_ns is not None:
        lead_ms, unc_ms = round(last.lead_ns / _NS_PER_MS), round(last.lead_unc_ns / _NS_PER_MS)
        lead = [said("by {t} ms ± {unc}", t=lead_ms, unc=unc_ms or 1)]
    return {
        "card": POEMS[last.poem].kimariji,
        "by": by,
        "text": said("nobody") if by is None else names[by.value],
        "more": " · ".join(lead + faults),
        "standing": last.standing,
    }


def _doing(mat: MatShown, names: dict[SideName, str], said: Words) -> str:
    """Return a few words on what a mat is doing."""
    state = mat.state
    if mat.silent_s is not None:
        return said("for {n} s", n=round(mat.silent_s)) if math.isfinite(mat.silent_s) else ""
    if state.phase == "over":
        return "" if state.winner is None else said("{name} wins", name=names[state.winner.value])
    if state.pause is not None:
        side = None if state.last is None else state.last.appealed_by
        who = said("A player") if side is None else names[side.value]
        return phrase(said, match_phrases.PAUSES, state.pause, side=who)
    if state.hands:
        return said(", ").join(names[side.value] for side in state.hands)
    return "" if state.phase == "idle" else phrase(said, match_phrases.PHASES, state.phase)


def _warnings(mat: MatShown, said: Words) -> list[str]:
    health = mat.state.health
    warnings = [phrase(said, match_phrases.WARNINGS, name) for name in health.warnings]
    if health.unsent > 50:  # more entries than one poem has: the link is slow or was down
        warnings.append(said("{n} entries are not sent yet", n=health.unsent))
    if mat.state.follows and health.clock_unc_ns is None:
        warnings.append(said("The hall's clock is not known there yet"))
    return warnings


def _reading(reading: ReadingState, said: Words, *, is_silent: bool, with_faults: bool) -> dict[str, Any]:
    phase = phrase(said, _TEXTS["reading"], reading.phase)
    if is_silent:
        phase = said("Nothing is heard of the reader")
    number = said("Poem {n} of 100", n=reading.number)
    if not reading.number:
        number = said("Before the first poem")
    left = None
    if reading.limit_s is not None and reading.phase == "waits":
        left = said("reads on in {n} s", n=max(0, round(reading.limit_s - reading.waited_s)))
    return {
        "phase": "silent" if is_silent else reading.phase,
        "phase_text": phase,
        "number": number,
        "latest": said("last: {card}", card=POEMS[reading.read[-1]].kimariji) if reading.read else None,
        "waits_for": [mat_number(mat) for mat in reading.waits_for],
        "hands": [mat_number(mat) for mat in reading.hands],
        "lost": [mat_number(mat) for mat in reading.silent],
        "ready": said("{n} of {m} ready", n=reading.mats - len(reading.waits_for), m=reading.mats),
        "left": left,
        "problem": said.complaint(reading.problem or "") if with_faults else None,
    }
