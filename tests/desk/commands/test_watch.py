"""`shinpan watch`: a live camera over HTTP, refereed in real time without a panel."""

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import cv2
import numpy as np
import pytest

from desk.commands import cli
from desk.commands.watch import LiveJudge
from referee.facts import PoemStarted, Touch
from referee.karuta.ruleset import KYOGI
from tests.desk.filmed import filmed
from tests.vision.sources.http_camera import Part, Script, http_camera
from vision.field.layout_reader import LayoutReading, read_layout
from vision.frames.frame import Frame, Gray
from vision.match.live_watcher import LiveWatch
from vision.poem.events import PoemSeen
from vision.simulator import SimulatedMatch
from vision.simulator.hall.clip import single_poem
from vision.simulator.hall.recorder import write_recording
from vision.simulator.hall.second_camera import SecondCamera
from vision.sources.source import Counters

pytestmark = pytest.mark.live

LATE_S = 2.5  # largest delay of a film on a busy machine


def lines_of(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def skip_where_it_fell_behind(lines: list[dict[str, Any]], film: Sequence[Part]) -> None:
    """Say nothing about an eye that had no processor: it left pictures out, or never saw the film's end."""
    stats = lines[-1]
    most_left_out = 0.1 * len(film)
    if stats["overflowed"] > most_left_out or stats["delivered"] < len(film) - most_left_out:
        pytest.skip("this machine is too busy to watch a camera in real time")


@pytest.fixture(scope="module")
def match() -> Any:
    return single_poem("own", 2, 30, (960, 540), "tatami", cards_per_side=6)


def test_a_camera_is_refereed_as_it_films(
    match: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    episode = next(match.episodes())
    frames = list(match)
    parts = [
        Part((frame.t_ns - frames[0].t_ns) / 1e9, cv2.imencode(".jpg", frame.gray)[1].tobytes())
        for frame in frames
    ]
    reading = tmp_path / "reading.jsonl"
    start_ms = episode.t_s * 1e3 - frames[0].t_ns / 1e6
    reading.write_text(json.dumps({"t_ms": start_ms, "poem": episode.poem}))
    with http_camera(Script([parts, []])) as url:
        left = cli.main(["watch", url, "--reading", str(reading), "--seconds", str(parts[-1].t_s + LATE_S)])
    lines = lines_of(capsys)
    assert left == 0
    skip_where_it_fell_behind(lines, parts)
    by_kind = {line["event"]: line for line in lines}
    assert len(by_kind["layout"]["layout"]) > 0
    poem = by_kind["poem"]
    assert poem["poem"] == episode.poem
    assert any(touch["card"] == episode.poem for touch in poem["touches"])
    # whoever is slow leaves pictures out, and most are looked at
    assert by_kind["stats"]["delivered"] >= len(parts) / 2
    assert all(line["late_ms"] >= 0 for line in lines if line["event"] != "stats")


def test_a_camera_that_is_unplugged_in_the_middle_of_a_poem_loses_no_event(
    match: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The cable is out while the card is touched: told at once, and nothing is decided across the gap."""
    episode = next(match.episodes())
    touched_ns = min(touch["t_ms"] for touch in episode.truth["touches"]) * 1e6
    frames = list(match)
    jpegs = [cv2.imencode(".jpg", frame.gray)[1].tobytes() for frame in frames]
    begin_ns = frames[0].t_ns
    out = next(number for number, frame in enumerate(frames) if frame.t_ns > touched_ns - 60e6)
    back = next(number for number, frame in enumerate(frames) if frame.t_ns > touched_ns + 60e6)
    first = [Part((frames[number].t_ns - begin_ns) / 1e9, jpegs[number]) for number in range(out)]
    first.append(Part(first[-1].t_s + 0.01, None))
    later = [
        Part((frames[number].t_ns - frames[back].t_ns) / 1e9, jpegs[number])
        for number in range(back, len(frames))
    ]
    reading = tmp_path / "reading.jsonl"
    start_ms = episode.t_s * 1e3 - begin_ns / 1e6
    reading.write_text(json.dumps({"t_ms": start_ms, "poem": episode.poem}))
    seconds = str((frames[-1].t_ns - begin_ns) / 1e9 + LATE_S)
    with http_camera(Script([first, later])) as url:
        assert cli.main(["watch", url, "--reading", str(reading), "--seconds", seconds]) == 0
    lines = lines_of(capsys)
    gaps = [line for line in lines if line["event"] == "gap"]
    poem = next(line for line in lines if line["event"] == "poem")
    assert "camera_lost" in {gap["reason"] for gap in gaps}
    assert lines.index(gaps[0]) < lines.index(poem)
    told = [*poem["touches"], *poem["not_provable"]]
    assert any(contact["card"] == episode.poem for contact in told), poem
    assert poem["ruling"]["status"] == "review"
    assert "gap" in poem["ruling"]["doubts"]


def test_a_camera_that_has_fallen_silent_ends_when_the_time_is_up(
    match: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reading = tmp_path / "reading.jsonl"
    reading.write_text(json.dumps({"t_ms": 60_000.0, "poem": 1}))
    jpeg = cv2.imencode(".jpg", next(iter(match)).gray)[1].tobytes()
    with http_camera(Script([[Part(0.1 * number, jpeg) for number in range(4)], []])) as url:
        assert cli.main(["watch", url, "--reading", str(reading), "--seconds", "2"]) == 0
    assert [line["event"] for line in lines_of(capsys)][-2:] == ["gap", "stats"]


@pytest.mark.parametrize(
    ("is_live", "size", "status"),
    [(True, (960, 540), "decided"), (True, (640, 360), "review"), (False, (640, 360), "decided")],
)
def test_cards_that_a_camera_shows_too_small_decide_nothing(
    is_live: bool, size: tuple[int, int], status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = read_layout([next(iter(SimulatedMatch(7, size=size, cards_per_side=4))).gray])
    assert isinstance(before, LayoutReading)
    card = before.layout.cards[0]
    assert card.card is not None
    touch = Touch(card.card, card.side, 900_000_000, 2_000_000)
    seen = PoemSeen(PoemStarted(card.card, 0, 1), before, (touch,), 1_000_000_000)
    monkeypatch.setattr(LiveWatch, "feed", lambda _watch, _frame: [seen])
    source = MagicMock(is_live=is_live, counters=Counters())
    source.__iter__.return_value = iter([Frame(np.zeros((90, 160), np.uint8), 1, 1, 0)])
    poem, _stats = LiveJudge(source, KYOGI, []).lines()
    assert poem["ruling"]["status"] == status


def test_a_recorded_video_is_refereed_too(
    match: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_recording(match, tmp_path / "clip")
    reading = folder / "reading.jsonl"
    assert cli.main(["watch", str(folder / "video.mkv"), "--reading", str(reading)]) == 0
    kinds = [line["event"] for line in lines_of(capsys)]
    assert "poem" in kinds
    assert kinds[-1] == "stats"


def test_a_mirrored_picture_is_told_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = single_poem("dead_none", 3, 30, (1280, 720), "tatami", cards_per_side=8)
    at_rest = islice(match, 45)
    folder = filmed(tmp_path, (np.ascontiguousarray(frame.gray[:, ::-1]) for frame in at_rest))
    assert cli.main(["watch", str(folder / "video.avi"), "--reading", str(folder / "reading.jsonl")]) == 2
    told = capsys.readouterr()
    assert told.err.count("the pictures are mirrored") == 1
    assert "show the field the wrong way" in told.err
    assert '"layout"' not in told.out


def test_a_film_without_cards_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Papers of a card's shape lie on the floor, and an arm takes one of them away."""
    folder = filmed(tmp_path, papers_taken())
    for words in (
        ["watch", str(folder / "video.avi"), "--reading", str(folder / "reading.jsonl")],
        ["judge", str(folder)],
    ):
        assert cli.main(words) == 2
        told = capsys.readouterr()
        assert "not a single karuta card could be read" in told.err
        assert '"decided"' not in told.out


def papers_taken() -> Iterator[Gray]:
    """Scribbled papers in two territories; the one in the middle of the far one is taken."""
    dice = np.random.default_rng(4)
    floor = np.full((540, 960), 110, np.uint8)
    places = [(x, y) for y in (120, 190, 330, 400) for x in range(120, 840, 90)]
    papers = {place: paper(dice) for place in places}
    for number in range(60):
        picture = floor.copy()
        for (x, y), face in papers.items():
            if (x, y) != places[3] or number < 30:
                picture[y : y + 58, x : x + 42] = face
        if 20 < number < 40:
            picture[: 150 - 8 * abs(number - 30), 385:425] = 60
        yield np.asarray(picture + dice.integers(-2, 3, picture.shape), np.uint8)


def paper(dice: np.random.Generator) -> Gray:
    face = np.full((58, 42), 235, np.uint8)
    for _ in range(6):
        ends = dice.integers(8, 34, 4)
        cv2.line(face, (int(ends[0]), int(ends[1])), (int(ends[2]), int(ends[3] + 12)), 30, 2)
    return face


@pytest.mark.slow
def test_a_second_camera_over_http_bears_witness(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip = single_poem("own", 2, 30, (960, 540), "tatami", cards_per_side=4)
    episode = next(clip.episodes())
    films = [
        [(t_ns, cv2.imencode(".jpg", picture)[1].tobytes()) for t_ns, picture in pictures]
        for pictures in (clip.pictures(), clip.filmed_by(SecondCamera(30, (960, 540), "right", 30.0)))
    ]
    begin_ns = films[0][0][0]
    still_s = 8.0  # on a busy machine it takes a while to find the second camera's place
    still_fps = 10  # so that the pictures of that time have room in the queue
    parts = []
    for film in films:
        still = [Part(number / still_fps, film[0][1]) for number in range(round(still_fps * still_s))]
        play = [Part(still_s + (t_ns - begin_ns) / 1e9, jpeg) for t_ns, jpeg in film]
        parts.append(still + play)
    reading = tmp_path / "reading.jsonl"
    begins_ms = 1e3 * (still_s + episode.t_s) - begin_ns / 1e6
    reading.write_text(json.dumps({"t_ms": begins_ms, "poem": episode.poem}))
    seconds = str(still_s + (films[0][-1][0] - begin_ns) / 1e9 + LATE_S)
    with http_camera(Script([parts[0], []])) as url, http_camera(Script([parts[1], []])) as second:
        words = ["watch", url, "--second-camera", second, "--reading", str(reading), "--seconds", seconds]
        assert cli.main(words) == 0
    lines = lines_of(capsys)
    skip_where_it_fell_behind(lines, parts[0])
    told = lines[-1]["second_camera"]
    assert told["poems"] == 1, lines
    over = {f"no pictures come from the second camera (camera_{how})" for how in ("lost", "stalled")}
    assert told["problem"] in {None, *over}, "its film ended after the play"
    poem = next(line for line in lines if line["event"] == "poem")
    assert any(touch["card"] == episode.poem for touch in poem["touches"])


def test_what_is_recorded_has_its_witnesses_in_the_recording(
    match: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    video = str(write_recording(match, tmp_path / "clip") / "video.mkv")
    assert cli.main(["watch", video, "--second-camera", "1"]) == 2
    assert "name its second video and its sound in recording.toml" in capsys.readouterr().err
    camera = [Part(0.0, cv2.imencode(".jpg", next(iter(match)).gray)[1].tobytes())]
    with http_camera(Script([camera])) as url:
        assert cli.main(["watch", url, "--second-camera", video]) == 2
    assert "is not a live camera" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["nowhere"], "expected a camera's number"),
        (["http://127.0.0.1:9/"], "cannot be opened"),
        (["0", "--size", "large"], "--size is a width and a height such as 1280x720, got 'large'"),
        (["0", "--fps", "0"], "--fps and --exposure-ms must be above 0"),
        (["0", "--reading", "gone.jsonl"], "gone.jsonl is missing"),
    ],
)
def test_a_wrong_call_says_what_was_expected(
    words: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["watch", *words]) == 2
    assert expected in capsys.readouterr().err
