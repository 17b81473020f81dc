"""`shinpan practise` and `recite --set`: what is refused, and a simulated practice from its pixels."""

import argparse
import io
import os
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from desk.book.book import Book
from desk.book.digest import PracticeDigest, read_digest
from desk.commands.cli import main
from desk.commands.reading.book_set import cards_of_set
from desk.commands.reading.practice import attempt_line, closing_lines
from desk.log.event_log import EventLog, LogEntry
from desk.machine.config import first_free
from desk.practice.events import CODEC, Attempt, Outcome, PracticeOpened
from desk.tables.source_kind import Source
from vision.simulator.hall.match import Pace


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Keep a practice of Hana's in which 88 was missed and 17 and 66 were taken."""
    events = [
        PracticeOpened("practice_1", Source.CAMERA, "Hana", "0"),
        Attempt(17, Outcome.TAKEN, "ち", 300_000_000, 4_000_000),
        Attempt(66, Outcome.TAKEN, "もろ", 700_000_000, 4_000_000),
        Attempt(88, Outcome.MISSED, "なにわえ"),
    ]
    with EventLog.create(tmp_path / "practice_1.sqlite") as log:
        log.append(
            [
                LogEntry(seq, seq, "2026-01-04T19:00:00.000+09:00", "desk", *CODEC.encode(event))
                for seq, event in enumerate(events, 1)
            ]
        )
    return tmp_path


def wish(logs: Path, **given: object) -> argparse.Namespace:
    usual = {"player": "Hana", "card_set": "due", "most": None, "matches": logs, "day_begins": 0}
    return argparse.Namespace(**{**usual, **given})


def test_a_set_comes_from_the_players_book(logs: Path) -> None:
    assert cards_of_set(wish(logs)) == (88, 17, 66) or cards_of_set(wish(logs))[0] == 88  # type: ignore[index]
    assert cards_of_set(wish(logs, most=1)) == (88,)
    assert cards_of_set(wish(logs, card_set=None)) is None


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"player": None}, "name the player with --player"),
        ({"player": "Mei"}, "knows no player 'Mei'; it knows Hana"),
        ({"card_set": "slowest"}, "no take was timed in the latest three months"),
        ({"card_set": "confused"}, "no card was touched for another"),
        ({"most": 0}, "--most is 1..100, got 0"),
        ({"card_set": None, "most": 3}, "name the set"),
    ],
)
def test_what_cannot_be_chosen_is_told_in_a_line(logs: Path, given: dict[str, object], told: str) -> None:
    from desk.errors import DeskError

    with pytest.raises(DeskError, match=told.replace("(", r"\(")):
        cards_of_set(wish(logs, **given))


def test_a_simulated_practice_of_a_set_is_timed_from_its_pixels_and_kept(
    logs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    # no second half is waited for: it would be two thirds of the pictures
    monkeypatch.setattr("desk.practice.sources.live_pace", Pace)
    source = "simulator seed=4 cards=4 fps=30 size=800x450 speed=200"
    words = ["practise", source, "--player", "Hana", "--set", "due", "--most", "1", "--at-once", "--no-page"]
    assert main([*words, "--matches", str(logs)]) == 0
    told = capsys.readouterr().out
    assert "4 cards are read on the field" in told
    assert "なにわえ (88)" in told
    book = Book(logs)
    figures = book.figures("Hana")
    book.close()
    assert figures is not None
    practice = figures["practice"]
    assert practice is not None
    assert practice["sessions"] == 1, "a simulated practice is kept, but counts nowhere"
    (kept,) = [path for path in logs.glob("practice_*.sqlite") if path.stem != "practice_1"]
    simulated = read_digest(kept)
    assert isinstance(simulated, PracticeDigest)
    (attempt,) = simulated.attempts
    assert (attempt.poem, attempt.outcome) == (88, Outcome.TAKEN)
    # a simulated hand goes 0.12 to 0.4 s after the end of the kimariji
    assert (attempt.reaction_ns or 0) / 1e6 == pytest.approx(260, abs=160)


@pytest.mark.parametrize("by", ["q", "Ctrl-C"])
def test_the_page_stays_after_the_end_until_somebody_ends_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    port, told = first_free("127.0.0.1", 22_403), ""
    pages: list[str] = []

    def typed() -> Iterator[str]:
        nonlocal told
        yield "x\n"
        while "the page stays" not in told:
            told += capsys.readouterr().out
        while not pages:
            with suppress(URLError), urlopen(f"http://127.0.0.1:{port}/practise?lang=en", timeout=60) as page:
                pages.append(page.read().decode())
        if by == "q":
            yield "q\n"
        else:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr("sys.stdin", typed())
    source = "simulator seed=4 cards=4 fps=10 size=320x180"
    assert main(["practise", source, "--port", str(port), "--matches", str(tmp_path)]) == 1
    assert "Practice" in pages[0]
    assert "Traceback" not in capsys.readouterr().err


def test_lines_say_the_time_or_what_happened() -> None:
    taken = {"poem": 17, "kimariji": "ち", "outcome": "taken", "ms": 312.0, "unc_ms": 4.0, "lure": None}
    assert attempt_line({**taken, "due": None}) == "  0.31 s  ち (17)"  # type: ignore[typeddict-item]
    lured = {**taken, "ms": None, "outcome": "lured", "lure": 88, "due": "2026-11-30"}
    (_, line) = closing_lines([lured])  # type: ignore[list-item]
    assert line == "      –   ち (17): なにわえ (88) touched instead, comes again on 2026-11-30"
    assert closing_lines([]) == []
