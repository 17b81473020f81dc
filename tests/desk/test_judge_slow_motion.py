"""A phone's slow motion that was written stretched is asked about before its times are believed."""

from pathlib import Path

import pytest

from desk import cli
from vision.simulator.clip import single_poem
from vision.simulator.recorder import write_recording


def test_a_file_that_plays_slower_than_it_was_filmed_is_asked_about(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_recording(single_poem("own", 2, 30, (640, 360), cards_per_side=6), tmp_path / "clip")
    head = 'format = 1\ngame = "karuta"\nvideo = "video.mkv"\n[camera]\nfps = 240\n'
    (folder / "recording.toml").write_text(head, encoding="utf-8")
    cli.main(["judge", str(folder)])
    said = capsys.readouterr().err
    assert "video.mkv plays 30 pictures a second, [camera] fps says 240" in said
    assert "needs filmed_fps = 240 there" in said
