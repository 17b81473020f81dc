"""A match always says what it waits for, and a command that comes too early or too late says when it can."""

import json
from itertools import product
from typing import Any

import pytest

from desk.panel.app import create_app
from desk.panel.match.port import CommandResult, Refusal, Snapshot
from desk.panel.match.requests import Command
from desk.panel.match.view import AWAITED, awaited
from desk.panel.phrases import NOT_NOW, PHASES
from desk.panel.words import words
from tests.desk.panel.commands import NAMES
from tests.desk.panel.panel_port import ScriptedPort
from tests.desk.panel.visitor import browser_of

TO_DO: list[Any] = [{"id": "field_not_seen", "params": {}}]


def snapshot(**changes: Any) -> Snapshot:
    shown: dict[str, Any] = {**ScriptedPort().state(), **changes}
    return shown  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"phase": "set_up"}, "set_up"),
        ({"phase": "memorise"}, "memorise"),
        ({"phase": "joka"}, "joka"),
        ({"phase": "joka", "takes_names": True}, "joka_by_person"),
        ({"phase": "poem", "reading": {"poem": 1, "order": 1, "t_ku_ns": []}}, "reading"),
        ({"phase": "poem", "takes_names": True}, "name"),
        ({"phase": "poem", "pause": {"reason": "review", "side": None}}, "ruling"),
        ({"phase": "restore", "to_do": TO_DO}, "to_do"),
        ({"phase": "restore"}, "next"),
        ({"phase": "restore", "takes_names": True}, "next_by_person"),
        ({"phase": "restore", "to_do": TO_DO, "pause": {"reason": "appeal", "side": "near"}}, "paused"),
        ({"phase": "over", "pause": {"reason": "operator", "side": None}}, "over"),
    ],
)
def test_what_a_match_waits_for(changes: dict[str, Any], what: str) -> None:
    usual: dict[str, Any] = {"to_do": [], "pause": None, "reading": None, "takes_names": False}
    assert awaited(snapshot(**{**usual, **changes})) == what


def test_no_state_of_a_match_is_without_words() -> None:
    reading = {"poem": 1, "order": 1, "t_ku_ns": []}
    pauses = [None, *({"reason": reason, "side": None} for reason in ("review", "operator", "eye"))]
    states = product(PHASES, pauses, (None, reading), ([], TO_DO), (False, True))
    for phase, pause, read, to_do, by_person in states:
        if phase == "ruling":
            continue  # the page's word for a pause
        what = awaited(snapshot(phase=phase, pause=pause, reading=read, to_do=to_do, takes_names=by_person))
        assert bool(AWAITED[what].text) is (phase != "over"), (phase, what)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_command_at_the_wrong_time_says_when_it_can_be_given(language: str) -> None:
    class Late(ScriptedPort):
        async def command(self, command: Command) -> CommandResult:
            return CommandResult(refusal=Refusal.NOT_NOW)

    browser = browser_of(create_app(Late()))
    answer = browser.post(f"/api/commands?lang={language}", json={"name": "accept_field"})
    said = words(language)
    assert answer.status_code == 409
    assert json.loads(answer.text)["error"] == said.plain(NOT_NOW["accept_field"])


def test_each_command_that_belongs_to_a_phase_has_its_words() -> None:
    anytime = {"revert", "pause", "resume", "set_policies"}
    assert set(NOT_NOW) == set(NAMES) - anytime


@pytest.mark.parametrize(("source", "what"), [("camera", "nobody"), ("simulator", "nobody_simulates")])
def test_a_match_without_eye_and_reader_promises_no_poem(source: str, what: str) -> None:
    match = {**ScriptedPort().state()["match"], "source": source}
    usual: dict[str, Any] = {"to_do": [], "pause": None, "reading": None, "is_watched": False, "match": match}
    for phase in ("joka", "poem", "restore"):
        assert awaited(snapshot(**usual, phase=phase)) == what
    assert awaited(snapshot(**usual, phase="over")) == "over"
