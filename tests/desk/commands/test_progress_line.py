"""The progress line shows how many items are done, and how long the rest takes."""

import pytest

from desk.commands.progress_line import Counted


def test_where_lines_stay_a_few_are_written(capsys: pytest.CaptureFixture[str]) -> None:
    now_s = 0.0
    read = Counted("logs read", 50, lambda: now_s)
    for done in range(121):
        now_s = 0.05 * done
        read(done, 120)
    few = Counted("logs read", 50, lambda: now_s)
    few(1, 20)
    assert capsys.readouterr().err.splitlines() == ["logs read: 0 of 120"]


def test_a_terminal_shows_the_time_left_and_clears_the_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    now_s = 0.0
    cut = Counted("photos cut", clock_s=lambda: now_s)
    for done in range(5):
        now_s = 30.0 * done
        cut(done, 4)
    clear = "\r\x1b[K"
    assert capsys.readouterr().err == "".join(
        (
            f"{clear}photos cut: 0 of 4",
            f"{clear}photos cut: 1 of 4, 1 min 30 s left",
            f"{clear}photos cut: 2 of 4, 1 min 00 s left",
            f"{clear}photos cut: 3 of 4, 30 s left",
            clear,
        )
    )


def test_a_later_stage_is_timed_by_its_own_pace(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    now_s = 0.0
    written = Counted("halves written", clock_s=lambda: now_s)
    now_s = 600.0  # spent on listening to them
    written(0, 4)
    now_s = 602.0
    written(2, 4)
    assert capsys.readouterr().err.endswith("halves written: 2 of 4, 2 s left")
