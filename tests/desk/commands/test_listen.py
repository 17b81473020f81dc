"""`shinpan listen` says what it cannot do before it listens."""

from pathlib import Path

import pytest

from desk.commands import cli


def test_it_learns_before_it_listens_that_nothing_can_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sound = tmp_path / "reader.wav"
    sound.write_bytes(b"no sound at all")
    assert cli.main(["listen", str(sound), "--json", str(tmp_path / "missing" / "heard.json")]) != 0
    assert "there is no folder" in capsys.readouterr().err
