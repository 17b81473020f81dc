"""Films with gaps: anything that may have happened in a gap is in doubt, the rest still decides."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from desk.karuta.eye.recorded_match import judge_recording
from vision.frames.frame import Frame
from vision.simulator import single_poem, write_recording
from vision.sources.video_file import VideoSource


class CutVideo(VideoSource):
    """A film without the pictures of a stretch; all others keep their instants."""

    from_ms = to_ms = 0.0

    def _frames(self) -> Iterator[Frame]:
        for frame in super()._frames():
            if not self.from_ms * 1e6 <= frame.t_ns < self.to_ms * 1e6:
                yield frame


def ruling(folder: Path, from_ms: float = 0, to_ms: float = 0) -> dict[str, Any]:
    made = type("CutVideo", (CutVideo,), {"from_ms": from_ms, "to_ms": to_ms})
    with patch("desk.karuta.eye.recorded_match.VideoSource", partial(made)):
        (poem,) = judge_recording(folder)["poems"]
    found: dict[str, Any] = poem["ruling"]
    return found


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, float]:
    """A dead poem in which somebody touches a card: its recording, and when that happens, in ms."""
    clip = single_poem("dead_touch", 3, fps=60, size=(640, 360), cards_per_side=8)
    folder = write_recording(clip, tmp_path_factory.mktemp("holes") / "clip")
    truth = json.loads((folder / "truth.json").read_text())
    return folder, min(touch["t_ms"] for touch in truth["poems"][0]["touches"])


@pytest.mark.parametrize(
    ("from_ms", "to_ms", "status"), [(-100, 700, "review"), (-500, -200, "decided"), (500, 800, "decided")]
)
def test_a_hole_in_which_a_card_left_leaves_the_poem_to_a_person(
    film: tuple[Path, float], from_ms: float, to_ms: float, status: str
) -> None:
    folder, touched_ms = film
    found = ruling(folder, touched_ms + from_ms, touched_ms + to_ms)
    assert found["status"] == status
    assert ("gap" in found["doubts"]) is (status == "review")


@pytest.mark.parametrize("case", ["01-hole-in-film", "05-two-lost-pictures"])
def test_films_of_others_with_holes_are_left_to_a_person(shared: Path, case: str) -> None:
    folder = shared / "cases" / case
    if not folder.is_dir():
        pytest.skip(f"needs {folder}, which is absent")
    found = ruling(folder)
    assert found["status"] == "review"
    assert "gap" in found["doubts"]
