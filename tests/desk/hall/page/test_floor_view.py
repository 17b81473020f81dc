"""The text of a tile: the most urgent state, in both languages."""

import math
from dataclasses import replace
from typing import Any

from desk.hall.messages import MatHealth
from desk.hall.page.floor_view import floor_view
from desk.hall.page.port import FloorShown
from desk.panel.words import words
from referee.sentence import Sentence
from tests.desk.hall.page.hall_port import every_state, last, mat, reading


def floor(mats: Any = None, *, with_faults: bool = True, **changes: Any) -> dict[str, Any]:
    shown = FloorShown("joined", None, mats or every_state(12), reading())
    return floor_view(replace(shown, **changes), words("en"), with_faults=with_faults)


def test_every_mat_says_its_state_and_whether_it_needs_somebody() -> None:
    shown = floor()
    assert [(tile["number"], tile["state"], tile["urgent"]) for tile in shown["mats"]] == [
        ("1", "appeal", True), ("2", "looks", True), ("3", "silent", True), ("4", "hand", True),
        ("5", "busy", False), ("6", "over", False), ("7", "idle", False), ("8", "opening", False),
        ("9", "ready", False), ("10", "paused", False), ("11", "silent", True), ("12", "ready", False),
    ]  # fmt: skip
    assert shown["sums"] == ["12 mats", "9 playing", "1 over", "5 to look at"]
    assert [tile["mat"] for tile in shown["mats"] if tile["awaited"]] == ["mat-04", "mat-05"]


def test_technical_faults_are_for_officials_and_not_for_the_public() -> None:
    troubled: dict[str, Any] = {
        "mats": [mat(3, health=MatHealth(warnings=("few_pictures",), unsent=99, clock_unc_ns=1))],
        "link": "seeks",
        "problem": "nats: timeout",
        "reading": reading(problem=Sentence("ALSA: no device")),
    }
    told, public = (floor(**troubled, with_faults=with_faults) for with_faults in (True, False))
    assert told["fault"] == "No server of the hall answers: trying again: nats: timeout"
    assert len(told["mats"][0]["warnings"]) == 2
    assert told["reading"]["problem"] == "ALSA: no device"
    assert (public["fault"], public["mats"][0]["warnings"], public["reading"]["problem"]) == ("", [], None)
    assert public["link"] == told["link"] == "This board is not up to date at the moment."
    assert public["sums"] == told["sums"]


def test_a_tile_tells_what_happened_there() -> None:
    appeal, looks, silent, hand, _, over, free, *_ = floor()["mats"]
    assert appeal["doing"] == "Dan appeals: look at the replay"
    assert looks["last"]["more"] == "by 21 ms ± 3 · Fault: Emi <b>"
    assert (silent["doing"], hand["doing"], over["doing"]) == ("for 14 s", "青井 葵", "福田 文 wins")
    assert (free["counts"], free["title"], free["address"]) == (None, "A-2-3", None)


def test_a_proposal_that_waits_for_a_person_is_urgent_without_a_pause() -> None:
    (tile,) = floor([mat(3, last=last(17, standing="proposed"))])["mats"]
    assert tile["state"] == "looks"


def test_who_never_was_heard_has_no_seconds() -> None:
    (tile,) = floor([mat(3, silent_s=math.inf)])["mats"]
    assert tile["doing"] == ""


def test_the_reading_names_whom_it_waits_for() -> None:
    shown = floor()["reading"]
    assert (shown["phase_text"], shown["waits_for"], shown["hands"], shown["lost"]) == (
        "The reader waits", ["4", "5"], ["4"], ["3"]
    )  # fmt: skip
    assert (shown["number"], shown["ready"], shown["left"]) == (
        "Poem 14 of 100",
        "7 of 9 ready",
        "reads on in 52 s",
    )
    assert floor(reading=None)["reading"] is None
    silent = floor(is_reader_silent=True)["reading"]
    assert (silent["phase"], silent["phase_text"]) == ("silent", "Nothing is heard of the reader")
    assert floor(reading=reading(number=0, limit_s=None))["reading"]["number"] == "Before the first poem"
