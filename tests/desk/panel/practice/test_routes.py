"""The page of a practice over HTTP: its texts, and the rights of visitors."""

from typing import Any

import httpx
import pytest

from desk.panel.practice.routes import create_practice_app
from desk.panel.practice.view import OUTCOMES, AttemptShown, PracticeNow, practice_view
from desk.panel.roles import Role, Roles
from desk.panel.words import words
from desk.practice.events import Outcome
from tests.desk.panel.visitor import browser_of


def attempt(outcome: str, ms: float | None = None, lure: int | None = None) -> AttemptShown:
    return {
        "poem": 17,
        "kimariji": "ち",
        "outcome": outcome,
        "ms": ms,
        "unc_ms": None if ms is None else 12.0,
        "lure": lure,
        "due": "2026-12-01",
    }


def practice(*attempts: AttemptShown, **changes: Any) -> PracticeNow:
    usual: PracticeNow = {
        "state": "reading",
        "player": "Hana",
        "laid": [17, 66],
        "unread": 0,
        "wanted": [],
        "poems": 20,
        "karafuda": 0,
        "attempts": list(attempts),
        "slow": [],
        "median_ms": None,
        "awaits": "reading",
        "counts": True,
        "live": True,
        "phone": None,
        "problem": None,
    }
    return {**usual, **changes}  # type: ignore[typeddict-item]


class Door:
    """A practice that notes what it is asked to do."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def now(self) -> PracticeNow:
        return practice()

    def preview(self) -> bytes | None:
        return None

    def do(self, name: str) -> str | None:
        if name == "dance":
            raise KeyError(name)
        self.asked.append(name)
        return "no_field" if name == "start" else None


def ask(door: Door, name: str, token: str = "chief") -> httpx.Response:
    app = create_practice_app(door, roles=Roles({"chief": Role.OPERATOR}))
    return browser_of(app, token).post("/api/practise/acts?lang=en", json={"name": name})


def test_only_the_operator_commands_and_a_refusal_says_what_to_do() -> None:
    door = Door()
    assert ask(door, "next", token="somebody").status_code == 403
    assert door.asked == []
    assert ask(door, "next").status_code == 200
    refused = ask(door, "start")
    assert refused.status_code == 409
    assert refused.json()["error"].startswith("No card is read yet: lay cards")
    assert ask(door, "dance").status_code == 422
    assert door.asked == ["next", "start"]


@pytest.mark.parametrize(
    ("shown", "time", "text"),
    [
        (attempt("taken", 312.4), "0.31", "after the end of the kimariji"),
        (attempt("taken", -95.0), "−0.10", "a take before the end of the kimariji"),
        (attempt("taken"), None, "Taken; the time is not known"),
        (attempt("lured", lure=88), None, "なにわえ touched instead"),
        (attempt("missed"), None, "Not taken"),
    ],
)
def test_an_attempt_is_a_time_or_what_happened(shown: AttemptShown, time: str | None, text: str) -> None:
    last = practice_view(practice(shown), words("en"))["last"]
    assert (last["time"], last["text"]) == (time, text)


def test_the_field_says_which_of_the_proposed_cards_lie_there() -> None:
    now = practice(state="looking", wanted=[17, 5, 9], unread=1)
    view = practice_view(now, words("en"))
    assert view["cards_text"] == (
        "2 cards are read. 1 lies there that cannot be read. 1 of the 3 proposed cards lie there."
    )
    assert [card["lies"] for card in view["wanted"]] == [True, False, False]
    assert practice_view(now, words("ja"))["cards_text"].startswith("2 枚読み取れました。読み取れない札が")


def test_every_outcome_has_words() -> None:
    assert set(OUTCOMES) == {outcome.value for outcome in Outcome}
