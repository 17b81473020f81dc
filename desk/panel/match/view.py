"""The data of the match page: the engine's snapshot with all texts, without revealing the poem too early.

A view is JSON data in one language. It is the same for every viewer, so one text serves them all.
"""

import json
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from desk.panel import phrases
from desk.panel.match.poem_view import is_free, poem_view, poem_words, timeline_entry
from desk.panel.match.port import (
    CardOnField,
    NoticeShown,
    PoemRuled,
    Port,
    Revertible,
    SideName,
    Snapshot,
    SuggestedPoem,
)
from desk.panel.match.record import WITHDRAWN
from desk.panel.match.sentence import SIDES, card_name, outcome_text, side_names
from desk.panel.phrases import HANDS, ROWS, Awaited, awaited_view, phrase
from desk.panel.words import Words, texts
from referee.cards.poems import POEMS

_TEXTS: Final = texts("desk.panel.match")
_HAPPENED: Final = _TEXTS["happened"]
NOTICES: Final[Mapping[str, str]] = _TEXTS["to_do"] | _HAPPENED
_MOST_NEWS = 4


def latest_news(notices: Sequence[NoticeShown]) -> list[NoticeShown]:
    """Return the latest notices of what happened; what is to be done is shown elsewhere."""
    return [notice for notice in notices if notice["id"] in _HAPPENED][-_MOST_NEWS:]


def notice_text(notice: NoticeShown, names: Mapping[SideName, str], words: Words) -> str:
    """Return a notice as text. `notice`: id and parameters; row 0 lies next to the middle line."""
    values: dict[str, Any] = dict(notice["params"])
    if values.get("side") in names:
        values["side"] = names[values["side"]]
    if "row" in values:
        values["row"] = words.plain(ROWS[values["row"]])
    if "cards" in values:
        values["cards"] = words(", ").join(card_name(card, words) for card in values["cards"])
    if "hand" in values:
        values["hand"] = words.plain(HANDS[values["hand"]])
    for name in ("card", "other"):
        if name in values:
            values[name] = card_name(values[name], words)
    return phrase(words, NOTICES, notice["id"], **values)


AWAITED: Final[Mapping[str, Awaited]] = {name: Awaited(*each) for name, each in _TEXTS["awaited"].items()}


def awaited(snapshot: Snapshot) -> str:
    """Return what a match waits for, a key of `AWAITED`."""
    pause, phase = snapshot["pause"], snapshot["phase"]
    if phase == "over":
        return "over"
    if snapshot.get("is_stored", False):
        return "stored"
    if pause is not None:
        return "ruling" if pause["reason"] == "review" else "paused"
    if not snapshot.get("is_watched", True):
        return "nobody_simulates" if snapshot["match"]["source"] == "simulator" else "nobody"
    if phase == "poem" and snapshot["reading"] is not None:
        return "reading"
    if phase == "restore" and snapshot["to_do"]:
        return "to_do"
    by_person = snapshot["takes_names"]
    if phase == "poem":
        return "name" if by_person else "next"
    if phase == "restore":
        return "next_by_person" if by_person else "next"
    return "joka_by_person" if phase == "joka" and by_person else phase


_KEPT = 8  # views in two languages for the latest few events; older ones are not requested again
_FRESH_S = 0.25
_SHAPES = {"near": "●", "far": "◆"}


class Views:
    """Builds each view once, however many viewers there are. `now_s`: clock for the age of a snapshot."""

    def __init__(self, port: Port, now_s: Callable[[], float] = time.monotonic) -> None:
        self._port = port
        self._now_s = now_s
        self._snapshot: Snapshot | None = None
        self._taken_s = 0.0
        self._texts: OrderedDict[tuple[str, int, int, str], str] = OrderedDict()

    def snapshot(self, seen_seq: int | None = None) -> Snapshot:
        """Return the match.

        `seen_seq`: an event that it must include; None for the latest state. A snapshot that includes the
        event is shared among the viewers for a short time.
        """
        now_s = self._now_s()
        known = self._snapshot
        if known is None or seen_seq is None or known["seq"] < seen_seq or now_s - self._taken_s > _FRESH_S:
            self._snapshot, self._taken_s = self._port.state(), now_s
        assert self._snapshot is not None
        return self._snapshot

    def text(self, words: Words, seen_seq: int | None = None) -> str:
        """Return the JSON text of the view; `seen_seq` as in `snapshot`."""
        snapshot = self.snapshot(seen_seq)
        heard = ku_heard(snapshot, self._port.health()["now_ns"])
        key = (snapshot["match"]["id"], snapshot["seq"], heard, words.language)
        if key not in self._texts:
            shown = view(snapshot, heard, words)
            self._texts[key] = json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
            if len(self._texts) > _KEPT:
                self._texts.popitem(last=False)
        return self._texts[key]


def ku_heard(snapshot: Snapshot, now_ns: int) -> int:
    """Return how many ku of the poem that is being read have begun to sound."""
    reading = snapshot["reading"]
    return 0 if reading is None else sum(t_ns <= now_ns for t_ns in reading["t_ku_ns"])


def view(snapshot: Snapshot, heard: int, words: Words) -> dict[str, Any]:
    """Return the view of a snapshot.

    `heard`: how many ku of the present poem were heard. Only these are shown, and the torifuda is marked only
    after the ruling.
    """
    names = side_names(words, snapshot["match"]["names"])
    latest = snapshot["poems"][-1] if snapshot["poems"] else None
    phase, reading, pause = snapshot["phase"], snapshot["reading"], snapshot["pause"]
    side = None if pause is None else pause["side"]
    waits = pause is not None and pause["reason"] == "review"  # for a ruling: there is nothing to resume
    news = latest_news(snapshot["news"])
    swings = [each for each in news if phase == "memorise" and each["id"] == "practice_swings"]
    outcome = outcome_text(snapshot["winner"], snapshot["stopped"], names, words)
    return {
        "match": snapshot["match"]["id"],
        "seq": snapshot["seq"],
        "is_real": snapshot["match"]["source"] != "simulator",
        "phase": phase,
        "phase_text": phrase(words, phrases.PHASES, "ruling" if waits else phase),
        "paused": pause is not None and not waits,
        "pause": pause and phrase(words, phrases.PAUSES, pause["reason"], side=names[side] if side else ""),
        "memorise_ends_ns": snapshot["memorise_ends_t_ns"],
        "swings": next((notice_text(each, names, words) for each in swings), None),
        "winner": snapshot["winner"],
        "winner_text": outcome if phase == "over" else None,
        "sides": {side: _side(side, snapshot, names, words) for side in SIDES},
        "field": [card_view(placed, names, words) for placed in snapshot["layout"]],
        "missing": [card_view(placed, names, words) for placed in snapshot["missing"]],
        "marks": marks_of(latest) if latest and reading is None else [],
        "to_do": [notice_text(notice, names, words) for notice in snapshot["to_do"]],
        "astray": [notice["params"]["card"] for notice in snapshot["to_do"] if "card" in notice["params"]],
        "news": [notice_text(each, names, words) for each in news if each not in swings],
        "reading": reading and {"order": reading["order"], "ku": poem_words(reading["poem"])[:heard]},
        "takes_names": snapshot["takes_names"],
        "suggested": [_suggested(each) for each in snapshot["suggested"]],
        "latest": latest and poem_view(latest, names, words),
        "poems": [timeline_entry(ruled, names, words) for ruled in snapshot["poems"]],
        "revertible": [_revertible(event, words) for event in snapshot["revertible"]],
        "policies": snapshot["policies"],
        **awaited_view(AWAITED[awaited(snapshot)], words),
    }


def _suggested(suggested: SuggestedPoem) -> dict[str, Any]:
    poem, share = POEMS[suggested["poem"]], f"{suggested['confidence']:.0%}"
    return {"poem": poem.number, "kimariji": poem.kimariji, "text": poem.kami, "share": share}


def _side(side: SideName, snapshot: Snapshot, names: dict[SideName, str], words: Words) -> dict[str, Any]:
    owes, faults = snapshot["owes"][side], snapshot["faults"][side]
    appeals = snapshot["appeals_left"]
    return {
        "name": names[side],
        "shape": _SHAPES[side],
        "count": snapshot["counts"][side],
        "cards_text": words.counted("{n} card", "{n} cards", snapshot["counts"][side]),
        "owes": owes,
        "owes_text": words.counted("owes {n} card", "owes {n} cards", owes) if owes else None,
        "faults": faults,
        "faults_text": words.counted("{n} fault", "{n} faults", faults),
        "appeals_text": appeals and words.counted("{n} appeal left", "{n} appeals left", appeals[side]),
        "can_appeal": appeals is None or appeals[side] > 0,
    }


def card_view(placed: CardOnField, names: dict[SideName, str], words: Words) -> dict[str, Any]:
    """Return the data to draw a card: place in millimetres, rotation in degrees, and a label."""
    # a far player's card that faces its owner is upside down for the camera
    upside_down = (placed["side"] == "far") == placed["faces_owner"]
    where = words("{side}, {row}", side=names[placed["side"]], row=words.plain(phrases.ROWS[placed["row"]]))
    return {
        "card": placed["card"],
        "side": placed["side"],
        "x": round(placed["x_mm"], 1),
        "y": round(placed["y_mm"], 1),
        "turn": round(math.degrees(placed["angle_rad"]) + 180 * upside_down, 1),
        "where": where,
        "turned": not placed["faces_owner"],
    }


def marks_of(latest: PoemRuled) -> list[dict[str, Any]]:
    """Return the marks over the field after a ruling: the target's place and the first contacts."""
    if latest["state"] in WITHDRAWN:
        return []
    marks: list[dict[str, Any]] = []
    if latest["target_at_mm"] is not None:
        marks.append({"kind": "target", "card": latest["poem"], "at": latest["target_at_mm"]})
    seen = set()
    for touch in sorted(latest["touches"], key=lambda touch: touch["t_ns"]):
        key, at = (touch["player"], touch["card"]), touch["at_mm"]
        if touch["unprovable"] is None and at and key not in seen and not is_free(touch, latest):
            seen.add(key)
            marks.append({"kind": "touch", "player": touch["player"], "order": len(seen), "at": at})
    return marks


def _revertible(event: Revertible, words: Words) -> dict[str, Any]:
    what = phrase(words, phrases.EVENTS, event["kind"])
    poem = event["poem"]
    text = what if poem is None else words("{what}, poem {poem}", what=what, poem=poem)
    return {"seq": event["seq"], "kind": event["kind"], "text": text}
