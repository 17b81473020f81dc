"""What a network stream sends is doubted where it is compressed too coarsely, as in a film."""

import time
from pathlib import Path

import numpy as np
import pytest

from tests.vision.sources.written_video import write_video
from vision.frames.quantiser import POOR_PICTURES
from vision.sources.network.network_stream import StreamFeed


@pytest.mark.parametrize(("quantiser", "doubt"), [("24", None), ("46", POOR_PICTURES)])
def test_pictures_that_are_compressed_too_coarsely_prove_nothing(
    tmp_path: Path, quantiser: str, doubt: str | None
) -> None:
    dice = np.random.default_rng(5)
    grays = [dice.integers(80, 170, (96, 128), np.uint8) for _ in range(20)]
    path = write_video(
        tmp_path / "stream.ts",
        [(33 * at, gray) for at, gray in enumerate(grays)],
        "libx264",
        encoder={"qp": quantiser, "preset": "ultrafast"},
    )
    feed = StreamFeed(str(path), "a camera", time.perf_counter_ns)
    assert [feed.read().doubt for _ in range(10)] == [doubt] * 10
    feed.close()
