"""Films that end early, begin late or are damaged: what they do not show is not decided."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from desk.commands.cli import main
from desk.errors import DeskError
from desk.karuta.eye.recorded_match import judge_recording
from desk.tables.film import TableFilm
from desk.tables.recording import Declaration
from tests.desk.filmed import filmed
from vision.frames.frame import Frame, Gray
from vision.simulator import single_poem
from vision.sources.video_file import VideoSource

STEP_MS = 1000 / 30
Poem = tuple[Sequence[Gray], dict[str, Any]]


@pytest.fixture(scope="module")
def played() -> Poem:
    """A poem that is taken: its pictures, 30 a second, and what happened."""
    match = single_poem("opp", 3, fps=30, size=(640, 360), cards_per_side=8)
    pictures = [frame.gray for frame in match]
    return pictures, match.truth["poems"][0]


def recording(folder: Path, pictures: Sequence[Gray], poem: int, first_sound_ms: float) -> Path:
    filmed(folder, pictures)
    (folder / "reading.jsonl").write_text(json.dumps({"t_ms": first_sound_ms, "poem": poem}))
    return folder


def ruling(folder: Path) -> dict[str, Any]:
    (poem,) = judge_recording(folder)["poems"]
    found: dict[str, Any] = poem["ruling"]
    return found


def test_a_film_that_ends_before_anybody_can_play_decides_nothing(tmp_path: Path, played: Poem) -> None:
    pictures, truth = played
    early = pictures[: round((truth["t_ms"] + 250) / STEP_MS)]
    found = ruling(recording(tmp_path / "early", early, truth["poem"], truth["t_ms"]))
    assert (found["status"], found["doubts"]) == ("review", ["gap"])


def test_a_film_that_ends_while_somebody_plays_decides_nothing(tmp_path: Path, played: Poem) -> None:
    pictures, truth = played
    last_ms = max(touch["t_ms"] for touch in truth["touches"])
    early = pictures[: round((last_ms + 150) / STEP_MS)]
    found = ruling(recording(tmp_path / "early", early, truth["poem"], truth["t_ms"]))
    assert found["status"] == "review"
    assert "gap" in found["doubts"]


def test_a_film_may_begin_with_the_poems_first_sound(tmp_path: Path, played: Poem) -> None:
    pictures, truth = played
    late = pictures[round(truth["t_ms"] / STEP_MS) :]
    found = ruling(recording(tmp_path / "late", late, truth["poem"], 0.0))
    assert found["status"] == "decided"
    assert {key: found[key] for key in ("taken_by", "faults", "sends")} == {
        key: truth["ruling"][key] for key in ("taken_by", "faults", "sends")
    }


def test_a_film_may_be_joined_of_two_sizes(
    tmp_path: Path, played: Poem, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is open as they meet goes to the officials, and what follows is judged."""
    pictures, truth = played
    folder = recording(tmp_path / "joined", pictures, truth["poem"], truth["t_ms"])
    later_ms = len(pictures) * STEP_MS
    first, second = truth["t_ms"], later_ms + truth["t_ms"]
    lines = [json.dumps({"t_ms": t_ms, "poem": truth["poem"]}) for t_ms in (first, second)]
    (folder / "reading.jsonl").write_text("\n".join(lines))
    cut = round(first / STEP_MS) + 3

    def frames(source: VideoSource) -> Iterator[Frame]:
        grays = [*pictures[:cut], *(cv2.resize(gray, (960, 540)) for gray in pictures)]
        starts = [*range(cut), *range(len(pictures), 2 * len(pictures))]
        for index, (gray, number) in enumerate(zip(grays, starts, strict=True)):
            source.ends_ns = round(number * STEP_MS * 1e6)
            yield Frame(np.asarray(gray, np.uint8), source.ends_ns, 1_000, index)

    monkeypatch.setattr(VideoSource, "__iter__", frames)
    early, late = judge_recording(folder)["poems"]
    assert (early["ruling"]["status"], early["ruling"]["doubts"]) == ("review", ["gap"])
    assert late["ruling"]["status"] == "decided"
    assert late["ruling"]["taken_by"] == truth["ruling"]["taken_by"]


def test_poems_that_lie_outside_the_film_are_told_with_its_times(tmp_path: Path, played: Poem) -> None:
    pictures, truth = played
    folder = recording(tmp_path / "clip", pictures[:20], truth["poem"], 60_000.0)
    with pytest.raises(DeskError, match=r"runs from \d+ to \d+ ms, .* from 60000 to 60000 ms"):
        judge_recording(folder)


def test_what_cannot_be_written_is_told_before_the_judging(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for out, told in ((tmp_path / "nowhere" / "out.json", "there is no folder"), (tmp_path, "is a folder")):
        assert main(["judge", str(tmp_path), "--json", str(out)]) == 2
        assert told in capsys.readouterr().err


def test_what_was_declared_long_after_a_tables_film_is_left_out_and_counted(
    tmp_path: Path, played: Poem
) -> None:
    path = filmed(tmp_path, played[0][:5]) / "video.avi"
    ends_ms = 4 * STEP_MS
    said = [Declaration(ends_ms + after_ms, 0, "stop") for after_ms in (-10.0, 500.0, 30_000.0)]
    film = TableFilm(path, None, said)
    heard = [each for _, declared in film for each in declared]
    assert [*heard, *film.end(table_was_seen=True)] == said[:2]
    assert "1 lines of declarations.jsonl" in film.stats.line()["hint"]
