"""How far the work on a film is, as a value and as a line on a terminal."""

import sys
from io import StringIO

import pytest

from desk.commands.progress_line import ProgressLine, time_left
from desk.films.film import Pacer, Progress, Stage


def test_the_time_left_follows_from_the_pace() -> None:
    told: list[Progress] = []
    now_s = [100.0]
    watched = Pacer(told.append, lambda: now_s[0]).begin(Stage.JUDGING, 40_000_000_000)
    for after_s, film_s in ((1.0, 0.4), (1.1, 5.0), (10.0, 10.0), (50.0, 45.0)):
        now_s[0] = 100.0 + after_s
        watched(round(film_s * 1e9))
    assert told == [
        Progress(Stage.JUDGING, 0.0, None),
        Progress(Stage.JUDGING, 0.01, None),  # too little to tell, and the next came too soon after it
        Progress(Stage.JUDGING, 0.25, 30.0),
        Progress(Stage.JUDGING, 1.0, 0.0),
    ]


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stderr", "shown"),
    [
        (Terminal(), "\r\x1b[Kjudging:   0%\r\x1b[Kjudging:  25%, 1 min 30 s left\r\x1b[K"),
        (StringIO(), "judging:   0%\n"),
    ],
)
def test_a_terminal_shows_a_line_that_changes_and_a_file_few_lines(
    monkeypatch: pytest.MonkeyPatch, stderr: StringIO, shown: str
) -> None:
    monkeypatch.setattr(sys, "stderr", stderr)
    line = ProgressLine()
    line.show("judging", "  0%")
    line.show("judging", f" 25%{time_left(90.0)}")
    line.end()
    assert stderr.getvalue() == shown
