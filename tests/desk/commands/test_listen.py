"""`shinpan listen` says what it cannot do before it listens."""

from pathlib import Path

import numpy as np
import pytest
import soundfile

from desk.commands import cli


def test_a_recording_that_broke_off_in_no_half(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sound = tmp_path / "reader.wav"
    soundfile.write(sound, np.full(48_000, 0.1, np.float32), 48_000)
    head = bytearray(sound.read_bytes())
    head[40:44] = bytes(4)
    sound.write_bytes(head)
    assert cli.main(["listen", str(sound)]) == 1
    broken, nothing = capsys.readouterr().err.splitlines()
    assert "expected 0 bytes of sound, as the file's header says, but 96000 came" in broken
    assert "none was recognised in 1.0 s of sound whose loudest sample is at 10.0 %" in nothing
