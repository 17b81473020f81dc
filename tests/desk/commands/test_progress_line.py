"""The progress line shows how many items are done, and how long the rest takes."""

import pytest

from desk.commands.progress_line import Counted, ProgressLine


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


def test_a_file_gets_few_lines(capsys: pytest.CaptureFixture[str]) -> None:
    line = ProgressLine()
    for share in range(3):
        line.show("judging", f"{share:4.0%}")
    line.end()
    assert capsys.readouterr().err == "judging:   0%\n"
