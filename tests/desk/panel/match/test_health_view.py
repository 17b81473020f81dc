"""The texts of the machine's health, and of the link to a hall."""

from desk.panel.match.port import HallLink, Health
from desk.panel.match.stream import health_view
from desk.panel.words import words

HEALTH: Health = {
    "now_ns": 1,
    "fps": None,
    "fps_nominal": None,
    "dropped": 0,
    "late_ms": None,
    "warnings": ["hall_lost"],
}
LINK: HallLink = {
    "mat": "mat-07",
    "state": "seeks",
    "unsent": 12,
    "problem": "no answer",
    "clock_unc_ms": None,
}


def test_a_match_outside_a_hall_shows_no_link() -> None:
    assert "hall" not in health_view(HEALTH, words("en"))


def test_the_link_tells_its_state_and_what_waits() -> None:
    shown = health_view({**HEALTH, "hall": LINK}, words("en"))
    assert shown["hall"] == {
        "state": "seeks",
        "text": "mat-07: looks for the hall · 12 entries wait",
        "title": "no answer",
    }
    joined: HallLink = {**LINK, "state": "joined", "unsent": 0, "problem": None}
    assert health_view({**HEALTH, "hall": joined}, words("en"))["hall"]["text"] == "mat-07: in the hall"


def test_japanese_has_words_for_it() -> None:
    shown = health_view({**HEALTH, "hall": LINK}, words("ja"))
    assert shown["hall"]["text"] == "mat-07: 会場を探しています · 未送信 12 件"
    assert shown["warnings"] == ["会場との接続が切れました。戻るまで、読まれた歌を手で指定してください"]
